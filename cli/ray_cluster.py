"""Moved to ``evalmark.validator.batch.ray_cluster``; a shim for other commands."""

from evalmark.validator.batch.ray_cluster import *  # noqa: F403
