"""What a schema of a repository rejects, however long that takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from evalmark.schemas.files import Schema
from evalmark.schemas.ordered import OrderedValidator
from evalmark.validator.explaining.explain import MAX_ERRORS, explain
from evalmark.validator.explaining.wording import broken, field_name
from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.format import Advice
from evalmark.validator.reading.source import make_pointer


def hits_of(text: str, data: Any, advice: Advice) -> list[Hit]:
    """What a schema rejects in data; the format of the data has an advice."""
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
            keyword, wanted = error.validator, error.validator_value
            _, message, caret = broken(keyword, name, error.instance, wanted, advice.forms)
            yield Hit(message, At(make_pointer(error.absolute_path)), caret)
    else:
        yield from (one.hit for one in explained)
