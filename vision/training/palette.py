"""Training the palette: the ink colours of a picture's tiles, settled together.

A set transformer looks at all tiles of a picture at once, and adds to the colour logits that the
reader has for each alone.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import click
import numpy as np
import torch
from torch import nn

from vision.crops import face_light
from vision.faces import COLOURS, has_ink, ink_column
from vision.reading.colours import CLUES, TINT, clues
from vision.training.company import look_at_company
from vision.training.loop import Schedule, Trainer
from vision.training.reader import IGNORED
from vision.training.set_transformer import SetTransformer, absence, filled
from vision.training.tiles import CALLED, NUMBER_SEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vision.reading.examine import Examiner
    from vision.training.data import Labelled
    from vision.types import Floats

BATCH, MOST_TILES = 32, 64
SMALLEST_SIDE_PX = 13.0
PHOTO_VIEWS = 8  # of each photograph: there are far fewer of them than of scenes
HANDFUL = 6  # of the tiles that have pictures of their own, looked at as if they lay together
SOME_TILES, SOME_COLOURS = 0.5, 0.25  # share of the samples that are a part of a picture
FORGET = 0.25  # share of the clues that are left out, or a palette learns its pictures by heart
# Share of the pictures shown as of inks that no reader has met, and how far off at most, in
# spreads, what it sees of them is. What is measured of an ink stays as it is.
UNMET, OFF = 0.6, 0.8


class Inks(NamedTuple):
    """The inked tiles of one picture: clues (n, `CLUES`), own logits (n, 4), and colours (n,)."""

    told: Floats
    own: Floats
    truth: np.ndarray[tuple[int], np.dtype[np.int64]]


def inks_of(
    examiner: Examiner, samples: Iterable[Labelled], seed: int, called_share: float = CALLED
) -> list[Inks]:
    """Look at every tile of pictures that the reader has not learnt from.

    `called_share` of them it sees as a poor video call sends them.
    """
    rng = np.random.default_rng(seed)
    seen = (_inks(examiner, sample, rng, called_share) for sample in samples)
    return [inks for inks in seen if inks is not None]


def handfuls(pictures: Sequence[Inks], seed: int) -> list[Inks]:
    """Put pictures of single tiles together at random, `HANDFUL` at a time."""
    order = np.random.default_rng(seed).permutation(len(pictures))
    groups = [
        [pictures[i] for i in order[at : at + HANDFUL]] for at in range(0, len(order), HANDFUL)
    ]
    return [Inks(*map(np.concatenate, zip(*group, strict=True))) for group in groups]


def _inks(
    examiner: Examiner, sample: Labelled, rng: np.random.Generator, called_share: float
) -> Inks | None:
    company = look_at_company(examiner, sample, rng, called_share, SMALLEST_SIDE_PX)
    if company is None:
        return None
    inked = has_ink(company.numbers)
    truth = np.array([_colour(company.sample, i) for i in company.places])[inked]
    if not (truth != IGNORED).any():
        return None
    look, quads = company.look, company.quads_img
    told = clues(look.crops, look.tint, face_light(company.sample.pixels_bgr, quads), quads)
    return Inks(told[inked], look.colours[inked], truth)


def _colour(sample: Labelled, tile: int) -> int:
    seen = sample.number_visible[tile] >= NUMBER_SEEN
    return ink_column(sample.names[tile]) if seen else IGNORED


def _some(rng: np.random.Generator, inks: Inks) -> Inks:
    """Return the tiles of a picture in any order: all, some, or those of some colours only."""
    count = len(inks.truth)
    chosen = rng.permutation(count)
    if rng.random() < SOME_COLOURS:
        kept = rng.permutation(len(COLOURS))[: rng.integers(1, len(COLOURS))]
        of_these = chosen[np.isin(inks.truth[chosen], kept)]
        chosen = of_these if len(of_these) else chosen
    most = len(chosen) if rng.random() > SOME_TILES else int(rng.integers(1, len(chosen) + 1))
    chosen = chosen[: min(most, MOST_TILES)]
    return Inks(inks.told[chosen], inks.own[chosen], inks.truth[chosen])


def unmet(rng: np.random.Generator, inks: Inks, spread: Floats) -> Inks:
    """Return a picture as a reader sees it that does not know its set: all inks off alike.

    `spread`, (`TINT`,), is how much what it sees differs from tile to tile.
    """
    told = inks.told.copy()
    told[:, :TINT] += rng.normal(0, rng.uniform(0, OFF), TINT) * spread
    return inks._replace(told=told)


def make_batch(
    rng: np.random.Generator, pictures: Sequence[Inks], spread: Floats
) -> tuple[torch.Tensor, ...]:
    """Return clues, absence, own logits and colours of `BATCH` pictures, filled up to one size.

    `spread` is that of `unmet`.
    """
    drawn = (_some(rng, pictures[int(rng.integers(len(pictures)))]) for _ in range(BATCH))
    chosen = [unmet(rng, inks, spread) if rng.random() < UNMET else inks for inks in drawn]
    told, own, truth = ([inks[part] for inks in chosen] for part in range(3))
    return (
        filled(told, MOST_TILES),
        absence(truth, MOST_TILES),
        filled(own, MOST_TILES),
        filled(truth, MOST_TILES, IGNORED),
    )


def train_palette(
    pictures: Sequence[Inks],
    checkpoint: Path,
    *,
    steps: int,
    seed: int,
    rate: float = 2e-3,
    start: Path | None = None,
) -> SetTransformer:
    """Train from scratch or `start`, or go on from `checkpoint`; return the averaged network."""
    torch.manual_seed(seed)
    everything = np.concatenate([inks.told for inks in pictures])
    # It adds nothing at first: each tile's own reading counts.
    network = SetTransformer(CLUES, len(COLOURS), everything, forget=FORGET)
    spread = network.spread[:TINT].numpy()
    schedule = Schedule(steps=steps, warm_up=100, rate=rate, weight_decay=2e-2)
    trainer = Trainer(network, schedule, checkpoint, seed, start)
    started = time.monotonic()
    for step in trainer.steps():
        rng = np.random.default_rng((seed, 4, step))
        batch = (part.to(trainer.device) for part in make_batch(rng, pictures, spread))
        told, absent, own, truth = batch
        guess = own + trainer.model(told, absent)
        loss = nn.functional.cross_entropy(
            guess.flatten(0, 1), truth.flatten(), ignore_index=IGNORED
        )
        trainer.update(loss)
        if step % 500 == 0:
            known = truth >= 0
            right = float((guess.argmax(2) == truth)[known].float().mean())
            alone = float((own.argmax(2) == truth)[known].float().mean())
            click.echo(
                f"step {step} loss {loss.item():.4f} colour {right:.3f}, alone {alone:.3f} "
                f"{time.monotonic() - started:.0f} s"
            )
    return trainer.averaged()
