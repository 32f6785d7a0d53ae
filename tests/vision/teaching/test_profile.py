"""Teaching a set: the correction is learnt, kept, found again, and harms nothing else."""

from __future__ import annotations

import errno
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np
import pytest

from referee.tiles import Tile
from vision.crops import balance, straighten
from vision.network import Network
from vision.reading.examine import Examiner
from vision.reading.reader import Reader
from vision.teaching.correction import KEPT_SIZE, MARGIN, Correction, fit_correction, keep
from vision.teaching.profile import (
    ENDING,
    Profile,
    ProfileError,
    forget_profile,
    load_profile,
    profile_names,
    profile_of,
    save_profile,
)

if TYPE_CHECKING:
    from pathlib import Path

    from vision.reading.corners import CornerFinder
    from vision.types import Floats, Pixels

INK = {"R": (40, 30, 200), "B": (200, 90, 20), "O": (20, 140, 240), "K": (20, 20, 20)}
FACES = tuple(Tile.parse(f"{c}{n}") for c in "RBOK" for n in range(1, 14))


class Blurry(Network):
    """A network that knows nothing, but sees: its last layers get small pictures."""

    def run(self, batch: Floats) -> list[Floats]:
        small = np.stack([cv2.resize(c.transpose(1, 2, 0), (12, 16)) for c in batch])
        seen = small.mean(3).reshape(len(batch), -1) - 0.7
        tint = small.reshape(len(batch), -1) - 0.7
        nothing = np.zeros((len(batch), 19), np.float32)
        return [nothing[:, :15], nothing[:, 15:], seen, tint]


def network(sha: str = "first") -> Network:
    return Blurry(None, {"input": {"size": [64, 96]}, "margin": 0.06, "sha256": sha})


def reader(sha: str = "first") -> Reader:
    return Reader(Examiner(corners=cast("CornerFinder", None), faces=network(sha)))


def pictures() -> Pixels:
    """All faces in a row, and cut out as they are kept."""
    wide, tall = 80, 114
    table = np.full((tall + 80, wide * len(FACES) + 80, 3), 90, np.uint8)
    quads = []
    for i, face in enumerate(FACES):
        x, y = 40 + i * wide, 40
        cv2.rectangle(table, (x, y), (x + wide - 3, y + tall), (225, 235, 235), -1)
        ink = INK[str(face)[0]]
        cv2.putText(table, str(face.number), (x + 8, y + 62), 0, 1.4, ink, 5, cv2.LINE_AA)
        quads.append([(x, y), (x + wide - 3, y), (x + wide - 3, y + tall), (x, y + tall)])
    return keep(table, np.array(quads, np.float32))


@pytest.fixture(scope="module")
def profile() -> Profile:
    return profile_of("mine", pictures(), FACES, reader())


@pytest.fixture
def fitted(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> Correction:
    """What is fitted from now on, which takes no time."""
    other = replace(profile.correction, number=2 * profile.correction.number)
    monkeypatch.setattr("vision.teaching.profile.fit_correction", lambda *_, **__: other)
    return other


def test_a_set_is_learnt_from_one_picture_a_face(profile: Profile) -> None:
    left, top = (MARGIN * side for side in KEPT_SIZE)
    right, bottom = KEPT_SIZE[0] - left, KEPT_SIZE[1] - top
    quad = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)
    dark = (profile.crops * 0.7).astype(np.uint8)
    crops = np.stack([straighten(crop, quad + 1.5, (64, 96), 0.06) for crop in dark])
    numbers, colours = profile.correction.apply(*network().run(balance(crops)))
    right_numbers = numbers.argmax(1) == [face.number - 1 for face in FACES if face.number]
    right_colours = colours.argmax(1) == ["RBOK".index(str(face)[0]) for face in FACES]
    assert right_numbers.mean() > 0.9
    assert right_colours.all()


def test_the_same_pictures_give_the_same_correction(profile: Profile) -> None:
    again = fit_correction(network(), profile.crops, FACES)
    assert again.number == pytest.approx(profile.correction.number, abs=1e-6)


def test_how_far_it_is_is_told(profile: Profile) -> None:
    told: list[float] = []
    fit_correction(network(), profile.crops[:4], FACES[:4], told=told.append)
    assert told == sorted(told)
    assert told[0] == 0
    assert 0.9 < told[-1] <= 1


def test_who_is_told_may_end_it(profile: Profile) -> None:
    def enough(share: float) -> None:
        if share > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        fit_correction(network(), profile.crops[:4], FACES[:4], told=enough)


