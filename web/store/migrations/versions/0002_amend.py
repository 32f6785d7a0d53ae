"""Records of the kind "amend", which change several events at once.

The tables stay as they are, but an older program would pass over such a record without a word;
now it says that the matches are of a newer version.
"""

from __future__ import annotations

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change no table."""


def downgrade() -> None:
    """Do not go back: changes that count would no longer be seen."""
    raise NotImplementedError("changes would be lost; put a copy of the database back instead")
