"""Keep what OpenCV and FFmpeg write themselves off the terminal."""

from __future__ import annotations

import os

import cv2

_OPENCV = "OPENCV_LOG_LEVEL"
_FFMPEG = "OPENCV_FFMPEG_LOGLEVEL"
_QUIET = "-8"


def hush() -> None:
    """Let nothing be said of a camera but in our words, from now on and in all threads.

    To be called before the first camera is opened. Who wants to hear the rest sets
    `OPENCV_LOG_LEVEL` or `OPENCV_FFMPEG_LOGLEVEL`.
    """
    if _OPENCV not in os.environ:
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    os.environ.setdefault(_FFMPEG, _QUIET)
