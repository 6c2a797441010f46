"""Loading files of minimal pairs for scoring: what is compared, and each distinct text once."""

from __future__ import annotations

import csv
import hashlib
import json
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import ParseRejected, ScoringError, UsageError
from evalmark.scoring.score_settings import OUR_READING, PairReading, require_covered
from evalmark.scoring.suites.suite_loading import is_suite
from evalmark.validator.batch.walking import ENDINGS, Candidate, expand, size_of
from evalmark.validator.checker import Checker
from evalmark.validator.findings.unusable import Failed, Stop, broken_by, raising, require_usable
from evalmark.validator.formats.pairs.pair_files import (
    columns_of_row,
    header_of,
    is_declared,
    pair_rows,
)
from evalmark.validator.formats.pairs.pair_items import PairItem, Side
from evalmark.validator.formats.pairs.pair_sets import MEAN, OWN, PER_CHAR, SUM, PairSet, set_of
from evalmark.validator.formats.pairs.pairs_format import PAIRS
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.reading.pair_columns import NO_TABLES, TABLES, PairTables
from evalmark.validator.reading.reading import read
from evalmark.validator.settings.config import Config

#: Rows of a file that are tried, to find out whether it is one of pairs.
TRIED = 20
#: Bytes of a line that are read for that.
LONGEST = 1 << 20
#: Keys of BLiMP that a set of one's own has as well.
_ANYBODYS = frozenset(
    {"UID", "paradigm", "field", "phenomenon", "language", "lang",
     "pair_id", "pair_ID", "item_id", "idx"}
)  # fmt: skip


class CountedText(NamedTuple):
    """A text whose probability counts from a character on, given what precedes it."""

    text: str
    start: int


class LoadedContest(NamedTuple):
    """Texts between which a model chooses, as scoring needs them."""

    uid: str  # the group that it is averaged with
    item: str  # the name of its row
    name: str  # its own name, if the row has several
    sides: tuple[int, ...]  # numbers of its texts in the file; the right one comes first
    labels: Mapping[str, str]  # further facts about its row, such as its field
    is_impossible: bool  # whether a wrong text is the same as the right one
    ratio: float | None = None  # the ratio that people gave, if the set has one


@dataclass(frozen=True, slots=True)
class LoadedPairs:
    """A file of minimal pairs ready to be scored."""

    path: str  # the file
    set: str  # the name of the set that its rows are of
    method: str  # how its texts are scored
    texts: tuple[CountedText, ...]  # its distinct texts
    contests: tuple[LoadedContest, ...]  # the comparisons, in the order of the file
    rows: int  # how many rows there are
    names_itself: bool  # whether its rows say what they are averaged with, rather than its name
    digest: str  # of what is compared, and how
    alone: int = 0  # how many rows have a sentence without a partner; they are not pairs
    #: UID -> the comparisons that a limit leaves out.
    left_out: Mapping[str, int] = field(default_factory=dict)


def pair_paths(paths: Iterable[str], tables: PairTables = NO_TABLES) -> list[str]:
    """The files of minimal pairs among files and folders; UsageError if there are suites too."""
    candidates = list(dict.fromkeys(expand(paths, (*ENDINGS, *TABLES))))
    pairs = {candidate: is_pairs(candidate.path, tables) for candidate in candidates}
    first = next((candidate.path for candidate in candidates if pairs[candidate]), None)
    if first is None:
        return []
    for candidate in candidates:
        if not pairs[candidate] and _may_be_suite(candidate):
            raise UsageError(
                f"{first} has minimal pairs, and {candidate.path} is a suite: score them in two "
                "runs"
            )
    # A file that the user names is one that should be scored, whatever is wrong with it.
    return [candidate.path for candidate in candidates if pairs[candidate] or candidate.named]


def _may_be_suite(candidate: Candidate) -> bool:
    if candidate.path.endswith((".jsonl", *TABLES)):
        return False
    try:
        return is_suite(candidate.path)
    except OSError:
        return False


