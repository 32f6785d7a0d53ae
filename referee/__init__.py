"""The referee: judges what lies on a Rummikub table, in pure Python.

Read a table with `parse_table`, judge it with `judge_table`; the rules come from
`load_ruleset`.
"""

from referee.errors import NotationError, RulesetError
from referee.judge import check_set, judge_table
from referee.melds import Kind, Reading, TileReading, readings
from referee.notation import parse_grid, parse_set, parse_table, parse_tiles
from referee.racks import judge_draw, judge_hand, judge_laid
from referee.ruleset import Ruleset
from referee.rulesets import load_ruleset, load_ruleset_file, ruleset_names
from referee.table import Grid, Table, TileSet
from referee.tiles import ALL_FACES, JOKER, Colour, Tile
from referee.turns import Situation, TurnVerdict, judge_turn
from referee.verdicts import Code, Hint, HintCode, SetVerdict, Status, Verdict, Violation

__all__ = [
    "ALL_FACES",
    "JOKER",
    "Code",
    "Colour",
    "Grid",
    "Hint",
    "HintCode",
    "Kind",
    "NotationError",
    "Reading",
    "Ruleset",
    "RulesetError",
    "SetVerdict",
    "Situation",
    "Status",
    "Table",
    "Tile",
    "TileReading",
    "TileSet",
    "TurnVerdict",
    "Verdict",
    "Violation",
    "check_set",
    "judge_draw",
    "judge_hand",
    "judge_laid",
    "judge_table",
    "judge_turn",
    "load_ruleset",
    "load_ruleset_file",
    "parse_grid",
    "parse_set",
    "parse_table",
    "parse_tiles",
    "readings",
    "ruleset_names",
]
