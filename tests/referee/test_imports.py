"""The referee stands alone: nothing of ours, no numpy, no work at import."""

import subprocess
import sys

SCRIPT = """
import sys
import referee, referee.jsonl, referee.match
loaded = {name.split(".")[0] for name in sys.modules}
print(sorted(loaded & {"numpy", "scipy", "cv2", "vision", "web"}))
"""


def test_the_referee_imports_neither_numpy_nor_our_other_packages() -> None:
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"
