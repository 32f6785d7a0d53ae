"""Matches as pages and files show them: lists, histories, tables of scores, exports."""

from __future__ import annotations

import csv
import json
from io import StringIO
from typing import TYPE_CHECKING, Any, BinaryIO

from referee.events import MatchError
from web.live.declared import decoded, encoded
from web.live.match_json import apart, history_json, match_json, shared, winner
from web.live.record import tell_all
from web.live.syncing import Sync
from web.live.views import MatchView
from web.store.parcel import Parcel, pack, unpack
from web.store.store import said_key

if TYPE_CHECKING:
    from web.live.declared import Declared
    from web.live.record import Told
    from web.store.store import MatchRow, Store


class Archive:
    """What was kept, for people to read; everything is worked out anew from the records."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, key: str) -> str | None:
        """Return a value that was set; None where there is none."""
        return self._store.get(key)

    def set(self, key: str, value: str) -> None:
        """Keep a value."""
        self._store.set(key, value)

    def matches(self) -> list[dict[str, Any]]:
        """Return every match as JSON values, the newest first."""
        return [self._listed(row) for row in self._store.matches()]

    def match(self, match_id: int) -> dict[str, Any] | None:
        """Return one match with its history as JSON values; None where there is none."""
        row = next((row for row in self._store.matches() if row.id == match_id), None)
        if row is None:
            return None
        told = self._told(match_id)
        view = MatchView(id=match_id, told=told, sync=Sync(), can_undo=False, can_redo=False)
        history = history_json(told, len(told))
        return {**self._listed(row), "match": match_json(view), "history": history}

    def evidence(self, evidence_id: int) -> bytes | None:
        """Return the JPEG that was kept with a record; None where there is none."""
        return self._store.evidence(evidence_id)

    def scores_csv(self, match_id: int) -> str:
        """Return the scores, a line a round, what was agreed beside them, and the totals last."""
        told = self._told(match_id)
        match = told[-1].after
        out = StringIO()
        writer = csv.writer(out)
        writer.writerow(["round", *(_plain(player.name) for player in match.players)])
        for number, scores in enumerate(match.scores, 1):
            writer.writerow([number, *(scores[player.name] for player in match.players)])
        if beside := apart(match):
            writer.writerow(["apart", *(beside[player.name] for player in match.players)])
        writer.writerow(["total", *(player.score for player in match.players)])
        return out.getvalue()

    def export_zip(self, match_id: int, file: BinaryIO) -> None:
        """Write everything that is known of a match."""
        row = next(row for row in self._store.matches() if row.id == match_id)
        actions = self._store.records(match_id)
        found = {one.picture_id for one in actions if one.picture_id is not None}
        jpegs = {number: jpeg for number in sorted(found) if (jpeg := self.evidence(number))}
        declared = self._declared(match_id)
        lines = (*map(_line, self._told(match_id)), *map(_joker, declared))
        report = "".join(f"{line}\n" for line in lines)
        parcel = Parcel(row.title, row.began, actions, jpegs, declared)
        pack(file, parcel, {"scores.csv": self.scores_csv(match_id), "report.txt": report})

    def import_zip(self, file: BinaryIO) -> int:
        """Take in an exported match, and return its new number.

        Raises
        ------
        StoreError
            If the file is no export, too large, damaged, or tells of an impossible match.
        """
        parcel = unpack(file)
        said = json.dumps({"declared": encoded(parcel.declared)}) if parcel.declared else ""
        return self._store.take_in(parcel.title, parcel.began, parcel.actions, parcel.jpegs, said)

    def _declared(self, match_id: int) -> tuple[Declared, ...]:
        """Return what players said that the jokers on the table stand for."""
        said = json.loads(self.get(said_key(match_id)) or "{}")
        return decoded(said.get("declared", ()))

    def _told(self, match_id: int) -> tuple[Told, ...]:
        return tell_all(self._store.current(match_id))

    def _listed(self, row: MatchRow) -> dict[str, Any]:
        shown: dict[str, Any] = {"id": row.id, "title": row.title, "began": row.began.isoformat()}
        try:
            match = self._told(row.id)[-1].after
        except (MatchError, IndexError) as error:  # shown all the same, so that nothing is hidden
            return {
                **shown, "players": [], "ruleset": "", "phase": "unreadable", "winner": None,
                "shared": [], "error": error.args[0],
            }  # fmt: skip
        return {
            **shown,
            "players": [player.name for player in match.players],
            "ruleset": match.rules.name,
            "phase": str(match.phase),
            "winner": winner(match),
            "shared": shared(match),
        }


def _line(one: Told) -> str:
    """Say what happened, and whose doing it was."""
    named = not one.player or one.story.startswith(one.player)
    return one.story if named else f"{one.player}: {one.story}"


def _joker(one: Declared) -> str:
    """Say what a joker stands for."""
    return f"The joker in {one.line} stands for {one.tile.words}."


def _plain(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in {"=", "+", "-", "@", "\t", "\r"} else name
