"""Teach my set: adapt the reader to one physical set of tiles, without training networks.

The owner lays out the faces once and photographs them (`photo`); a correction of the reader's
last layers is fitted to them (`correction`) and kept under a name (`profile`).
"""

from vision.teaching.correction import Correction, fit_correction
from vision.teaching.photo import LaidOut, look_over
from vision.teaching.profile import (
    Profile,
    ProfileError,
    TeachingError,
    find_profile,
    forget_profile,
    load_profile,
    profile_names,
    save_profile,
    teach,
)

__all__ = [
    "Correction",
    "LaidOut",
    "Profile",
    "ProfileError",
    "TeachingError",
    "find_profile",
    "fit_correction",
    "forget_profile",
    "load_profile",
    "look_over",
    "profile_names",
    "save_profile",
    "teach",
]
