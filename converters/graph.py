"""The map of conversions, and the shortest way through it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evalmark.converters.formats import CONVERTIBLE, CURRENT
from evalmark.converters.importers.registry import IMPORTERS, added_importers
from evalmark.converters.step import Step
from evalmark.converters.suites.suite_dialects import SUITE_STEPS
from evalmark.converters.suites.suite_tables import TABLE_STEPS, WIDE_STEPS
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.versions import written
from evalmark.validator.io.escaping import shown


def steps_of(*kinds: str) -> tuple[Step, ...]:
    """The steps between formats of some kinds; those for other kinds than suites load here."""
    steps: list[Step] = []
    if "suite" in kinds:
        steps += (*SUITE_STEPS, *TABLE_STEPS, *WIDE_STEPS)
    if "record" in kinds or "sample" in kinds:
        from evalmark.converters.records.migrations import MIGRATIONS

        steps += MIGRATIONS
    if "ltm-definition" in kinds:
        from evalmark.converters.ltm.ltm_definitions import DEFINITION_STEPS

        steps += DEFINITION_STEPS
    return tuple(steps)


def route(source: str, target: str) -> tuple[Step, ...]:
    """The shortest way from one format to another; empty if they are the same."""
    kinds = {CONVERTIBLE[source].kind, CONVERTIBLE[target].kind}
    routes = _routes(source, steps_of(*kinds))
    if target in routes:
        return routes[target]
    reachable = ", ".join(sorted(_routes(source, steps_of(*CURRENT)).keys() - {source}))
    targets = f"{source} can become: {reachable}" if reachable else ""
    raise ConversionError(f"no conversion from {source} to {target}", targets)


def _routes(source: str, steps: Sequence[Step]) -> dict[str, tuple[Step, ...]]:
    routes: dict[str, tuple[Step, ...]] = {source: ()}
    queue = deque([source])
    while queue:
        here = queue.popleft()
        for step in steps:
            if step.source == here and step.target not in routes:
                routes[step.target] = (*routes[here], step)
                queue.append(step.target)
    return routes


def has_route(source: str | None, target: str) -> bool:
    """True if one format can become another."""
    try:
        return source in CONVERTIBLE and target in CONVERTIBLE and route(source, target) is not None
    except ConversionError:
        return False


def map_text() -> str:
    """The formats and steps of conversions, as text."""
    lines = [
        "Converted:",
        *(f"  {name:<18} {entry.description}" for name, entry in CONVERTIBLE.items()),
    ]
    lines += ["", "Steps:", *_lines(steps_of(*CURRENT))]
    lines += ["", f"Results, which become records of version {' or '.join(written('record'))}:"]
    lines += [f"  {importer.name:<18} {importer.what}" for importer in IMPORTERS]
    added = added_importers()
    if added.origins:
        lines += ["", "Results that other packages read:"]
    for name, extension in added.origins.items():
        lines.append(f"  {shown(name):<18} {shown(added.usable[name].what)}")
        lines.append(f"      {shown(extension.provider)}")
    lines += ["", *added.refused] if added.refused else []
    lines += ["", "Every JSON format can be written as YAML and back: --to yaml, --to json."]
    return "\n".join(lines) + "\n"


def _lines(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        yield f"  {step.name}"
        yield from [f"      needs {step.needs}"] if step.needs else []
        yield from [f"      loses {step.loses}"] if step.loses else []


def conversions_of(name: str) -> list[str]:
    """A format, or the formats of a kind, and the steps from and to them; empty for others."""
    formats = {key: form for key, form in CONVERTIBLE.items() if name in (key, form.kind)}
    lines = [f"{key}: {form.description}" for key, form in formats.items()]
    lines += [
        f"{importer.name}: {importer.what}" for importer in IMPORTERS if importer.name == name
    ]
    steps = (s for s in steps_of(*CURRENT) if {s.source, s.target} & formats.keys())
    return [*lines, *_lines(steps)]


def map_data() -> dict[str, Any]:
    """The formats and steps of conversions, as JSON."""
    added = added_importers()
    return {
        "formats": [
            {"name": name, "what": entry.description} for name, entry in CONVERTIBLE.items()
        ],
        "steps": [
            {"from": step.source, "to": step.target, "needs": step.needs, "loses": step.loses}
            for step in steps_of(*CURRENT)
        ],
        "results": [
            *({"name": importer.name, "what": importer.what} for importer in IMPORTERS),
            *(
                {
                    "name": name,
                    "what": added.usable[name].what,
                    "package": extension.package,
                    "version": extension.version,
                    "origin": extension.origin,
                }
                for name, extension in added.origins.items()
            ),
        ],
        **({"not_used": list(added.refused)} if added.refused else {}),
        "record_versions": list(written("record")),
    }
