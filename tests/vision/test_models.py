"""The networks that come with the program, on pictures: the main job, end to end."""

from __future__ import annotations

import hashlib
import json
import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from referee import load_ruleset, parse_table
from vision.evaluation.photos import by_group, evaluate
from vision.labels import load_labels
from vision.loading import load_table_reader
from vision.network import load_network
from vision.pictures import load_picture
from vision.reading.colours import CLUES
from vision.reading.verify import EVIDENCE
from vision.resources import resource_dir, sample_pictures

if TYPE_CHECKING:
    from vision.pipeline import TableReader

TRUTH = json.loads((resource_dir("samples") / "tables.json").read_text(encoding="utf-8"))
PHOTOS = Path(os.environ.get("MELDWATCH_PHOTOS", Path(__file__).parents[3] / "shared" / "photos"))


@lru_cache(maxsize=1)
def table_reader() -> TableReader:
    return load_table_reader()


def test_every_network_is_the_one_in_the_manifest() -> None:
    folder = resource_dir("models")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert {entry["name"] for entry in manifest["networks"]} == {
        "typeface",
        "detector",
        "corners",
        "reader",
        "palette",
        "verifier",
    }
    for entry in manifest["networks"]:
        data = (folder / entry["file"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == entry["sha256"]
        assert entry["licence"] == "AGPL-3.0-or-later"
        assert "CC BY 4.0" in entry["credit"]


@pytest.mark.parametrize(("name", "given"), [("palette", CLUES), ("verifier", EVIDENCE)])
def test_the_order_of_what_a_picture_holds_does_not_matter(name: str, given: int) -> None:
    network = load_network(name)
    rng = np.random.default_rng(2)
    told = rng.normal(0, 1, (12, given)).astype(np.float32)
    order = rng.permutation(12)
    assert network.run(told[order])[0] == pytest.approx(network.run(told)[0][order], abs=1e-3)


@pytest.mark.parametrize("picture", sample_pictures(), ids=lambda path: path.stem)
def test_samples_are_read_exactly(picture: Path) -> None:
    crossing = "crossing" in picture.stem
    rules = load_ruleset("runny" if crossing else "standard")
    reading = table_reader().read(load_picture(picture), rules)
    expected = parse_table(" | ".join(TRUTH[picture.name]))
    assert sorted(map(str, reading.table.parts)) == sorted(map(str, expected.parts))
    if "invalid" in picture.stem:
        assert reading.verdict.ok is False
    else:  # an unsure tile may leave a question open, but no legal set is accused
        assert not reading.verdict.violations


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_picture_reads_the_same(turns: int) -> None:
    picture = load_picture(resource_dir("samples") / "legal-table.jpg")
    turned = np.ascontiguousarray(np.rot90(picture, turns))
    reading = table_reader().read(turned, load_ruleset("standard"))
    assert sorted(map(str, reading.table.parts)) == sorted(TRUTH["legal-table.jpg"])


@pytest.mark.parametrize("colour", [0, 114, 255])
def test_an_empty_table_is_empty(colour: int) -> None:
    blank = np.full((600, 800, 3), colour, np.uint8)
    reading = table_reader().read(blank, load_ruleset("standard"))
    assert len(reading.readings) == 0
    assert reading.verdict.ok is True


@pytest.mark.skipif(
    not (PHOTOS / "edition_a.json").exists(),
    reason="the labelled photographs are not here; name their folder in MELDWATCH_PHOTOS",
)
def test_photographs_of_layouts_not_trained_on() -> None:
    photos = load_labels(PHOTOS / "edition_a.json", split="dev")
    total = by_group(evaluate(photos, table_reader()))["all"]
    assert total.found >= 0.995 * total.tiles
    assert total.found >= 0.995 * (total.found + total.false_alarms)
    assert total.joint_right >= 0.99 * total.found
    assert total.photos_right >= 30