def is_pairs(path: str, tables: PairTables = NO_TABLES) -> bool:
    """True if one of the first rows of a file is of a known set; False if it cannot be read."""
    try:
        if path.endswith(tuple(TABLES)):
            with open_regular(path) as file:
                return is_declared(file, path, tables) or (
                    set_of(dict.fromkeys(header_of(file, path))) is not None
                )
        columns = tables.columns_for(path)
        return any(
            set_of(row) or (isinstance(row, dict) and columns_of_row(row, columns))
            for row in _first_rows(path, tables)
        )
    except (OSError, ParseRejected, csv.Error):
        return False


def _first_rows(path: str, tables: PairTables) -> Iterator[Any]:
    if path.endswith(".jsonl"):
        with open_regular(path) as file:
            for _ in range(TRIED):
                line = file.readline(LONGEST)
                yield read(line, path).data if line.strip() else None
    elif path.endswith(ENDINGS):
        raw = read_whole(path)
        declared = tables.columns_for(path) is not None
        if declared or any(all(key.encode() in raw for key in keys) for keys in PAIRS.keys):
            data = read(raw, path).data  # parsing takes time
            yield from data[:TRIED] if isinstance(data, list) else [data]


def load_pairs(
    paths: Iterable[str],
    *,
    method: str | None = None,
    limit: int | None = None,
    failed: Failed = raising,
    tables: PairTables = NO_TABLES,
    reading: PairReading = OUR_READING,
    like: str = "",
) -> list[LoadedPairs]:
    """Load files of minimal pairs, scored by ``method`` or by that of each set.

    ``limit`` is the number of rows to take from each file. ``failed`` is called with each file that
    cannot be scored, and why; the others are loaded. By default, the first such file is an error.
    ``like`` is the name of settings, which has to cover the sets; or empty.

    Raises:
        ScoringError: A file cannot be scored.
        OSError: A file cannot be read.
    """
    loaded: list[LoadedPairs] = []
    for path in paths:
        try:
            pairs = _load(path, method, limit, tables, reading)
            require_covered(like, (pairs.set,))
            loaded.append(pairs)
        except Exception as error:
            failed(path, broken_by(error, path))
    return _with_unique_names(loaded)


def _load(
    path: str, method: str | None, limit: int | None, tables: PairTables, reading: PairReading
) -> LoadedPairs:
    builder = _Builder(path, method, reading)
    try:
        with open_regular(path) as file:
            for row in pair_rows(file, path, backend_for([size_of(path)]), tables):
                if row.is_alone:
                    builder.alone += 1
                    continue
                if limit is not None and builder.rows >= limit:
                    builder.leave_out(row.item)
                    continue
                if row.item is None:
                    require_readable(path, tables)
                    place = _place(path, row.line)
                    raise ScoringError(f"{path}: {place} is not a row of minimal pairs")
                builder.add(row.item, row.line)
                builder.preset = row.preset
    except ParseRejected as error:
        require_readable(path, tables)
        raise ScoringError(f"{path} cannot be read: {error}") from error
    return builder.loaded()


def require_readable(path: str, tables: PairTables = NO_TABLES) -> None:
    """Refuse a file that the schema does not accept, as ``check`` does, with a BrokenFile.

    Other errors, such as identical texts, do not prevent scoring.
    """
    require_usable(Checker(Config(pairs=tables)).file(path), Stop(("F", "MP1")))


def _place(path: str, line: int) -> str:
    return f"line {line}" if path.endswith((".jsonl", *TABLES)) else f"row {line}"


