"""Adapters of memory systems: classes that an agent is made of, to be used or copied."""
