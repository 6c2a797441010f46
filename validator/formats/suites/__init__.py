"""Suites: sentences cut into regions, with predictions over surprisal."""
