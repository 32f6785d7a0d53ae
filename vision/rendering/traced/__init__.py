"""Tables drawn by Blender's path tracer, in rooms of its own.

The usual renderer paints; this one traces light through bodies of round edges. All it takes from
the other are a table's layout and camera, and what is printed on the tiles.
"""
