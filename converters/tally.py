"""What became of many files, in few lines: equal ones once, with a count and an example."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.records.coerce import NOT_STATED
from evalmark.schemas.errors import ConversionError

if TYPE_CHECKING:
    from evalmark.converters.overrides.defaults import Seen

#: How often a note holds within a file, at its end.
_TIMES = re.compile(r" \((\d+) (times|rows)\)$")

#: What is between the formats in the name of a step.
_ARROW = " → "


@dataclass(slots=True)
class FoldedLine:
    """A line that is true of several files.

    Attributes:
        first: The first of them.
        files: How many there are.
        times: How often it is true within them, all together.
    """

    first: str
    files: int = 0
    times: int = 0


@dataclass(slots=True)
class Tally:
    """Counts outcomes, and folds what is the same for many; ``take`` is called with each.

    Attributes:
        refusal: What is said of a refusal.
        files: How many files there were, without those that were skipped.
        counts: How many of them were converted, were current, were refused, or failed.
        seen: What the records among them are about.
        left_out: How many results of other programs were left out of what was converted.
    """

    refusal: Callable[[ConversionError], str]
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("converted", "current", "refused", "failed"), 0)
    )
    seen: set[Seen] = field(default_factory=set)
    left_out: int = 0
    _lines: dict[str, dict[str, FoldedLine]] = field(default_factory=dict)

    @property
    def files(self) -> int:
        """How many files there were."""
        return sum(self.counts.values())

    def take(self, outcome: ConvertedFile) -> None:
        """Count one file."""
        if outcome.seen is not None:
            self.seen.add(outcome.seen)
        for left_out in outcome.left_out:
            self.left_out += left_out.count
            self._fold("refusals", self.refusal(left_out.reason), outcome.path)
        if outcome.failed is not None:
            self.counts["failed"] += 1
            return
        if outcome.refused is not None:
            self.counts["refused"] += 1
            self._fold("refusals", self.refusal(outcome.refused), outcome.path)
            return
        self.counts["converted" if outcome.steps else "current"] += 1
        if outcome.steps:
            self._fold("steps", _way(outcome.steps), outcome.path)
        for note in outcome.notes:
            self._fold("notes", note, outcome.path)

    def _fold(self, group: str, text: str, path: str) -> None:
        found = _TIMES.search(text)
        lines = self._lines.setdefault(group, {})
        line = lines.setdefault(text[: found.start()] if found else text, FoldedLine(path))
        line.files += 1
        line.times += int(found[1]) if found else 1

    def lines(self) -> Iterator[str]:
        """One line for all files with the same steps, note or refusal."""
        for group, word in (("steps", ""), ("notes", "note: "), ("refusals", "")):
            for text, line in self._lines.get(group, {}).items():
                times = f" ({line.times:,} times)" if line.times > line.files else ""
                if line.files == 1:
                    yield f"{line.first}: {word}{text}{times}"
                else:
                    yield f"{line.files:,} files: {word}{text}{times}, first in {line.first}"

    @property
    def lacks_facts(self) -> bool:
        """Whether a file does not state something that a caller could supply."""
        return any(NOT_STATED in text for text in self._lines.get("notes", ()))


def _way(steps: tuple[str, ...]) -> str:
    """Steps as one line, in which no format is named twice in a row."""
    formats: list[str] = []
    for step in steps:
        first, arrow, last = step.partition(_ARROW)
        if arrow and formats and formats[-1].endswith(first):
            formats[-1] += f"{_ARROW}{last}"
        else:
            formats.append(step)
    return ", ".join(formats)
