"""Rules that the settings of a repository add."""
