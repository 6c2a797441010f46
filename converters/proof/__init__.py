"""A conversion proves itself, by a way that shares nothing with its steps."""