def test_no_correction_changes_nothing() -> None:
    nothing = Correction(np.zeros((15, 4), np.float32), np.zeros((4, 3), np.float32))
    rng = np.random.default_rng(0)
    numbers, colours, seen, tint = (
        rng.normal(size=(6, width)).astype(np.float32) for width in (15, 4, 3, 2)
    )
    after = nothing.apply(numbers, colours, seen, tint)
    assert after[0] == pytest.approx(numbers)
    assert after[1] == pytest.approx(colours)


def test_a_profile_is_kept_whole(profile: Profile, tmp_path: Path) -> None:
    path = save_profile(profile, tmp_path / "sets")
    assert path.stat().st_size < 6_000_000
    found = load_profile("mine", tmp_path / "sets")
    assert found.faces == profile.faces
    assert (found.crops == profile.crops).all()
    assert found.correction.number == pytest.approx(profile.correction.number)
    assert profile_names(tmp_path / "sets") == ["mine"]
    forget_profile("mine", tmp_path / "sets")
    assert profile_names(tmp_path / "sets") == []


def test_a_profile_is_fitted_again_when_the_network_is_another(profile: Profile) -> None:
    same = profile.taught(reader("first")).examiner.correction
    other = profile.taught(reader("second")).examiner.correction
    assert same is profile.correction
    assert isinstance(other, Correction)
    assert other is not profile.correction


def test_what_was_fitted_again_is_kept_for_the_next_time(
    profile: Profile, fitted: Correction, tmp_path: Path
) -> None:
    save_profile(profile, tmp_path)
    assert load_profile("mine", tmp_path).taught(reader("second")).examiner.correction is fitted
    kept = load_profile("mine", tmp_path)
    assert kept.taught(reader("second")).examiner.correction is kept.correction
    assert (kept.correction.number == fitted.number).all()
    assert (kept.crops == profile.crops).all()


def test_what_was_fitted_again_counts_though_it_cannot_be_kept(
    profile: Profile,
    fitted: Correction,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = save_profile(profile, tmp_path)
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    found = load_profile("mine", tmp_path)
    monkeypatch.setattr("os.fsync", full)
    assert found.taught(reader("second")).examiner.correction is fitted
    assert "No space left on device" in caplog.text
    assert path.read_bytes() == before


def test_a_profile_that_is_not_there_is_named_with_those_that_are(
    profile: Profile, tmp_path: Path
) -> None:
    save_profile(profile, tmp_path)
    with pytest.raises(ProfileError, match="no set called 'yours' has been taught; there are: mi"):
        load_profile("yours", tmp_path)
    with pytest.raises(ProfileError, match="no set called 'yours'"):
        forget_profile("yours", tmp_path)


@pytest.mark.parametrize("size", [0, 10, 2000])
def test_a_damaged_profile_says_so(profile: Profile, tmp_path: Path, size: int) -> None:
    path = save_profile(profile, tmp_path)
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(ProfileError, match=r"damaged.*teach the set again"):
        load_profile("mine", tmp_path)


@pytest.mark.parametrize("step", [1, 7, 64])
def test_a_profile_with_other_bytes_in_it_says_so(
    profile: Profile, tmp_path: Path, step: int
) -> None:
    path = save_profile(profile, tmp_path)
    whole = path.read_bytes()
    for at in range(0, 60 * step, step):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        with suppress(ProfileError):
            load_profile("mine", tmp_path)


@pytest.mark.usefixtures("fitted")
def test_a_file_that_was_copied_by_hand_is_a_set_whatever_it_is_called(
    profile: Profile, tmp_path: Path
) -> None:
    path = save_profile(profile, tmp_path)
    path.rename(tmp_path / "Oma's (1).set.npz")
    (tmp_path / "._Oma's.set.npz").write_bytes(b"what macOS lays beside it")
    assert profile_names(tmp_path) == ["Oma's (1)"]
    load_profile("Oma's (1)", tmp_path).taught(reader("second"))
    assert load_profile("Oma's (1)", tmp_path).network == "second"
    forget_profile("Oma's (1)", tmp_path)
    assert profile_names(tmp_path) == []
    with pytest.raises(ProfileError, match="is no name for a set"):
        save_profile(replace(profile, name="Oma's (1)"), tmp_path)


@pytest.mark.parametrize("name", ["", "../up", "a/b", "x" * 41, ".hidden", "nul", "COM1"])
def test_names_that_are_no_files_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="is no name for a set"):
        load_profile(name, tmp_path)


def test_a_folder_that_cannot_be_made_is_named(profile: Profile, tmp_path: Path) -> None:
    (tmp_path / "sets").write_text("not a folder", encoding="utf-8")
    with pytest.raises(ProfileError, match=r"cannot keep .*mine" + ENDING.replace(".", r"\.")):
        save_profile(profile, tmp_path / "sets")
