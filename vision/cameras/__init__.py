"""Cameras behind one interface, and the feed that keeps the newest frame of one."""

from vision.cameras.addresses import camera_from
from vision.cameras.borders import Camera, CameraError, Frame, Health
from vision.cameras.feed import Feed
from vision.cameras.hush import hush
from vision.cameras.pushed import PushedCamera
from vision.cameras.vigil import FeedSettings

__all__ = [
    "Camera",
    "CameraError",
    "Feed",
    "FeedSettings",
    "Frame",
    "Health",
    "PushedCamera",
    "camera_from",
    "hush",
]
