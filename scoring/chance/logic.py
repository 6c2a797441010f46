"""Conjunctions and disjunctions of numbered inequalities."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias


class Joint(NamedTuple):
    """``&`` or ``|`` of some parts. Without parts, ``&`` is true and ``|`` is false."""

    operator: str
    parts: tuple[Logic, ...]


#: The number of an inequality, or parts of which all or some must hold.
Logic: TypeAlias = "int | Joint"

TRUE = Joint("&", ())
FALSE = Joint("|", ())


def truth(value: bool) -> Joint:
    """What is always true, or always false."""
    return TRUE if value else FALSE


def joined(operator: str, parts: Iterable[Logic]) -> Logic:
    """``&`` or ``|`` of some parts: flat, without repeats and without what is decided."""
    decides = FALSE if operator == "&" else TRUE
    found: dict[Logic, None] = {}
    for part in parts:
        if part == decides:
            return decides
        if isinstance(part, Joint) and part.operator == operator:
            found.update(dict.fromkeys(part.parts))
        else:
            found[part] = None
    return next(iter(found)) if len(found) == 1 else Joint(operator, tuple(found))


def replaced(logic: Logic, by: Mapping[int, Logic]) -> Logic:
    """The same, with some inequalities replaced."""
    if isinstance(logic, Joint):
        return joined(logic.operator, [replaced(part, by) for part in logic.parts])
    return by.get(logic, logic)


def leaves(logic: Logic) -> Iterator[int]:
    """The inequalities, from left to right."""
    if isinstance(logic, Joint):
        for part in logic.parts:
            yield from leaves(part)
    else:
        yield logic
