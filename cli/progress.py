"""Moved to ``evalmark.validator.edge.progress``; deleted once no command imports it from here."""

from evalmark.validator.edge.progress import *  # noqa: F403
