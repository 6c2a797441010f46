"""The schemas that a repository adds, and what is wrong with a file under one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from evalmark.schemas.errors import TimeIsUp
from evalmark.validator.edge.processes import can_be_limited, limited
from evalmark.validator.findings.finding import At, Finding, Hit, locate
from evalmark.validator.format import PLAIN, Document
from evalmark.validator.formats.repository.repository_rule_table import REPOSITORY_SCHEMA
from evalmark.validator.own_rules import OwnSchema
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import make_pointer
from evalmark.validator.repository.schema_hits import hits_of

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
            from evalmark.validator.repository.schema_process import hits_elsewhere  # for threads

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
        if (found := place_of(part, child, at + make_pointer([key]))) is not None:
            return found
    return None
