"""Files of minimal pairs: one pass over JSON lines, a JSON list or a table.

Memory grows by 48 bytes a pair, to find duplicates, texts that are both good and bad, and pairs
that another file of the call has too.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, BinaryIO

from evalmark.schemas.backend import Backend, acceptor, backend_for
from evalmark.schemas.errors import ParseRejected
from evalmark.validator.findings.finding import At, Finding, Mistake, Places, Span, locate
from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.findings.rule import Rule, file_finding, found_by, shape_rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Checks, Document, Format
from evalmark.validator.formats.explaining.misspelt_keys import misspelt_key
from evalmark.validator.formats.pairs.declared_rows import (
    ColumnPlaces,
    Placing,
    RowOrigin,
    in_columns,
)
from evalmark.validator.formats.pairs.nearest_keys import (
    Renaming,
    nearest,
    nearest_keys,
    renames_text,
)
from evalmark.validator.formats.pairs.ordinary_rows import RowForms
from evalmark.validator.formats.pairs.pair_characters import is_composed, is_decomposed
from evalmark.validator.formats.pairs.pair_files import (
    PairTable,
    TableLine,
    TableRow,
    columns_of_row,
)
from evalmark.validator.formats.pairs.pair_items import (
    PairItem,
    has_good_and_bad,
    item_of,
    texts_of_row,
)
from evalmark.validator.formats.pairs.pair_rule_table import (
    CHARACTER_RULES,
    MIXED,
    PAIR_FILE_RULES,
    PAIR_GROUPS,
    PAIR_RULES,
    PAIR_SHAPES,
    SAME_WORDS,
)
from evalmark.validator.formats.pairs.pair_sets import set_of
from evalmark.validator.formats.pairs.rules.pair_patterns import LABELS, NEARLY_ALL, Patterns
from evalmark.validator.formats.pairs.rules.pair_rules import decomposed
from evalmark.validator.formats.pairs.shared_pairs import PairDigests
from evalmark.validator.formats.shared.duplicate_rows import Repeats, digest_of, digest_of_several
from evalmark.validator.formats.shared.json_checks import schema_findings
from evalmark.validator.formats.shared.row_findings import MAX_FINDINGS, RowFindings, in_ranges
from evalmark.validator.reading.lines import file_size, lines
from evalmark.validator.reading.pair_columns import (
    TABLES,
    PairColumns,
    PairedRow,
    Pairing,
    RowRejected,
)
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.source import Element, Source, make_pointer

MISSPELT = shape_rule("misspelt-key", "MP")
#: Rules that may find a convention of the set, in so many rows.
CONVENTIONS = frozenset(rule.code for rule in CHARACTER_RULES)
ENOUGH_ROWS = 20
#: Different UIDs of a file that are counted; one with more has no paradigms.
MAX_UIDS = 10_000
#: A statement of all rows of a paradigm is about the paradigm: wrong if so many contradict it.
MOST = 0.9


@dataclass(slots=True)
class Statement:
    """A statement that rows of a paradigm make about themselves."""

    rows: int = 0  # how many state it
    wrong: int = 0  # how many of these contradict it
    # these findings with their line or place in a list, the first ones only
    findings: list[tuple[int, Finding]] = field(default_factory=list)

    def contradicted(self, number: int, finding: Finding) -> None:
        """Count a row that contradicts it."""
        self.wrong += 1
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append((number, finding))

    def take(self, statement: Statement, lines: int) -> None:
        """Append the rows of the part that follows."""
        self.rows, self.wrong = self.rows + statement.rows, self.wrong + statement.wrong
        moved = [(number + lines, finding) for number, finding in statement.findings]
        self.findings += moved[: MAX_FINDINGS - len(self.findings)]


class PairRows:
    """Checked pairs; can be sent from one process to another."""

    def __init__(
        self,
        form: Format,
        path: str,
        context: CheckContext,
        backend: Backend,
        whole: Reading | None = None,
    ) -> None:
        self.format = form
        self.path = path
        self.context = context
        self.findings = RowFindings(path)  # lines are counted from the beginning of the part
        self.lines = self.rows = 0
        self.repeats = Repeats()  # each pair and its line, or its place in a list
        #: Each text without a context and twice its line; one more if it is the bad one.
        self.roles = Repeats()
        #: The group of rows, empty if they do not state one -> how many have it, and the
        #: line of the first.
        self.uids: dict[str, tuple[int, int]] = {}
        #: The group of rows, and their statement about their words -> the rows.
        self.statements: dict[tuple[str, bool], Statement] = {}
        self.patterns = Patterns()
        self.misspelt: dict[str, Statement] = {}  # the keys that are not read
        self.has_uids = False  # whether they say it as `UID`, after which files are named
        self.is_composed = False  # whether a text has a letter with a mark as one character
        self.decomposed: list[tuple[int, Finding]] = []  # in rows without such a letter
        self._whole = whole  # a document whose elements are the rows
        self._backend = backend
        self._accepts = acceptor("pairs", backend)
        self._forms = RowForms()
        self._has_own_keys = False  # whether further columns are of another table
        #: The declared columns; those of a preset once a row has been seen.
        self._columns = context.pairs.columns_for(path)
        self._pairing: Pairing[RowOrigin] | None = None
        self._keys: Mapping[str, str] = {}  # of the row that is checked -> its columns
        self._parse_fast: Callable[[bytes], tuple[Any, bytes] | None] | None = None
        if backend is Backend.NATIVE:
            from evalmark.validator.reading.fast_parsing import parse_fast  # loads orjson

            self._parse_fast = parse_fast

    def __getstate__(self) -> dict[str, Any]:
        """Results are pickled; the functions that found them are not."""
        lost = ("_accepts", "_parse_fast", "_forms", "_pairing", "_rules")
        return {**self.__dict__, **dict.fromkeys(lost)}

    def check(self, line: int, raw: bytes | None) -> None:
        """Check the row on a line; None for a line that is too long to be read."""
        self.lines = line
        if raw is None:
            self.findings.too_long(line)
            return
        body = raw.rstrip(b"\r\n")
        if not body or body.isspace():
            return
        if parsed := self._parse_fast(body) if self._parse_fast else None:
            self.see(parsed[0], line, "", lambda: Source(self.path, body.decode("utf-8")))
            return
        reading = read(body, self.path)
        if reading.findings:
            self.findings.add(reading.findings, line)
        if reading.readable:
            self.see(reading.data, line, "", lambda: reading.source)

    def head(self, table: PairTable, places: Places) -> bool:
        """Check the columns of a table, and return whether its rows can be checked."""
        header = table.header
        row = dict.fromkeys(header, "")
        if len(row) < len(header):
            twice = sorted({name for name in header if header.count(name) > 1})
            message = f"duplicate column {listed(cited(name) for name in twice)}"
            self.findings.add([file_finding("F005", self.path, message)], 1)
            return False
        self._columns = table.columns
        if table.columns is not None and table.columns.good:
            return self._has_columns(table.columns, row, places)
        if item := item_of(row):
            findings = [locate(mistake, MISSPELT, self.path, places) for mistake in _misspelt(item)]
            self.findings.add(findings, 1)
            self._has_own_keys = True
            return True
        near = nearest(row)
        mistake = misnamed(near) if near else Mistake("no columns of minimal pairs", At(""))
        self.findings.add([locate(mistake, PAIR_SHAPES["missing-key"], self.path, places)], 1)
        return False

    def _has_columns(self, columns: PairColumns, header: Mapping[str, str], places: Places) -> bool:
        """True if a table has the declared columns; those of a preset's labels may be missing."""
        needed = columns.needed if columns.name else columns.columns
        missing = [name for name in needed if name not in header]
        if missing:
            verb = "is" if len(missing) == 1 else "are"
            mistake = Mistake(
                f"the declared column{'s' if missing[1:] else ''} "
                f"{listed(f'`{name}`' for name in missing)} {verb} missing",
                At(""),
                helps=(f"the table has {listed(f'`{name}`' for name in header)}",),
            )
            self.findings.add([locate(mistake, PAIR_SHAPES["missing-key"], self.path, places)], 1)
        return not missing

    def see(self, row: Any, number: int, at: str, places: Placing | None = None) -> None:
        """Check a parsed row (numbered from 1), once the pair that it belongs to is complete."""
        if not self.rows and self._pairing is None and isinstance(row, dict):
            columns = columns_of_row(row, self._columns)
            self._pairing = Pairing(columns) if columns is not None and columns.good else None
        if self._pairing is None:
            self._check(row, number, at, places)
            return
        self._has_own_keys = True
        origin = RowOrigin(number, at, places)
        try:
            paired = self._pairing.add(row if isinstance(row, dict) else {}, origin)
        except RowRejected as error:
            self.rows += 1
            pointer = make_pointer([error.column]) if error.column in row else ""
            rule = "wrong-form" if pointer else "missing-key"
            mistake = Mistake(str(error), At(pointer))
            found = locate(mistake, PAIR_SHAPES[rule], self.path, self._places(at, places))
            self._add([found], number, at)
            return
        if paired is not None:
            self._check_paired(paired)

    def _check_paired(self, paired: PairedRow[RowOrigin]) -> None:
        good, bad = paired.good, paired.bad
        first = min(good, bad, key=lambda origin: origin.number)

        def places() -> ColumnPlaces:
            down = (0, 0)
            if self._whole is None:
                down = (good.number - first.number, bad.number - first.number)
            of_rows = (self._places(row.at, row.places) for row in (good, bad))
            return ColumnPlaces(paired.made.keys, *zip(of_rows, down, strict=True))

        self._keys = paired.made.keys
        self._check(paired.made.row, first.number, first.at, places)
        self._keys = {}

    def _check(self, row: Any, number: int, at: str, places: Placing | None) -> None:
        self.rows += 1
        if not self._accepts(row):
            self._add(self._unfit(row, self._places(at, places)), number, at)
            return
        if self.context.schema_only:
            return
        form = self._forms.form_of(row)
        if form is not None and form.is_ordinary(row):
            texts, has_roles = form.texts(row), form.has_roles
            labels, pair_set = form.labels_of(row), form.set
            if not self.is_composed:
                self.is_composed = any(map(is_composed, texts))
        else:
            item = item_of(row, number - 1, self.path)
            assert item is not None
            texts, has_roles = [text.text for text in texts_of_row(item)], has_good_and_bad(item)
            labels, pair_set = tuple(map(item.label, LABELS)), item.set
            self._judge(item, number, at, self._places(at, places))
        uid = labels[0]
        says = row.get(pair_set.same_words) if pair_set.same_words else None
        if isinstance(says, bool):
            self.statements.setdefault((uid, says), Statement()).rows += 1
        self.has_uids |= row.get("UID") is not None and not self._keys
        count, first = self.uids.get(uid, (0, number))
        if count or len(self.uids) < MAX_UIDS:
            self.uids[uid] = count + 1, first
        digests = [digest_of(text) for text in texts]
        if pair_set.apart:
            apart = digest_of(str(row.get(pair_set.apart, "")))
            self.repeats.put(digest_of_several([*digests, apart]), number)
        else:
            self.repeats.put(digest_of_several(digests), number)
        if has_roles:
            self.patterns.labels.add(labels, number)
            if texts[0] != texts[1]:
                self.patterns.add(uid, texts[0], texts[1], number)
            self.roles.put(digests[0], 2 * number)
            self.roles.put(digests[1], 2 * number + 1)

    def _judge(self, item: PairItem, number: int, at: str, places: Places | None) -> None:
        findings: list[Finding] = []
        for mistake in () if self._has_own_keys else _misspelt(item):
            finding = locate(mistake, MISSPELT, self.path, places)
            statement = self.misspelt.setdefault(finding.pointer, Statement())
            statement.contradicted(number, self._place_finding(finding, at))
        select = self.context.select
        for found in found_by(PAIR_GROUPS, item, self.path, lambda: places, select):
            if not isinstance(found, Finding):
                continue
            if found.code == SAME_WORDS.code:
                key = item.label("uid"), bool(item.same_words)
                statement = self.statements.setdefault(key, Statement())
                statement.contradicted(number, self._place_finding(found, at))
            else:
                findings.append(found)
        self._add(findings, number, at)
        texts = list(texts_of_row(item))
        if any(is_composed(text.text) for text in texts):
            self.is_composed = True
        elif len(self.decomposed) < MAX_FINDINGS:
            self.decomposed += [
                (number, self._place_finding(locate(mistake, MIXED, self.path, places), at))
                for text in texts
                if is_decomposed(text.text)
                for mistake in [decomposed(item, text, "another row")]
            ]

    def _unfit(self, row: Any, places: Places | None) -> list[Finding]:
        near = nearest(row) if isinstance(row, dict) and set_of(row) is None else None
        if near is None:
            return schema_findings(Document(row, self.format), self.path, places, self._backend)
        return [locate(misnamed(near), PAIR_SHAPES["missing-key"], self.path, places)]

    def _places(self, at: str, places: Placing | None) -> Places | None:
        if self._whole is None or places is not None:
            return places() if places else None
        source = self._whole.source
        return Element(source, at) if source and at else source

    def _add(self, findings: list[Finding], number: int, at: str) -> None:
        if findings:
            line = None if self._whole else number
            self.findings.add([self._place_finding(finding, at) for finding in findings], line)

    def _place_finding(self, finding: Finding, at: str) -> Finding:
        finding = in_columns(finding, self._keys) if self._keys else finding
        return replace(finding, pointer=at + finding.pointer) if at else finding

    def take(self, part: PairRows) -> None:
        """Append the rows of the part that follows this one."""
        self.findings.take(part.findings, self.lines)
        self.repeats.take(part.repeats, self.lines)
        self.roles.take(part.roles, 2 * self.lines)
        for uid, (count, first) in part.uids.items():
            here, before = self.uids.get(uid, (0, first + self.lines))
            self.uids[uid] = here + count, before
        for key, statement in part.statements.items():
            self.statements.setdefault(key, Statement()).take(statement, self.lines)
        self.patterns.take(part.patterns, self.lines)
        for name, statement in part.misspelt.items():
            self.misspelt.setdefault(name, Statement()).take(statement, self.lines)
        self.has_uids |= part.has_uids
        self.is_composed |= part.is_composed
        self.decomposed += [(line + self.lines, finding) for line, finding in part.decomposed]
        self.rows += part.rows
        self.lines += part.lines

    def close(self) -> list[Finding]:
        """The findings of the rows, and what only several rows can show."""
        for first, second in self.repeats.pairs():
            helps = (f"remove this {self._word}",)
            self._say("duplicate-pair", f"duplicate of the pair {self._spot(first)}", second, helps)
        for row in self._pairing.unpaired() if self._pairing else ():
            self._say(
                "row-without-partner", "the other sentence of the pair is missing", row.number
            )
        for rule, number, message in self.patterns.exceptions():
            self._say(rule, message, number)
        self._contradictions()
        self._paradigms()
        self._other_uids()
        if not self.rows and not self.findings.kept:
            mistake = Mistake("file has no pairs", At(""))
            source = self._whole.source if self._whole else None
            finding = locate(mistake, PAIR_SHAPES["too-short"], self.path, source)
            self.findings.add([finding], None if self._whole else 1)
        if self.is_composed:
            for number, finding in self.decomposed:
                self.findings.add([finding], None if self._whole else number)
        self._conventions()
        return sorted(self.findings.close(), key=lambda finding: finding.sort_key)

    def _paradigms(self) -> None:
        for (uid, says), statement in self.statements.items():
            if (uid, not says) in self.statements:  # the rows speak for themselves
                for number, finding in statement.findings:
                    self.findings.add([finding], None if self._whole else number)
            elif statement.wrong and statement.wrong >= MOST * statement.rows:
                self._report_once(
                    statement, f"so it is in {statement.wrong} of the {statement.rows} rows"
                )
        for statement in self.misspelt.values():
            self._report_once(statement, f"so it is in {statement.wrong} rows")

    def _conventions(self) -> None:
        """Report once what rules on characters find in nearly every row: it is the set's way."""
        found: dict[tuple[str, str], list[Finding]] = {}
        for finding in self.findings.kept:
            if finding.code in CONVENTIONS:
                key = finding.pointer.rpartition("/")[2]
                found.setdefault((finding.code, key), []).append(finding)
        for findings in found.values():
            if len(findings) >= ENOUGH_ROWS and len(findings) >= MOST * min(
                self.rows, MAX_FINDINGS
            ):
                note = f"so it is in {len(findings)} of the {self.rows} rows"
                self.findings.merge(findings, note)

    def _report_once(self, statement: Statement, note: str) -> None:
        number, finding = statement.findings[0]
        notes = (*finding.notes, note) if statement.wrong > 1 else finding.notes
        self.findings.add([replace(finding, notes=notes)], None if self._whole else number)

    def _contradictions(self) -> None:
        seen = set()
        for earlier_role, later_role in self.roles.pairs():
            (first, was_bad), (number, is_bad) = divmod(earlier_role, 2), divmod(later_role, 2)
            if was_bad != is_bad and first != number and number not in seen:
                seen.add(number)
                roles = ("good", "bad") if is_bad else ("bad", "good")
                message = f"the {roles[1]} text is the {roles[0]} one {self._spot(first)}"
                self._say("good-and-bad", message, number)

    def _other_uids(self) -> None:
        uids = {uid: rows for uid, rows in self.uids.items() if uid}
        if not self.has_uids or len(uids) >= MAX_UIDS:
            return
        if self.path[:1] in "<-":  # data without a file
            self._strays(uids)
            return
        folder, file = os.path.split(os.path.abspath(self.path))
        stem = file.partition(".")[0]
        names = {stem, *re.split(r"[^\w]+", file), os.path.basename(folder)}
        if names & uids.keys():
            (mine, *_) = sorted(names & uids.keys())
            others = uids.keys() - names
        else:
            mine, others = stem, set(uids) if len(uids) == 1 else set()
            self._strays(uids)
        for uid in sorted(others, key=lambda uid: uids[uid][1]):
            count, first = uids[uid]
            if len(uids) == 1:
                help_text = f"rename the file to `{uid}{file[len(stem) :]}`"
            else:
                help_text = f"move {'it' if count == 1 else 'them'} to a file of that name"
            whose = "UID" if len(uids) == 1 else f"UID of {count} pair{'s' if count > 1 else ''}"
            message = f"{whose} is {cited(uid)}, but the file is named after {cited(mine)}"
            self._say("uid-of-file", message, first, (help_text,))

    def _strays(self, uids: Mapping[str, tuple[int, int]]) -> None:
        most = max(uids, key=lambda uid: uids[uid][0], default="")
        for uid, (count, first) in uids.items():
            if uid != most and uids[most][0] >= max(ENOUGH_ROWS, NEARLY_ALL * self.rows):
                whose = f"UID of {count} pair{'s' if count > 1 else ''}"
                of_others = f"that of {uids[most][0]} pairs is {cited(most)}"
                self._say("uid-of-file", f"{whose} is {cited(uid)}, but {of_others}", first)

    @property
    def _word(self) -> str:
        return "entry" if self._whole else "line"

    def _spot(self, number: int) -> str:
        return f"in entry {number}" if self._whole else f"on line {number}"

    def _say(self, rule: str, message: str, number: int, helps: tuple[str, ...] = ()) -> None:
        named = PAIR_FILE_RULES[rule]
        if self.findings.is_beyond(named):
            return
        if self._whole is None:
            self.findings.say(named, message, number, fold=rule, helps=helps)
            return
        at = f"/{number - 1}" if isinstance(self._whole.data, list) else ""
        mistake = Mistake(message, At(at), fold=rule, helps=helps)
        self.findings.add([locate(mistake, named, self.path, self._whole.source)], None)


