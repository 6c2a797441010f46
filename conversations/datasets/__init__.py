"""The datasets of evalmark."""
