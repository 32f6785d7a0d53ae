"""Training the typeface: the numbers of a picture's tiles, settled together.

The network compares every two tiles of a picture, and every number that one of them may show with
how surely the other shows it. What it makes of a number is the same for each of them (an
equivariant network of sets, Hartford et al. 2018), so that it can learn no runs, only that what
looks alike is the same, and what looks unlike is not.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

import click
import numpy as np
import torch
from torch import nn

from vision.reading.typeface import NUMBERS, SHAPES, shapes
from vision.reading.verify import SEEN
from vision.training.company import look_at_company
from vision.training.loop import Schedule, Trainer
from vision.training.reader import IGNORED
from vision.training.set_transformer import absence, filled
from vision.training.tiles import CALLED, NUMBER_SEEN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from vision.reading.examine import Examiner
    from vision.training.data import Labelled
    from vision.types import Floats

BATCH, MOST_TILES = 8, 40
SMALLEST_SIDE_PX = 11.0
SOME_TILES = 0.5  # share of the samples that are a part of a picture
RIVALS = 4  # numbers of each tile that are weighed; the others keep what they have
LOOKS, WIDTH, COMPARED, WEIGHED = 4, 24, 16, 32
MOST, LEAST_LOG = 6.0, -9.0
USUAL_COUNT = 8.0
FORGET = 0.1
# A typeface that no reader has met: some numbers of a picture lean towards others on every tile,
# and all are a little less plain.
MOST_LEANING, LEANING = 4, 4.0
PLAINNESS, EACH, NOISE = (0.6, 1.0), (0.6, 1.2), 0.3


class Shapes(NamedTuple):
    """The tiles of one picture: what tells their numbers, (n, `SHAPES`), and those, (n,)."""

    told: Floats
    truth: np.ndarray[tuple[int], np.dtype[np.int64]]


def shapes_of(examiner: Examiner, samples: Iterable[Labelled], seed: int) -> list[Shapes]:
    """Look at every tile of pictures that the reader has not learnt from."""
    rng = np.random.default_rng(seed)
    seen = (_shapes(examiner, sample, rng) for sample in samples)
    return [each for each in seen if each is not None]


def _shapes(examiner: Examiner, sample: Labelled, rng: np.random.Generator) -> Shapes | None:
    company = look_at_company(examiner, sample, rng, CALLED, SMALLEST_SIDE_PX)
    if company is None:
        return None
    truth = np.array([_number(sample, i) for i in company.places])
    if (truth != IGNORED).sum() <= 1:
        return None
    return Shapes(shapes(company.look.seen, company.numbers), truth)


def _number(sample: Labelled, tile: int) -> int:
    """Return the column of a tile's number, or that there is none to be learnt."""
    seen = sample.number_visible[tile] >= NUMBER_SEEN
    number = sample.names[tile][1:]
    return int(number) - 1 if seen and number else IGNORED


class Typeface(nn.Module):
    """(b, n, `SHAPES`) of n tiles to (b, n, 13) to add to their logs, nought at first.

    Parameters
    ----------
    seen
        (m, `SHAPES`) of the pictures to train on, by which what is seen of a number is scaled.
    """

    def __init__(self, seen: Floats) -> None:
        super().__init__()
        self.given = SHAPES
        self.middle: torch.Tensor
        self.spread: torch.Tensor
        strokes = seen[:, :SEEN]
        self.register_buffer("middle", torch.from_numpy(strokes.mean(0)))
        self.register_buffer("spread", torch.from_numpy(strokes.std(0) + 0.05))
        self.forget = nn.Dropout(FORGET)
        self.look = nn.Linear(SEEN, LOOKS * WIDTH)
        self.alike = nn.Linear(LOOKS, COMPARED)
        self.here = nn.Linear(2, COMPARED, bias=False)
        self.there = nn.Linear(3, COMPARED, bias=False)
        self.weigh = nn.Sequential(
            nn.Linear(2 * COMPARED + 3, WEIGHED), nn.SiLU(), nn.Linear(WEIGHED, 1)
        )
        last = self.weigh[2]
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)

    def forward(self, told: torch.Tensor, absent: torch.Tensor) -> torch.Tensor:
        """Return what to add; `absent` (b, n) is `UNLIKE` where no tile is, else 0."""
        batch, count, _ = told.shape
        logs = told[..., SEEN:-1].clamp(min=LEAST_LOG)
        bears_one = told[..., -1] * (absent == 0)
        surest = logs.max(-1).values.exp()

        known = ((told[..., :SEEN] - self.middle) / self.spread).clamp(-MOST, MOST)
        looks = self.look(self.forget(known)).reshape(batch, count, LOOKS, WIDTH).transpose(1, 2)
        looks = looks / (looks.norm(dim=-1, keepdim=True) + 1e-3)
        alike = (looks @ looks.transpose(-1, -2)).permute(0, 2, 3, 1)

        rivals, which = logs.topk(RIVALS, dim=-1)
        wide = (batch, count, count)
        others = logs[:, None].expand(*wide, NUMBERS)
        others = others.gather(3, which[:, :, None].expand(*wide, RIVALS))
        own = torch.stack([rivals / 4, rivals.exp()], -1)
        sure = surest[:, None, :, None].expand(*wide, RIVALS)
        theirs = torch.stack([others / 4, others.exp(), sure], -1)
        compared = nn.functional.silu(
            self.alike(alike)[:, :, :, None] + self.here(own)[:, :, None] + self.there(theirs)
        )
        order = torch.ones_like(surest).cumsum(1)
        company = bears_one[:, None] * (order[:, None] != order[:, :, None])
        total = (compared * company[..., None, None]).sum(2)
        mean = total / (company.sum(2) + 1)[..., None, None]
        plain = surest[..., None, None].expand(batch, count, RIVALS, 1)
        added = self.weigh(torch.cat([total / USUAL_COUNT, mean, own, plain], -1))[..., 0]
        return torch.zeros_like(logs).scatter(2, which, added)


