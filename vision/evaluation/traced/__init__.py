"""Suites drawn anew by Blender's path tracer, from which no network has learnt.

Networks and suites share a renderer, and so its mistakes. This one traces light through bodies of
round edges, in rooms of its own; all it takes from the other are a table's layout and camera, and
what is printed on the tiles.
"""
