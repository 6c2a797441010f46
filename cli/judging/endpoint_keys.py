"""What commands say about a key that is not sent to an endpoint."""

from __future__ import annotations

from evalmark.conversations.agents.keys import KEY, host_of, key_of
from evalmark.validator.edge.lines import say


def say_withheld(*endpoints: tuple[str | None, str | None, str]) -> None:
    """Say which endpoints do not get the key in ``KEY``.

    Args:
        endpoints: URL, the variable that is named for it, and the option that names it.
    """
    for url, variable, option in endpoints:
        if url is not None and key_of(url, variable).is_withheld:
            say(f"note: {KEY} is not sent to {host_of(url)}: {option} {KEY} allows it")
