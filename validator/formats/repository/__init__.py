"""Rules that the settings of a repository add to files of several formats."""
