"""Judges under test: planted answers, agreement with them, and two judges side by side."""
