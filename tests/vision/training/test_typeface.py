"""What the typeface learns from, and how it is learnt."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from onnxruntime import InferenceSession

torch = pytest.importorskip("torch", reason="training has an environment of its own")

from vision.faces import log_softmax  # noqa: E402 - torch may be missing
from vision.reading.typeface import NUMBERS, SHAPES  # noqa: E402 - as above
from vision.reading.verify import SEEN  # noqa: E402 - as above
from vision.training.reader import IGNORED  # noqa: E402 - as above
from vision.training.set_transformer import UNLIKE, export_set_network  # noqa: E402 - as above
from vision.training.typeface import (  # noqa: E402 - as above
    MOST_TILES,
    Shapes,
    Typeface,
    make_batch,
    train_typeface,
    unmet,
)

if TYPE_CHECKING:
    from pathlib import Path

# Of the exporter itself; the layers are as many for any picture.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:Iterating over")


def picture(rng: np.random.Generator, count: int, plain: float = 3.0) -> Shapes:
    """Tiles of one made-up typeface, half of which can hardly be told alone."""
    typeface = rng.normal(0, 1, (NUMBERS, SEEN))
    truth = rng.integers(0, 4, count)
    seen = typeface[truth] + rng.normal(0, 0.1, (count, SEEN))
    logits = rng.normal(0, 1, (count, NUMBERS)).astype(np.float32)
    logits[np.arange(count), truth] += np.where(rng.random(count) < 0.5, plain, 12.0)
    told = np.concatenate([seen, log_softmax(logits), np.ones((count, 1))], 1)
    return Shapes(told.astype(np.float32), truth)


def test_a_batch_takes_no_picture_for_larger_than_it_is() -> None:
    rng = np.random.default_rng(1)
    pictures = [picture(rng, count) for count in (2, 7, MOST_TILES + 9)]
    told, absent, truth = make_batch(rng, pictures, 0.5)
    assert ((truth == IGNORED) == (absent == UNLIKE)).all()
    assert (told[absent == UNLIKE] == 0).all()


def test_an_unmet_typeface_is_still_one_and_less_plain() -> None:
    rng = np.random.default_rng(3)
    before = picture(rng, 30)
    after = unmet(rng, before)
    assert np.exp(after.told[:, SEEN:-1]).sum(1) == pytest.approx(1, abs=1e-4)
    assert (after.told[:, :SEEN] == before.told[:, :SEEN]).all()
    own = (np.arange(30), SEEN + before.truth)
    assert after.told[own].mean() < before.told[own].mean()


def test_what_is_absent_changes_nothing() -> None:
    rng = np.random.default_rng(5)
    seen = picture(rng, 9)
    network = Typeface(seen.told).eval()
    torch.nn.init.normal_(network.weigh[2].weight)
    told, absent = torch.from_numpy(seen.told)[None], torch.zeros(1, 9)
    absent[:, 6:] = UNLIKE
    before = network(told, absent)[:, :6]
    told[:, 6:, :SEEN] = 9
    torch.testing.assert_close(network(told, absent)[:, :6], before)
    torch.testing.assert_close(network(told[:, :6], absent[:, :6]), before)


def test_it_learns_that_what_looks_alike_is_the_same(tmp_path: Path) -> None:
    """On typefaces that it has not met, and as exported, for any number of tiles."""
    rng = np.random.default_rng(7)
    network = train_typeface(
        [picture(rng, 16) for _ in range(200)],
        tmp_path / "checkpoint.pt",
        steps=150,
        seed=2,
        unmet_share=0.4,
    )
    export_set_network(network, tmp_path / "typeface.onnx", "shapes", "added")
    session = InferenceSession(tmp_path / "typeface.onnx")
    losses = []
    for count in (12, 23, 40):
        told, truth = picture(rng, count, plain=2.0)
        (added,) = session.run(None, {"shapes": told})
        assert added.shape == (count, NUMBERS)
        logs = [told[:, SEEN:-1], log_softmax(told[:, SEEN:-1] + added)]
        losses.append([-float(each[np.arange(count), truth].mean()) for each in logs])
    alone, together = np.mean(losses, 0)
    assert together < 0.7 * alone
    assert told.shape[1] == SHAPES
