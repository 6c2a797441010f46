"""The rules of datastores and of their gate: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.severity import Severity
from evalmark.validator.rules import datastores
from evalmark.validator.rules.pages import PAGES
from evalmark.validator.rules.rule import Rule, checked_rules

#: The place of a file is not part of its validity, so these are warnings.
PLACEMENT_RULES: tuple[Rule, ...] = checked_rules(
    ("EE401", "datastore-path", Severity.WARNING, datastores.datastore_path),
    ("EE402", "datastore-samples", Severity.WARNING, datastores.datastore_samples),
    ("EE403", "datastore-model", Severity.WARNING, datastores.datastore_model),
)

#: Only with ``--profile eee``.
GATE_RULES: tuple[Rule, ...] = checked_rules(
    ("EE411", "gate-null-bounds", Severity.ERROR, datastores.gate_null_bounds),
)

#: Checked by ``datastore.gate`` against the schema of the version that the gate reads.
GATE_VERSION = Rule("EE412", "gate-version", Severity.ERROR, PAGES["gate-version"])
