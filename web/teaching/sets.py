"""The sets that were taught, and the one that the table is read by."""

from __future__ import annotations

import errno
import logging
from typing import TYPE_CHECKING, Final

import numpy as np

from referee.phrases import say
from vision.teaching import (
    ProfileError,
    find_profile,
    load_profile,
    look_over,
    profile_names,
    save_profile,
)
from vision.teaching.correction import keep
from vision.teaching.profile import profile_of, teachable
from web.teaching.borders import LessonError, Outcome
from web.teaching.choice import Choice, load_choice, save_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from referee.phrases import Phrase
    from vision.pipeline import TableReader
    from vision.teaching import LaidOut, Profile
    from vision.types import Pixels
    from web.teaching.borders import Taken, Told

_log = logging.getLogger(__name__)
_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})


class Sets:
    """The sets of a folder; a `Teacher`, to be used by one thread at a time.

    Parameters
    ----------
    general
        Reads by no set.
    folder
        Where the sets are kept, and which of them was chosen.
    setting
        The set that the settings name, or its file; a later choice on the page goes before it.

    Raises
    ------
    ProfileError
        If the set of the settings cannot be used. One that was chosen on the page, and is gone or
        damaged, is left aside and told as `trouble`.
    """

    def __init__(self, general: TableReader, folder: Path, setting: str = "") -> None:
        self._general = general
        self._folder = folder
        self._setting = setting
        self._follow: Callable[[TableReader], None] = lambda _reader: None
        self.reader = general
        self.in_use = self.trouble = ""
        choice = load_choice(folder)
        if choice is None or choice.setting != setting:
            self._begin(find_profile(setting, folder) if setting else None)
        elif choice.name:
            self._begin_as_chosen(choice.name)

    def _begin(self, profile: Profile | None) -> None:
        if profile is not None:
            self.reader, self.in_use = profile.table_reader(self._general), profile.name

    def _begin_as_chosen(self, name: str) -> None:
        try:
            self._begin(load_profile(name, self._folder))
        except ProfileError as error:
            _log.warning("the table is read without %r: %s", name, error)
            self.trouble = say(
                "teaching.trouble",
                "{name} was chosen here, but cannot be loaded: the table is read without it. "
                "Choose another set, or teach it again.",
                name=name,
            )

    def follow(self, use: Callable[[TableReader], None]) -> None:
        """Let every other reader be used as soon as there is one."""
        self._follow = use

    def names(self) -> list[str]:
        """Return the names of the sets there are."""
        return profile_names(self._folder)

    def look(self, pixels: Pixels) -> LaidOut:
        """Tell what a photo of (h, w, 3) uint8 BGR pixels shows of a laid-out set."""
        return look_over(pixels, self._general)

    def teach(self, name: str, photos: Sequence[Taken], told: Told) -> Outcome:
        """Teach a set, keep it under a name, and read the table by it from now on.

        Raises
        ------
        LessonError
            If it cannot be; then the table is read as before.
        """
        try:
            general = teachable(self._general)
        except ProfileError as error:
            raise LessonError(*error.args) from error
        crops = np.concatenate(
            [keep(one.found.pixels, one.found.quads_img[list(one.wanted)]) for one in photos]
        )
        faces = [one.found.faces[place] for one in photos for place in one.wanted]
        profile = profile_of(name, crops, faces, general, told)
        reader = profile.table_reader(self._general)
        outcome = _outcome(profile, photos, reader)
        try:
            save_profile(profile, self._folder)
            self._switch(name, reader)
        except (ProfileError, OSError) as error:
            raise LessonError(_not_kept(error)) from error
        return outcome

    def use(self, name: str, told: Told) -> None:
        """Read the table by another set from now on; by none, if the name is empty.

        Raises
        ------
        LessonError
            If it cannot be; then the table is read as before.
        """
        try:
            profile = load_profile(name, self._folder) if name else None
            reader = profile.table_reader(self._general, told) if profile else self._general
        except ProfileError as error:
            raise LessonError(_unusable(name)) from error
        try:
            self._switch(name, reader)
        except OSError as error:
            raise LessonError(_not_kept(error)) from error

    def _switch(self, name: str, reader: TableReader) -> None:
        """Keep the choice first: what would be forgotten at the next start is not begun."""
        save_choice(Choice(name, self._setting), self._folder)
        self.reader, self.in_use, self.trouble = reader, name, ""
        self._follow(reader)


def _outcome(profile: Profile, photos: Sequence[Taken], reader: TableReader) -> Outcome:
    before = [one.found for one in photos]
    now = [look_over(found.pixels, reader) for found in before]
    sure = (sum(not r.unsure for found in each for r in found.readings) for each in (before, now))
    return Outcome(len(profile.faces), sum(len(found.readings) for found in before), *sure)


def _unusable(name: str) -> Phrase:
    return say(
        "teaching.unusable",
        "The set {name} cannot be used: it is gone or damaged. Choose another, or teach it again.",
        name=name,
    )


def _not_kept(error: Exception) -> Phrase:
    """Say why nothing could be written."""
    cause = error if isinstance(error, OSError) else error.__cause__
    if isinstance(cause, OSError) and cause.errno in _FULL:
        return say(
            "teaching.full",
            "The disk is full, so this could not be kept. Free some space, and try again; until "
            "then the table is read as before.",
        )
    reason = (cause.strerror if isinstance(cause, OSError) else None) or str(error)
    return say(
        "teaching.not_kept",
        "This could not be kept: {reason}. Look at the data folder, and try again; until then "
        "the table is read as before.",
        reason=reason,
    )
