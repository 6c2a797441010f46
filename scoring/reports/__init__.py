"""HTML pages of runs."""
