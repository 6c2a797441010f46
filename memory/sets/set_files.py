"""Files of memory sets: read, checked against their schema, and narrowed to what is asked."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from evalmark.memory.formats.history import History
from evalmark.memory.formats.memory_checks import set_view
from evalmark.memory.sets.general_sets import set_kind
from evalmark.memory.sets.set_kinds import PosedQuestion, SetKind, ToldHistory
from evalmark.schemas.errors import ScoringError, UnknownNameError, UsageError
from evalmark.validator.findings.report import Failed, Report, raising, require_usable
from evalmark.validator.format import Document
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.shared.json_format import fitting_items
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import Reading, read


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """A memory set.

    Attributes:
        name: The name of its file.
        sha256: The digest of the file.
        kind: How it is run.
        histories: The histories, each with the questions asked after it.
        size: How many questions the file has, whether they are asked or not.
    """

    name: str
    sha256: str
    kind: SetKind
    histories: tuple[ToldHistory, ...]
    size: int

    @property
    def questions(self) -> Iterator[PosedQuestion]:
        """The questions that are asked."""
        for history in self.histories:
            yield from history.questions


def load_sets(paths: Sequence[str], failed: Failed = raising) -> list[LoadedSet]:
    """The sets among files; the others are not read to their end.

    Args:
        paths: Files that may be sets.
        failed: Called with a set with entries that cannot be used, and why; others are used. By
            default, the first such entry is an error.

    Raises:
        UsageError: Some files are sets, and others are not.
        BrokenFile: An entry cannot be used.
        ScoringError: Two questions or histories have the same id.
        OSError: A file cannot be read.
    """
    candidates = [load_set(Path(path), failed) for path in paths]
    sets = [memory_set for memory_set in candidates if memory_set is not None]
    if sets and len(sets) < len(candidates):
        stranger = next(
            path for path, memory_set in zip(paths, candidates, strict=True) if memory_set is None
        )
        raise UsageError(f"{stranger} is not a memory set; memory sets are run by themselves")
    questions = Counter(question.id for memory_set in sets for question in memory_set.questions)
    histories = Counter(history.id for memory_set in sets for history in memory_set.histories)
    for counts, of in ((questions, "questions"), (histories, "histories")):
        for name, count in counts.items():
            if count > 1:
                raise ScoringError(f"{count} {of} have the id {name!r}; `evalmark check` says more")
    return sets


def load_set(path: Path, failed: Failed = raising) -> LoadedSet | None:
    """The set of a file; None if it is not one."""
    if not path.is_file() or path.suffix != ".json" or path.name.endswith(".def.json"):
        return None
    raw = read_whole(path)
    reading = read(raw, str(path))
    document = identify(reading.data) if reading.readable else None
    kind = set_kind(document) if document else None
    if document is None or kind is None:
        return None
    views = set_view(document).histories
    _require_entries(document, reading, len(views), failed)
    histories = tuple(
        told
        for view, name in zip(views, _names(views, path.stem), strict=True)
        for told in kind.tell(view, name)
    )
    size = sum(len(history.questions) for history in histories)
    return LoadedSet(path.name, hashlib.sha256(raw).hexdigest(), kind, histories, size)


def _require_entries(document: Document, reading: Reading, valid: int, failed: Failed) -> None:
    findings = tuple(fitting_items(document, reading)[0].close())
    try:
        require_usable(Report(reading.path, document.kind, None, findings))
    except ScoringError as error:
        whole = len(document.data) if isinstance(document.data, list) else 1
        failed(f"{whole - valid} of {whole} entries of {reading.path}", error)


def _names(views: Sequence[History], stem: str) -> list[str]:
    """The ids of histories: their own, or the name of the file with a number."""
    several = len(views) > 1
    named = []
    for number, view in enumerate(views, 1):
        sample_id = view.data.get("sample_id", view.data.get("id"))
        fits = isinstance(sample_id, str) and sample_id.strip()
        named.append(str(sample_id) if fits else f"{stem}-{number}" if several else stem)
    return named


def narrowed(
    sets: Sequence[LoadedSet], types: Collection[str] = (), most: int | None = None
) -> list[LoadedSet]:
    """The sets with fewer questions; histories without any are left out.

    Args:
        sets: The sets.
        types: Types of questions that are asked, or what these are called; all if empty.
        most: At most so many questions of each type in each kind of set, the first ones.

    Raises:
        UnknownNameError: No question is of a type.
    """
    types_by_name = {
        name: q.type
        for whole_set in sets
        for q in whole_set.questions
        for name in whole_set.kind.names_of(q.type)
    }
    for name in types:
        if name not in types_by_name:
            raise UnknownNameError("type of question", name, sorted(set(types_by_name.values())))
    counts: Counter[tuple[str, str]] = Counter()

    def is_asked(memory_set: LoadedSet, question: PosedQuestion) -> bool:
        if types and not set(memory_set.kind.names_of(question.type)) & set(types):
            return False
        counts[memory_set.kind.title, question.type] += 1
        return most is None or counts[memory_set.kind.title, question.type] <= most

    narrowed_sets = []
    for whole_set in sets:
        histories = []
        for history in whole_set.histories:
            kept = [question for question in history.questions if is_asked(whole_set, question)]
            if kept:
                histories.append(replace(history, questions=kept))
        narrowed_sets.append(replace(whole_set, histories=tuple(histories)))
    return narrowed_sets
