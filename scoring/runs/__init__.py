"""Finished runs, read back from their folders: tables as frames, one run or many, and contrasts."""
