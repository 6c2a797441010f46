"""Many files: walking folders, workers."""
