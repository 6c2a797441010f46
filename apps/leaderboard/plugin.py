"""The commands of the leaderboard."""

from evalmark.validator.io.extensions import Plugin


def _table() -> object:
    """Write a table of records, with a row for each result."""
    from evalmark.leaderboard.commands import app

    return app


def _publish() -> object:
    """Publish records as a website."""
    return _table()


PLUGIN = Plugin(commands={"table": _table, "publish": _publish})
