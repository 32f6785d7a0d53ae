"""Records of the kind "words": what people said of the tiles that lie on the table.

The tables stay as they are, but an older program would take such a record for something that can
be taken back; now it says that the matches are of a newer version.
"""

from __future__ import annotations

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change no table."""


def downgrade() -> None:
    """Do not go back: an undo would no longer take back what it did."""
    raise NotImplementedError("undos would change; put a copy of the database back instead")
