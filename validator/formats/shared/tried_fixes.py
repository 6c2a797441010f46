"""Fixes, each tried in memory before it is offered: none may leave a new finding at its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from evalmark.validator.findings.finding import Finding, Severity, apply_fixes

#: Checks of a file with all fixes at once, and those with one fix alone.
_ROUNDS, _ALONE = 3, 8


def tried(
    findings: list[Finding],
    path: str,
    text: str,
    lists: Collection[str],
    check: Callable[[str], Iterable[Finding]],
) -> list[Finding]:
    """Remove each fix that would leave a new finding at its place, with its help.

    All fixes are tried at once, as `--fix --unsafe-fixes` applies them. Only if that leaves new
    findings is each of the fixes near them tried alone. Findings in other files are not tried.
    ``lists`` are the keys of the document that have lists: each entry is a part alone.
    """
    # A byte order mark is before the text, which is read without it.
    fixable = (f for f in findings if f.fix is not None and f.code != "F003")
    untried = [finding for finding in fixable if finding.path == path]
    before = Counter(map(_key, findings))
    wrong: set[int] = set()
    for _ in range(_ROUNDS):
        if not untried:
            break
        fixed = apply_fixes(text, untried, unsafe=True)
        applied = list(fixed.findings)
        near = _left_by(applied, check(fixed.text), before, lists)
        if len(applied) > 1:
            alone = (
                (f, _left_by([f], check(apply_fixes(text, [f], unsafe=True).text), before, lists))
                for f in near[:_ALONE]
            )
            near = [finding for finding, left in alone if left] + near[_ALONE:]
        wrong |= set(map(id, near))
        done = set(map(id, applied))
        untried = [finding for finding in untried if id(finding) not in done]
    return [replace(f, fix=None, helps=()) if id(f) in wrong else f for f in findings]


def _left_by(
    fixed: list[Finding],
    after: Iterable[Finding],
    before: Counter[tuple[str, str]],
    lists: Collection[str],
) -> list[Finding]:
    listed = [finding for finding in after if finding.code != "F099"]  # says nothing of a fix
    new_keys = Counter(map(_key, listed)) - before
    new = [finding for finding in listed if _key(finding) in new_keys]
    return [f for f in fixed if any(_is_left(f, other, lists) for other in new)] if new else []


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.pointer


def _is_left(finding: Finding, new: Finding, lists: Collection[str]) -> bool:
    """True if a new finding is at the place of one that is fixed, and no milder than an error."""
    if finding.severity is Severity.ERROR and new.severity is not Severity.ERROR:
        return False  # rules see what the schema accepts
    places = (finding.pointer, *finding.also)
    return any(_are_near(place, new.pointer, lists) for place in places)


def _are_near(pointer: str, other: str, lists: Collection[str]) -> bool:
    """True for the same object, or the same item, prediction or result, of a document."""
    first, second = pointer.split("/")[1:], other.split("/")[1:]
    if first[:1] != second[:1]:
        return False
    if first and first[0] in lists:
        return first[:2] == second[:2]
    return first[:-1] == second[:-1] or first == second[: len(first)] != []
