"""Data flows one way: no line of a package, run or not, imports what lies above it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize(
    ("package", "above"),
    [
        ("referee", ("vision", "web")),
        ("vision", ("web",)),
        ("vision/teaching", ("vision.training",)),
        ("web", ("vision.training",)),
        ("web/store", ("vision", "web.live", "web.site")),
        ("web/live", ("web.site",)),
    ],
)
def test_no_package_imports_one_above_it(package: str, above: tuple[str, ...]) -> None:
    modules = list((ROOT / package).rglob("*.py"))
    assert modules
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in modules
        for name in imported(path)
        if any(f"{name}.".startswith(f"{one}.") for one in above)
    }
    assert found == set()
