"""Answers and reports of ``evalmark store``."""
