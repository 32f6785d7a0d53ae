"""What can be wrong with text and rulesets handed to the referee.

A table that breaks the rules is never an error: it gets a verdict. An error means that the
input itself cannot be understood, and says which value, where, and what was expected.
"""


class NotationError(ValueError):
    """Text that is not tile notation.

    Parameters
    ----------
    token
        The offending piece of text; empty where something is missing.
    expected
        What should stand there.
    column
        Where the token starts, counted in characters from 1.
    part
        Which set or grid of the table it is in, counted from 0.
    row
        Which row of a grid it is in, counted from 0; None outside a grid.
    """

    def __init__(
        self, token: str, expected: str, *, column: int = 1, part: int = 0, row: int | None = None
    ) -> None:
        self.token = token
        self.expected = expected
        self.column = column
        self.part = part
        self.row = row
        place = f"set {part + 1}" if row is None else f"set {part + 1}, row {row + 1}"
        shown = repr(token) if token else "nothing"
        super().__init__(f"{shown} at column {column} ({place}): expected {expected}")


class RulesetError(ValueError):
    """A ruleset that does not exist, is not supported or holds a wrong parameter."""
