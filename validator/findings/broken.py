"""Files that cannot be used: what is wrong with them, while the others are."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from evalmark.schemas.errors import PLEASE_REPORT, BrokenFile, EvalmarkError, failure
from evalmark.validator.findings.file_findings import internal_error
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.severity import Severity


class Unused(NamedTuple):
    """A file, a suite in it or a class that could not be used, and why."""

    name: str
    error: Exception

    @property
    def reason(self) -> str:
        """Why, without the name, in one line."""
        error = self.error
        if isinstance(error, BrokenFile):
            first, *others = error.findings
            more = f" (and {len(others)} more)" if others else ""
            ask = f"; {PLEASE_REPORT}" if first.code == "F099" else ""
            return f"{first.code} {first.message}{more}{ask}"
        if isinstance(error, OSError):
            return error.strerror or str(error)
        return str(error).removeprefix(f"{self.name}: ")


#: Called with each file that cannot be used, and why; the work on the others continues.
Failed = Callable[[str, Exception], object]


def require_usable(report: Report, harmless: Collection[str] = ()) -> None:
    """Refuse a file with errors; those with a code in ``harmless`` do not count.

    Raises:
        BrokenFile: There is one.
    """
    errors = tuple(
        finding
        for finding in report.findings
        if finding.severity is Severity.ERROR and finding.code not in harmless
    )
    if errors:
        first = errors[0]
        place = f":{first.span.line}:{first.span.column}" if first.span else ""
        helps = "".join(f"; {text}" for text in first.helps)
        more = "" if first.code == "F099" else "; `evalmark check` shows all"
        message = f"{report.path}{place}: {first.code} {first.message}{helps}{more}"
        raise BrokenFile(message, errors)


def broken_by(error: Exception, path: str) -> Exception:
    """What stopped the work on a file: an error of its own, or a bug of ours as its finding."""
    if isinstance(error, EvalmarkError | OSError):
        return error
    message = f"{path}: F099 {failure(error)}; {PLEASE_REPORT}"
    return BrokenFile(message, (internal_error(error, path),))
