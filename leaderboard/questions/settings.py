"""What two or more results of one model and benchmark say differently."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

Path = tuple[str, ...]
#: Columns that say how a result came about, in the order in which they are shown.
STATED = ("harness", "source", "relationship", "samples", "evaluated_at")
#: What says where a number is from and what came of it, and not under which settings.
_NO_SETTINGS = frozenset(("source", "relationship", "evaluated_at"))
_RESULTS = re.compile(
    r"(?:^|[_.])(?:rank|ranking|costs?|price|usd|pareto|confidence_interval|latency|seconds|duration"
    r"|elapsed|runtime)(?:$|[_.])"
)
#: What is written for a side that does not state a setting.
NOT_STATED = "not stated"


def settings_of(row: Mapping[str, Any]) -> dict[str, str]:
    """Every setting of a result, and how it came about.

    A nested setting has the last part of its path as its name, and more if that is not enough.
    """
    found = dict(_parsed(row.get("settings")))
    for name in STATED:
        if row.get(name) is not None:
            found[name] = _text(row[name])
    return found


@lru_cache(maxsize=4096)
def _parsed(text: str | None) -> tuple[tuple[str, str], ...]:
    """The settings of a text, which many results share."""
    try:
        data = json.loads(text) if text else {}
    except ValueError:
        data = {"settings": text}
    flat = _flat(data if isinstance(data, dict) else {"settings": data})
    last = Counter(path[-1] for path, _ in flat)
    return tuple(
        (path[-1] if last[path[-1]] == 1 and path[-1] not in STATED else ".".join(path), value)
        for path, value in flat
    )


def differing(rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Names of the settings that not all of several results have, or have alike, in order."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if len({row.get(name) for row in rows}) > 1]


def conditions_of(settings: Mapping[str, str]) -> frozenset[tuple[str, str]]:
    """The settings under which a number came about: no sources and dates, no ranks and costs."""
    return frozenset(
        (name, value)
        for name, value in settings.items()
        if name not in _NO_SETTINGS and not _RESULTS.search(name.casefold())
    )


def side(row: Mapping[str, str], names: Sequence[str]) -> str:
    """What one result says of some settings, as it is shown."""
    if not names:
        return "no setting"
    return ", ".join(f"{name}={row.get(name, NOT_STATED)}" for name in names)


def _flat(data: Mapping[str, Any], before: tuple[str, ...] = ()) -> list[tuple[Path, str]]:
    found: list[tuple[Path, str]] = []
    for name, value in data.items():
        if isinstance(value, dict) and value:
            found += _flat(value, (*before, name))
        elif value is not None:
            found.append(((*before, name), _text(value)))
    return found


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    )
