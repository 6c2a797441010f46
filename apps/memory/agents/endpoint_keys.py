"""Keys of endpoints: each goes only to the host that it was given for, and never in the clear.

Folders decide nothing here. The name of the variable is that of the command line (one for the
endpoint of the agent, one for that of the judge; one is enough if both are the same endpoint), else
that of the table ``keys`` in the user's own configuration, else ``OPENAI_API_KEY``: for
api.openai.com, the host of ``OPENAI_BASE_URL``, and this machine. If it is set and not sent, a note
says so. No log, record or message holds a key. Sending one over http to another machine is an
error.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from evalmark.schemas.errors import ScoringError
from evalmark.validator.settings.user_config import user_config

KEY = "OPENAI_API_KEY"
#: Variable with the address of another endpoint that this key is for, as in OpenAI's own client.
BASE_URL = "OPENAI_BASE_URL"
OPENAI = "api.openai.com"
_OPENAI_URL = f"https://{OPENAI}/v1"


@dataclass(frozen=True, slots=True)
class EndpointKey:
    """The key of an endpoint."""

    variable: str | None  # the environment variable that holds it; None if no key is sent
    #: Whether there is a key that is not sent, since it was given for other hosts.
    is_withheld: bool = False

    @property
    def value(self) -> str | None:
        """The key, read from the environment; None if there is none."""
        return os.environ.get(self.variable) or None if self.variable else None


def key_of(url: str, variable: str | None = None) -> EndpointKey:
    """The key of an endpoint.

    ``variable`` is the one that the user names for this endpoint; None for that of the user's
    configuration, or ``KEY`` if the endpoint is OpenAI's, that of ``BASE_URL``, or on this machine.

    Raises:
        ConfigError: The user's configuration cannot be used.
        ScoringError: The URL is not one, or a key would be sent over http to another machine.
    """
    parts = endpoint_parts(url)
    host, base = host_of(url), os.environ.get(BASE_URL, "")
    named = variable or user_config().keys.get(host)
    if named is None and (host in (OPENAI, host_of(base)) or is_here(host)):
        named = KEY
    key = EndpointKey(named, is_withheld=named is None and bool(os.environ.get(KEY)))
    if key.value and parts.scheme != "https" and not is_here(host):
        raise ScoringError(
            f"the key in {named} would be sent to {host} unencrypted: write https://, or unset "
            f"{named}"
        )
    return key


def openai_with_key() -> str | None:
    """The endpoint of OpenAI if the user has a key for it; None without one.

    A key beside the address of another endpoint is for that one.
    """
    base = os.environ.get(BASE_URL, "")
    is_elsewhere = bool(base) and host_of(base) != OPENAI and OPENAI not in user_config().keys
    return None if is_elsewhere or not key_of(_OPENAI_URL).value else _OPENAI_URL


def endpoint_parts(url: str) -> SplitResult:
    """The parts of the URL of an endpoint; raises ScoringError if it is not one."""
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts
    except ValueError:  # brackets or a port that are wrong
        pass
    raise ScoringError(f"{url!r} is not the URL of an endpoint")


def is_same_endpoint(left: str | None, right: str | None) -> bool:
    """True if two URLs are of one host, port and scheme; ScoringError if one is not a URL."""
    if left is None or right is None:
        return False
    first, second = endpoint_parts(left), endpoint_parts(right)
    return (first.scheme, first.netloc.lower()) == (second.scheme, second.netloc.lower())


def host_of(url: str) -> str:
    """The host of a URL, in lower case; empty if there is none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def is_here(host: str) -> bool:
    """True if a host is this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
