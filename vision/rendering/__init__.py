"""Rendered tables: labelled pictures of tiles that nobody had to photograph."""
