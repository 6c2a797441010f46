"""A broken file, and what is left of its findings once the suggestions have been followed."""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.validator.check import check_bytes
from evalmark.validator.findings.finding import Finding

from benchmarks.cures.cases import Break, broken, good

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))  # tests apply them too

from applying import NoForm, applied, applied_to_row

#: Suggestions that are followed one after the other.
ROUNDS = 4


class Outcome(NamedTuple):
    """What became of a broken file.

    Attributes:
        verdict: ``cured``, ``not cured``, ``silent`` (nothing suggested), or ``missed``.
        said: Code and suggestions of each finding.
    """

    verdict: str
    said: tuple[str, ...]


def outcome(each: Break) -> Outcome:
    """Break a file, apply what is suggested until nothing changes, and look."""
    name = "file_samples.jsonl" if each.sort == "sample" else "file.json"
    text = broken(each)
    said: tuple[str, ...] = ()
    for step in range(ROUNDS):
        found = _new(each, text, name)
        if not step:
            said = tuple(f"{f.code} {'|'.join(f.helps) or '-'}" for f in found)
            if not found:
                return Outcome("missed", said)
            if not any(finding.helps or finding.fix for finding in found):
                return Outcome("silent", said)
        if not found:
            return Outcome("cured", said)
        new = _applied(text, found, name)
        if new == text:
            break
        text = new
    return Outcome("not cured", said)


def _applied(text: str, found: list[Finding], name: str) -> str:
    """The text with the first suggestion that can be applied."""
    apply = applied_to_row if name.endswith(".jsonl") else applied
    for finding in found:
        try:
            for new in apply(text, finding):
                if new != text:
                    return new
        except (NoForm, ValueError, KeyError, StopIteration, AssertionError, IndexError, TypeError):
            continue
    return text


def _new(each: Break, text: str, name: str) -> list[Finding]:
    """The findings that the good file lacks."""
    found = check_bytes(text.encode("utf-8", "surrogatepass"), name).findings
    return [finding for finding in found if _key(finding) not in _good(each.sort, name)]


@cache
def _good(sort: str, name: str) -> frozenset[Any]:
    raw = json.dumps(good(sort)).encode()
    return frozenset(map(_key, check_bytes(raw, name).findings))


def _key(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.pointer
