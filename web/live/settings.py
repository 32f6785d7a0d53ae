"""How the live table behaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from referee.rulesets import load_ruleset

if TYPE_CHECKING:
    from referee.ruleset import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveSettings:
    """How the live table behaves.

    Attributes
    ----------
    ruleset
        What is judged by while no match is played.
    house
        A house ruleset that can be played beside our own.
    auto_accept
        Whether a turn that is legal, sure and still counts without a person's word.
    still_s
        How long the table must have been still for that, in seconds.
    grace_s
        How long table and record may differ, though no hand was seen, before it is said.
    extensions, extension_s
        How often a turn's time can be extended, and by how many seconds.
    picture_every_s
        At most how often followers are told of a new picture while nothing else happens.
    phone_stale_s
        How long after its last frame a phone is still looked through, in seconds; so long
        that frame is looked at again, so that a single photo can be read.
    restart_s
        How long to wait before work that failed is taken up again.
    history_items
        How many of the newest events a snapshot holds.
    jpeg_width_px, jpeg_quality
        Of the pictures for pages and of the evidence.
    """

    ruleset: str = "standard"
    house: Ruleset | None = None
    auto_accept: bool = False
    still_s: float = 4.0
    grace_s: float = 2.0
    extensions: int = 1
    extension_s: float = 30.0
    picture_every_s: float = 1.0
    phone_stale_s: float = 8.0
    restart_s: float = 1.0
    history_items: int = 100
    jpeg_width_px: int = 1280
    jpeg_quality: int = 80

    def rules(self, name: str) -> Ruleset:
        """Return the house ruleset or one of ours by its name.

        Raises
        ------
        RulesetError
            If there is none of that name.
        """
        if self.house is not None and name == self.house.name:
            return self.house
        return load_ruleset(name)
