"""Moved to ``evalmark.validator.edge.lines``; deleted once no command imports it from here."""

from evalmark.validator.edge.lines import print_diff as print_diff
