"""An index of the pictures' sizes, which else are only found by reading all pictures."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index."""
    op.create_index("ix_pictures_sizes", "pictures", ["id", "size_bytes"])


def downgrade() -> None:
    """Drop the index."""
    op.drop_index("ix_pictures_sizes", "pictures")
