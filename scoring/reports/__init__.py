"""HTML pages of runs."""

#: Items of a suite that a page shows by default.
ITEMS = 200
