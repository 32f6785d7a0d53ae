"""What can go wrong when a person asks the live table for something."""

from typing import Final

GONE_ON: Final = "The match has gone on in the meantime: look, and do it again."


class CommandError(Exception):
    """A request that cannot be met; the message says to a person why, and what to do."""
