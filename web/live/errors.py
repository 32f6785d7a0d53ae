"""What can go wrong when a person asks the live table for something."""


class CommandError(Exception):
    """A request that cannot be met; the message says to a person why, and what to do."""