def misnamed(near: Renaming) -> Mistake:
    """The mistake for a row with keys of a set under other names, or without some of them."""
    lacking = (*near.renames.values(), *near.missing)
    missing = [key for key in near.set.listed_signs if key in lacking]
    verb = "is" if len(missing) == 1 else "are"
    first = next(iter(near.renames), None)
    return Mistake(
        f"{listed(f'`{key}`' for key in missing)} {verb} missing",
        At("") if first is None else At(make_pointer([first]), key=True),
        caret="missing from this row" if first is None else f"expected `{near.renames[first]}`",
        notes=(f"{near.set.title}: rows have {listed(f'`{k}`' for k in near.set.listed_signs)}",),
        helps=renames_text(near),
        fold=f"missing {missing} {sorted(near.renames)}",
    )


#: Bytes of a file for which starting workers pays.
ENOUGH = 20_000_000


def check_pairs(form: Format, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
    """Read a file of pairs to its end."""
    size = file_size(file)
    new = partial(PairRows, form, path, context, context.backend or backend_for([size]))
    if path.endswith(tuple(TABLES)):
        rows = new()
        _table(rows, file, path)
    elif context.share and size > ENOUGH and not _are_paired(file, path, context):
        rows = in_ranges(file, path, new, _pass, context.progress, context.share)
    else:
        rows = new()
        for number, line, whole in lines(file, context.progress):
            if whole is not None:
                rows.check(number, line if whole else None)
    return _checked(rows)


def _are_paired(file: BinaryIO, path: str, context: CheckContext) -> bool:
    """True if rows may have one sentence of a pair each: a range would begin between the two."""
    if context.pairs.columns_for(path):
        return True
    readings = (read(line, path) for _, line, whole in lines(file) if whole and line.strip())
    first = next((reading.data for reading in readings if reading.readable), None)
    file.seek(0)
    columns = columns_of_row(first, None)
    return columns is not None and columns.is_long


def check_list(document: Document, reading: Reading, context: CheckContext) -> CheckResult:
    """Check a JSON list of pairs, or one pair."""
    assert document.format is not None
    rows = PairRows(document.format, reading.path, context, reading.backend, whole=reading)
    data = document.data
    if isinstance(data, list):
        for number, row in enumerate(data, 1):
            rows.see(row, number, f"/{number - 1}")
    else:
        rows.see(data, 1, "")
    return _checked(rows)


def _checked(rows: PairRows) -> CheckResult:
    return CheckResult(rows.close(), compared=PairDigests(rows.repeats))


def _table(rows: PairRows, file: BinaryIO, path: str) -> None:
    table = None
    try:
        table = PairTable(file, path, rows.context.pairs)
        if not rows.head(table, TableRow(path, table.header_text, table)):
            return
        for entry in table:
            if entry.cells == len(table.header):
                rows.see(entry.row, entry.line, "", partial(TableRow, path, entry.text, table))
            else:
                rows.findings.add([_odd_cells(entry, table, path)], entry.line)
    except ParseRejected as error:
        line = table.line if table else 1
        code = "F002" if "UTF-8" in str(error) else "F001"
        finding = file_finding(code, path, str(error), span=Span(line, 1, line, 1))
        rows.findings.add([finding], None)


def _misspelt(item: PairItem) -> Iterator[Mistake]:
    """The keys that are not read: they are reported once for all rows, so no row is fixed."""
    for key, meant in nearest_keys(item.set, item.keys).items():
        yield replace(misspelt_key(At(make_pointer([key]), key=True), key, meant), changes=())


def _odd_cells(line: TableLine, table: PairTable, path: str) -> Finding:
    count, columns = line.cells, len(table.header)
    mistake = Mistake(
        f"row has {count} cell{'s' if count != 1 else ''}, but the table has {columns} columns",
        At(""),
        helps=("write the cells that contain the delimiter in quotes",) if count > columns else (),
        fold="cells",
    )
    return locate(mistake, PAIR_SHAPES["wrong-form"], path, TableRow(path, line.text, table))


def _pass(_: bytes) -> None:
    """Pairs have no checksum."""


class PairsChecks(Checks):
    """Files of minimal pairs: JSON lines, a JSON list, one object, or a table."""

    def advice(self) -> Advice:
        """The patterns of the schema in words."""
        texts, number = "two texts with one tab between them", "a number that is not negative"
        return Advice(
            forms={
                r"^[^\t\S]*[^\t\s][^\t]*\t[^\t\S]*[^\t\s][^\t]*$": texts,
                r"^\s*([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE]-?[0-9]+)?\s*$": number,
            }
        )

    def rules(self) -> tuple[Rule, ...]:
        """The rules on one row."""
        return PAIR_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a JSON list of pairs, or one pair."""
        checked = check_list(document, reading, context)
        checked.findings[:0] = reading.findings
        return checked

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check JSON lines or a table."""
        return check_pairs(self.format, file, path, context)
