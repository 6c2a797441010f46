"""Many files: walking folders, duplicate identifiers, workers."""
