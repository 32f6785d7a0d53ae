"""A lesson: photos of a laid-out set are taken in and looked over, then a set is taught.

Teaching goes on in a thread of its own, so that the table is read and judged meanwhile.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from referee import ALL_FACES
from referee.phrases import say
from vision.teaching import ProfileError
from vision.teaching.profile import check_name, known_as
from web.teaching.borders import LessonError, Taken
from web.teaching.pictures import Shown, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from vision.types import Pixels
    from web.teaching.borders import Outcome, Teacher, Told

_log = logging.getLogger(__name__)
MOST_PHOTOS: Final = 3
LEAST_FACES: Final = 48
_POLITE: Final = 5  # how much the teaching thread stands back for those that read the table
_GOODBYE_S: Final = 5.0
_ENOUGH: Final = say(
    "teaching.enough", "{most} photos are enough: remove one first, or teach.", most=MOST_PHOTOS
)
_BUSY: Final = say("teaching.busy", "A set is being taught just now. Wait until that is done.")
_NOTHING: Final = say(
    "teaching.nothing", "No photo shows the whole set yet. Photograph it as it is laid out."
)


class _EndedError(Exception):
    """The program ends while a set is being taught."""


@dataclass(frozen=True, slots=True)
class _Photo:
    number: int
    shown: Shown

    @property
    def good(self) -> bool:
        return not self.shown.found.problem


@dataclass(frozen=True, slots=True)
class _Job:
    """What is being done, or was done last: `said` is empty until it is over."""

    kind: str
    name: str
    share: float = 0.0
    said: str = ""
    good: bool = False


class Lessons:
    """The lesson of a table, which all its organisers share; for use from many threads."""

    def __init__(self, teacher: Teacher) -> None:
        self._teacher = teacher
        self._lock = threading.Lock()
        self._looking = threading.Lock()
        self._photos: tuple[_Photo, ...] = ()
        self._given = 0
        self._job: _Job | None = None
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()

    def state(self) -> dict[str, Any]:
        """Return all that is known as JSON values."""
        with self._lock:
            photos, job = self._photos, self._job
        seen = {face for one in photos if one.good for face in one.shown.found.faces}
        busy = job is not None and not job.said
        return {
            "photos": [{"id": one.number, **one.shown.told()} for one in photos],
            "most": MOST_PHOTOS,
            "ready": any(one.good for one in photos),
            "missing": [str(face) for face in ALL_FACES if seen and face not in seen],
            "busy": {"kind": job.kind, "name": job.name, "share": job.share}
            if job and busy
            else None,
            "said": {"good": job.good, "text": job.said} if job and not busy else None,
            "sets": self._teacher.names(),
            "in_use": self._teacher.in_use,
            "trouble": self._teacher.trouble,
        }

    def add(self, pixels: Pixels) -> None:
        """Take a photo in, (h, w, 3) uint8 BGR, and look it over.

        Raises
        ------
        LessonError
            If there are enough, or a set is being taught.
        """
        with self._looking:
            self._check_room()
            looked = shown(pixels, self._teacher.look(pixels))
            with self._lock:
                self._given += 1
                self._photos += (_Photo(self._given, looked),)
                self._job = self._job if self._busy else None

    def _check_room(self) -> None:
        with self._lock:
            if self._busy:
                raise LessonError(_BUSY)
            if len(self._photos) >= MOST_PHOTOS:
                raise LessonError(_ENOUGH)

    def remove(self, number: int) -> None:
        """Forget a photo."""
        with self._lock:
            self._photos = tuple(one for one in self._photos if one.number != number)

    def picture(self, number: int) -> bytes | None:
        """Return a photo as a JPEG; None where there is none of that number."""
        return next((one.shown.jpeg for one in self._photos if one.number == number), None)

    def tiles(self, number: int) -> bytes | None:
        """Return all tiles of a photo, upright and side by side, as a JPEG; None as above."""
        return next((one.shown.tiles_jpeg for one in self._photos if one.number == number), None)

    def teach(self, name: str, left_out: Mapping[int, Sequence[int]], *, replace: bool) -> None:
        """Begin to teach a set under a name, without the tiles that are left out of a photo.

        Raises
        ------
        LessonError
            If the name cannot be one, or is taken and may not be replaced; if there is nothing to
            teach from; or if a set is being taught.
        """
        name = unicodedata.normalize("NFC", name.strip())
        try:
            check_name(name)
        except ProfileError as error:
            raise LessonError(*error.args) from error
        taken = known_as(name, self._teacher.names())
        if taken and not replace:
            raise LessonError(_taken(taken))
        name = taken or name
        photos = _to_teach(self._photos, left_out)
        self._begin("teach", name, lambda told: self._taught(name, photos, told))

    def _taught(self, name: str, photos: Sequence[Taken], told: Told) -> str:
        outcome = self._teacher.teach(name, photos, told)
        with self._lock:
            self._photos = ()
        return _told_of(name, outcome)

    def use(self, name: str) -> None:
        """Begin to read the table by another set; by none, if the name is empty.

        Raises
        ------
        LessonError
            If a set is being taught.
        """
        self._begin("use", name, lambda told: self._used(name, told))

    def _used(self, name: str, told: Told) -> str:
        self._teacher.use(name, told)
        if name:
            return say("teaching.used", "The table is read with {name} from now on.", name=name)
        return say("teaching.used_none", "The table is read without a taught set from now on.")

    @property
    def _busy(self) -> bool:
        return self._job is not None and not self._job.said

    def _begin(self, kind: str, name: str, work: Callable[[Told], str]) -> None:
        with self._lock:
            if self._busy or self._closed.is_set():
                raise LessonError(_BUSY)
            self._job = _Job(kind, name)
            self._thread = threading.Thread(
                target=self._work, args=(work, kind, name), name="teaching", daemon=True
            )
            self._thread.start()

    def _work(self, work: Callable[[Told], str], kind: str, name: str) -> None:
        _stand_back()

        def told(share: float) -> None:
            if self._closed.is_set():
                raise _EndedError
            self._job = _Job(kind, name, round(min(share, 1.0), 3))

        try:
            self._job = _Job(kind, name, 1.0, work(told), good=True)
        except LessonError as error:
            self._job = _Job(kind, name, said=error.args[0])
        except _EndedError:
            self._job = None
        except Exception:  # noqa: BLE001 - a thread ends here
            _log.exception("teaching %r failed", name)
            self._job = _Job(kind, name, said=_failed(name))

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until what is being taught is taught."""
        if self._thread is not None:
            self._thread.join(timeout_s)

    def close(self) -> None:
        """End what is being taught; nothing comes of it."""
        self._closed.set()
        self.wait(_GOODBYE_S)


