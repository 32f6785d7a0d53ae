"""The collected rule cases: public engines' tests and rule pages, recomputed independently.

They are read from the folder that MELDWATCH_CASES names, or from ``shared/rule_cases`` beside
the checkout, and skipped where neither is there.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from referee import check_set, parse_set
from referee.layout import arranged
from referee.rulesets import load_ruleset

STANDARD = load_ruleset("standard")
BESIDE = Path(__file__).parents[3] / "shared" / "rule_cases"
FOLDER = Path(os.environ.get("MELDWATCH_CASES", BESIDE))


def cases(name: str) -> list[Any]:
    """Every case of one file, or one skipped stand-in that says why."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        skip = pytest.mark.skip(reason=f"no rule cases at {path}; set MELDWATCH_CASES")
        return [pytest.param({}, marks=skip, id=name)]
    found = json.loads(path.read_text(encoding="utf-8"))["cases"]
    return [pytest.param(case, id=case["id"]) for case in found]


@pytest.mark.parametrize("case", cases("set_validity"))
def test_set_validity(case: dict[str, Any]) -> None:
    tiles, expected = parse_set(case["tiles"]), case["expected"]
    verdict = check_set(tiles)
    assert verdict.valid == expected["valid_as_laid_out"]
    assert list(verdict.points) == expected["points_as_laid_out"]
    arrangeable = verdict.valid or arranged(tiles, STANDARD) is not None
    assert arrangeable == expected["valid_as_multiset"]
