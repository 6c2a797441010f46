"""Pages of runs of conversations."""
