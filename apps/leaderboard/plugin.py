"""The commands of the leaderboard."""

from evalmark.validator.io.extensions import Plugin


def _table() -> object:
    """Write a table of records, with a row for each result."""
    from evalmark.leaderboard.commands import table

    return table


def _publish() -> object:
    """Publish records as a website."""
    from evalmark.leaderboard.commands import publish

    return publish


PLUGIN = Plugin(commands={"table": _table, "publish": _publish})
