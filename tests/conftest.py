"""Settings for all tests."""

from __future__ import annotations

import os
from functools import wraps
from typing import TYPE_CHECKING, Any

import cv2
from hypothesis import HealthCheck, settings

from vision import network

if TYPE_CHECKING:
    from vision.network import Network

# How long an example takes says how busy the machine is, not whether the code is right.
settings.register_profile("meldwatch", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("meldwatch")

_open_network = network.open_network


@wraps(_open_network)
def _on_one_core(onnx: bytes, settings: dict[str, Any], threads: int = 1) -> Network:
    return _open_network(onnx, settings, threads or 1)


# Where several processes test at once (make test), each keeps to a core: threads that wait for
# each other while another process has the cores only burn time.
if "PYTEST_XDIST_WORKER" in os.environ:
    cv2.setNumThreads(1)
    network.open_network = _on_one_core
