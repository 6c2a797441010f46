"""Outcomes of files that are converted or imported, and a tally that folds those of many files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evalmark.converters.overrides.table_keys import lacks_owner
from evalmark.converters.step import NOT_STATED
from evalmark.schemas.errors import ConversionError

if TYPE_CHECKING:
    from evalmark.converters.overrides.defaults import Seen
    from evalmark.converters.proof.proof import Proof


@dataclass(frozen=True, slots=True)
class LeftOutResults:
    """Results of one metric that are left out, because nobody says whether less is better."""

    reason: ConversionError  # which they are, and why
    count: int  # how many


@dataclass(frozen=True, slots=True)
class ConvertedFile:
    """The outcome of a file.

    Attributes:
        path: The file, or the folder of results.
        source: Its format; None if it is not recognized.
        format: The format it is converted to.
        steps: The steps that were taken, by name; empty if it is current.
        notes: What a reader should know.
        old: Its text.
        text: The new text; None if there is none, or if it is several files (imported results).
        target: Where the new text belongs; None if no place was given.
        refused: Why it cannot be converted exactly.
        seen: What it is about, if it is a record.
        left_out: Results of another program that are left out, by metric; others are written.
        failed: Why it could not be read or written, or what failed in evalmark.
        files: Name of a table -> content of its file, if a suite becomes tables.
        repeats: The file from which the same run was written before; "" if there is none.
        proof: What has been compared; None if nothing has changed.
        is_anonymous: Whether it is a new record that does not say who publishes it.
    """

    path: str
    source: str | None = None
    format: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    old: str = ""
    text: str | None = None
    target: Path | None = None
    refused: ConversionError | None = None
    failed: str | None = None
    seen: Seen | None = None
    left_out: tuple[LeftOutResults, ...] = ()
    files: Mapping[str, bytes] = field(default_factory=dict)
    repeats: str = ""
    proof: Proof | None = None
    is_anonymous: bool = False

    @property
    def changed(self) -> bool:
        """True if there is a text, and it is not the old one."""
        return self.text is not None and self.text != self.old


#: How often a note holds within a file, at its end.
_TIMES = re.compile(r" \((\d+) (times|rows)\)$")

#: Lines that are the same but for their numbers (n), which are added, their plurals (s), and an
#: example (x), which lines for several files do not have.
_COUNTED = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?P<n>[\d,]+) result(?P<s>s?), (?P<n2>[\d,]+) sample(?P<s2>s?)",
        r"the file has an error that stays: [A-Z]+\d+ [\w-]+(?P<x>: .+)",
        r"left out: (?P<n>[\d,]+) value(?P<s>s?)(?: of|:) .+",
        r'refused: (?P<n>[\d,]+) result(?P<s>s?) of the metric ".+" left out(?P<x> \(.+?\)): .+',
    )
)
#: Stands for a number in a line for several files.
_NUMBER = "\0"
#: Why a run is not written.
SAME_RUN = "the run of another file, which is written once"
#: The separator of the formats in the name of a step.
_ARROW = " → "


@dataclass(slots=True)
class FoldedLine:
    """A line that is true of several files."""

    first: str  # the first of them
    text: str  # the line for that file alone
    files: int = 0  # how many there are
    times: int = 0  # how often it is true within them, all together
    counts: tuple[int, ...] = ()  # the numbers in it, each the sum of those of all files
    runs: int = 0  # how many runs or documents of these files it is true of
    last: str = ""  # the last of the files

    def add(self, path: str, times: int, counts: tuple[int, ...]) -> None:
        """Add another file, or another run of the file before it."""
        self.files += path != self.last
        self.runs += 1
        self.last = path
        self.times += times
        self.counts = tuple(map(sum, zip(self.counts or [0] * len(counts), counts, strict=True)))


@dataclass(slots=True)
class Tally:
    """Counts outcomes, and folds what is the same for many; ``take`` is called with each."""

    refusal: Callable[[ConversionError], str]  # what is said of a refusal
    #: How many of them were converted, were current, had the run of another file, were refused, or
    #: failed.
    counts: Counter[str] = field(default_factory=Counter)
    seen: set[Seen] = field(default_factory=set)  # what the records among them are about
    left_out: int = 0  # how many results of other programs were left out of what was converted
    #: Ids of models of other programs' results that have no owner, or only the name of a folder,
    #: and their records.
    unowned: Counter[str] = field(default_factory=Counter)
    anonymous: int = 0  # how many of these records do not say who publishes them
    proved: Counter[str] = field(default_factory=Counter)  # the numbers of their proofs
    files: int = 0  # how many files there were, without those that were skipped
    _last: str = ""
    _lines: dict[str, dict[str, FoldedLine]] = field(default_factory=dict)

    @property
    def outcomes(self) -> int:
        """The number of outcomes: a file of results may have several runs."""
        return self.counts.total()

    def take(self, outcome: ConvertedFile) -> None:
        """Count one file, or another run of the file before it."""
        if not self._last or not f"{outcome.path}/".startswith(f"{self._last}/"):
            self.files, self._last = self.files + 1, outcome.path
        if outcome.seen is not None:
            self.seen.add(outcome.seen)
        for left_out in outcome.left_out:
            self.left_out += left_out.count
            self._fold("refusals", self.refusal(left_out.reason), outcome.path)
        if outcome.failed is not None:
            self.counts["failed"] += 1
        elif outcome.refused is not None:
            self.counts["refused"] += 1
            self._fold("refusals", self.refusal(outcome.refused), outcome.path)
        elif outcome.repeats:
            self.counts["repeated"] += 1
            self._fold("notes", SAME_RUN, outcome.path)
        else:
            self._take_converted(outcome)

    def _take_converted(self, outcome: ConvertedFile) -> None:
        self.counts["converted" if outcome.steps else "current"] += 1
        self.anonymous += outcome.is_anonymous
        if outcome.proof is not None:
            self.proved += outcome.proof.counts
        if outcome.seen is not None and outcome.text is None:  # a run of another program
            models = outcome.seen.models
            self.unowned.update(filter(lacks_owner, models))
        if outcome.steps:
            self._fold("steps", _route_text(outcome.steps), outcome.path)
        for note in outcome.notes:
            self._fold("notes", note, outcome.path)

    def _fold(self, group: str, text: str, path: str) -> None:
        times = _TIMES.search(text)
        text = text[: times.start()] if times else text
        key, counts = _without_counts(text)
        line = self._lines.setdefault(group, {}).setdefault(key, FoldedLine(path, text))
        line.add(path, int(times[1]) if times else 1, counts)

    def lines(self) -> Iterator[str]:
        """One line for all files with the same steps, note or refusal."""
        for group, word in (("steps", ""), ("notes", "note: "), ("refusals", "")):
            for key, line in self._lines.get(group, {}).items():
                units = line.runs if line.counts else line.files  # numbers are those of all runs
                times = f" ({line.times:,} times)" if line.times > units else ""
                text = key if line.runs > 1 else line.text
                for count in line.counts if line.runs > 1 else ():
                    text = text.replace(_NUMBER, f"{count:,}", 1)
                if line.files == 1:
                    yield f"{line.first}: {word}{text}{times}"
                else:
                    yield f"{line.files:,} files: {word}{text}{times}, first in {line.first}"

    @property
    def lacks_facts(self) -> bool:
        """True if a file does not state something that a caller could supply."""
        return any(NOT_STATED in text for text in self._lines.get("notes", ()))


def _without_counts(text: str) -> tuple[str, tuple[int, ...]]:
    match = next(filter(None, (pattern.fullmatch(text) for pattern in _COUNTED)), None)
    if match is None:
        return text, ()
    counts: list[int] = []
    for name, part in sorted(match.groupdict().items(), key=lambda item: -match.start(item[0])):
        start, end = match.span(name)
        if name[0] == "n":
            counts.insert(0, int(part.replace(",", "")))
        text = text[:start] + {"n": _NUMBER, "s": "s", "x": ""}[name[0]] + text[end:]
    return text, tuple(counts)


def _route_text(steps: tuple[str, ...]) -> str:
    formats: list[str] = []
    for step in steps:
        first, arrow, last = step.partition(_ARROW)
        if arrow and formats and formats[-1].endswith(first):
            formats[-1] += f"{_ARROW}{last}"
        else:
            formats.append(step)
    return ", ".join(formats)
