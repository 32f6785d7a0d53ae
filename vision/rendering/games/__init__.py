"""Recorded games: scripts, played by hands that move tiles, and filmed."""
