"""What can go wrong when a person asks the live table for something."""

from typing import Final

from referee.phrases import say

GONE_ON: Final = say(
    "refusal.gone_on", "The match has gone on in the meantime: look, and do it again."
)
NO_TABLE: Final = say("refusal.no_table", "The camera has not shown the table yet.")


class CommandError(Exception):
    """A request that cannot be met; the message says to a person why, and what to do."""
