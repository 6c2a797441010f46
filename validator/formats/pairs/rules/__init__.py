"""Rules on minimal pairs."""
