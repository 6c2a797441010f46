"""Evaluating replies: scorers, judges, and rescoring of published runs."""