def _stand_back() -> None:
    """Let the threads that read the table go first, where threads have a rank of their own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _POLITE)


def _to_teach(photos: Sequence[_Photo], left_out: Mapping[int, Sequence[int]]) -> list[Taken]:
    """Return what to teach from, without the tiles that are left out.

    Raises
    ------
    LessonError
        If that is not most of a set.
    """
    taken = []
    for one in photos:
        if one.good:
            without = set(left_out.get(one.number, ()))
            places = (place for place in range(len(one.shown.found.faces)) if place not in without)
            taken.append(Taken(one.shown.found, tuple(places)))
    if not taken:
        raise LessonError(_NOTHING)
    faces = {one.found.faces[place] for one in taken for place in one.wanted}
    if len(faces) < LEAST_FACES:
        raise LessonError(
            say(
                "teaching.few",
                "Only {count} of the {all} faces would be taught. Leave fewer out, or photograph "
                "the set again.",
                count=len(faces),
                all=len(ALL_FACES),
            )
        )
    return [one for one in taken if one.wanted]


def _taken(name: str) -> str:
    return say(
        "teaching.taken",
        "There is a set called {name} already. Choose another name, or say that it is to be "
        "replaced.",
        name=name,
    )


def _told_of(name: str, outcome: Outcome) -> str:
    return say(
        "teaching.taught",
        "{name} was taught from {taught} tiles, and the table is read with it from now on. Of the "
        "{tiles} tiles in the photos {before} were read for sure before, {after} are now.",
        name=name,
        taught=outcome.taught,
        tiles=outcome.tiles,
        before=outcome.before,
        after=outcome.after,
    )


def _failed(name: str) -> str:
    return say(
        "teaching.failed",
        "Something went wrong with {name}, and was written to the log. Try it again; until then "
        "the table is read as before.",
        name=name,
    )
