"""Calibration: confidences that mean what they say, and the point below which to ask.

Temperatures are fitted (Guo et al. 2017) on tiles that training has not seen: the tuning
photographs and scenes rendered with a seed of their own. Nothing here sees the `dev` split.
"""

from __future__ import annotations

import csv
import json
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from vision.crops import face_light
from vision.faces import (
    FACES,
    both_ways,
    face_probabilities,
    ink_column,
    log_softmax,
    number_column,
)
from vision.quads import shortest_side
from vision.reading.reader import Reader
from vision.training.company import look_into_boxes
from vision.training.publish import MOST_DOUBTING, write_manifest
from vision.training.reliability_plot import reliability_svg
from vision.training.tiles import NUMBER_SEEN, upright

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from vision.training.data import Labelled
    from vision.types import Floats

SMALLEST_TILE_PX = 18.0
TEMPERATURES = np.geomspace(0.25, 3.0, 60)
MOST_WRONG = 0.003  # share of the tuning pictures' tiles that may be read surely, and wrong
# Nobody who is wrong once in twenty times is sure.
THRESHOLDS = np.linspace(0.95, MOST_DOUBTING, 5)
VIEWS = 9  # of each tuning picture: what is at stake hangs on few tiles
BINS = 15
FACE_NAMES = tuple(str(face) for face in FACES)


@dataclass(frozen=True, slots=True)
class Answers:
    """The reader's raw answers to n tiles, and the truth.

    Attributes
    ----------
    numbers
        (2n, 15) float32 logits, as cut out and turned round.
    colours
        (n, 4) float32 logits of the way that is up.
    seen
        What tells the numbers of each picture's tiles, (n, f) of n in all.
    truth
        n faces.
    """

    numbers: Floats
    colours: Floats
    seen: tuple[Floats, ...]
    truth: tuple[str, ...]

    def faces(
        self, reader: Reader, number_temperature: float, colour_temperature: float
    ) -> Floats:
        """Return the probabilities of the 53 faces, (n, 53), the numbers of a picture settled."""
        numbers, _ = both_ways(log_softmax(self.numbers / number_temperature))
        starts = np.cumsum([len(each) for each in self.seen])[:-1]
        pictures = zip(self.seen, np.split(numbers, starts), strict=True)
        numbers = np.concatenate([reader.settle_numbers(seen, own) for seen, own in pictures])
        colours = np.exp(log_softmax(self.colours / colour_temperature))
        return face_probabilities(numbers, colours)


def ask(reader: Reader, samples: Sequence[Labelled], seed: int) -> Answers:
    """Let the reader look at every readable tile of the samples, in boxes as detectors give."""
    rng = np.random.default_rng(seed)
    numbers, colours, seen, truth = [], [], [], []
    for sample in map(upright, samples):
        readable = [
            i
            for i, quad in enumerate(sample.quads_img)
            if shortest_side(quad) >= SMALLEST_TILE_PX and sample.number_visible[i] >= NUMBER_SEEN
        ]
        if not readable:
            continue
        quads, look = look_into_boxes(reader.examiner, sample, readable, rng)
        number, turned = reader.examiner.weigh(look)
        light = face_light(sample.pixels_bgr, quads)
        upright_look = look.upright(turned)
        colours.append(reader.settle_colours(upright_look, number, light, quads))
        seen.append(upright_look.seen)
        numbers.append(look.numbers.reshape(2, len(quads), -1))
        truth += [sample.names[i] for i in readable]
    both = np.concatenate(numbers, 1)
    return Answers(
        both.reshape(-1, both.shape[2]), np.concatenate(colours), tuple(seen), tuple(truth)
    )


def fit(reader: Reader, answers: Answers) -> dict[str, float]:
    """Return the temperatures of least log loss, and the confidence from which to be sure.

    The numbers' one is that of each tile alone, as they come to the typeface.
    """
    number = np.array([*map(number_column, answers.truth)])
    colour = np.array([*map(ink_column, answers.truth)])
    coloured = colour >= 0
    rows = np.arange(len(number))

    def number_loss(temperature: float) -> float:
        numbers, _ = both_ways(log_softmax(answers.numbers / temperature))
        return -float(np.log(np.maximum(numbers[rows, number], 1e-6)).mean())

    number_temperature = float(min(TEMPERATURES, key=number_loss))
    own = answers.colours[coloured]

    def colour_loss(temperature: float) -> float:
        logs = log_softmax(own / temperature)
        return -float(np.maximum(logs[np.arange(len(own)), colour[coloured]], -14).mean())

    # Lamps that no training met change inks more than numbers: colours are never made surer.
    colour_temperature = max(1.0, float(min(TEMPERATURES, key=colour_loss)))
    faces = answers.faces(reader, number_temperature, colour_temperature)
    confidence, right = faces.max(1), _right(faces, answers.truth)
    enough = (t for t in THRESHOLDS if (~right & (confidence >= t)).mean() <= MOST_WRONG)
    sure = next(enough, THRESHOLDS[-1])
    return {
        "number_temperature": round(number_temperature, 3),
        "colour_temperature": round(colour_temperature, 3),
        "sure": round(float(sure), 3),
    }


def _right(faces: Floats, truth: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    read = [FACE_NAMES[i] for i in faces.argmax(1)]
    return np.array([r == t for r, t in zip(read, truth, strict=True)])


def reliability(
    reader: Reader, answers: Answers, settings: dict[str, float]
) -> list[tuple[float, ...]]:
    """Return rows of lower bound, tiles, mean confidence, accuracy, for bins of confidence."""
    temperatures = settings["number_temperature"], settings["colour_temperature"]
    faces = answers.faces(reader, *temperatures)
    confidence, right = faces.max(1), _right(faces, answers.truth)
    edges = np.linspace(0, 1, BINS + 1)
    rows: list[tuple[float, ...]] = []
    for low, high in pairwise(edges):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            mean, share = float(confidence[inside].mean()), float(right[inside].mean())
            rows.append((round(float(low), 3), int(inside.sum()), round(mean, 4), round(share, 4)))
    return rows


def calibration_error(rows: Sequence[tuple[float, ...]]) -> float:
    """Return the expected calibration error of `reliability`'s rows.

    >>> calibration_error([(0.5, 10, 0.6, 0.5), (0.9, 30, 0.95, 0.95)])
    0.025
    """
    total = sum(row[1] for row in rows)
    return round(sum(row[1] * abs(row[2] - row[3]) for row in rows) / total, 6)


def calibrate(
    models: Path, photographs: Sequence[Labelled], scenes: Sequence[Labelled], seed: int
) -> tuple[dict[str, float], float]:
    """Fit the reader in `models`; write its manifest, `results/calibration.csv` and its plot.

    Returns
    -------
        The settings, and the expected calibration error that remains.
    """
    reader = Reader.load(models)
    answers = ask(reader, [*photographs, *scenes] * VIEWS, seed)
    settings = fit(reader, answers)
    manifest = models / "manifest.json"
    networks = json.loads(manifest.read_text(encoding="utf-8"))["networks"]
    next(entry for entry in networks if entry["name"] == "reader").update(settings)
    write_manifest(manifest, networks)
    rows = reliability(reader, answers, settings)
    results = models / "results"
    results.mkdir(exist_ok=True)
    with (results / "calibration.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("confidence_from", "tiles", "mean_confidence", "accuracy"))
        writer.writerows(rows)
    error = calibration_error(rows)
    (results / "calibration.svg").write_text(reliability_svg(rows, error), encoding="utf-8")
    return settings, error