def make_batch(
    rng: np.random.Generator, pictures: Sequence[Shapes], unmet_share: float
) -> tuple[torch.Tensor, ...]:
    """Return shapes, absence and numbers of `BATCH` pictures, filled up to one size."""
    drawn = (pictures[int(rng.integers(len(pictures)))] for _ in range(BATCH))
    chosen = [_some(rng, picture, unmet_share) for picture in drawn]
    told, truth = ([each[part] for each in chosen] for part in range(2))
    return (
        filled(told, MOST_TILES),
        absence(truth, MOST_TILES),
        filled(truth, MOST_TILES, IGNORED),
    )


def _some(rng: np.random.Generator, picture: Shapes, unmet_share: float) -> Shapes:
    """Return the tiles of a picture in any order, all or some, now and then as if unmet."""
    chosen = rng.permutation(len(picture.truth))
    if rng.random() < SOME_TILES:
        chosen = chosen[: rng.integers(min(2, len(chosen)), len(chosen) + 1)]
    chosen = chosen[:MOST_TILES]
    some = Shapes(picture.told[chosen], picture.truth[chosen])
    return unmet(rng, some) if rng.random() < unmet_share else some


def unmet(rng: np.random.Generator, picture: Shapes) -> Shapes:
    """Return a picture as a reader sees it that does not know its typeface."""
    lean = np.zeros((NUMBERS, NUMBERS), np.float32)
    for _ in range(int(rng.integers(1, MOST_LEANING + 1))):
        lean[tuple(rng.choice(NUMBERS, 2, replace=False))] += rng.uniform(0, LEANING)
    told, known = picture.told.copy(), picture.truth != IGNORED
    logs = told[:, SEEN:-1] * np.float32(rng.uniform(*PLAINNESS))
    each = rng.uniform(*EACH, (int(known.sum()), 1))
    logs[known] += lean[picture.truth[known]] * each + rng.normal(0, NOISE, (len(each), NUMBERS))
    told[:, SEEN:-1] = logs - np.logaddexp.reduce(logs, 1)[:, None]
    return Shapes(told, picture.truth)


def train_typeface(
    pictures: Sequence[Shapes],
    checkpoint: Path,
    *,
    steps: int,
    seed: int,
    unmet_share: float,
) -> Typeface:
    """Train from scratch, or go on from `checkpoint`; return the averaged network.

    `unmet_share` of the pictures are shown as to a reader that has not met their typeface.
    """
    torch.manual_seed(seed)
    network = Typeface(np.concatenate([each.told for each in pictures]))
    schedule = Schedule(steps=steps, warm_up=100, rate=3e-3, weight_decay=1e-2, clip=1.0)
    trainer = Trainer(network, schedule, checkpoint, seed)
    started = time.monotonic()
    for step in trainer.steps():
        rng = np.random.default_rng((seed, 6, step))
        told, absent, truth = (
            part.to(trainer.device) for part in make_batch(rng, pictures, unmet_share)
        )
        own = told[..., SEEN:-1]
        guess = own + trainer.model(told, absent)
        loss, alone = (
            nn.functional.cross_entropy(logs.flatten(0, 1), truth.flatten(), ignore_index=IGNORED)
            for logs in (guess, own)
        )
        trainer.update(loss)
        if step % 200 == 0:
            click.echo(
                f"step {step} loss {loss.item():.4f}, alone {alone.item():.4f} "
                f"{time.monotonic() - started:.0f} s"
            )
    return trainer.averaged()
