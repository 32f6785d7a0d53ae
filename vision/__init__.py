"""Seeing a table of tiles: detect, read, lay out, judge."""
