"""Prompts of judges, and how far a judge agrees with people."""
