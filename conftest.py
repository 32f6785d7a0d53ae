"""Leave out what only the training environment can import."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["vision/training/*.py"]
