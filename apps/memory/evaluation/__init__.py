"""Evaluating replies: by rules, and by a judge."""
