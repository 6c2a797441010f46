"""Rules on rows of minimal pairs."""
