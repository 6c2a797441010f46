"""Scoring minimal pairs: from files and a model to outcomes, averages and a record."""
