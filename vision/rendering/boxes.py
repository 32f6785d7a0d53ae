"""Physical sets to lay on the table, each of one varied edition."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from vision.rendering.faces import Blank, Face, draw_blank, draw_face
from vision.rendering.variety import LEARNT, Stock, vary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.rendering.editions import Edition


@dataclass(slots=True)
class TileBox:
    """One physical set: the faces of one varied edition, drawn when first wanted.

    Its tiles may lie among those of another, `mixed` with it.
    """

    edition: Edition
    rng: np.random.Generator
    drawn: dict[str, list[Face]] = field(default_factory=dict)
    blanks: dict[bool, Blank] = field(default_factory=dict)
    mixed: TileBox | None = None

    @property
    def tall(self) -> float:
        """Height of a tile, in tile widths."""
        return 1 / self.edition.body.aspect

    @property
    def thick(self) -> float:
        """Thickness of a tile, in tile widths."""
        return self.edition.body.thickness

    def mix(self, other: TileBox) -> None:
        """Lay another set's tiles among these, which makes them as large."""
        other.edition = other.edition.as_large_as(self.edition)
        other.drawn.clear()
        other.blanks.clear()
        self.mixed = other

    @property
    def sets(self) -> tuple[TileBox, ...]:
        """Return this set, and the one mixed with it."""
        return (self, self.mixed) if self.mixed else (self,)

    def any_set(self, rng: np.random.Generator) -> TileBox:
        """Return the set that a tile is of, either as likely."""
        return self.mixed if self.mixed and rng.random() < 0.5 else self

    def face(self, name: str) -> Face:
        """Return a face; jokers come in a few variants."""
        variants = self.drawn.setdefault(name, [])
        if len(variants) < (3 if name == "J" else 1):
            variants.append(draw_face(self.edition, name, self.rng, self._blank(back=name == "")))
        return variants[int(self.rng.integers(len(variants)))]

    def _blank(self, *, back: bool) -> Blank:
        if back not in self.blanks:
            self.blanks[back] = draw_blank(self.edition, self.rng, back=back)
        return self.blanks[back]


def fill_boxes(
    rng: np.random.Generator, editions: Sequence[Edition], count: int, stock: Stock = LEARNT
) -> list[TileBox]:
    """Make `count` physical sets, varied from the editions in turn."""
    return [
        TileBox(
            vary(editions[i % len(editions)], editions, rng, stock),
            np.random.default_rng(rng.integers(2**63)),
        )
        for i in range(count)
    ]
