"""The language server: checks, fixes and help in editors, while a file is written."""
