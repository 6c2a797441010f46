"""Kept until every environment has been installed again: ``evalmark.cli.main`` is the way in."""

from evalmark.cli.main import main as main
