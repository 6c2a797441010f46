"""The work of ``evalmark score``."""
