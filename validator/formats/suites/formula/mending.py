"""What to write for a formula that cannot be read: the same formula with its slips corrected.

Each slip is corrected where the parser stops, until the formula can be read. A formula for which
this does not work gets no text to write.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.validator.formats.suites.formula.parser import read
from evalmark.validator.formats.suites.formula.retyping import Draft, grouped, retyped
from evalmark.validator.formats.suites.formula.slips import (
    CALLED,
    EXACT,
    NAME,
    RANGE,
    REGION,
    SLIPS,
    replaced,
)
from evalmark.validator.formats.suites.formula.tree import Offsets, unparse

#: Maximum number of slips corrected in one formula, and of characters in it.
MAX_SLIPS, MAX_LENGTH = 24, 1000
#: Ways in which a formula can be meant; if there are more, none is suggested.
MAX_WAYS = 2
#: What a person sees as one thing.
_UNIT = re.compile(
    rf"{CALLED}\s*{EXACT}|(?:{EXACT}|[\w.,]+)\s*[*/]\s*(?:{EXACT}|[\w.,]+)|-\s*{EXACT}|\([^()]*\)"
    rf"|\(?(?:{REGION})\s*;\s*%+{NAME}%*|[\w.,]+|[<>=&|!]+"
)


@dataclass(frozen=True, slots=True)
class Mended:
    """What to write in place of a part of a formula, and in which case, if there are several."""

    span: Offsets
    text: str
    when: str = ""


def mended(error: FormulaSyntaxError) -> tuple[Mended, ...]:
    """The smallest part to replace so that the formula can be read, in each way it can be meant.

    Empty if that is unknown, or if there are too many ways.
    """
    source = error.source
    if len(source) > MAX_LENGTH or RANGE.search(source):
        return ()
    readable: list[Draft] = []
    drafts = [Draft(source)]
    for _ in range(MAX_SLIPS):
        better: list[Draft] = []
        for draft in drafts:
            current = _error(draft.text)
            if current is None:
                readable.append(draft)
            else:
                better += _better(draft, current)
        drafts = better
        if not drafts or len(drafts) + len(readable) > MAX_WAYS:
            break
    tight = _binds_tightly(source)
    typed = [new for draft in readable for new in _typed(draft, tight)]
    ways = {draft.text: draft.when for draft in typed if draft.text != source}
    if drafts or len(ways) > MAX_WAYS:
        return ()
    return _differences(source, ways, error.span)


def advice(error: FormulaSyntaxError) -> str:
    """What can be done about a formula whose correction is not clear."""
    match = RANGE.search(error.source)
    if match is None:
        return error.help
    digits = re.findall("[0-9]+", match.group().partition(match[1])[0])
    if len(digits) < 2:
        return error.help
    total = " + ".join(f"({number};%{match[1]}%)" for number in digits[:2])
    return f"a reference has one region; several are added, as in `{total}`"


def _binds_tightly(source: str) -> bool:
    """Whether operators are written as in languages in which ``and`` is before ``or``."""
    return bool(re.search(r"&&|\|\||\b(?:and|or)\b", source, re.IGNORECASE))


def _typed(draft: Draft, tight: bool) -> list[Draft]:
    """A formula that says something true or false, in each way; none if that is unknown."""
    drafts, found = [draft], list[Draft]()
    for _ in range(MAX_SLIPS):
        if not drafts or len(drafts) + len(found) > MAX_WAYS:
            break
        one = drafts.pop()
        formula = read(one.text)
        problem = next(type_problems(formula.tree), None)
        if problem is None:
            clear = grouped(formula.tree, tight)
            text = one.text if clear == formula.tree else unparse(clear)
            found.append(Draft(text, one.when))
            continue
        drafts += [
            Draft(replaced(one.text, problem.node.span, new.text), new.when or one.when)
            for new in reversed(retyped(formula, problem))
        ]
    return [] if drafts else found


def _error(source: str) -> FormulaSyntaxError | None:
    try:
        read(source)
    except FormulaSyntaxError as error:
        return error
    return None


def _better(draft: Draft, error: FormulaSyntaxError) -> list[Draft]:
    """The formulas without the slip at which the parser stopped."""
    text, at = draft.text, error.span[0]
    new = next((new for mend in SLIPS if (new := mend(text, at)) is not None), None)
    if new is None or new == text:
        return []
    ways = [Draft(new)] if isinstance(new, str) else new
    return [Draft(way.text, way.when or draft.when) for way in ways]


def _differences(old: str, ways: dict[str, str], place: Offsets) -> tuple[Mended, ...]:
    """The part in which any way differs, and what to write for it in each."""
    spans = [_difference(old, new, place) for new in ways]
    start, end = min((s for s, _ in spans), default=0), max((e for _, e in spans), default=0)
    found = []
    for new, when in ways.items():
        found.append(Mended((start, end), new[start : len(new) - len(old) + end], when))
    return tuple(found)


def _difference(old: str, new: str, place: Offsets) -> Offsets:
    """The part that differs, with the place where the parser stopped, as whole units."""
    short = min(len(old), len(new))
    head = next((i for i in range(short) if old[i] != new[i]), short)
    tail = next((i for i in range(short - head) if old[-1 - i] != new[-1 - i]), short - head)
    start, end = min(head, place[0]), max(len(old) - tail, min(place[1], len(old)))
    units = [match.span() for match in _UNIT.finditer(old)]
    start, end = _widened(start, end, units)
    gone = not new[start : len(new) - len(old) + end].strip()
    if gone or not old[start:end].strip() or old[start].isspace():
        # Nothing to replace, or nothing to write: the unit before is written with it.
        start = max((left for left, _ in units if left < start), default=start)
        start, end = _widened(start, end, units)
        if not new[start : len(new) - len(old) + end].strip():  # it is the first unit
            end = min((right for _, right in units if right > end), default=len(old))
    return start, end


def _widened(start: int, end: int, units: list[Offsets]) -> Offsets:
    for left, right in units:
        if left < end and right > start:
            start, end = min(start, left), max(end, right)
    return start, end