class _Builder:
    def __init__(self, path: str, method: str | None, reading: PairReading) -> None:
        self.path = path
        self.reading = reading
        self.choice = method
        self.rows = 0
        self.set: PairSet | None = None
        self.names_itself = False
        self.name = ""
        self.alone = 0
        self.preset = ""
        self.texts: dict[CountedText, int] = {}
        self.contests: list[LoadedContest] = []
        self.left_out = Counter[str]()
        self._labels: dict[tuple[tuple[str, str], ...], Mapping[str, str]] = {}

    @property
    def method(self) -> str:
        assert self.set is not None
        return self.choice or self.reading.methods.get(self.set.name) or self.set.method

    def add(self, item: PairItem, line: int) -> None:
        place = f"{self.path}: {_place(self.path, line)}"
        if self.set is None:
            self.set, self.names_itself = item.set, bool(item.label("uid"))
            self.name = _name_of(item.set, item.data)
        if item.set is not self.set:
            raise ScoringError(f"{place} is of {item.set.name}, the first row of {self.set.name}")
        methods = (SUM, MEAN, PER_CHAR, *item.methods)
        contests = item.contests(self.method) if self.method in methods else ()
        if not contests:
            raise ScoringError(
                f"{place} has no texts for the method {self.method}; it can be scored by "
                f"{', '.join(methods)}"
            )
        labels = {name: text for name, text in item.labels.items() if name != "uid"}
        shared = self._labels.setdefault(tuple(labels.items()), labels)
        for contest in contests:
            sides = tuple(map(self._number, contest.sides))
            self.contests.append(
                LoadedContest(
                    item.uid, item.identity, contest.name, sides, shared, contest.is_impossible,
                    item.ratio,
                )
            )  # fmt: skip
        self.rows += 1

    def leave_out(self, item: PairItem | None) -> None:
        """Count the comparisons of a row that is not scored; one that is not of pairs has none."""
        if item is not None:
            self.left_out[item.uid] += len(item.contests(self.method))

    def _number(self, side: Side) -> int:
        assert self.set is not None
        space = " " if not side.context and self.set.name in self.reading.spaced else ""
        # What joins a text to its context belongs to it, as between regions.
        joint = len(side.joint) if self.set.name in self.reading.bare else 0
        text = CountedText(f"{space}{side.whole}", len(side.context) + joint)
        return self.texts.setdefault(text, len(self.texts))

    def loaded(self) -> LoadedPairs:
        if self.set is None:
            raise ScoringError(f"{self.path}: the file has no rows")
        return LoadedPairs(
            self.path, self.preset or self.name, self.method, tuple(self.texts),
            tuple(self.contests), self.rows, self.names_itself, self._digest(), self.alone,
            self.left_out,
        )  # fmt: skip

    def _digest(self) -> str:
        digest = hashlib.sha256(self.method.encode())
        texts = list(self.texts)
        for contest in self.contests:
            sides = [texts[side] for side in contest.sides]
            content = [contest.uid, contest.item, contest.name, contest.ratio, sides]
            digest.update(json.dumps(content).encode())
        return digest.hexdigest()


def _name_of(pair_set: PairSet, row: Mapping[str, Any]) -> str:
    """The name of the set of a row: BLiMP has more keys than its two texts, and is English.

    Pairs in another script than Latin are a set of their own, such as ``pairs-cjk``.
    """
    if pair_set.name != "blimp":
        return pair_set.name
    letters = filter(str.isalpha, str(row["sentence_good"]))
    scripts = Counter(unicodedata.name(letter, "LATIN").split()[0] for letter in letters)
    # Japanese has kana besides Han characters.
    script = max(scripts, key=lambda name: (name == "HIRAGANA", scripts[name]), default="LATIN")
    if script != "LATIN":
        return f"{OWN}-{script.lower()}"
    known = pair_set.keys.keys() - pair_set.signs - _ANYBODYS
    return OWN if known.isdisjoint(row) else "blimp"


def _with_unique_names(files: list[LoadedPairs]) -> list[LoadedPairs]:
    """Files of one name in several folders are averaged by themselves: ``eng/agreement``."""
    named: dict[tuple[str, str], list[LoadedPairs]] = {}
    for file in files:
        if not file.names_itself:
            named.setdefault((file.set, PurePath(file.path).name), []).append(file)
    folders: dict[str, str] = {}
    for clashing in named.values():
        paths = [Path(file.path).absolute().parts for file in clashing]
        for depth in range(1, max(map(len, paths)) + 1):  # to its end for the same file twice
            if len({path[-1 - depth : -1] for path in paths}) == len(paths):
                break
        if len(clashing) > 1:
            names = ("/".join(path[-1 - depth : -1]) for path in paths)
            folders |= zip((file.path for file in clashing), names, strict=True)
    return [
        replace(
            file,
            contests=tuple(c._replace(uid=f"{folder}/{c.uid}") for c in file.contests),
            left_out={f"{folder}/{uid}": count for uid, count in file.left_out.items()},
        )
        if (folder := folders.get(file.path))
        else file
        for file in files
    ]
