"""Annotated pictures: what was seen and judged, drawn and written onto a copy of the photo."""

from vision.annotation.drawing import annotate, save_annotated

__all__ = ["annotate", "save_annotated"]
