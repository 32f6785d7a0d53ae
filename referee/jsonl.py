"""Answer requests in JSON: one request a line, one answer a line, in order.

A request names its `kind` and its `ruleset`, standard by default; any parameter of the ruleset
given in the request replaces the ruleset's own. A request that cannot be understood gets an
answer with `error`; the ones after it are answered as usual.
"""

from __future__ import annotations

import json
from difflib import get_close_matches
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from referee.answers import ANSWERS, KEYS
from referee.errors import NotationError, RulesetError
from referee.phrases import say
from referee.requests import Request, RequestError
from referee.ruleset import parameters
from referee.rulesets import load_ruleset, override, with_joker_preset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from referee.ruleset import Ruleset

# What requests call some parameters; "stalemate" and "threshold" read better in a request.
_SHORT_NAMES: Final = {"threshold": "opening_threshold", "stalemate": "stalemate_scoring"}
_HEAD: Final = frozenset({"id", "kind", "ruleset", "joker_preset"})
# From here on two keys are the same word, and one of them is misspelt.
_SAME_WORD: Final = 0.8


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one request.

    >>> found = answer({"id": 1, "kind": "set", "set": "R4 J R6"})
    >>> found["valid"], found["points"], found["readings"]
    (True, [15], [{'kind': 'run', 'points': 15, 'jokers': ['R5']}])
    >>> answer({"kind": "set", "set": "R4 X"})["error"]["column"]
    4
    """
    head = {"id": request["id"]} if "id" in request else {}
    try:
        return head | _answered(Request(request))
    except NotationError as error:
        where = {"token": error.token, "column": error.column, "set": error.part}
        return head | {"error": {"type": "NotationError", "message": str(error), **where}}
    except (RulesetError, RequestError) as error:
        return head | {"error": {"type": type(error).__name__, "message": str(error)}}


def answer_lines(lines: Iterable[str]) -> Iterator[str]:
    """Answer request lines one by one; blank lines are passed over.

    >>> list(answer_lines(["[1]", '{"id": 7, "kind": "set", "set": ""}']))[0][:37]
    '{"error": {"type": "RequestError", "m'
    """
    for line in lines:
        if line.strip():
            yield json.dumps(_answer_line(line))


def _answer_line(line: str) -> dict[str, Any]:
    try:
        # What some programs put before the first line is no part of it.
        text = line.removeprefix("\ufeff")
        request = json.loads(text, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        return {"error": {"type": "RequestError", "message": f"expected a line of JSON: {error}"}}
    if not isinstance(request, dict):
        message = f"expected a JSON object, got {type(request).__name__}"
        return {"error": {"type": "RequestError", "message": message}}
    return answer(request)


def _finite(text: str) -> float:
    """NaN and the infinities are no JSON, and an answer that echoed one would not be either."""
    if not isfinite(number := float(text)):
        raise ValueError(f"{text} is no finite number")
    return number


def _answered(request: Request) -> dict[str, Any]:
    _check_spelling(request)
    kind = request.choice("kind", tuple(ANSWERS))
    return ANSWERS[kind](request, _rules(request))


def _check_spelling(request: Request) -> None:
    """Refuse misspelt keys, which would go unheeded; others may be the asker's own."""
    known = _HEAD | KEYS | _SHORT_NAMES.keys() | parameters().keys()
    for key in (key for key in request.given if key not in known):
        near = get_close_matches(key, sorted(known), 1, _SAME_WORD)
        if near:
            raise RequestError(
                say(
                    "request.misspelt",
                    "there is no {key}; did you mean {meant}?",
                    key=repr(key),
                    meant=repr(near[0]),
                )
            )


def _rules(request: Request) -> Ruleset:
    """Return the ruleset with everything that the request changes."""
    rules = load_ruleset(request.text("ruleset", "standard").replace("_", "-"))
    if request.has("joker_preset"):
        rules = with_joker_preset(rules, request.text("joker_preset"))
    given = {_SHORT_NAMES.get(key, key): value for key, value in request.given.items()}
    return override(rules, {key: given[key] for key in parameters() if key in given})
