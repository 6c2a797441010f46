"""Convert a document: parse it, recognize its format, apply the steps, check and prove the result.

``convert_text`` is the way of a text, ``convert_data`` that of parsed data: the steps alone.
``convert_files.py`` is the way of a file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from evalmark.converters.conversion_checks import (
    DEFAULTS,
    require_no_new_error,
    require_no_new_row_error,
    require_sound,
    with_metric,
)
from evalmark.converters.conversion_formats import (
    CONVERTIBLE,
    CURRENT,
    PAIRS,
    SUITE,
    TARGETS,
    WIDE_TABLE,
    ConversionFormat,
    Syntax,
    conversion_format_of,
    kind_of_format,
)
from evalmark.converters.graph import route
from evalmark.converters.notes import ConversionNotes
from evalmark.converters.proof.proof import Proof, prove, require_read
from evalmark.converters.records.open_bounds import can_be_open, with_bounds, without_supplied
from evalmark.converters.step import Data, Step, Stepped, SuiteEdit, with_counts
from evalmark.converters.suites.edits import rename_conditions
from evalmark.converters.suites.suite_dialects import kept_metric, one_metric, parsed_formula
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.converters.syntax import ParsedText, parse_text, write_text
from evalmark.converters.tables.sheets import Sheets
from evalmark.converters.tables.table_files import written_tables
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError, require_known
from evalmark.schemas.versions import RECORD, Version, named_by
from evalmark.validator.checker import Checker
from evalmark.validator.formats.pairs.nearest_keys import nearest, renames_text
from evalmark.validator.formats.unrecognized import incomplete

#: Why nothing else is edited.
NOT_A_SUITE = "only a suite can be edited, and the file is not one"


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted document.

    Attributes:
        data: The data in the new format.
        format: That format.
        steps: The steps that were taken, by name; empty if there were none.
        notes: What a reader should know.
        text: The text, if a text was converted; unchanged parts keep their characters.
        syntax: How the text is written.
        files: Name of a table -> content of its file, if the text is not all: ``items`` is the
            file itself, and others are next to it.
        proof: What has been compared; None if nothing has changed.
    """

    data: Data
    format: str
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    text: str = ""
    syntax: Syntax = Syntax.JSON
    files: Mapping[str, bytes] = field(default_factory=dict)
    proof: Proof | None = None


def convert_text(
    text: str,
    *,
    path: str = "<text>",
    to: str | None = None,
    syntax: str | None = None,
    supplied: Supplied = NOTHING,
    edits: tuple[SuiteEdit, ...] = (),
) -> Conversion:
    """Convert the text of a file.

    Args:
        text: The text.
        path: The file's name; its extension says whether it is JSON, YAML, CSV, TSV or JSON Lines.
        to: The format that is wanted; the current one of the same kind if None. ``json`` and
            ``yaml`` keep the format.
        syntax: What to write: a value of ``Syntax``; the usual one of the format if None.
        supplied: What the file does not state.
        edits: Changes to a suite.

    Raises:
        ConversionError: The text cannot be converted exactly, or the result would have an error
            that the source does not have.
        UnknownNameError: ``to`` or ``syntax`` does not exist.
    """
    require_known("format", to, TARGETS)
    require_known("syntax", syntax, tuple(Syntax))
    parsed = parse_text(text, path, supplied.pairs)
    return convert_parsed(parsed, to=to, syntax=syntax, supplied=supplied, edits=edits)


