"""A picture of calibration: how often the reader is right, against how sure it says it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_SIDE: Final = 400
_MARGIN: Final = 56
_LARGEST, _SMALLEST = 14.0, 3.0
_STYLE: Final = (
    "text{font:13px sans-serif;fill:#333}.frame{fill:none;stroke:#999}"
    ".ideal{stroke:#999;stroke-dasharray:4 4}.bin{fill:#1565c0;fill-opacity:.75}"
)


def reliability_svg(rows: Sequence[tuple[float, ...]], error: float) -> str:
    """Return an SVG of rows (lower bound, tiles, mean confidence, accuracy).

    A dot's area stands for its number of tiles; a calibrated reader's dots lie on the diagonal.

    >>> reliability_svg([(0.9, 10, 0.95, 1.0)], 0.05).count("<circle")
    1
    """
    most = max(row[1] for row in rows)
    dots = "".join(
        f'<circle class="bin" cx="{_x(confidence):.1f}" cy="{_y(accuracy):.1f}" '
        f'r="{max(_LARGEST * (tiles / most) ** 0.5, _SMALLEST):.1f}">'
        f"<title>{tiles:.0f} tiles: confidence {confidence:.3f}, right {accuracy:.3f}</title>"
        "</circle>"
        for _, tiles, confidence, accuracy in rows
    )
    ticks = "".join(
        f'<text x="{_x(at):.0f}" y="{_y(0) + 18:.0f}" text-anchor="middle">{at:.1f}</text>'
        f'<text x="{_x(0) - 8:.0f}" y="{_y(at) + 4:.0f}" text-anchor="end">{at:.1f}</text>'
        for at in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    )
    whole = _SIDE + 2 * _MARGIN
    tiles = sum(row[1] for row in rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}" role="img" '
        f'aria-label="Reliability of the reader"><style>{_STYLE}</style>'
        f'<rect width="{whole}" height="{whole}" fill="#fff"/>'
        f'<rect class="frame" x="{_x(0)}" y="{_y(1)}" width="{_SIDE}" height="{_SIDE}"/>'
        f'<line class="ideal" x1="{_x(0)}" y1="{_y(0)}" x2="{_x(1)}" y2="{_y(1)}"/>{ticks}{dots}'
        f'<text x="{_x(0.5)}" y="{whole - 12}" text-anchor="middle">mean confidence</text>'
        f'<text transform="translate(16 {_y(0.5)}) rotate(-90)" text-anchor="middle">'
        "share that is right</text>"
        f'<text x="{_x(0)}" y="{_MARGIN - 16}">{tiles:.0f} tiles; expected calibration error '
        f"{error:.4f}</text></svg>\n"
    )


def _x(share: float) -> float:
    return _MARGIN + _SIDE * share


def _y(share: float) -> float:
    return _MARGIN + _SIDE * (1 - share)
