"""Explanations of what a schema rejects: one violation for each mistake."""