def convert_parsed(
    parsed: ParsedText,
    *,
    to: str | None,
    syntax: str | None = None,
    supplied: Supplied,
    edits: tuple[SuiteEdit, ...] = (),
) -> Conversion:
    """``convert_text`` for a text that has been parsed already."""
    if parsed.error is not None:
        raise parsed.error
    if parsed.syntax is Syntax.JSONL:
        if to in ("json", "yaml"):
            raise ConversionError(f"JSON Lines cannot be written as {to}", needs="formats")
        whole = CONVERTIBLE.get(conversion_format_of(parsed.data) or "")
        is_whole = whole is not None and whole.syntax is Syntax.JSONL
        if not is_whole and parsed.format != PAIRS:
            return _each_line(parsed, to, supplied, edits)
    _require_kind(parsed)
    if to in ("json", "yaml"):
        done = Conversion(parsed.data, parsed.format or "")
        if edits or supplied.renames:
            done = convert_document(parsed, to=parsed.format, supplied=supplied, edits=edits)
        return _with_text(parsed, done, Syntax(to))
    if parsed.importer is not None:
        raise ConversionError(f"{parsed.format} results are imported, not converted")
    done = convert_document(parsed, to=to, supplied=supplied, edits=edits)
    return _with_text(parsed, done, Syntax(syntax) if syntax else _usual_syntax(parsed, done))


def _usual_syntax(parsed: ParsedText, done: Conversion) -> Syntax:
    """The syntax of the new format, or that of the source: JSON and YAML hold every format."""
    if done.data is parsed.data:
        return parsed.syntax
    source = Syntax.YAML if parsed.syntax is Syntax.YAML else Syntax.JSON
    return CONVERTIBLE[done.format].syntax or source


def _rename(data: Data) -> str:
    first = data[0] if isinstance(data, list) and data else data
    near = nearest(first) if isinstance(first, dict) else None
    if near is None or not near.renames or near.missing:
        return ""
    return f"; if the rows are minimal pairs, {' and '.join(renames_text(near))}"


def convert_data(
    data: Data,
    *,
    to: str | None = None,
    supplied: Supplied = NOTHING,
    edits: tuple[SuiteEdit, ...] = (),
    path: str = "",
) -> Conversion:
    """Convert parsed JSON, or the rows of a table; the argument is not changed.

    Args:
        data: The data.
        to: The format that is wanted, a key of ``CONVERTIBLE``; the current one of its kind if None
        supplied: What the data does not state.
        edits: Changes to a suite, made once it is current.
        path: Where the data is from, which may say what a record does not.

    Raises:
        ConversionError: The data cannot be converted exactly, or its format is not known.
        UnknownNameError: ``to`` is not a format.
    """
    require_known("format", to, tuple(CONVERTIBLE))
    parsed = ParsedText("", path, Syntax.JSON, data, conversion_format_of(data))
    return convert_document(parsed, to=to, supplied=supplied, edits=edits)


def convert_document(
    parsed: ParsedText,
    *,
    to: str | None = None,
    supplied: Supplied = NOTHING,
    edits: tuple[SuiteEdit, ...] = (),
) -> Conversion:
    """The one way of a document: its source is checked, steps are taken, the result is checked.

    Raises:
        ConversionError: The source does not follow its schema, cannot be converted exactly, or the
            result would have an error that the source does not have.
    """
    data, source = parsed.data, parsed.format
    if source is None or source not in CONVERTIBLE:
        raise ConversionError(f"not a format that is converted{_rename(data)}", needs="formats")
    target = to or CURRENT[CONVERTIBLE[source].kind]
    if CONVERTIBLE[source].kind == RECORD:
        supplied = supplied.about(data, parsed.path)
    steps: list[str] = []
    notes: dict[str, None] = {}
    proof = None
    for name, change in _changes(parsed, target, supplied, edits):
        stepped = change(data)
        if name and stepped.data is not data:
            steps.append(name)
        data = stepped.data
        notes |= dict.fromkeys(stepped.notes)
    if supplied.ask is None:  # else the result lacks what is asked for
        proof = prove(parsed, target, data, supplied, edits)
        checker = supplied.checker or DEFAULTS
        stated = partial(_convert_stated, parsed, target, data, supplied)
        notes |= dict.fromkeys(require_no_new_error(parsed, target, data, stated, checker))
    return Conversion(data, target, tuple(steps), tuple(notes), proof=proof)


