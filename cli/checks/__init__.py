"""Parts of ``evalmark check``."""
