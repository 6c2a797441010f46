"""``--profile eee``: what Every Eval Ever's validator, the gate, would report.

The gate parses a record with models of its own, in a lax mode: null counts as absent for optional
values, "1024" is a number, 1 is true. Such values violate the format, but the gate accepts them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evalmark.schemas.accepting import accepts
from evalmark.schemas.engine import Engine
from evalmark.schemas.files import bundle
from evalmark.validator.explaining.explain import Explained, explain
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.findings.severity import Severity
from evalmark.validator.kinds import Document
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rules.of_datastores import GATE_VERSION

#: The version whose models the gate has.
VERSION = "0.3.0"

_TRUE = ("true", "1", "yes", "on", "t", "y")
_FALSE = ("false", "0", "no", "off", "f", "n")
#: Fields for which the gate does require numbers.
_STRICT = ("score", "value", "lower", "upper", "standard_deviation", "min_score", "max_score")

LETS_PASS = "EEE's validator accepts this"  # noqa: S105 - nothing secret
#: Maps of a row in which the gate accepts any values; the format requires strings.
_FREE = ("metadata", "arguments", "additional_details")
#: Rules that the gate also checks.
_ASKED = frozenset(
    {"score-out-of-bounds", "bounds-reversed", "row-count", "row-evaluation-id", "row-model-id"}
    | {"samples-missing", "datastore-path", "datastore-samples", "wrong-version"}
)


def of_the_gate(document: Document, reading: Reading, found: list[Finding]) -> list[Finding]:
    """The findings of a record, with notes where the gate differs, and the gate's own findings."""
    gate_schema = bundle(f"record-{VERSION}")
    read = relaxed(document.data, gate_schema, gate_schema)
    accepted = accepts(f"record-{VERSION}", read)
    refused = [] if accepted else explain(read, gate_schema, reading.engine)
    if document.version != VERSION and refused:
        first = refused[0].hit
        more = f" (and {len(refused) - 1} more)" if len(refused) > 1 else ""
        hit = Hit(
            f"EEE's validator reads every record as version {VERSION} and rejects this one",
            At("/schema_version"),
            notes=(f"first mistake: {first.message}, at {first.at.pointer or '/'}{more}",),
            helps=(f"`evalmark convert --to record-{VERSION}`",),
        )
        return [*found, locate(hit, GATE_VERSION, reading.path, reading.source)]
    return _seen_by_gate(found, refused)


def of_a_row(row: Any, found: list[Finding], engine: Engine = Engine.PURE) -> list[Finding]:
    """The findings of a row, with notes where the gate accepts it."""
    gate_schema = bundle(f"sample-{VERSION}")
    refused = explain(relaxed(row, gate_schema, gate_schema), gate_schema, engine)
    return _seen_by_gate(found, refused)


def _seen_by_gate(found: list[Finding], refused: list[Explained]) -> list[Finding]:
    pointers = {mistake.hit.at.pointer for mistake in refused}
    return [_as_the_gate_has_it(finding, pointers) for finding in found]


def _as_the_gate_has_it(finding: Finding, refused: set[str]) -> Finding:
    family = finding.code[:4]
    if family == "EE40":
        is_path = finding.name != "datastore-model"
        return replace(finding, severity=Severity.ERROR if is_path else finding.severity)
    if family == "EE41" or finding.code.startswith("F"):
        return finding
    is_shape = finding.code.startswith("EE1")
    passes = finding.pointer not in refused if is_shape else finding.name not in _ASKED
    return replace(finding, notes=(*finding.notes, LETS_PASS)) if passes else finding


def relaxed(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], key: str = "") -> Any:
    """The data as the models of the gate parse it, guided by a bundled schema."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = root["definitions"][reference.rpartition("/")[2]]
    if isinstance(data, dict) and key in _FREE and str(root.get("title")).startswith("Sample row"):
        return {name: str(value) for name, value in data.items()}
    if isinstance(data, dict):
        known = schema.get("properties", {})
        required = schema.get("required", ())
        return {
            name: relaxed(value, known.get(name, {}), root, name)
            for name, value in data.items()
            if value is not None or name in required or name not in known or name in _STRICT
        }
    if isinstance(data, list):
        items = schema.get("items", {})
        return [relaxed(value, items if isinstance(items, dict) else {}, root) for value in data]
    types = schema.get("type", ())
    return _coerced(data, {types} if isinstance(types, str) else set(types), key)


def _coerced(value: Any, types: set[str], key: str) -> Any:
    if key in _STRICT or "string" in types:
        return value
    if "boolean" in types and not isinstance(value, bool):
        word = str(value).lower()
        return True if word in _TRUE else False if word in _FALSE else value
    if {"integer", "number"} & types and isinstance(value, str | bool):
        try:
            wanted = float(value)
        except ValueError:
            return value
        whole = "integer" in types
        return int(wanted) if whole and wanted.is_integer() else value if whole else wanted
    return value
