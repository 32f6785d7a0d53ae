from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING
from urllib.request import Request, urlopen

import pytest
from click.testing import CliRunner

from tests.web.label.desks import file_of, photo, reader_of
from vision.resources import sample_pictures
from web.cli import cli

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from vision.pipeline import TableReader


def run(*args: str | Path) -> Result:
    def load(_models_dir: Path | None) -> TableReader:
        return reader_of()

    given = ["label", *map(str, args), "--no-browser"]
    return CliRunner().invoke(cli, given, obj=load)


def test_photos_are_read_served_and_summed_up(tmp_path: Path, ended: list[str]) -> None:
    one, two = photo(tmp_path), photo(tmp_path, "b.jpg")
    result = run(one, two, one)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{one}: 5 tiles, 1 unsure",
        f"{two}: 5 tiles, 1 unsure",
        f"Done: 0 of 2 photos; the labels are in {tmp_path / 'labels.json'}.",
        "The others are not trained on until they are done: start again to go on.",
    ]
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{22}/", ended[0])


def test_bad_photos_are_told_and_the_others_labelled(tmp_path: Path, ended: list[str]) -> None:
    bad, out = tmp_path / "bad.jpg", tmp_path / "new" / "mine.json"
    bad.write_bytes(b"no picture")
    result = run(bad, tmp_path / "missing.jpg", tmp_path, photo(tmp_path), "--out", out)
    assert result.exit_code == 1
    assert [line.rpartition(": ")[2] for line in result.stderr.splitlines()] == [
        "not a picture of a known format; give a JPEG, PNG, WebP or HEIC picture",
        "no such file; check the name",
        "this is a folder; name the pictures in it",
    ]
    assert [entry["photo"] for entry in file_of(out)] == ["../table.jpg"]
    assert len(ended) == 1


def test_without_a_photo_that_can_be_read_nothing_is_begun(
    tmp_path: Path, ended: list[str]
) -> None:
    result = run(tmp_path / "missing.jpg")
    assert (result.exit_code, result.stdout) == (1, "")
    assert not (tmp_path / "labels.json").exists()
    assert ended == []
    assert (run().exit_code, "Missing argument 'PHOTO...'" in run().stderr) == (2, True)


def _folder(path: Path) -> None:
    path.mkdir()


def _typo(path: Path) -> None:
    path.write_text('[{"photo": "a.jpg", "width": 5, "heigth": 5}]', "utf-8")


def _no_json(path: Path) -> None:
    path.write_text("tiles", "utf-8")


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_folder, "is not a file; choose another with --out"),
        (_typo, "0.height: Field required"),
        (_no_json, "Invalid JSON"),
    ],
)
def test_a_file_that_cannot_be_used_is_said_in_one_line(
    tmp_path: Path, ended: list[str], spoil: object, message: str
) -> None:
    out = tmp_path / "mine.json"
    assert callable(spoil)
    spoil(out)
    result = run(photo(tmp_path), "--out", out)
    assert result.exit_code == 1
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert ended == []


def test_a_place_where_nothing_can_be_written_is_said(tmp_path: Path, ended: list[str]) -> None:
    table = photo(tmp_path)
    result = run(table, "--out", table / "labels.json")
    assert result.exit_code == 1
    assert "cannot make the folder" in result.stderr
    assert "choose another with --out" in result.stderr
    assert ended == []


def _ask(address: str, body: object = None) -> object:
    data = None if body is None else json.dumps(body).encode()
    origin = "/".join(address.split("/")[:3])
    headers = {"Content-Type": "application/json", "Origin": origin}
    with urlopen(Request(address, data, headers)) as answer:  # noqa: S310 - our own
        told: object = json.load(answer)
        return told


def test_a_bundled_photo_is_labelled_by_the_networks_and_then_evaluated(tmp_path: Path) -> None:
    sample = next(path for path in sample_pictures() if path.name == "legal-table.jpg")
    out = tmp_path / "labels.json"
    command = [sys.executable, "-c", "from web.cli import main; main()", "label", str(sample)]
    with (
        subprocess.Popen(  # noqa: S603
            [*command, "--out", str(out), "--no-browser"], stdout=subprocess.PIPE, text=True
        ) as labelling,
        ExitStack() as ending,
    ):
        assert labelling.stdout is not None
        ending.callback(labelling.kill)
        address = next(
            found[0] for line in labelling.stdout if (found := re.findall(r"http://\S+/", line))
        )
        told = _ask(f"{address}photos/0.json")
        assert isinstance(told, dict)
        refused = CliRunner().invoke(cli, ["evaluate", str(out)])
        tiles = [tile | {"doubt": ""} for tile in told["tiles"]]
        sent = {"version": 0, "split": "dev", "checked": True, "tiles": tiles}
        _ask(f"{address}photos/0", sent)
        labelling.send_signal(signal.SIGTERM)
        assert "Done: 1 of 1 photo;" in labelling.communicate()[0]
        assert labelling.returncode == 0
    assert (refused.exit_code, "no photo is checked yet" in refused.stderr) == (1, True)
    result = CliRunner().invoke(cli, ["evaluate", str(out), "--split", "dev", "--verbose"])
    titles, *_, row = (line.split() for line in result.stdout.splitlines())
    figures = dict(zip(titles, row, strict=True))
    assert result.exit_code == 0
    assert int(figures["tiles"]) > 20
    assert (figures["joint"], figures["recall"]) == ("1.0000", "1.0000")
