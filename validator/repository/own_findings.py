"""Findings of the rules and schemas of a repository.

A schema that cannot be interrupted here, in a thread such as those of ``evalmark serve`` or on a
system without timers that interrupt, is evaluated in a process of its own, which can be ended at
any time.
"""

from __future__ import annotations

import atexit
import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import islice
from threading import Lock, Timer
from typing import Any

from evalmark.schemas.errors import TimeIsUp
from evalmark.schemas.files import Schema
from evalmark.schemas.ordered import OrderedValidator
from evalmark.validator.explaining.explain import MAX_ERRORS, explain
from evalmark.validator.explaining.wording import broken, field_name
from evalmark.validator.findings.finding import At, Finding, Hit, Span, locate
from evalmark.validator.format import PLAIN, Advice, CountedRows, Document
from evalmark.validator.formats.json_format import rule_findings
from evalmark.validator.formats.repository.repository_file import RepositoryFile
from evalmark.validator.formats.repository.repository_rule_table import (
    REPOSITORY_PAIR_RULES,
    REPOSITORY_ROW_RULES,
    REPOSITORY_RULES,
    REPOSITORY_SCHEMA,
)
from evalmark.validator.io.processes import can_be_limited, limited
from evalmark.validator.options import CheckOptions
from evalmark.validator.own_rules import OwnRules, OwnSchema, named_by
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import make_pointer


def hits_of(text: str, data: object, advice: Advice) -> list[Hit]:
    """The violations of a schema in data; ``advice`` is that of the format of the data."""
    document, validator = _loaded(text)
    try:
        return [] if validator.is_valid(data) else list(_hits(data, document, validator, advice))
    except RecursionError:  # a recursive schema goes as deep as the data
        return [Hit("the file is nested too deep to be checked against this schema", At(""))]


@cache
def _loaded(text: str) -> tuple[Schema, Any]:
    document = json.loads(text)
    return document, OrderedValidator(document)


def _hits(data: Any, document: Schema, validator: Any, advice: Advice) -> Iterator[Hit]:
    try:
        explained = explain(data, document, advice=advice)
    except (LookupError, TypeError, ValueError, AttributeError):
        # Explaining knows how the schemas of formats are written; others can be any way.
        for error in islice(validator.iter_errors(data), MAX_ERRORS):
            name = field_name(error.absolute_path)
            keyword, argument = error.validator, error.validator_value
            _, message, caret = broken(keyword, name, error.instance, argument, advice.forms)
            yield Hit(message, At(make_pointer(error.absolute_path)), caret)
    else:
        yield from (violation.hit for violation in explained)


_CODE = "from evalmark.validator.repository.own_findings import answer; answer()"
#: Seconds until a process that does not interrupt itself is ended.
_LATER = 1.0
_LOCK = Lock()
_processes: list[subprocess.Popen[bytes]] = []


def hits_elsewhere(text: str, data: object, advice: Advice, seconds: float) -> list[Hit]:
    """The violations of a schema in data, found in another process; one call after the other.

    Raises:
        TimeIsUp: That takes longer.
    """
    if sys.platform == "emscripten":  # no processes; the page of a browser is checked without
        return hits_of(text, data, advice)
    with _LOCK:
        if not _processes:
            _processes.append(_started())
        process = _processes[0]
        timer = Timer(seconds + _LATER, process.kill)
        timer.start()
        try:
            assert process.stdin
            assert process.stdout
            pickle.dump((text, data, advice, seconds), process.stdin)
            process.stdin.flush()
            reply = pickle.load(process.stdout)  # noqa: S301  # of our own process
        except (OSError, EOFError, pickle.UnpicklingError):
            _end()
            raise TimeIsUp from None
        finally:
            timer.cancel()
    if isinstance(reply, TimeIsUp):
        raise reply
    return list(reply)


def _started() -> subprocess.Popen[bytes]:
    """A process that answers; it ends with this one, whose pipe to it is closed then."""
    # -P: no module of the current folder takes the place of one of Python.
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-c", _CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout
    process.stdout.read(1)  # it is ready: its start takes no time of a schema
    return process


@atexit.register
def _end() -> None:
    """End the process, if there is one."""
    while _processes:
        process = _processes.pop()
        process.kill()
        process.communicate()


def answer() -> None:
    """In the process: answer until there are no more questions."""
    sys.stdout.buffer.write(b"!")
    sys.stdout.buffer.flush()
    with suppress(EOFError, KeyboardInterrupt):
        while True:
            text, data, advice, seconds = pickle.load(sys.stdin.buffer)  # noqa: S301  # our own
            try:
                reply: Any = (
                    limited(partial(hits_of, text, data, advice), seconds)
                    if can_be_limited()
                    else hits_of(text, data, advice)
                )
            except TimeIsUp as up:
                reply = up
            pickle.dump(reply, sys.stdout.buffer)
            sys.stdout.buffer.flush()


