"""Sample files, compared with their record: one pass, with 16 bytes a row to find duplicates."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from evalmark.schemas import versions
from evalmark.schemas.backend import Backend, acceptor, backend_for
from evalmark.schemas.metrics.known_metrics import normalized
from evalmark.validator.findings.finding import Action, At, Finding, Mistake, Severity, locate
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.findings.rule import Rule, failed_check, found_by
from evalmark.validator.format import (
    Advice,
    CheckContext,
    CheckResult,
    Document,
    Format,
    as_document,
)
from evalmark.validator.formats.records.record_fields import fields_of
from evalmark.validator.formats.records.record_view import RecordResult, RecordView, view_of
from evalmark.validator.formats.records.samples.companions import companion, link_findings
from evalmark.validator.formats.records.samples.sample_rules import (
    FILE_RULES,
    ROW_GROUPS,
    ROW_RULES,
    SINGLE_TURN_GROUPS,
    SampleView,
    odd_answer,
    of_answer,
    sample_view,
)
from evalmark.validator.formats.shared.duplicate_rows import Repeats
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_checks import (
    JsonChecks,
    misspelt_key_findings,
    schema_findings,
)
from evalmark.validator.formats.shared.row_findings import (
    MAX_FINDINGS,
    RowFindings,
    in_ranges,
    merge_conflict,
)
from evalmark.validator.reading.lines import file_size, lines
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:
    from evalmark.validator.formats.records.eee_gate import GateRows


#: Hash algorithms that a record can name; the first one is the default.
ALGORITHMS = ("sha256", "md5")
#: Metrics, by all of their names, whose score is the mean of the scores of its rows.
_MEANS = frozenset({"accuracy", "acc", "exact_match", "em"})
#: Fields that a row and its record share.
_IDS = ("evaluation_id", "model_id")


@dataclass(frozen=True, slots=True)
class Expected:
    """The claims that rows must agree with."""

    format: Format
    context: CheckContext
    backend: Backend
    algorithm: str = ALGORITHMS[0]
    #: Version that rows have; None if there is no record, and then the rest is empty.
    version: str | None = None
    #: Field of a row -> the value that the record has for it.
    ids: Mapping[str, str] = field(default_factory=dict)
    #: Name or id of each result -> the pointer of its score, and the score; empty if the record
    #: does not name all of them.
    results: Mapping[str, tuple[str, float | None]] = field(default_factory=dict)
    #: Id of each result that has one -> its name.
    names: Mapping[str, str] = field(default_factory=dict)
    #: Pointer of a score -> the pointer and the value of the number of its samples.
    numbers: Mapping[str, tuple[str, float | None]] = field(default_factory=dict)
    #: Pointer of a score -> that of its list of samples, and these; of those that have one.
    listed: Mapping[str, tuple[str, frozenset[str]]] = field(default_factory=dict)
    #: Pointer of a score -> that of its ``max_tokens``, and it; of those that have one.
    limits: Mapping[str, tuple[str, float]] = field(default_factory=dict)
    #: Pointer of a score -> its bounds.
    bounds: Mapping[str, tuple[float | None, float | None]] = field(default_factory=dict)
    #: Pointers of the scores that are means of the scores of their rows.
    means: frozenset[str] = frozenset()
    is_own: bool = False  # whether the record is of what evalmark has scored itself


def expected_by(
    form: Format, record: Document | None, context: CheckContext, backend: Backend
) -> Expected:
    """The claims of a record that the rows of its sample file must agree with."""
    if record is None:
        return Expected(form, context, backend)
    # Records change more often than rows do: a version of rows may serve several of records.
    of_rows = versions.find("sample", record.version)
    view = view_of(record)
    algorithm = view.get("samples_algorithm")
    return Expected(
        form,
        context,
        backend,
        algorithm=algorithm if algorithm in ALGORITHMS else ALGORITHMS[0],
        version=of_rows.name if of_rows else record.version,
        ids={field: value for field in _IDS if (value := view.text(field)) is not None},
        results=_scores_by_name(view),
        names=_names_by_id(view),
        numbers={
            result.at("score"): (result.at("num_samples"), result.number("num_samples"))
            for result in view.with_numbers
        },
        listed={
            result.at("score"): (result.at("sample_ids"), frozenset(map(str, ids)))
            for result in view.results
            if (ids := result.entries("sample_ids"))
        },
        limits={
            result.at("score"): (result.at("max_tokens"), limit)
            for result in view.with_settings
            if (limit := result.number("max_tokens") or 0) > 0
        },
        bounds={
            result.at("score"): (result.number("low"), result.number("high"))
            for result in view.results
        },
        means=frozenset(result.at("score") for result in view.results if _is_mean(result)),
        is_own=view.is_own,
    )


def _scores_by_name(view: RecordView) -> dict[str, tuple[str, float | None]]:
    """The pointer and the score of each result by what rows call it; see ``Expected.results``."""
    if sum(result.name is not None for result in view.results) < len(view.entries("results")):
        return {}  # rows may belong to one without a name; the record has a finding
    found: dict[str, tuple[str, float | None]] = {}
    for result in view.results:
        for key in (result.name, result.identity):
            if key is not None:
                found.setdefault(key, (result.at("score"), result.score))
    return found


def _names_by_id(view: RecordView) -> dict[str, str]:
    """The name of each result by its id, of the first that has the id."""
    found: dict[str, str] = {}
    for result in view.results:
        if result.name is not None and result.identity is not None:
            found.setdefault(result.identity, result.name)
    return found


def _is_mean(result: RecordResult) -> bool:
    stated = result.metric_id, result.metric_name
    # A record that has neither may have the name as its description.
    texts = (result.description,) if stated == (None, None) else stated
    names = [name for name in texts if isinstance(name, str)]
    return bool(names) and _MEANS.issuperset(map(normalized, names))


#: How much longer an output may be in the tokens of somebody else.
TOKENIZERS = 1.25
#: Codes of the rules on rows, which a program that writes them breaks in every one.
_CODES = frozenset(rule.code for rule in ROW_RULES)
#: Those on what rows say of their record: what several say alike is one mistake.
_OF_RECORD = frozenset(
    FILE_RULES[f"row-{of}"].code
    for of in ("version", "evaluation-id", "model-id", "result", "name")
)
_OF_SCORES = next(rule for rule in ROW_RULES if rule.name == "correct-against-score")


class SampleRows:
    """Checked rows; can be sent from one process to another."""

    def __init__(self, path: str, expected: Expected) -> None:
        self.path = path
        self.expected = expected
        self.findings = RowFindings(path)  # lines are counted from the beginning of the part
        self.lines = 0  # blank ones included
        self.rows = 0
        self.left_out = False  # whether the sums lack a row
        self.unsure = False  # whether they may have a wrong score
        self.duplicates = 0  # counted by ``close``
        #: Pointer of a score → how the answers of its rows are; see ``of_answer``.
        self.answers: Counter[tuple[str, str]] = Counter()
        self.odd_answers: list[tuple[str, int, Finding]] = []  # and the lines of their rows
        self.repeats = Repeats()  # what identifies each row that could be read, and its line
        #: Pointer of the score of a result, or what rows call it if there is no record → number and
        #: exact sum of the scores of its rows.
        self.sums: dict[str, tuple[int, int | Fraction]] = {}
        #: The same -> number of its rows that it does not list, and that are longer than it allows.
        self.unlisted: Counter[str] = Counter()
        self.too_long: Counter[str] = Counter()
        self._known: dict[str, tuple[Document, Callable[[Any], bool] | None]] = {}
        self._parse_fast: Callable[[bytes], tuple[Any, bytes] | None] | None = None
        #: The rows that the validator of a leaderboard sees, if the caller asks for its profile.
        self.gate: GateRows | None = None
        if expected.context.profile:
            from evalmark.validator.formats.records.eee_gate import GateRows

            self.gate = GateRows()
        if expected.backend is Backend.NATIVE:
            from evalmark.validator.reading.fast_parsing import parse_fast  # loads orjson

            self._parse_fast = parse_fast

    def __getstate__(self) -> dict[str, Any]:
        """Results are pickled; the functions that found them are not."""
        return {**self.__dict__, "_known": {}, "_rules": (), "_parse_fast": None}

    def check(self, line: int, raw: bytes | None) -> None:
        """Check the row on a line; None for a line that is too long to be read."""
        self.lines = line
        if raw is None:
            self.rows += 1
            self.left_out = True
            self.findings.too_long(line)
            return
        body = raw.rstrip(b"\r\n")
        if not body or body.isspace():
            self.findings.say(FILE_RULES["blank-line"], "blank line", line)
            return
        self.rows += 1
        odd = False
        if parsed := self._parse_fast(body) if self._parse_fast else None:
            data = parsed[0]
        else:
            reading = read(body, self.path)
            odd = bool(reading.findings)
            found = self._gate_findings(reading.findings, body) if odd else reading.findings
            self.findings.add(found, line)
            if not reading.readable:
                self.left_out = True
                return
            data = reading.data
            if odd:  # a byte order mark, for example, is not part of the text
                body = (reading.text or "").encode()
        document, accepts = self._identify(data)
        findings = self._row_findings(document, accepts, data, body, line)
        if not odd:
            findings = self._gate_findings(findings, body, document._replace(data=data))
        if findings:
            self.findings.add(findings, line)

    def _row_findings(
        self,
        document: Document,
        accepts: Callable[[Any], bool] | None,
        data: Any,
        body: bytes,
        line: int,
    ) -> list[Finding]:
        if accepts is None:
            self.left_out = True
            message = f'no schema for sample version "{document.version}"'
            return [self._located("row-version", message, body, "/schema_version")]
        if not accepts(data):
            self.left_out = True
            document, backend = document._replace(data=data), self.expected.backend
            return schema_findings(document, self.path, self._source(body), backend)
        if self.expected.context.schema_only:
            return []
        whole = document._replace(data=data)
        found = misspelt_key_findings(whole, self.path, lambda: self._source(body))
        return [*found, *self._row(document, data, body, line)]

    def _gate_findings(
        self, findings: list[Finding], body: bytes, document: Document | None = None
    ) -> list[Finding]:
        """The findings of a row as the validator of a leaderboard has them, with a profile.

        It may parse a row that we do not take for JSON, which is then not a document.
        """
        if self.gate is None:
            return findings
        if self.gate.see(body, *(() if document is None else (document.data,))):
            return findings
        from evalmark.validator.formats.records.eee_gate import of_a_row

        source = None if document is None else self._source(body)
        return of_a_row(findings, document, self.path, source)

    def _identify(self, data: Any) -> tuple[Document, Callable[[Any], bool] | None]:
        version = data.get("schema_version") if isinstance(data, dict) else None
        identity = self._known.get(version) if isinstance(version, str) else None
        if identity is None:
            document = as_document(data, self.expected.format, self.expected.context.schema_version)
            document, name = document._replace(data=None), document.schema
            identity = document, acceptor(name, self.expected.backend) if name else None
            if isinstance(version, str):
                self._known[version] = identity
        return identity

    def _source(self, body: bytes) -> Source:
        return Source(self.path, body.decode("utf-8"))

    def _row(self, document: Document, data: Any, body: bytes, line: int) -> list[Finding]:
        row = sample_view(data, document.version, self.expected.algorithm)
        groups = ROW_GROUPS if row.turns else SINGLE_TURN_GROUPS
        select = self.expected.context.select
        found = found_by(groups, row, self.path, lambda: self._source(body), select)
        findings = [finding for finding in found if isinstance(finding, Finding)]
        _, stated = row.result
        result, _ = self.expected.results.get(stated, (stated, None))  # by its id or by its name
        key = repr((row.get("evaluation_id"), row.get("model_id"), result, row.get("sample_id")))
        self.repeats.add(key, line)
        count, total = self.sums.get(result, (0, 0))
        score = row.get("score")
        # Exact, so that the order of parts does not matter.
        self.sums[result] = count + 1, total + (int(score) if score in (0, 1) else Fraction(score))
        listed, limit = self.expected.listed.get(result), self.expected.limits.get(result)
        if listed and str(row.get("sample_id")) not in listed[1]:
            self.unlisted[result] += 1
        if limit and row.written_in_a_turn > limit[1] * TOKENIZERS:
            self.too_long[result] += 1
        if any(finding.name == "correct-against-score" for finding in findings):
            self.unsure = True  # the score may be the part that is wrong
        if result in self.expected.means and (kind := of_answer(row)):
            self.answers[result, kind] += 1
            if kind == "odd" and self.answers[result, kind] <= MAX_FINDINGS:
                found_odd = locate(odd_answer(row), _OF_SCORES, self.path, self._source(body))
                self.odd_answers.append((result, line, found_odd))
        if self.expected.version is not None:
            findings += self._against_record(document, row, body)
        return findings

    def _against_record(self, document: Document, row: SampleView, body: bytes) -> list[Finding]:
        expected = self.expected
        findings = []
        if document.version != expected.version:
            message = f"row has version {document.version}, but its record has {expected.version}"
            at, fold = "/schema_version", f"version {document.version}"
            findings.append(self._located("row-version", message, body, at, fold=fold))
        for key, value in expected.ids.items():
            if row.get(key) != value:
                message = f"`{key}` differs from the record's, {cited(value)}"
                rule = f"row-{key.replace('_', '-')}"
                fold = f"{key} {row.get(key)}"
                findings.append(self._located(rule, message, body, row.at(key), fold=fold))
        key, result = row.result
        if not expected.results:
            self.left_out = True  # the record has a finding
        elif result not in expected.results:
            self.left_out = True
            message = f'the record has no result "{result}": correct the name, or remove the row'
            fold = f"result {result}"
            findings.append(self._located("row-result", message, body, row.at(key), fold=fold))
        elif key == "identity":
            name, right = row.get("evaluation_name"), expected.names.get(result, result)
            if name != right:
                message = (
                    f"the result is named {cited(right)}, but `evaluation_name` is {cited(name)}"
                )
                at, help_text = row.at("evaluation_name"), Action.WRITE(quoted(right))
                fold = f"name {name} of {result}"
                findings.append(self._located("row-name", message, body, at, help_text, fold=fold))
        return findings

    def _located(
        self, rule: str, message: str, body: bytes, pointer: str, *helps: str, fold: str = ""
    ) -> Finding:
        mistake = Mistake(message, At(pointer), helps=helps, fold=fold)
        return locate(mistake, FILE_RULES[rule], self.path, self._source(body))

    def take(self, share: SampleRows) -> None:
        """Append the rows of the part that follows this one."""
        self.findings.take(share.findings, self.lines)
        self.repeats.take(share.repeats, self.lines)
        self.answers += share.answers
        self.odd_answers += [
            (of, self.lines + line, found) for of, line, found in share.odd_answers
        ]
        for name, (count, total) in share.sums.items():
            here, sum_here = self.sums.get(name, (0, 0))
            self.sums[name] = here + count, sum_here + total
        self.unlisted += share.unlisted
        self.too_long += share.too_long
        self.rows += share.rows
        self.lines += share.lines
        self.left_out |= share.left_out
        self.unsure |= share.unsure
        if self.gate is not None and share.gate is not None:
            self.gate.take(share.gate)

    def close(self) -> list[Finding]:
        """The findings of the rows, and of duplicate rows."""
        for first, second in self.repeats.pairs():
            self.duplicates += 1
            message = f"duplicate of the sample on line {first}"
            rule = FILE_RULES["duplicate-row"]
            self.findings.say(rule, message, second, fold="duplicate")
        for result, line, finding in self.odd_answers:
            if self._compares_answers(result):
                self.unsure = True
                self.findings.add([finding], line)
        self.findings.merge_alike(_OF_RECORD, 0)
        self.findings.merge_alike(_CODES, self.rows)
        return self.findings.close()

    def _compares_answers(self, result: str) -> bool:
        """True if most rows of a result are correct as their answers say."""
        like, *others = (self.answers[result, kind] for kind in ("like", "odd", "unknown"))
        return like >= max(2, 2 * sum(others))


#: Bytes of a file for which starting workers pays.
ENOUGH = 20_000_000


def check_samples(
    form: Format,
    file: BinaryIO,
    path: str,
    context: CheckContext,
    *,
    record: Document | None = None,
    source: Source | None = None,
    gate: GateRows | None = None,
) -> CheckResult:
    """Read a sample file to its end, and compare it with its record if there is one.

    ``source`` is the text of that record; ``gate`` takes in the rows as the validator of a
    leaderboard sees them, with a profile.
    """
    backend = context.backend or backend_for([file_size(file)])
    expected = expected_by(form, record, context, backend)
    rows, checksum = _read_rows(file, path, expected, context)
    if gate is not None and rows.gate is not None:
        gate.take(rows.gate)
    checked = CheckResult(rows.close())
    if record is not None and source is not None:
        for rule, mistake in _contradictions(fields_of(record), rows, expected, checksum):
            mistake = replace(mistake, notes=(*mistake.notes, f"sample file: {path}"))
            checked.findings.append(locate(mistake, rule, source.path, source))
    return checked


def _read_rows(
    file: BinaryIO, path: str, expected: Expected, context: CheckContext
) -> tuple[SampleRows, str]:
    digest = hashlib.new(expected.algorithm, usedforsecurity=False)
    if context.share and file_size(file) > ENOUGH:
        new = partial(SampleRows, path, expected)
        rows = in_ranges(file, path, new, digest.update, context.progress, context.share)
        return rows, digest.hexdigest()
    rows = SampleRows(path, expected)
    for number, line, whole in lines(file, context.progress):
        digest.update(line)
        if whole is not None:
            rows.check(number, line if whole else None)
    return rows, digest.hexdigest()


def _contradictions(
    record: Fields, rows: SampleRows, expected: Expected, checksum: str
) -> list[tuple[Rule, Mistake]]:
    counts = [stated for _, stated in expected.numbers.values() if stated is not None]
    linked = _link(record, rows, checksum, {*counts, sum(counts)})
    problems = [(FILE_RULES[name], mistake) for name, mistake in linked]
    is_complete = "row-count" not in [rule.name for rule, _ in problems]
    if is_complete and not (rows.left_out or rows.unsure or rows.duplicates):
        # Else the rows are not those of the score, and there is a finding that says so.
        of_means: dict[str, str] = {}
        problems += _aggregates(rows, expected, of_means)
        problems += _numbers(rows, expected, of_means)
    return problems


def _link(
    record: Fields, rows: SampleRows, checksum: str, counts: Set[float]
) -> Iterator[tuple[str, Mistake]]:
    """What is wrong with the link to the rows; ``counts`` are those that scores say they are of."""
    stated_rows = record.number("samples_rows")
    is_repeated = stated_rows == rows.rows - rows.duplicates  # that is a finding already
    if stated_rows is not None and stated_rows != rows.rows and not is_repeated:
        message = f"record says {stated_rows:g} rows, but the sample file has {rows.rows}"
        is_cut = rows.rows < stated_rows and stated_rows in counts
        missing = f"the scores are of {stated_rows:g} samples: add the rows that the file lacks"
        complete = f'write "total_rows": {rows.rows}, if the file is complete'
        help_text = missing if is_cut else complete
        yield "row-count", Mistake(message, At(record.at("samples_rows")), helps=(help_text,))
    stated = record.text("samples_checksum")
    is_known = record.get("samples_algorithm") in (None, *ALGORITHMS)
    if stated is not None and stated.lower() != checksum and is_known and not rows.left_out:
        message = "checksum does not match the sample file"
        help_text = f'if the file is right, write "checksum": "{checksum}"'
        yield "checksum", Mistake(message, At(record.at("samples_checksum")), helps=(help_text,))


def _aggregates(
    rows: SampleRows, expected: Expected, notes: dict[str, str]
) -> Iterator[tuple[Rule, Mistake]]:
    """Scores that are no means of their rows; ``notes`` takes those whose rows are not all."""
    rule = FILE_RULES["aggregate-differs"]
    scores = dict(expected.results.values())
    for pointer, (count, total) in rows.sums.items():
        score = scores.get(pointer)
        if score is None:
            continue
        mean = float(total / count)
        width = 0.5 * 10 ** -max(2, _decimals(score)) + 1e-12
        if abs(mean - score) <= width or abs(100 * mean - score) <= width:
            continue
        message = f"score is {score:g}, but the mean of its {count} rows is {mean:.6g}"
        cure = _cure_of_mean(mean, expected.bounds[pointer])
        is_scaled = score != 0 and abs(mean - 100 * score) <= 100 * width
        if is_scaled:
            message += ", 100 times as much"
            cure = cure or ("divide the scores of the rows by 100, if the score is right",)
        # Others may show some of their rows only, or average in another way.
        stated = expected.numbers.get(pointer, ("", None))[1]
        if expected.is_own or (stated == count and pointer in expected.means):
            yield rule, Mistake(message, At(pointer), helps=cure)
        elif stated is None or stated == count:
            cure = cure if is_scaled else ("check whether the score is a mean of the rows",)
            mild = rule._replace(severity=Severity.WARNING)
            yield mild, Mistake(message, At(pointer), helps=cure)
        else:
            notes[pointer] = message


def _cure_of_mean(mean: float, bounds: tuple[float | None, float | None]) -> tuple[str, ...]:
    low, high = bounds
    is_between = (low is None or low <= mean) and (high is None or mean <= high)
    return (f"write {mean:.6g}, if the rows are right",) if is_between else ()


def _numbers(
    rows: SampleRows, expected: Expected, of_means: Mapping[str, str]
) -> Iterator[tuple[Rule, Mistake]]:
    for pointer, (count, _) in rows.sums.items():
        at, stated = expected.numbers.get(pointer, ("", None))
        if stated is not None and stated != count:
            message = f"result says {stated:g} samples, but the sample file has {count} for it"
            help_text = f"write {count}, if the file is complete"
            notes = (of_means[pointer],) if pointer in of_means else ()
            mistake = Mistake(message, At(at), notes=notes, helps=(help_text,))
            yield FILE_RULES["sample-count"], mistake
        elif unlisted := rows.unlisted[pointer]:
            at, listed = expected.listed[pointer]
            message = (
                f"{unlisted} of {count} rows are not of the {len(listed)} samples that it lists"
            )
            yield FILE_RULES["sample-count"], Mistake(message, At(at))
    beyond = [(*expected.limits[pointer], many) for pointer, many in rows.too_long.items()]
    if beyond:
        (first, limit, _), *others = beyond
        longer = sum(many for _, _, many in beyond)
        message = f"`max_tokens` is {limit:g}, and {longer} rows have longer outputs"
        also = tuple(pointer for pointer, _, _ in others)
        yield FILE_RULES["output-beyond-limit"], Mistake(message, At(first), also=also)


def _decimals(value: float) -> int:
    text = repr(value)
    return 12 if "e" in text else len(text.partition(".")[2])


class SampleChecks(JsonChecks):
    """Rows of sample files; a single one may be a document."""

    def advice(self) -> Advice:
        """Suggestions for turns."""
        from evalmark.validator.formats.records.record_advice import SAMPLE_ADVICE

        return SAMPLE_ADVICE

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check a sample file without its record."""
        if not context.profile:
            return check_samples(self.format, file, path, context)
        from evalmark.validator.formats.records.eee_gate import GateRows, judge_samples

        rows = GateRows()
        checked = check_samples(self.format, file, path, context, gate=rows)
        if merge_conflict(checked.findings, path):
            checked.verdicts = ((path, "refuse"),)
            return checked
        checked.findings, checked.verdicts = judge_samples(path, checked.findings, rows)
        return checked


