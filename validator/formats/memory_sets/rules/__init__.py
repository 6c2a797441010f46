"""Rules on memory sets."""
