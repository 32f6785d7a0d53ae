"""How well and how fast pictures are read: photographs, suites of rendered tables, and times."""
