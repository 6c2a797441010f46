"""Names of files that every system allows."""

from __future__ import annotations

import re

#: Characters that Windows allows in no name, and ``/``, which nobody does.
_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*]')


#: Names of devices on Windows, in any case and with any ending; superscript digits count too.
_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{number}" for port in ("COM", "LPT") for number in "123456789¹²³"]
)


def why_not_portable(name: str) -> str:
    """The reason that a name is not allowed on every system; empty if it is.

    >>> why_not_portable("con.json")
    'Windows reserves "con" for a device'
    """
    if not name:
        return "it is empty"
    match = _FORBIDDEN.search(name)
    if match is not None:
        character = match.group()
        shown = character if character.isprintable() else f"\\x{ord(character):02x}"
        return f"Windows allows no `{shown}` in a name"
    if name != name.rstrip(". "):
        return "Windows allows no dot or blank at the end of a name"
    stem = _stem(name)
    return f'Windows reserves "{stem}" for a device' if stem.upper() in _DEVICES else ""


def portable_name(name: str) -> str:
    """A name that every system allows: the name itself, or the nearest one with ``_``.

    Two names can become the same one.

    >>> portable_name("aux.html"), portable_name("a: b?.html"), portable_name("gpt-4.")
    ('aux_.html', 'a_ b_.html', 'gpt-4_')
    """
    plain = _FORBIDDEN.sub("_", name)
    kept = plain.rstrip(". ")
    plain = kept + "_" * (len(plain) - len(kept))
    stem = _stem(plain)
    return f"{stem}_{plain[len(stem) :]}" if not plain or stem.upper() in _DEVICES else plain


def _stem(name: str) -> str:
    """The part of a name that names a device: blanks before the first dot do not count."""
    return name.partition(".")[0].rstrip(" ")
