"""The findings for data that its schema rejects."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

from evalmark.schemas.backend import Backend
from evalmark.schemas.files import Schema, bundle
from evalmark.schemas.own import own_schema
from evalmark.validator.explaining.explain import explain
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Places, locate
from evalmark.validator.format import Document, Format, SchemaMistake
from evalmark.validator.reading.source import Source
from evalmark.validator.rules.shapes import shape_rule


def mistakes(
    document: Document, path: str, source: Places | None, backend: Backend = Backend.PURE
) -> list[Finding]:
    """One finding for each mistake; none if the data is valid after all."""
    name, form = document.schema, document.format
    assert name
    assert form
    schema, backend = (own, Backend.PURE) if (own := _own(form)) else (bundle(name), backend)
    explained = form.explained(document, explain(document.data, schema, backend))
    if isinstance(source, Source):
        explained = [_as_text(one, source) for one in explained]
    return [locate(one.hit, shape_rule(one.rule, form.family), path, source) for one in explained]


@cache
def _own(form: Format) -> Schema | None:
    """The schema that a format has itself, bundled as ours are."""
    schema = form.schema()
    return None if schema is None else own_schema(json.dumps(schema).encode())


def _as_text(one: SchemaMistake, source: Source) -> SchemaMistake:
    """A mistake; where a text is expected, brackets of YAML are suggested as a text."""
    if one.rule != "wrong-type" or " must be a string, got " not in one.hit.message:
        return one
    written = source.bracketed(one.hit.at.pointer)
    if written is None:
        return one
    helps = (f"write {json.dumps(written, ensure_ascii=False)}",)
    return replace(one, hit=replace(one.hit, helps=helps, changes=()))
