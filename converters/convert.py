"""The way of a document: find its form, go the steps, check, and only then write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from evalmark.converters.formats import CURRENT, form_of
from evalmark.converters.graph import route
from evalmark.converters.step import Data, Facts, Step, Stepped
from evalmark.converters.steps.edits import rename_conditions
from evalmark.converters.syntax import SYNTAXES, Syntax, read_text, write_text
from evalmark.schemas.accepting import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data, check_text
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.severity import Severity

#: A change of a suite that is no change of form.
Edit = Callable[[Data], Stepped]


class Conversion(NamedTuple):
    """Converted data.

    Attributes:
        data: In the target form.
        form: That form.
        steps: The steps that were taken, by name; empty if there were none.
        notes: What a reader should know.
    """

    data: Data
    form: str
    steps: tuple[str, ...]
    notes: tuple[str, ...]


class Converted(NamedTuple):
    """A converted text: what did not change kept its characters."""

    text: str
    steps: tuple[str, ...]
    notes: tuple[str, ...]
    form: str = ""
    syntax: Syntax = Syntax.JSON


def convert_data(
    data: Data,
    *,
    to: str | None = None,
    facts: Facts | None = None,
    edits: tuple[Edit, ...] = (),
    metric: str | None = None,
    renames: Mapping[str, str] | None = None,
) -> Conversion:
    """Data of any form in another one; the argument is not changed.

    Args:
        data: Parsed JSON, or the rows of a table.
        to: The form that is wanted (a key of ``FORMS``); the current one of its kind if None.
        facts: What the data does not say.
        edits: Changes to a suite, made once it is current.
        metric: Which metric to keep; short for that of ``facts``.
        renames: Condition names that must change; short for those of ``facts``.

    Raises:
        ConversionError: The data cannot be converted exactly, or its form is not known.
    """
    facts = facts or Facts(metric=metric, renames=renames or {})
    form = form_of(data)
    if form is None:
        raise ConversionError("file is of no form that is converted", "`evalmark convert --list`")
    target = CURRENT[form] if to is None else to
    steps: list[str] = []
    notes: list[str] = []

    def take(name: str, run: Callable[..., Stepped], *arguments: Any) -> None:
        nonlocal data
        stepped = _guarded(run, *arguments)
        if stepped.data is not data:
            steps.append(name)
        data = stepped.data
        notes.extend(stepped.notes)

    if facts.renames:
        take("rename conditions", rename_conditions, data, facts)
    if form.startswith(("record-", "sample-")):
        take("right the label", _labelled, data, form)
    way = route(form, target)
    # Edits are for suites in their current form: in the middle of the way, or at its end.
    current = next((i for i, step in enumerate(way) if step.target == "suite"), -1) + 1
    schema = _schema(form)
    if not way and schema and not accepts(schema, data):
        raise _shapeless()
    for step in way[:current] if edits else way:
        take(step.name, _stepped, step, data, facts)
    if edits:
        if form_of(data) != "suite":
            raise ConversionError("this is a change of suites, and the file is none")
        for edit in edits:
            take("edit the suite", edit, data)
        for step in way[current:]:
            take(step.name, _stepped, step, data, facts)
    return Conversion(data, target, tuple(steps), tuple(dict.fromkeys(notes)))


def _shapeless() -> ConversionError:
    return ConversionError(
        "the file is not of the shape of its form", "`evalmark check` says where"
    )


def _schema(form: str) -> str | None:
    """The schema of a form; None for one that has none of its own."""
    if form.startswith("ltm-definition"):
        return "ltm-definition"
    own = form == "suite" or form.startswith(("record-", "sample-"))
    return form if own else "suite-legacy" if form == "suite-triples" else None


def _guarded(run: Callable[..., Stepped], *arguments: Any) -> Stepped:
    try:
        return run(*arguments)
    except ConversionError:
        raise
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        # The shape is not that of the form: the check of the source says where.
        raise _shapeless() from error


def _labelled(data: Data, form: str) -> Stepped:
    """The label of a record or sample is that of the version it fits."""
    version = form.partition("-")[2]
    stated = str(data.get("schema_version", ""))
    if stated.removeprefix("instance_level_eval_") in (
        version,
        "0.2.3" if version == "0.3.0" else "",
    ):
        return Stepped(data)
    note = f'the file says that it is of version "{stated}", and fits {version}'
    if accepts(form, {**data, "schema_version": version}):
        return Stepped({**data, "schema_version": version}, (note,))
    return Stepped(data)


def _stepped(step: Step, data: Data, facts: Facts) -> Stepped:
    """The outcome of a step; between versions, if it is valid by the schema of its version."""
    stepped = step.run(data, facts)
    if not step.target.startswith(("record-", "sample-")):
        return stepped
    if not accepts(step.target, stepped.data):
        kind, _, version = step.target.partition("-")
        # Another label, so that what is wrong is told, and not which version would fit.
        unlabelled = {**stepped.data, "schema_version": ""}
        report = check_data(unlabelled, kind=kind, schema_version=version)
        first = report.findings[0]
        raise ConversionError(
            f"as {step.target} it would not be valid: {first.message} at {first.pointer or '/'}"
        )
    return stepped


def convert_text(
    text: str,
    *,
    path: str = "<text>",
    to: str | None = None,
    syntax: str | None = None,
    facts: Facts | None = None,
    edits: tuple[Edit, ...] = (),
    metric: str | None = None,
    renames: Mapping[str, str] | None = None,
) -> Converted:
    """The text of a file of any form, in another one.

    Args:
        text: The text.
        path: The file's name; its ending says whether it is JSON, YAML, CSV or TSV.
        to: The form that is wanted; ``json`` and ``yaml`` keep the form.
        syntax: What to write (a key of ``SYNTAXES``); what the form asks for if None.
        facts: What the file does not say.
        edits: Changes to a suite.
        metric: Short for that of ``facts``.
        renames: Short for those of ``facts``.

    Raises:
        ConversionError: The text cannot be converted exactly, or the result would have an error
            that the source does not have.
    """
    source = Syntax.of(path)
    facts = facts or Facts(metric=metric, renames=renames or {})
    if source is Syntax.JSONL:
        return _lines(text, path, to, syntax, facts, edits)
    data = read_text(text, path, source)
    before = None
    if source in (Syntax.JSON, Syntax.YAML):
        before = check_text(text, path=path, schema_version=_version(data))
        fatal = next((f for f in before.findings if f.code.startswith("F")), None)
        if fatal is not None and not (fatal.code == "F012" and form_of(data)):
            raise ConversionError(f"{fatal.code} {fatal.message}")
    if to in ("json", "yaml"):
        wanted = Syntax(to)
        new = write_text(data, "", wanted, text, source)
        steps = () if wanted is source else (f"{source} → {to}",)
        return Converted(new, steps, (), form_of(data) or "", wanted)
    conversion = convert_data(data, to=to, facts=facts, edits=edits)
    wanted = Syntax(syntax) if syntax else SYNTAXES.get(conversion.form) or _same(source)
    new = write_text(conversion.data, conversion.form, wanted, text, source)
    if wanted in (Syntax.JSON, Syntax.YAML) and isinstance(conversion.data, dict):
        after = check_data(conversion.data, path=path)
        _require_no_new_error(before, after)
    if wanted is not source and not conversion.steps:
        return Converted(new, (f"{source} → {wanted}",), (), conversion.form, wanted)
    return Converted(new, conversion.steps, conversion.notes, conversion.form, wanted)


def _lines(
    text: str,
    path: str,
    to: str | None,
    syntax: str | None,
    facts: Facts,
    edits: tuple[Edit, ...],
) -> Converted:
    """Rows: each on its own, but for the items of a suite, which are one document."""
    lines = [line for line in text.split("\n") if line.strip()]
    rows = [read_text(line, path, Syntax.JSON) for line in lines]
    if not rows:
        raise ConversionError("the file is empty")
    if form_of(rows) == "rows":
        conversion = convert_data(rows, to=to, facts=facts, edits=edits)
        wanted = Syntax(syntax) if syntax else SYNTAXES.get(conversion.form) or Syntax.JSON
        new = write_text(conversion.data, conversion.form, wanted, "", Syntax.JSONL)
        return Converted(new, conversion.steps, conversion.notes, conversion.form, wanted)
    written = []
    steps: dict[str, None] = {}
    notes: Counter[str] = Counter()
    form = ""
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), 1):
        try:
            conversion = convert_data(row, to=to, facts=facts)
        except ConversionError as error:
            raise ConversionError(f"line {number}: {error.reason}", error.help) from error
        written.append(write_text(conversion.data, conversion.form, Syntax.JSON, line, Syntax.JSON))
        steps |= dict.fromkeys(conversion.steps)
        notes.update(conversion.notes)
        form = conversion.form
    counted = tuple(f"{n} (in {c} rows)" if c > 1 else n for n, c in notes.items())
    return Converted("\n".join(written) + "\n", tuple(steps), counted, form, Syntax.JSONL)


def _version(data: Data) -> str | None:
    """The version that a record or sample is of, whatever it says of itself."""
    form = form_of(data) or ""
    return form.partition("-")[2] if form.startswith(("record-", "sample-")) else None


def _same(source: Syntax) -> Syntax:
    return source if source in (Syntax.JSON, Syntax.YAML) else Syntax.JSON


def _require_no_new_error(before: Report | None, after: Report) -> None:
    had = _errors(before) if before else Counter()
    for code, count in _errors(after).items():
        # A record that fits no schema has one finding; what it hides there is seen here first.
        if count > had[code] and not had["EE103"]:
            first = next(f for f in after.findings if f.code == code)
            raise ConversionError(
                f"the result would have an error: {code} {first.message} at {first.pointer or '/'}",
                "mend the source first",
            )


def _errors(report: Report) -> Counter[str]:
    return Counter(f.code for f in report.findings if f.severity is Severity.ERROR)
