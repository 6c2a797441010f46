"""Wrong version labels: a record that its schema rejects may be one of another version.

That it fits another version is not enough: a record of 0.3.0 that lacks what 0.3.0 alone requires
fits 0.2.2, and to relabel it would hide the mistake. So something has to be in the record that only
the other version knows, and nothing that only the declared one does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from evalmark.schemas import versions
from evalmark.schemas.known_keys import KnownKeys, known_keys
from evalmark.validator.findings.finding import Action, At, Change, Hit
from evalmark.validator.format import Document, Violation, fitting_version
from evalmark.validator.reading.source import make_pointer


def _known(data: Any, keys: KnownKeys) -> Iterator[tuple[str, bool]]:
    """The pointers that a schema has a place for, and whether it lists the key by name."""
    stack: list[tuple[str, Any, KnownKeys | None]] = [("", data, keys)]
    while stack:
        above, node, here = stack.pop()
        if here is None:
            continue
        if isinstance(node, dict):
            below = [(key, here.child(key)) for key in node if here.is_free or here.child(key)]
        else:
            below = [(place, here.items) for place in range(len(node)) if here.items]
        for token, child in below:
            pointer = above + make_pointer((token,))
            yield pointer, child is not None and isinstance(token, str)
            if isinstance(node[token], dict | list):
                stack.append((pointer, node[token], child))


def with_version(document: Document, explained: list[Violation]) -> list[Violation]:
    """The violations; a label that is missing, or is not text, is that of the version that fits."""
    label = f'"schema_version": "{document.version}"'
    written = []
    for violation in explained:
        hit = violation.hit
        if violation.rule == "missing-key" and hit.subject == ("schema_version",):
            hit = replace(hit, helps=(Action.ADD(label),))
        elif hit.at.pointer == "/schema_version" and violation.rule == "wrong-type":
            hit = replace(hit, helps=(Action.WRITE(label),))
        written.append(violation._replace(hit=hit))
    return written


def with_label(document: Document, explained: list[Violation]) -> list[Violation]:
    """The violations of a record; one only, if all of them have one cause."""
    explained = with_version(document, explained)
    if not explained:
        return explained
    declared = document.data.get("schema_version") if isinstance(document.data, dict) else None
    if declared != document.version:
        return explained  # the user has chosen the version, or the label itself is a mistake
    fitting = fitting_version(document.data, versions.RECORD)
    if fitting is not None and _is_mislabelled(document, fitting, explained):
        at, first = At("/schema_version"), explained[0].hit
        count = len(explained)
        hit = Hit(
            f"record is labelled {declared} but matches {fitting}",
            at,
            caret=f'expected "{fitting}"',
            notes=(f"checked as {declared}, it has {count} mistake{'s'[: count - 1]}",),
            helps=(f'write "schema_version": "{fitting}"',),
            changes=(Change(at, f'"{fitting}"'),),
            schema_location=first.schema_location,
        )
        return [Violation("EE102", hit)]
    version = versions.find(versions.RECORD, document.version)
    return _unfit(version, explained) if version and version.is_ambiguous else explained


def _unfit(version: versions.Version, explained: list[Violation]) -> list[Violation]:
    """The finding for a record whose version had several layouts: it may have been another one."""
    newest = versions.current(version.kind).schema
    command = f"`evalmark convert --to {newest} FILE` reads every layout that {version.name} had"
    convert = Action.TERMINAL(command)
    message = f"record of version {version.name} does not match its schema"
    first, *others = (violation.hit for violation in explained)
    if not others:
        hit = replace(first, message=f"{message}: {first.message}", helps=(*first.helps, convert))
        return [Violation("EE103", hit)]
    hit = Hit(
        f"{message}: {_placed(first)}, and {len(others)} more",
        At("/schema_version"),
        notes=tuple(map(_placed, others)),
        helps=(convert,),
        schema_location=first.schema_location,
    )
    return [Violation("EE103", hit)]


def _placed(hit: Hit) -> str:
    """The message of the finding, and its place."""
    return f"{hit.message}, at {hit.at.pointer or 'the root'}"


def _is_mislabelled(document: Document, fitting: str, explained: list[Violation]) -> bool:
    """True if the version that a record fits is its own, and not the one whose schema it breaks."""
    data, version = document.data, versions.find(versions.RECORD, fitting)
    assert document.schema
    assert version
    names = document.schema, version.schema
    places = [dict(_known(data, known_keys(name))) for name in names]
    here, there = ({at for at, is_listed in keys.items() if is_listed} for keys in places)
    if here - there:
        return False
    # Or the other one alone allows the type of a value.
    retyped = (v.hit.at.pointer for v in explained if v.rule == "wrong-type")
    return bool(there - here) or any(all(at in keys for keys in places) for at in retyped)
