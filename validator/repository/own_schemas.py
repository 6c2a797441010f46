"""The schemas that a repository adds, and what is wrong with a file under one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any

from evalmark.schemas.files import Schema
from evalmark.schemas.ordered import OrderedValidator
from evalmark.validator.explaining.explain import MAX_ERRORS, explain
from evalmark.validator.explaining.wording import broken, field_name
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.reading.pointer import make_pointer
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rules.of_repositories import REPOSITORY_SCHEMA
from evalmark.validator.views.repository import OwnSchema


def schema_mistakes(schema: OwnSchema, data: Any, reading: Reading) -> Iterator[Finding]:
    """One finding for each mistake in data that a schema of the repository rejects."""
    document, validator = _loaded(schema.text)
    try:
        hits = [] if validator.is_valid(data) else list(_hits(data, document, validator))
    except RecursionError:  # a recursive schema goes as deep as the data
        hits = [Hit("the file is nested too deep to be checked against this schema", At(""))]
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


@cache
def _loaded(text: str) -> tuple[Schema, Any]:
    document = json.loads(text)
    return document, OrderedValidator(document)


def _hits(data: Any, document: Schema, validator: Any) -> Iterator[Hit]:
    try:
        explained = explain(data, document)
    except (LookupError, TypeError, ValueError, AttributeError):
        # Explaining knows how the schemas of formats are written; others can be any way.
        for error in islice(validator.iter_errors(data), MAX_ERRORS):
            name = field_name(error.absolute_path)
            keyword, wanted = error.validator, error.validator_value
            _, message, caret = broken(keyword, name, error.instance, wanted)
            yield Hit(message, At(make_pointer(error.absolute_path)), caret)
    else:
        yield from (one.hit for one in explained)
