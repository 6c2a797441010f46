"""The findings for data that its schema rejects."""

from __future__ import annotations

from functools import cache

from evalmark.schemas import versions
from evalmark.schemas.engine import Engine
from evalmark.schemas.files import bundle
from evalmark.validator.explaining.explain import Explained, explain
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.kinds import Document, fitting_version
from evalmark.validator.reading.source import Source
from evalmark.validator.rules.registry import RULES, find_rules
from evalmark.validator.rules.rule import Rule


def mistakes(
    document: Document, path: str, source: Source | None, engine: Engine = Engine.PURE
) -> list[Finding]:
    """One finding for each mistake; none if the data is valid after all."""
    name = document.schema
    assert name
    explained = explain(document.data, bundle(name), engine)
    if special := _special(document, explained):
        return [locate(special.hit, RULES[special.rule], path, source)]
    family = document.traits.family
    return [locate(one.hit, _rule(one.rule, family), path, source) for one in explained]


@cache
def _rule(name: str, family: str) -> Rule:
    return next(rule for rule in find_rules(name) if rule.code.startswith(family))


def _special(document: Document, explained: list[Explained]) -> Explained | None:
    """The one finding that replaces all mistakes if they have one cause."""
    if not document.traits.is_relabelled or not explained:
        return None
    declared = document.data.get("schema_version") if isinstance(document.data, dict) else None
    if declared != document.version:
        return None  # the user has chosen the version, or the label itself is a mistake
    fitting = fitting_version(document.data, document.traits.name)
    if fitting is not None:
        hit = Hit(
            f"record is labelled {declared} but matches {fitting}",
            At("/schema_version"),
            caret=f'expected "{fitting}"',
            notes=(f"checked as {declared}, it has {_counted(explained)}",),
            helps=(f'write "schema_version": "{fitting}"',),
            schema_location=explained[0].hit.schema_location,
        )
        return Explained("EE102", hit)
    version = versions.find(document.traits.name, document.version)
    if version and version.is_ambiguous:
        first, newest = explained[0].hit, versions.current(version.kind).schema
        hit = Hit(
            f"record of version {version.name} does not match its schema: {_counted(explained)}",
            At("/schema_version"),
            notes=(f"first mistake: {first.message}, at {first.at.pointer or 'the root'}",),
            helps=(f"`evalmark convert --to {newest}` reads every layout that {version.name} had",),
            schema_location=first.schema_location,
        )
        return Explained("EE103", hit)
    return None


def _counted(explained: list[Explained]) -> str:
    return f"{len(explained)} mistake{'s' if len(explained) > 1 else ''}"
