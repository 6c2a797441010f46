"""Moved to ``evalmark.validator.edge.tables``; deleted once no command imports it from here."""

from evalmark.validator.edge.tables import *  # noqa: F403
