"""Settings for all tests."""

from __future__ import annotations

import os
from functools import cache, wraps
from typing import Any

import cv2
from hypothesis import HealthCheck, settings

from vision import network
from vision.network import Network

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("meldwatch", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("meldwatch")

# Where several processes test at once (make test), each keeps to a core: threads that wait for
# each other while another process has the cores only burn time.
_ON_ONE_CORE = "PYTEST_XDIST_WORKER" in os.environ
if _ON_ONE_CORE:
    cv2.setNumThreads(1)

_open_network = network.open_network


@wraps(_open_network)
def _opened_once(onnx: bytes, settings: dict[str, Any], threads: int = 0) -> Network:
    return Network(_session(onnx, threads or int(_ON_ONE_CORE)), settings)


@cache  # a second of work for all networks, and many tests load them
def _session(onnx: bytes, threads: int) -> Any:  # noqa: ANN401 - the run-time has no types
    return _open_network(onnx, {}, threads).session


network.open_network = _opened_once