def _convert_stated(parsed: ParsedText, target: str, data: Data, supplied: Supplied) -> Data:
    """Convert the source without any value that the user supplied; None if that cannot be done.

    Errors of the result are then known to be of the source, or of what was supplied.
    """
    if CONVERTIBLE[parsed.format or ""].kind == RECORD == CONVERTIBLE[target].kind:
        return without_supplied(parsed.data, data)
    predictions = None if supplied.predictions is None else ()
    bare = replace(supplied, predictions=predictions, values={})
    stated = parsed.data
    try:
        for _, change in _changes(parsed, target, bare, ()):
            stated = change(stated).data
    except ConversionError:  # nothing without what is supplied
        return None
    return stated


Change = tuple[str, Callable[[Data], Stepped]]


def _changes(
    parsed: ParsedText, target: str, supplied: Supplied, edits: tuple[SuiteEdit, ...]
) -> Iterator[Change]:
    form, steps = CONVERTIBLE[parsed.format or ""], route(parsed.format or "", target)
    yield from _preparations(parsed, form, supplied, has_steps=bool(steps))
    is_current = form.kind == SUITE and target == parsed.format == CURRENT[SUITE]
    if is_current and not edits and not supplied.renames:
        yield "", _readable
    changes: list[Change] = [("edit the suite", edit) for edit in edits]
    if supplied.renames:
        if form.kind != SUITE:
            raise ConversionError("only a suite has conditions to rename, and the file is not one")
        rename = ("rename conditions", partial(rename_conditions, supplied=supplied))
        if form.schema is None:  # rows have conditions once they are a suite
            changes.insert(0, rename)
        else:
            yield rename
    old, new = form.version, CONVERTIBLE[target].version
    if old and new and form.kind == RECORD and steps and not can_be_open(old):
        yield "", partial(with_bounds, supplied=supplied, target=new)
    yield from _steps(steps, supplied, changes)
    if steps and new:
        yield "", partial(_require_schema, version=new)


def _preparations(
    parsed: ParsedText, form: ConversionFormat, supplied: Supplied, *, has_steps: bool
) -> Iterator[Change]:
    if form.kind == SUITE and supplied.metric is not None:
        yield "write the metric", partial(_metric_supplied, supplied=supplied)
    if form.version:
        yield "right the label", partial(_with_label, version=form.version)
    yield "", partial(_sound, parsed=parsed, has_steps=has_steps)


def _steps(chain: Sequence[Step], supplied: Supplied, edits: Sequence[Change]) -> Iterator[Change]:
    steps: list[Change] = [(step.name, partial(_step, step, supplied)) for step in chain]
    current = next((i for i, step in enumerate(chain, 1) if step.target == SUITE), 0)
    yield from steps[:current]
    if edits:
        yield "", _require_suite
    yield from edits
    yield from steps[current:]


def _sound(data: Data, parsed: ParsedText, *, has_steps: bool) -> Stepped:
    require_sound(replace(parsed, data=data), has_steps=has_steps)
    return Stepped(data)


def _readable(data: Data) -> Stepped:
    """A suite that is current already, if its formulas can be read: others are of no language."""
    for prediction in data["predictions"]:
        parsed_formula(prediction["formula"])
    return Stepped(data)


def _metric_supplied(data: Data, supplied: Supplied) -> Stepped:
    metric = str(supplied.metric)
    new = with_metric(data, metric)
    if new is data:
        return Stepped(data)
    supplied.use("metric")
    declared = data["meta"].get("metric")
    if not declared:
        return Stepped(new, (f"the file names no metric: `{metric}` is written, as supplied",))
    kept = one_metric(declared, metric)
    return Stepped(new, (kept_metric(declared, kept),) if declared != [kept] else ())


def _require_suite(data: Data) -> Stepped:
    form = conversion_format_of(data)
    if form == SUITE:
        return Stepped(data)
    if form is not None and kind_of_format(form) == SUITE:
        raise ConversionError(f"only a current suite can be edited, and the file stays {form}")
    raise ConversionError(NOT_A_SUITE)


