"""What this package adds to evalmark."""

from __future__ import annotations

from collections.abc import Iterable

from evalmark.extending import Plugin


def _command() -> object:
    """Write the main scores of a model as CSV."""
    from evalmark_mteb.command import app

    return app


def _importers() -> Iterable[object]:
    from evalmark_mteb.results import MTEB

    yield MTEB


def _formats() -> Iterable[object]:
    from evalmark_mteb.tasks import TASK

    yield TASK


PLUGIN = Plugin(commands={"mteb": _command}, importers=_importers, formats=_formats)
