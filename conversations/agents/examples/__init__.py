"""Adapters of memory systems, to be run or copied: ``--agent evalmark.conversations.…:Class``."""