def add_samples(
    form: Format,
    checked: CheckResult,
    document: Document,
    source: Source,
    context: CheckContext,
    gate: GateRows | None,
) -> None:
    """Add what is found in the sample file, of a format, that a record names."""
    samples = companion(document.data, source.path)
    if samples is None:
        return
    if not samples.path:
        # A value of another form is not a path, which its finding says.
        if not any(
            f.name == "wrong-form" and f.pointer.endswith("/file_path") for f in checked.findings
        ):
            checked.findings += link_findings(samples, document, source, tuple(checked.findings))
        return
    checked.companions = (samples.path,)
    finding: Finding | None = None
    try:
        with samples.opened() as file:
            has_rows = fields_of(document).number("samples_rows") != 0
            if context.no_rows is not None:
                finding = context.no_rows(file, samples.path, is_sample=has_rows)
            if finding is None:
                result = check_samples(
                    form, file, samples.path, context, record=document, source=source, gate=gate
                )
                finding = merge_conflict(result.findings, samples.path)
    except Exception as error:  # what was found in the record is kept
        finding = failed_check(error, samples.path, samples.real)
    if finding is None:
        at = fields_of(document).at("samples_rows")
        checked.findings = _with_rows(checked.findings, result.findings, source.path, at)
        return
    if gate is not None:
        gate.refuse()
    checked.findings.append(finding)


def _with_rows(
    of_record: Sequence[Finding], of_rows: Sequence[Finding], record: str, at_rows: str
) -> list[Finding]:
    """The findings on a record and on its rows, without those that the others say better.

    Args:
        of_record: Those on the record alone.
        of_rows: Those of its sample file, some of them on the record.
        record: The path of the record.
        at_rows: The pointer of its number of rows.
    """
    known = {at_rows, *(f.pointer for f in of_rows if f.path == record)}
    listed = {f.pointer for f in of_record if f.name == "count-contradicts-list"}
    exchanged = {
        f.pointer.replace("num_bootstrap_samples", "num_samples")
        for f in of_record
        if f.name == "resamples-unlikely"
    }
    return [
        *(f for f in of_record if f.name != "samples-file-contradicts" or f.pointer not in known),
        *(f for f in of_rows if f.name != "sample-count" or f.pointer not in listed | exchanged),
    ]
