"""Which file of surprisals belongs to which suite: its tokens spell the suite's sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evalmark.schemas.errors import SurprisalFileError
from evalmark.scoring.doubts import vocabulary_of
from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.outcomes import ItemSurprisals
from evalmark.scoring.recorded.surprisal_file import (
    SurprisalFile,
    align,
    read_surprisals,
    surprisal_files,
)
from evalmark.scoring.regions import assign_tokens, region_surprisals
from evalmark.scoring.suites import LoadedSuite
from evalmark.validator.findings.report import Unused


class Fit(NamedTuple):
    """A file whose tokens spell the sentences of a suite."""

    file: SurprisalFile
    values: tuple[ItemSurprisals, ...]  # the token surprisals of each region
    vocabulary: str  # why the tokens do not know the texts; empty if they do


@dataclass(slots=True)
class Matching:
    """The files of a run, and the suites that they belong to.

    A suite with several metrics, or two suites with the same sentences, share a file.
    """

    files: list[SurprisalFile]
    broken: list[Unused]  # files that cannot be read
    fits: dict[str, list[Fit]] = field(default_factory=dict)  # by path of the suite
    reasons: dict[str, dict[Path, str]] = field(default_factory=dict)  # why others do not fit
    used: set[Path] = field(default_factory=set)
    blamed: set[Path] = field(default_factory=set)  # an error of a suite is about them

    def add(self, suite: LoadedSuite) -> None:
        """Find the files that fit a suite."""
        fits, reasons = self.fits.setdefault(suite.path, []), {}
        for file in self.files:
            try:
                fits.append(_fit(suite, file))
            except SurprisalFileError as error:
                reasons[file.path] = str(error)
        self.reasons[suite.path] = reasons

    def of(self, suite: LoadedSuite) -> Fit:
        """The file of a suite.

        Raises:
            SurprisalFileError: There is none, or it cannot be told which.
        """
        fits = self.fits[suite.path]
        named = [fit for fit in fits if _is_named_after(fit.file.path, suite)]
        exactly = [fit for fit in named if fit.file.path.stem in _names(suite)]
        chosen = next((found for found in (fits, exactly, named) if len(found) == 1), None)
        if chosen is None:
            raise self._not_told(suite, named or fits)
        self.used.add(chosen[0].file.path)
        return chosen[0]

    def _not_told(self, suite: LoadedSuite, fits: Sequence[Fit]) -> SurprisalFileError:
        if fits:
            self.blamed |= {fit.file.path for fit in fits}
            files = " and ".join(str(fit.file.path) for fit in fits[:2])
            return SurprisalFileError(
                f"{suite.path}: {files} both have the tokens of its sentences; give the file of "
                f"one model, or name it after the suite: {suite.suite.name}.tsv"
            )
        reasons = self.reasons[suite.path]
        near = [path for path in reasons if _is_named_after(path, suite)]
        if len(self.fits) == 1 and len(reasons) == 1:
            near = list(reasons)
        if len(near) == 1:
            self.blamed.add(near[0])
            return SurprisalFileError(reasons[near[0]])
        count = sum(map(len, suite.sentences))
        return SurprisalFileError(
            f"{suite.path}: no file of surprisals has the tokens of its {count} sentences"
        )

    def unused(self) -> list[Unused]:
        """The files that are of no suite, once the suites have theirs."""
        found = [*self.broken]
        for file in self.files:
            if file.path in self.used | self.blamed:
                continue
            suites = [path for path, fits in self.fits.items() if any(f.file is file for f in fits)]
            why = (
                f"{suites[0]} has another file of surprisals, which is named after it"
                if suites
                else f"no suite has the {len(file.sentences)} sentences that its tokens spell"
            )
            found.append(Unused(str(file.path), SurprisalFileError(f"{file.path}: {why}")))
        return found


def matched(suites: Sequence[LoadedSuite], paths: Sequence[Path]) -> Matching:
    """Compare all suites with all files; a file that cannot be read is ``broken``.

    Raises:
        SurprisalFileError: A folder has no files of surprisals, or no file can be read.
        OSError: No file can be read.
    """
    matching = Matching([], [])
    for path in surprisal_files(paths):
        try:
            matching.files.append(read_surprisals(path))
        except (SurprisalFileError, OSError) as error:
            matching.broken.append(Unused(str(path), error))
    if not matching.files:
        raise matching.broken[0].error
    for suite in {suite.path: suite for suite in suites}.values():
        matching.add(suite)
    return matching


def _fit(suite: LoadedSuite, file: SurprisalFile) -> Fit:
    """The surprisals of each region, if the file has them.

    Raises:
        SurprisalFileError: It has not.
    """
    chosen = sum(len(row) for row in suite.sentences)
    expected = chosen + suite.left_out
    # A file may be of the first items only, as the suite is.
    if len(file.sentences) not in (expected, chosen):
        raise SurprisalFileError(
            f"{file.path}: {len(file.sentences)} sentences, the suite has {expected}"
        )
    remaining = iter(file.sentences)
    surprisals: list[ItemSurprisals] = []
    found: dict[str, Tokenized] = {}
    for row in suite.sentences:
        item = []
        for sentence in row:
            tokens = next(remaining)
            aligned = found[sentence.text] = align(tokens, sentence, file.path)
            assigned = assign_tokens(aligned.spans, sentence)
            values = [token.surprisal for token in tokens]
            item.append(region_surprisals(values, assigned, len(sentence.spans)))
        surprisals.append(item)
    return Fit(file, tuple(surprisals), vocabulary_of(found).doubt)


def _is_named_after(path: Path, suite: LoadedSuite) -> bool:
    """Whether a file's name has that of a suite, or of its file, as a whole part."""
    ends = "[^0-9A-Za-z]"
    return any(
        re.search(f"(^|{ends}){re.escape(name)}($|{ends})", path.stem, re.IGNORECASE)
        for name in _names(suite)
        if name
    )


def _names(suite: LoadedSuite) -> tuple[str, str]:
    return suite.suite.name, Path(suite.path).stem
