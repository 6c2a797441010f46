"""Scoring suites: from files and a model to regions, outcomes and chance."""
