"""Agents under test, and the models that judge them."""
