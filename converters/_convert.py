"""The way of a file: check, convert, check again, and only then write."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from evalmark.validator import (
    Rejected,
    Report,
    Severity,
    check_data,
    check_text,
    detect,
    parse,
    rewrite,
)

from ._errors import ConversionError
from ._suites import STEPS, Data, Facts

__all__ = ["Conversion", "ConversionError", "Converted", "convert_data", "convert_text", "is_suite"]

_NO_FACTS = Facts()
_SUITES = ("suite", "suite-legacy")


class Conversion(NamedTuple):
    """Converted data.

    Attributes:
        data: In the current form.
        steps: The steps that were taken, by name; empty if the data was current.
        notes: What a reader should know.
    """

    data: Data
    steps: tuple[str, ...]
    notes: tuple[str, ...]


class Converted(NamedTuple):
    """A converted text: what did not change kept its characters."""

    text: str
    steps: tuple[str, ...]
    notes: tuple[str, ...]


def is_suite(text: str) -> bool:
    """Whether a JSON text is a suite of some dialect; False if it cannot be read."""
    try:
        return detect(parse(text)) in _SUITES
    except Rejected:
        return False


def convert_data(
    data: Any, *, metric: str | None = None, renames: Mapping[str, str] | None = None
) -> Conversion:
    """Suite data of any dialect in the current form; the argument is not changed.

    Args:
        data: Parsed JSON.
        metric: Which metric to keep where the suite names several.
        renames: Condition names that must change, old → new.

    Raises:
        ConversionError: The data cannot be converted exactly.
    """
    if detect(data) not in _SUITES:
        raise ConversionError("file is no suite of a known dialect")
    facts = Facts(metric, renames or {})
    steps: list[str] = []
    notes: list[str] = []
    for name, step in STEPS.items():
        try:
            stepped = step(data, facts)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, ConversionError):
                raise
            # The shape is not that of any dialect: the check of the source says where.
            raise ConversionError(
                "the file is not of the shape of its dialect", "`evalmark check` says where"
            ) from error
        if stepped is not None:
            data = stepped.data
            steps.append(name)
            notes += stepped.notes
    return Conversion(data, tuple(steps), tuple(notes))


def convert_text(
    text: str,
    *,
    path: str = "<text>",
    metric: str | None = None,
    renames: Mapping[str, str] | None = None,
) -> Converted:
    """The text of a suite of any dialect, rewritten in the current form.

    Raises:
        ConversionError: The text cannot be converted exactly, or the result would have an error
            that the source does not have.
    """
    before = check_text(text, path=path)
    fatal = next((f for f in before.findings if f.code.startswith("F")), None)
    if fatal is not None:
        raise ConversionError(f"{fatal.code} {fatal.message}")
    data = parse(text)
    conversion = convert_data(data, metric=metric, renames=renames)
    _require_no_new_error(before, check_data(conversion.data, path=path))
    return Converted(rewrite(text, conversion.data), conversion.steps, conversion.notes)


def _require_no_new_error(before: Report, after: Report) -> None:
    had = _errors(before)
    for code, count in _errors(after).items():
        if count > had[code]:
            first = next(f for f in after.findings if f.code == code)
            raise ConversionError(
                f"the result would have an error: {code} {first.message} at {first.pointer or '/'}",
                "mend the source first",
            )


def _errors(report: Report) -> Counter[str]:
    return Counter(f.code for f in report.findings if f.severity is Severity.ERROR)
