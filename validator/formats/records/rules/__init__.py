"""Rules on records."""
