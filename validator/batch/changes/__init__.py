"""Changes of a branch, compared with its base."""
