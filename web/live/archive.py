"""Matches as pages and files show them: lists, histories, tables of scores, exports."""

from __future__ import annotations

import csv
import json
from contextlib import closing, suppress
from io import StringIO
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from referee.events import MatchError
from referee.match import replay
from referee.phrases import say
from web.live.match_json import apart, history_json, match_json, shared, winner
from web.live.record import tell_all
from web.live.syncing import Sync
from web.live.views import MatchView
from web.store.declared import decoded, encoded
from web.store.errors import StoreError
from web.store.parcel import Parcel, jpegs_of, pack, unpack
from web.store.store import said_key

if TYPE_CHECKING:
    from web.live.record import Told
    from web.store.declared import Declared
    from web.store.store import MatchRow, Store

_UNREADABLE: Final = "unreadable"


class Archive:
    """What was kept, for people to read; everything is worked out anew from the records."""

    def __init__(self, store: Store) -> None:
        self._store = store
        # What a match comes to is the same as long as nothing is recorded.
        self._summed_up: dict[int, tuple[int, dict[str, Any]]] = {}

    def get(self, key: str) -> str | None:
        """Return a value that was set; None where there is none."""
        return self._store.get(key)

    def set(self, key: str, value: str) -> None:
        """Keep a value."""
        self._store.set(key, value)

    def matches(self) -> list[dict[str, Any]]:
        """Return every match as JSON values, the newest first."""
        counts = self._store.counts()
        return [self._listed(row, counts.get(row.id, 0)) for row in self._store.matches()]

    def match(self, match_id: int) -> dict[str, Any] | None:
        """Return one match with its history as JSON values; None where there is none."""
        row = next((row for row in self._store.matches() if row.id == match_id), None)
        if row is None:
            return None
        listed = self._listed(row, self._store.counts().get(match_id, 0))
        if listed["phase"] == _UNREADABLE:
            return {**listed, "match": None, "history": []}
        told = self._told(match_id)
        view = MatchView(id=match_id, told=told, sync=Sync(), can_undo=False, can_redo=False)
        return {**listed, "match": match_json(view), "history": history_json(told, len(told))}

    def evidence(self, evidence_id: int) -> bytes | None:
        """Return the JPEG that was kept with a record; None where there is none."""
        return self._store.evidence(evidence_id)

    def scores_csv(self, match_id: int) -> str:
        """Return the scores, a line a round, what was agreed beside them, and the totals last.

        Raises
        ------
        StoreError
            If the match cannot be played through.
        """
        match = self._readable(match_id)[-1].after
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
        """Write everything that is known of a match; one that cannot be read, without reports."""
        row = next(row for row in self._store.matches() if row.id == match_id)
        actions = self._store.records(match_id)
        found = {one.picture_id for one in actions if one.picture_id is not None}
        jpegs = ((number, jpeg) for number in sorted(found) if (jpeg := self.evidence(number)))
        declared = self._declared(match_id)
        reports = {}
        with suppress(StoreError):
            lines = (*map(_line, self._readable(match_id)), *map(_joker, declared))
            reports["scores.csv"] = self.scores_csv(match_id)
            reports["report.txt"] = "".join(f"{line}\n" for line in lines)
        parcel = Parcel(row.title, row.began, actions, declared=declared)
        pack(file, parcel, reports, jpegs)

    def import_zip(self, file: BinaryIO) -> int:
        """Take in an exported match that is not here yet, and return its number here.

        Raises
        ------
        StoreError
            If the file is no export, too large, damaged, or tells of an impossible match.
        """
        parcel = unpack(file)
        here = self._same(parcel)
        if here is not None:
            return here
        said = json.dumps({"declared": encoded(parcel.declared)}) if parcel.declared else ""
        with closing(jpegs_of(file, parcel)) as jpegs:
            return self._store.take_in(parcel.title, parcel.began, parcel.actions, jpegs, said)

    def _same(self, parcel: Parcel) -> int | None:
        """Return the match that an export is record for record, whatever became of pictures."""
        wanted = [one.moved(None) for one in parcel.actions]
        for row in self._store.matches():
            if (row.title, row.began) == (parcel.title, parcel.began):
                known = [one.moved(None) for one in self._store.records(row.id)]
                if known == wanted:
                    return row.id
        return None

    def _declared(self, match_id: int) -> tuple[Declared, ...]:
        """Return what players said that the jokers on the table stand for."""
        said = json.loads(self.get(said_key(match_id)) or "{}")
        return decoded(said.get("declared", ()))

    def _told(self, match_id: int) -> tuple[Told, ...]:
        return tell_all(self._store.current(match_id))

    def _readable(self, match_id: int) -> tuple[Told, ...]:
        try:
            return self._told(match_id)
        except MatchError as error:
            text = say(
                "store.unreadable", "This match cannot be read: {reason}.", reason=error.args[0]
            )
            raise StoreError(text) from error

    def _listed(self, row: MatchRow, count: int) -> dict[str, Any]:
        known = self._summed_up.get(row.id)
        if known is None or known[0] != count:
            known = self._summed_up[row.id] = count, self._sum_up(row)
        return dict(known[1])

    def _sum_up(self, row: MatchRow) -> dict[str, Any]:
        shown: dict[str, Any] = {"id": row.id, "title": row.title, "began": row.began.isoformat()}
        try:
            match = replay(one.event for one in self._store.current(row.id))
        except MatchError as error:  # shown all the same, so that nothing is hidden
            return {
                **shown, "players": [], "rules_name": "", "phase": _UNREADABLE, "winner": None,
                "shared": [], "error": error.args[0],
            }  # fmt: skip
        names = [player.name for player in match.players]
        return {
            **shown,
            "title": self._title(row, names),
            "players": names,
            "rules_name": match.rules.title,
            "phase": str(match.phase),
            "winner": winner(match),
            "shared": shared(match),
        }

    def _title(self, row: MatchRow, names: list[str]) -> str:
        """Return what a match is called; where that is who plays, by the names they have now."""
        began = (self._store.records(row.id)[0].event or {}).get("players", ())
        return ", ".join(names) if row.title == ", ".join(began) else row.title


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