def _with_label(data: Data, version: Version) -> Stepped:
    stated = str(data.get("schema_version", ""))
    relabelled = {"schema_version": version.label, **data} | {"schema_version": version.label}
    if named_by(version.kind, stated) == version.name or not accepts(version.schema, relabelled):
        return Stepped(data)
    note = f'the file states version "{stated}", and fits {version.name}'
    return Stepped(relabelled, (note,))


def _step(step: Step, supplied: Supplied, data: Data) -> Stepped:
    return step.run(data, supplied)


def _require_schema(data: Data, version: Version) -> Stepped:
    if accepts(version.schema, data):
        return Stepped(data)
    checker = Checker(kind=version.kind, schema_version=version.name)
    # Without a label, the finding is what is wrong, and not which version would fit.
    first = checker.data({**data, "schema_version": ""}).findings[0]
    raise ConversionError(
        f"as {version.schema} it would not be valid: {first.message} at {first.pointer or '/'}"
    )


def _with_text(parsed: ParsedText, done: Conversion, syntax: Syntax) -> Conversion:
    """A conversion with its text; another syntax is a step if nothing else changed."""
    files: Mapping[str, bytes] = {}
    if (syntax is Syntax.XLSX and done.format == WIDE_TABLE) or isinstance(done.data, Sheets):
        files = written_tables(done.data, syntax)
    text = write_text(done.data, done.format, syntax, parsed)
    proof = done.proof
    if text != parsed.text or done.data is not parsed.data:
        require_read(done.data, text, syntax, files)
        proof = proof or Proof({"texts": 1})
    steps = done.steps
    if not steps and syntax is not parsed.syntax:
        steps = (f"{parsed.syntax} → {syntax}",)
    notes = (*parsed.notes, *(done.notes if done.steps else ()))
    return Conversion(done.data, done.format, steps, notes, text, syntax, files, proof)


def _each_line(
    parsed: ParsedText, to: str | None, supplied: Supplied, edits: tuple[SuiteEdit, ...]
) -> Conversion:
    rows, texts, proofs = [], [], []
    steps: dict[str, None] = {}
    notes: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    name = older = ""
    for (number, line), row in zip(parsed.lines, parsed.data, strict=True):
        try:
            old = ParsedText(
                line, parsed.path, Syntax.JSON, row, conversion_format_of(row), line=number
            )
            done = convert_document(old, to=to, supplied=supplied, edits=edits)
            texts.append(write_text(done.data, done.format, Syntax.JSON, old))
        except ConversionError as error:
            if error.lost is not None:  # the refusal lists what all rows would lose
                older = error.lost[0]
                lost.update(error.lost[1])
                continue
            if error.findings:
                raise  # whose places are those of the file
            error.reason = ConversionNotes.LINE(number, error.reason)
            raise
        rows.append(done.data)
        proofs.append(done.proof)
        steps |= dict.fromkeys(done.steps)
        notes.update(done.notes)
        name = done.format
    if lost:
        from evalmark.converters.records.downgrade import loss_of

        raise loss_of(older, lost)
    text = "\n".join(texts) + "\n"
    stay = require_no_new_row_error(parsed, text, supplied.checker or DEFAULTS)
    noted = (*with_counts(notes, "rows"), *stay)
    require_read(rows, text, Syntax.JSONL)
    proof = Proof.of_rows(proofs) if any(proofs) else None
    return Conversion(rows, name, tuple(steps), noted, text, Syntax.JSONL, proof=proof)


def _require_kind(parsed: ParsedText) -> None:
    if parsed.format not in CONVERTIBLE and parsed.syntax in (Syntax.JSON, Syntax.YAML):
        findings = DEFAULTS.data(parsed.data, parsed.path or "<data>").findings
        lacks = parsed.format is None and incomplete(parsed.data, parsed.path) is not None
        fatal = next((f for f in findings if lacks or f.code.startswith("F")), None)
        if fatal is not None and not (fatal.code == "F012" and parsed.format):
            helps = fatal.helps if fatal.subject else ()  # a slip in a key that tells what it is
            raise ConversionError(f"{fatal.code} {fatal.message}", *helps)
