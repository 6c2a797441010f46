"""The findings for data that its schema rejects."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

from evalmark.schemas import versions
from evalmark.schemas.backend import Backend
from evalmark.schemas.files import bundle
from evalmark.validator.explaining.context import Explained
from evalmark.validator.explaining.explain import explain
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Change, Hit, Places, locate
from evalmark.validator.formats.records.labels import is_mislabelled
from evalmark.validator.kinds import Document, fitting_version, load
from evalmark.validator.reading.source import Source
from evalmark.validator.rules.registry import RULES, find_rules
from evalmark.validator.rules.rule import Rule


def mistakes(
    document: Document, path: str, source: Places | None, backend: Backend = Backend.PURE
) -> list[Finding]:
    """One finding for each mistake; none if the data is valid after all."""
    name = document.schema
    assert name
    explained = _with_version(document, explain(document.data, bundle(name), backend))
    if special := _special(document, explained):
        return [locate(one.hit, RULES[one.rule], path, source) for one in special]
    if document.traits.shapes:
        explained = load(document.traits.shapes)(document.data, explained)
    if isinstance(source, Source):
        explained = [_as_text(one, source) for one in explained]
    family = document.traits.family
    return [locate(one.hit, _rule(one.rule, family), path, source) for one in explained]


def _as_text(one: Explained, source: Source) -> Explained:
    """A mistake; where a text is expected, brackets of YAML are suggested as a text."""
    if one.rule != "wrong-type" or " must be a string, got " not in one.hit.message:
        return one
    written = source.bracketed(one.hit.at.pointer)
    if written is None:
        return one
    helps = (f"write {json.dumps(written, ensure_ascii=False)}",)
    return replace(one, hit=replace(one.hit, helps=helps, changes=()))


def _with_version(document: Document, explained: list[Explained]) -> list[Explained]:
    """The mistakes; a label that is missing, or is not text, is that of the version that fits."""
    label = f'"schema_version": "{document.version}"'
    written = []
    for one in explained:
        hit = one.hit
        if hit.message == "`schema_version` is missing":
            hit = replace(hit, helps=(f"add {label}",))
        elif hit.at.pointer == "/schema_version" and one.rule == "wrong-type":
            hit = replace(hit, helps=(f"write {label}",))
        written.append(replace(one, hit=hit))
    return written


@cache
def _rule(name: str, family: str) -> Rule:
    return next(rule for rule in find_rules(name) if rule.code.startswith(family))


def _special(document: Document, explained: list[Explained]) -> list[Explained]:
    """The findings that replace all mistakes if they have one cause; none if they have not."""
    if not document.traits.is_relabelled or not explained:
        return []
    declared = document.data.get("schema_version") if isinstance(document.data, dict) else None
    if declared != document.version:
        return []  # the user has chosen the version, or the label itself is a mistake
    fitting = fitting_version(document.data, document.traits.name)
    if fitting is not None and _is_mislabelled(document, fitting, explained):
        at, first = At("/schema_version"), explained[0].hit
        hit = Hit(
            f"record is labelled {declared} but matches {fitting}",
            at,
            caret=f'expected "{fitting}"',
            notes=(f"checked as {declared}, it has {_counted(explained)}",),
            helps=(f'write "schema_version": "{fitting}"',),
            changes=(Change(at, f'"{fitting}"'),),
            schema_location=first.schema_location,
        )
        return [Explained("EE102", hit)]
    version = versions.find(document.traits.name, document.version)
    return _unfit(version, explained) if version and version.is_ambiguous else []


def _unfit(version: versions.Version, explained: list[Explained]) -> list[Explained]:
    """The finding for a record whose version had several layouts: it may have been another one."""
    newest = versions.current(version.kind).schema
    convert = f"`evalmark convert --to {newest}` reads every layout that {version.name} had"
    message = f"record of version {version.name} does not match its schema"
    first, *others = (one.hit for one in explained)
    if not others:
        hit = replace(first, message=f"{message}: {first.message}", helps=(*first.helps, convert))
        return [Explained("EE103", hit)]
    hit = Hit(
        f"{message}: {_placed(first)}, and {len(others)} more",
        At("/schema_version"),
        notes=tuple(map(_placed, others)),
        helps=(convert,),
        schema_location=first.schema_location,
    )
    return [Explained("EE103", hit)]


def _placed(hit: Hit) -> str:
    """What is wrong, and where."""
    return f"{hit.message}, at {hit.at.pointer or 'the root'}"


def _is_mislabelled(document: Document, fitting: str, explained: list[Explained]) -> bool:
    """Whether the version that a record fits is its own, and not the one that it names."""
    kind, declared = document.traits.name, document.schema
    other = versions.find(kind, fitting)
    assert declared
    assert other
    retyped = (one.hit.at.pointer for one in explained if one.rule == "wrong-type")
    return is_mislabelled(document.data, declared, other.schema, retyped)


def _counted(explained: list[Explained]) -> str:
    return f"{len(explained)} mistake{'s' if len(explained) > 1 else ''}"
