"""The store knows the referee and nothing of the table, the pages or the pictures."""

import subprocess
import sys

SCRIPT = """
import pkgutil, sys
import web.store
for module in pkgutil.iter_modules(web.store.__path__, "web.store."):
    __import__(module.name)
ours = {name for name in sys.modules if name.split(".")[0] in {"vision", "web", "numpy"}}
print(sorted(n for n in ours if not n.startswith("web.store") and n not in {"web", "web.zips"}))
"""


def test_the_store_imports_none_of_the_parts_above_it() -> None:
    found = subprocess.run(  # noqa: S603
        [sys.executable, "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == "[]"
