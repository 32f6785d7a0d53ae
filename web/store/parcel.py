"""A match as a ZIP file: `match.json`, its pictures, and reports for people."""

from __future__ import annotations

import json
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from referee.events import MatchError, decode
from referee.match import replay
from referee.phrases import say
from web.store.declared import decoded, encoded
from web.store.effective import KINDS, Action, changes_of, effective, unfounded
from web.store.errors import NOTHING, StoreError
from web.store.rows import in_utc
from web.zips import NO_ZIP, MemberTooLargeError, read_member

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

    from web.store.declared import Declared

VERSION: Final = 1
_MATCH: Final = "match.json"
_MOST_RECORDS: Final = 20_000
_MOST_DECLARED: Final = 100
_MOST_BYTES: Final = 50_000_000
_MOST_PICTURE_BYTES: Final = 5_000_000
_MOST_PICTURES_BYTES: Final = 1_000_000_000
_NO_EXPORT: Final = say(
    "parcel.none", "This is not the export of a match. Choose a ZIP file that an export gave."
)
_JPEG: Final = b"\xff\xd8\xff"
_NONE_OF_OURS: Final = (
    *NO_ZIP,
    AttributeError,
    KeyError,
    OverflowError,
    TypeError,
)


@dataclass(frozen=True, slots=True)
class Parcel:
    """A match on its way from one store to another.

    Attributes
    ----------
    pictures
        The pictures that are on the way with it, by the numbers that they had there.
    declared
        What players said that the jokers on the table stand for.
    """

    title: str
    began: datetime
    actions: tuple[Action, ...]
    pictures: tuple[int, ...] = ()
    declared: tuple[Declared, ...] = ()


def pack(
    file: BinaryIO,
    parcel: Parcel,
    reports: Mapping[str, str],
    jpegs: Iterable[tuple[int, bytes]],
) -> None:
    """Write a match to a file; its pictures, which may take much memory, come one by one."""
    told = {
        "version": VERSION,
        "title": parcel.title,
        "began": parcel.began.isoformat(),
        "records": [_told(action) for action in parcel.actions],
        "declared": encoded(parcel.declared),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MATCH, json.dumps(told, indent=1))
        for name, text in reports.items():
            archive.writestr(name, text)
        for number, jpeg in jpegs:
            archive.writestr(_picture(number), jpeg, zipfile.ZIP_STORED)


def unpack(file: BinaryIO) -> Parcel:
    """Read a match from a file that may be anything.

    No name in the file is used as a path, and nothing is read that is larger than it may be. Every
    picture is looked at, but none is kept in memory: `jpegs_of` reads them again.

    Raises
    ------
    StoreError
        If it is not an export that can be played through.
    """
    with _opened(file) as archive:
        told = json.loads(read_member(archive, _MATCH, _MOST_BYTES))
        # JSON can tell of half a sign, which nothing could be written with again.
        json.dumps(told, ensure_ascii=False).encode()
        parcel = _parcel(told, archive)
        for _ in _jpegs(archive, parcel):
            pass
        return parcel


def jpegs_of(file: BinaryIO, parcel: Parcel) -> Generator[tuple[int, bytes]]:
    """Yield the pictures of a match that came from a file, one by one, with their numbers there.

    Raises
    ------
    StoreError
        If one of them is not what it was when the match was read.
    """
    with _opened(file) as archive:
        yield from _jpegs(archive, parcel)


@contextmanager
def _opened(file: BinaryIO) -> Iterator[zipfile.ZipFile]:
    """Open a file that may be anything, and say in words what is wrong with it."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except MemberTooLargeError as error:
        text = say(
            "parcel.large",
            "{name} in this export is larger than {most} bytes.",
            name=error.name,
            most=error.most_bytes,
        )
        raise StoreError(text) from error
    except _NONE_OF_OURS as error:
        raise StoreError(_NO_EXPORT) from error


def _parcel(told: Mapping[str, Any], archive: zipfile.ZipFile) -> Parcel:
    if told["version"] != VERSION:
        text = say(
            "parcel.version",
            "This export has version {version}, and only version {known} is known. "
            "Import it with the version of Meldwatch that made it.",
            version=repr(told["version"]),
            known=VERSION,
        )
        raise StoreError(text)
    if len(told["records"]) > _MOST_RECORDS:
        raise StoreError(
            say("parcel.long", "This match has more than {most} records.", most=_MOST_RECORDS)
        )
    actions = tuple(_action(seq, values) for seq, values in enumerate(told["records"], 1))
    _play(actions)
    present = set(archive.namelist())
    wanted = sorted({one.picture_id for one in actions if one.picture_id is not None})
    pictures = tuple(number for number in wanted if _picture(number) in present)
    # Exports that were made before jokers were told of have none.
    declared = decoded(told.get("declared", [])[:_MOST_DECLARED])
    return Parcel(str(told["title"]), _time(told["began"]), actions, pictures, declared)


def _jpegs(archive: zipfile.ZipFile, parcel: Parcel) -> Iterator[tuple[int, bytes]]:
    left = _MOST_PICTURES_BYTES
    for number in parcel.pictures:
        jpeg = read_member(archive, _picture(number), _MOST_PICTURE_BYTES)
        if not jpeg.startswith(_JPEG):
            text = say(
                "parcel.no_jpeg", "Picture {number} of this export is not a JPEG.", number=number
            )
            raise StoreError(text)
        left -= len(jpeg)
        if left < 0:
            raise StoreError(say("parcel.pictures", "The pictures of this export are too large."))
        yield number, jpeg


def _play(actions: Sequence[Action]) -> None:
    """Play the match through: what cannot be is refused before anything is kept."""
    action = unfounded(actions)
    if action is not None:
        text = say(
            "parcel.impossible",
            "Record {number} of this export cannot be: {reason}.",
            number=action.seq,
            reason=NOTHING[action.kind],
        )
        raise StoreError(text)
    try:
        for one in actions:
            # What was changed or taken back may come to count again.
            for event in [one.event] if one.kind == "event" else changes_of(one).values():
                decode(event or {})
        replay(decode(one.event or {}) for one in effective(actions))
    except MatchError as error:
        text = say(
            "parcel.unplayable",
            "This export tells of a match that cannot be: {reason}.",
            reason=error.args[0],
        )
        raise StoreError(text) from error


def _told(action: Action) -> dict[str, Any]:
    return {
        "at": action.at.isoformat(),
        "kind": action.kind,
        "of": action.of_seq,
        "event": action.event,
        "picture": action.picture_id,
    }


def _action(seq: int, values: Mapping[str, Any]) -> Action:
    if values["kind"] not in KINDS:
        text = say(
            "parcel.kind",
            "Record {number} of this export is of an unknown kind, {kind}.",
            number=seq,
            kind=repr(values["kind"]),
        )
        raise StoreError(text)
    of_seq = None if values["of"] is None else int(values["of"])
    picture = None if values["picture"] is None else int(values["picture"])
    if values["kind"] == "words" and not isinstance(values["event"], dict):
        raise StoreError(_NO_EXPORT)
    return Action(values["kind"], seq, _time(values["at"]), of_seq, values["event"], picture)


def _time(text: str) -> datetime:
    return in_utc(datetime.fromisoformat(text))


def _picture(number: int) -> str:
    return f"pictures/{number}.jpg"
