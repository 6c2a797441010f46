"""The rules of datastores and of their gate: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.records.rules import datastore_rules as datastores

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

#: Checked by ``gate.gate`` against the schema of the version that the gate reads.
GATE_VERSION = Rule(
    "EE412",
    "gate-version",
    Severity.ERROR,
    """EEE's validator does not read the version of the record.

    It has only one set of models, so most older records do not fit. The rule is checked with
    `--profile eee`.

    Bad: a valid record of 0.2.0
    Good: the same record after `evalmark convert --to record-0.3.0`
    """,
)

#: Rejections of the gate that no other rule reports; checked by ``gate.gate``.
GATE_REJECTS = Rule(
    "EE413",
    "gate-rejects",
    Severity.ERROR,
    """EEE's validator rejects the file.

    It checks more than the format asks for, and compares a record with its sample file in its own
    way. This finding is for what no other rule reports. The rule is checked with `--profile eee`.

    Bad: a sample file in a datastore without a record next to it
    Good: `<uuid>.json` and `<uuid>_samples.jsonl` in one folder
    """,
)
