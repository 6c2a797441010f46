"""Rules on the place of a record in a datastore, and on what Every Eval Ever's validator rejects.

They do not decide whether a record is valid. The validator ("the gate") is ``every_eval_ever
validate`` 0.3.0: it has models of its own, reads every record as one of 0.3.0 and ignores the
JSON schema.

A datastore keeps a record at ``data/<collection>/<developer>/<model>/<uuid>.json`` and its samples
next to it, at ``<uuid>_samples.jsonl``.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from evalmark.validator.findings.finding import At, Change, Finding, Mistake, Severity
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.findings.rule import Rule, checked_rules, grouped
from evalmark.validator.format import Document
from evalmark.validator.formats.records.record_fields import fields_of
from evalmark.validator.formats.records.record_view import RecordView, view_of
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_checks import rule_findings
from evalmark.validator.formats.shared.json_values import mapping
from evalmark.validator.reading.reading import Reading

#: The folders below ``data`` that lead to a record.
LEVELS = ("collection", "developer", "model")


@dataclass(frozen=True, slots=True)
class PlacedRecord:
    """A record in a datastore."""

    record: Fields
    path: str
    parts: tuple[str, ...]  # from the last folder ``data`` on, without it

    @property
    def samples(self) -> str:
        """The path, within the datastore, of the samples that belong to the record."""
        stem = self.parts[-1].removesuffix(".json")
        return "/".join(("data", *self.parts[:-1], f"{stem}_samples.jsonl"))


def datastore_parts(path: str, *, everywhere: bool = False) -> tuple[str, ...] | None:
    """The path below the folder ``data``; None where no datastore is meant.

    Other folders are called ``data`` too. It is taken for the root of a datastore if the file lies
    three folders below it, or if the caller says that it is one (``everywhere``).
    """
    parts = os.path.abspath(path).split(os.sep)
    if "data" not in parts[:-1]:
        return tuple(parts[-1:]) if everywhere else None
    last = len(parts) - 2 - parts[-2::-1].index("data")
    below = tuple(parts[last + 1 :])
    return below if everywhere or len(below) == len(LEVELS) + 1 else None


_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
_FILE = re.compile(rf"{_UUID}(\.json|_samples\.jsonl)")
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]')
_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(\..*)?", re.IGNORECASE)


def datastore_path(place: PlacedRecord) -> Iterator[Mistake]:
    """A record in a datastore is not at `data/<collection>/<developer>/<model>/<uuid>.json`.

    Folder names must be valid on every operating system, and the file name is a lower-case UUID of
    version 4. Readers of the datastore do not find files elsewhere.

    Bad: `data/gsm8k/record.json`
    Good: `data/gsm8k/openai/gpt-4o/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json`
    """
    if why := misplaced(place.parts):
        is_deep = len(place.parts) == len(LEVELS) + 1
        expected = "expected data/<collection>/<developer>/<model>/<uuid>.json"
        yield Mistake(why, At(""), notes=() if is_deep else (expected,))


def misplaced(parts: tuple[str, ...]) -> str | None:
    """The mistake in the path of a file below ``data``; None if there is none."""
    *folders, name = parts
    if len(folders) != len(LEVELS):
        return f"expected three folders between `data` and the file, found {len(folders)}"
    for level, folder in zip(LEVELS, folders, strict=True):
        if why := _unfit(folder):
            return f'{level} folder "{folder}" {why}'
    if not _FILE.fullmatch(name):
        return f'file name "{name}" is not a lower-case UUID of version 4'
    return None


def datastore_samples(place: PlacedRecord) -> Iterator[Mistake]:
    """In a datastore, a sample file is not next to its record under the same name.

    `file_path` is relative to the folder that contains `data`.

    Bad: `"file_path": "samples.jsonl"`
    Good: `"file_path": "data/gsm8k/openai/gpt-4o/<uuid>_samples.jsonl"`
    """
    record = place.record
    stated = record.text("samples_path")
    beside = place.path.removesuffix(".json") + "_samples.jsonl"
    if not mapping(record.get("samples")):
        if os.path.isfile(beside):
            yield Mistake(
                "there is a sample file next to this record, but the record does not name it",
                At(""),
                helps=(f'write "detailed_evaluation_results" with "file_path": "{place.samples}"',),
            )
    elif stated is not None and stated.strip() != place.samples:
        at = At(record.at("samples_path"))
        is_meant = posixpath.basename(stated.strip()) == posixpath.basename(place.samples)
        yield Mistake(
            "`file_path` is not the sample file next to this record",
            at,
            helps=(f'write "{place.samples}"',),
            changes=(
                (Change(at, quoted(place.samples)),) if is_meant and os.path.isfile(beside) else ()
            ),
        )


def datastore_model(place: PlacedRecord) -> Iterator[Mistake]:
    """In a datastore, the folders of a record are not the developer and name of its model.

    These are the sides of the first `/` in the model's id; any further `/` and every `:` becomes
    `_`. If the id has no `/`, the developer is the one in the record. A developer is not "unknown".

    Bad: a record of `openai/gpt-4o` in `data/gsm8k/anthropic/gpt-4o`
    Good: the same record in `data/gsm8k/openai/gpt-4o`
    """
    record = place.record
    if misplaced(place.parts) is None and record.has("model_id"):
        why = misnamed_model(record.get("model_id"), record.get("developer"), place.parts)
        if why:
            yield Mistake(why, At(record.at("model_id")))


def misnamed_model(model_id: Any, developer: Any, parts: tuple[str, ...]) -> str | None:
    """The reason why the folders of a record are not those of its model; None if they are."""
    if not isinstance(model_id, str):
        return None
    owner, slash, name = model_id.strip().partition("/")
    if not slash:
        if developer is not None and not isinstance(developer, str):
            return None
        owner, name = developer or "", owner
        if model_id.strip() and not owner.strip():
            return f"model id {cited(model_id)} has no owner, and the record has no `developer`"
    words = [owner, *name.split("/")]
    # The validator trims a name of several parts as a whole, and each part as well.
    names = [word.strip() for word in words]
    if "unknown" in (owner.strip().lower(), name.strip().lower(), *map(str.lower, names)):
        return f'the developer or the name of model {cited(model_id)} is "unknown"'
    if any(word in ("", ".", "..") or _unfit(word.replace(":", "_")) for word in names):
        return f"model id {cited(model_id)} cannot be used as folder names"
    folders = (names[0].replace(":", "_"), "_".join(names[1:]).replace(":", "_"))
    if parts[1:3] == folders:
        return None
    return f"the folder is {'/'.join(parts[1:3])}, but the model is {'/'.join(folders)}"


def _unfit(folder: str) -> str | None:
    if folder == "data":
        return "has the name of the root folder"
    if _FORBIDDEN.search(folder):
        return "has characters that some operating systems do not allow in names"
    if folder != folder.rstrip(". "):
        return "ends in a dot or a space"
    return "is a reserved name on Windows" if _RESERVED.fullmatch(folder) else None


def gate_null_bounds(record: RecordView) -> Iterator[Mistake]:
    """A bound of a continuous score is null, which EEE's validator rejects.

    The format allows `null` for an unknown bound, the validator does not.

    Bad: `"score_type": "continuous", "max_score": null`
    Good: `"max_score": "Infinity"`
    """
    for result in record.results:
        if result.get("score_type") != "continuous":
            continue
        for field in ("low", "high"):
            if result.has(field) and result.get(field) is None:
                yield Mistake(
                    f"EEE's validator rejects null as `{result.key(field)}` of a continuous score",
                    At(result.at(field)),
                    helps=('write a number, "Infinity" or "-Infinity"',),
                )


#: The place of a file is not part of its validity, so these are warnings.
PLACEMENT_RULES: tuple[Rule, ...] = checked_rules(
    ("EE401", "datastore-path", Severity.WARNING, datastore_path),
    ("EE402", "datastore-samples", Severity.WARNING, datastore_samples),
    ("EE403", "datastore-model", Severity.WARNING, datastore_model),
)

#: Only with ``--profile eee``.
GATE_RULES: tuple[Rule, ...] = checked_rules(
    ("EE411", "gate-null-bounds", Severity.ERROR, gate_null_bounds),
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

#: Rules on blank identifiers, which are not names of folders either.
_OF_IDENTIFIERS = ("EE221", "EE241")


def datastore_findings(
    document: Document,
    reading: Reading,
    findings: list[Finding],
    *,
    gate: bool,
    everywhere: bool,
) -> list[Finding]:
    """The findings of a record, with those on its place and, if ``gate``, those of EEE's gate."""
    if not isinstance(document.data, dict):
        return findings
    found, path = list(findings), reading.path
    everywhere = everywhere or (gate and os.path.isfile(path))
    is_placed = path.endswith(".json") or (gate and everywhere)
    parts = datastore_parts(path, everywhere=everywhere) if is_placed else None
    if parts is not None:
        place = PlacedRecord(fields_of(document), path, parts)
        found = _merge_placed(found, rule_findings(grouped(PLACEMENT_RULES), place, reading)[0])
    if gate:
        found += rule_findings(grouped(GATE_RULES), view_of(document), reading)[0]
    return found


def _merge_placed(found: list[Finding], placed: list[Finding]) -> list[Finding]:
    """All findings; one on a value that its schema rejects already gives that its help."""
    wrong = {finding.pointer: index for index, finding in enumerate(found) if finding.pointer}
    for finding in placed:
        mistaken = found[wrong[finding.pointer]].code if finding.pointer in wrong else ""
        if mistaken in _OF_IDENTIFIERS:
            continue
        if mistaken.startswith("EE1"):
            index = wrong[finding.pointer]
            mistake = found[index]
            helps, fix = finding.helps or mistake.helps, finding.fix or mistake.fix
            found[index] = replace(mistake, helps=helps, fix=fix)
        else:
            found.append(finding)
    return found
