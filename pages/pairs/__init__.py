"""Runs over minimal pairs: their table on a terminal, and their page."""