#: Seconds that a schema may take for a file; and once it has taken longer, for each further one.
PATIENCE, IMPATIENCE = 5.0, 0.5
#: The schemas, as text, that have taken longer.
_SLOW: set[str] = set()


def own_violations(schema: OwnSchema, document: Document, reading: Reading) -> Iterator[Finding]:
    """One finding for each violation of a schema of the repository."""
    seconds = IMPATIENCE if schema.text in _SLOW else PATIENCE
    advice = document.format.advice() if document.format else PLAIN
    try:
        if can_be_limited():
            hits = limited(partial(hits_of, schema.text, document.data, advice), seconds)
        else:
            hits = hits_elsewhere(schema.text, document.data, advice, seconds)
    except TimeIsUp as up:
        _SLOW.add(schema.text)
        hits = [_too_slow(up, schema, seconds)]
    note = f"required by {schema.path}, a schema of this repository"
    for hit in hits:
        # The fix and the place in the schema are those of a format; this schema is bundled.
        hit = replace(
            hit,
            caret=hit.caret.replace(" of this format", " of this schema"),
            notes=(*hit.notes, note),
            changes=(),
            schema_location=None,
        )
        yield locate(hit, REPOSITORY_SCHEMA, reading.path, reading.source)


def _too_slow(up: TimeIsUp, schema: OwnSchema, seconds: float) -> Hit:
    """That a schema was given up, and at which keyword."""
    where = place_of(up.part, json.loads(schema.text)) if up.keyword else None
    at = f", at `{up.keyword}` in {where or '/'} of {schema.path}" if where is not None else ""
    return Hit(
        f"not checked against {schema.path}: that takes longer than {seconds:g} seconds{at}",
        At(""),
        helps=("repeat nothing that repeats itself in a pattern: write `a+` for `(a+)+`",),
    )


def place_of(part: Any, node: Any, at: str = "") -> str | None:
    """The pointer to a part of a schema; None if it is not there."""
    if node == part:
        return at
    children = node.items() if isinstance(node, dict) else enumerate(node)
    for key, child in children if isinstance(node, dict | list) else ():
        if (pointer := place_of(part, child, at + make_pointer([key]))) is not None:
            return pointer
    return None


_BEGINNING = Span(1, 1, 1, 1)


def own_findings(
    document: Document, reading: Reading, options: CheckOptions, findings: list[Finding]
) -> list[Finding]:
    """The findings of a document, with those of the rules and schemas of its repository."""
    own_rules = options.repository_rules
    if own_rules is None:
        return findings
    additions = list(_of_schemas(own_rules, document, reading))
    if not options.schema_only:
        view = RepositoryFile(document, reading.path, own_rules)
        rules = REPOSITORY_RULES.get(document.format.family if document.format else "", ())
        additions += rule_findings(rules, view, reading)[0]
    return [*findings, *(finding for finding in additions if not _is_reported(finding, findings))]


def row_findings(rows: CountedRows, options: CheckOptions) -> list[Finding]:
    """The findings of a repository's rules on a file of rows, which were counted."""
    if options.repository_rules is None:
        return []
    if rows.groups is None:
        view = RepositoryFile(rows.of, rows.path, options.repository_rules, rows.total)
        hits, _ = rule_findings(REPOSITORY_ROW_RULES, view, Reading(rows.path))
    elif options.schema_only:
        return []
    else:
        view = RepositoryFile(rows.of, rows.path, options.repository_rules, uids=rows.groups)
        hits, _ = rule_findings(REPOSITORY_PAIR_RULES, view, Reading(rows.path))
    return [replace(finding, span=_BEGINNING) for finding in hits]


def _of_schemas(own_rules: OwnRules, document: Document, reading: Reading) -> Iterator[Finding]:
    for schema in own_rules.schemas:
        if named_by(own_rules.place(reading.path), schema.files):
            yield from own_violations(schema, document, reading)


def _is_reported(finding: Finding, others: list[Finding]) -> bool:
    """True if another finding reports the same mistake.

    That is another one on the same value; of an object, one that names the same keys.
    """
    for earlier in others:
        if earlier.pointer != finding.pointer or earlier.code[2:3] != "1":
            continue
        names = finding.message.split("`")[1::2] if finding.message.endswith("missing") else []
        if all(f"`{name}`" in earlier.message for name in names):
            return True
    return False
