"""Several cameras over one table: which of them count, and what they see together."""

from vision.watching.together.cameras import Together
from vision.watching.together.pace import CameraSight

__all__ = ["CameraSight", "Together"]
