"""Minimal pairs: rows of two texts, one of which is acceptable."""
