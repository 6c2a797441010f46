"""Findings about a file as a whole: what no rule function and no schema reports."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from evalmark.schemas.errors import PLEASE_REPORT, ExtensionError, failure
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.findings.hit import At, Hit, Places, locate
from evalmark.validator.findings.severity import Severity

#: Code → name. All of them are errors.
FILE_CODES = {
    "F001": "invalid-json",
    "F002": "invalid-utf8",
    "F003": "byte-order-mark",
    "F004": "wrong-encoding",
    "F005": "duplicate-key",
    "F006": "not-a-number",
    "F007": "number-too-large",
    "F008": "lone-surrogate",
    "F009": "nested-too-deep",
    "F010": "empty-file",
    "F011": "unreadable-file",
    "F012": "unknown-kind",
    "F013": "unknown-version",
    "F014": "invalid-yaml",
    "F015": "ambiguous-scalar",
    "F016": "beyond-json",
    "F017": "exploding-aliases",
    "F018": "line-too-long",
    "F099": "internal-error",
}
#: Codes of files that could not be checked.
NOT_CHECKED = frozenset({"F011", "F099"})
_BEGINNING = Span(1, 1, 1, 1)


class FileRule(NamedTuple):
    """What a finding takes from its rule, without the rule's documentation."""

    code: str
    name: str
    severity: Severity = Severity.ERROR


#: Checked over what a branch changes.
NEW_SETTINGS = FileRule("F022", "changed-settings", Severity.WARNING)
#: Checked over all files of a call.
SAME_NAME = FileRule("SG418", "same-suite-name", Severity.WARNING)


def file_finding(
    code: str, path: str, message: str, *, span: Span = _BEGINNING, **details: Any
) -> Finding:
    """A finding about a file; at its beginning unless a span says where.

    Args:
        code: A key of ``FILE_CODES``.
        path: The file.
        message: What is wrong.
        span: Where.
        details: Further fields of the finding.
    """
    name = FILE_CODES[code]
    return Finding(code, name, Severity.ERROR, message, path, span=span, fold=message, **details)


def not_compared(path: str, base: str) -> Finding:
    """The finding for a file whose content on the base this clone lacks."""
    from evalmark.validator.edge.git import REFETCH  # with --changed only

    message = f"cannot be compared with its content on {base}, which this clone lacks"
    return file_finding("F011", path, message, helps=(f"fetch it: `{REFETCH}`",))


def internal_error(error: Exception, path: str) -> Finding:
    """The finding for a file whose check failed because of a bug in evalmark."""
    return file_finding("F099", path, failure(error), helps=(PLEASE_REPORT,))


def others_error(error: ExtensionError, path: str) -> Finding:
    """The finding for a file whose check failed because of a bug in another package."""
    helps = ("this is a bug in that package: report it to those who make it",)
    return file_finding("F099", path, str(error), helps=helps)


def unknown_version(
    kind: str, version: str, known: tuple[str, ...], path: str, source: Places | None
) -> Finding:
    """The finding for a version that has no schema."""
    hit = Hit(
        f'no schema for {kind} version "{version}"',
        At("/schema_version"),
        caret=f"known: {', '.join(known)}",
        helps=("use `--schema-version VERSION` to check against another version",),
    )
    return locate(hit, FileRule("F013", FILE_CODES["F013"]), path, source)


def same_suite_name(path: str, first: str, source: Places) -> Finding:
    """The finding for a suite with the name of another suite of the call."""
    hit = Hit(f"duplicate suite name: also in {first}", At("/meta/name"), fold="same name")
    return locate(hit, SAME_NAME, path, source)


def changed_settings(path: str, base: str, *, known: bool = True) -> Finding:
    """The finding for settings that a branch changes, and is checked with.

    If it is not ``known`` that it changes them, this clone lacks the earlier ones.
    """
    message = "this branch changes the settings that it is checked with"
    help_text = f"review the change: `git diff {base}... -- {path}`"
    if not known:
        from evalmark.validator.edge.git import REFETCH

        message = (
            "this branch may change the settings that it is checked with: this clone lacks "
            "the earlier ones"
        )
        help_text = f"fetch them: `{REFETCH}`"
    hit = Hit(message, At(""), helps=(help_text,))
    return replace(locate(hit, NEW_SETTINGS, path, None), span=_BEGINNING)
