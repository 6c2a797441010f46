"""Minimal pairs: the known sets, and their rows as rules, scoring and conversion see them."""
