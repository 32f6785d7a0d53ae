"""What memory a program holds, and what of it is in use."""

from __future__ import annotations

import ctypes
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MB = 1e6
_STATUS = Path("/proc/self/status")
_WARM_SHARE = 0.1
_PARTS = 4


@dataclass(frozen=True, slots=True)
class Memory:
    """At one moment; 0 where the system does not tell.

    Attributes
    ----------
    held_mb
        What the system has given to the program.
    free_mb
        What of it the C library keeps for later use, since it lies between what is in use.
    blocks
        How many pieces of memory Python has in use.
    """

    held_mb: float
    free_mb: float
    blocks: float

    @classmethod
    def now(cls) -> Memory:
        """Look at this program."""
        held_kib = 0
        if _STATUS.exists():
            lines = _STATUS.read_text(encoding="ascii").splitlines()
            held_kib = next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        return cls(held_kib * 1024 / _MB, _free_bytes() / _MB, sys.getallocatedblocks())

    def values(self) -> dict[str, float]:
        """Return it as JSON values."""
        return asdict(self)


class _Mallinfo(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost",
        )
    )  # fmt: skip


def _free_bytes() -> int:
    ask = None if sys.platform == "win32" else getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        return 0
    ask.restype = _Mallinfo
    return int(ask().fordblks)


@dataclass(frozen=True, slots=True)
class Course:
    """How memory went.

    Attributes
    ----------
    parts
        Medians of each quarter of the time, after it had warmed up.
    span_s
        How long that was.
    """

    parts: tuple[Memory, ...]
    span_s: float

    @classmethod
    def of(cls, moments: Sequence[tuple[float, Memory]]) -> Course:
        """Sum up what was seen at these times in seconds."""
        warm = moments[round(len(moments) * _WARM_SHARE) :] or moments
        size = max(len(warm) // _PARTS, 1)
        parts = [[memory for _, memory in warm[n * size :][:size]] for n in range(_PARTS)]
        return cls(
            tuple(
                Memory(
                    median(memory.held_mb for memory in part),
                    median(memory.free_mb for memory in part),
                    median(memory.blocks for memory in part),
                )
                for part in parts
                if part
            ),
            warm[-1][0] - warm[0][0],
        )

    def text(self) -> str:
        """Say it in one line."""
        held = ", ".join(f"{part.held_mb:.1f}" for part in self.parts)
        free = ", ".join(f"{part.free_mb:.1f}" for part in self.parts)
        used = ", ".join(f"{part.held_mb - part.free_mb:.1f}" for part in self.parts)
        blocks = ", ".join(f"{part.blocks / 1000:.1f}" for part in self.parts)
        return (
            f"memory by quarters of {self.span_s / 3600:.2f} hours: {held} MB held, "
            f"of which {free} free, {used} in use; {blocks} thousand blocks of Python's"
        )
