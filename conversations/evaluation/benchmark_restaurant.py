"""Restaurant, from what models replied to it in a published log.

The test asks models while it runs: whether the agent plays its role, what it has ordered (three
times), whether it notices a wrong dish, and whether it remembers its drink. Each is a point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.conversations.evaluation.benchmark_json import benchmark_json
from evalmark.conversations.evaluation.lines import read_line
from evalmark.conversations.evaluation.replies import Replies, Verdict

POINTS = 5
_DISH = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_DRINKS = re.compile(r"^Beverages:$", re.MULTILINE)


class _Over(Exception):  # noqa: N818
    """The test ends here, for a reason."""


class _Missing(Exception):  # noqa: N818
    """The log has no further reply of a model."""


@dataclass(frozen=True, slots=True)
class _Menu:
    """The menu of a test, as its messages have it."""

    text: str
    dishes: list[str]  # without drinks, which come last


def restaurant(replies: Replies, _: str) -> Verdict:
    """The share of points up to the first mistake; None if the log lacks replies of models."""
    menu = _menu(replies.log)
    if menu is None or not replies.judged:
        return None
    left = iter(replies.judged)
    points = 0
    reason = "all points"
    try:
        for _point in _points(left, menu):
            points += 1
    except _Over as over:
        reason = str(over)
    except _Missing:
        return None
    if next(left, None) is not None:
        return None  # not the questions of these rules
    return points / POINTS, [reason]


def _points(judged: Iterator[str], menu: _Menu) -> Iterator[None]:
    """Yield at each point that the test gives."""
    _require(judged, "follows_role", "the agent does not play its role")
    _ordered(_next(judged), menu, drinks=True)
    yield
    order = _ordered(_next(judged), menu, drinks=False)
    yield
    if set(_ordered(_next(judged), menu, drinks=False)) & set(order):
        raise _Over("the agent orders something again")
    yield
    _require(judged, "noticed", "the agent does not notice the wrong dish")
    yield
    _require(judged, "recalls", "the agent does not remember its drink")
    yield


def _next(judged: Iterator[str]) -> str:
    try:
        return next(judged)
    except StopIteration:
        raise _Missing from None


def _require(judged: Iterator[str], key: str, otherwise: str) -> None:
    try:
        holds = benchmark_json(_next(judged))[key]
    except (ValueError, KeyError):
        raise _Over("a model's reply is not as asked for") from None
    if not holds:
        raise _Over(otherwise)


def _ordered(text: str, menu: _Menu, *, drinks: bool) -> list[str]:
    """What a model says was ordered."""
    try:
        said = benchmark_json(text)
    except ValueError:
        raise _Over("a model's reply is not as asked for") from None
    found = [_entry(entry, menu, drinks=drinks) for entry in said["order"]]
    if not said["has_ordered_something"] or not found:
        raise _Over("the agent ordered nothing")
    return found


def _entry(entry: dict[str, Any], menu: _Menu, *, drinks: bool) -> str:
    if drinks != entry["is_drink"]:
        raise _Over(f"the agent ordered {'more than drinks' if drinks else 'a drink'}")
    name: str = entry["item"]
    if drinks:
        return name
    number = entry["menu_nr"]
    number = int(number.strip()) if isinstance(number, str) else number
    unknown = entry["off_menu"] and name.lower() not in menu.text.lower()
    if unknown or not 1 <= number <= len(menu.dishes):
        raise _Over(f"{name} is not on the menu")
    return menu.dishes[number - 1]


def _menu(log: Sequence[str]) -> _Menu | None:
    for line in map(read_line, log):
        if line.who == "Test" and (drinks := _DRINKS.search(line.text)):
            dishes = _DISH.findall(line.text[: drinks.start()])
            return _Menu(line.text, dishes)
    return None
