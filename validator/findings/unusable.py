"""What could not be used, while others are: at which findings a command stops, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, NoReturn

from evalmark.schemas.errors import PLEASE_REPORT, BrokenFile, EvalmarkError, failure
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import internal_error


class Unused(NamedTuple):
    """A file, a suite in it or a class that could not be used, and why."""

    name: str
    error: Exception

    @property
    def reason(self) -> str:
        """The reason, without the name, in one line."""
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
Failed = Callable[[Any, Exception], object]


def raising(_: object, error: Exception) -> NoReturn:
    """The default of ``failed``: the first error ends the work."""
    raise error


#: Value of ``fail-on`` -> the severities at which ``check`` and the hook stop.
FAILING: dict[str, frozenset[str]] = {
    "error": frozenset({"error"}),
    "warning": frozenset({"error", "warning"}),
    "never": frozenset(),
}


class Stop(NamedTuple):
    """The findings at which a command stops; docs/checking-a-suite-repository.md explains them."""

    letters: tuple[str, ...] = ("",)  # first letters of the codes of errors that count
    harmless: frozenset[str] = frozenset()  # codes of errors that do not

    def among(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those at which it stops."""
        return tuple(
            finding
            for finding in findings
            if finding.severity is Severity.ERROR
            and finding.code.startswith(self.letters)
            and finding.code not in self.harmless
        )


#: Where most commands stop. All of them make the same check.
STOP = Stop()


def require_usable(report: Report, stop: Stop = STOP) -> None:
    """Raise a BrokenFile if a file has findings at which a command stops."""
    errors = stop.among(report.findings)
    if errors:
        first = errors[0]
        place = f":{first.span.line}:{first.span.column}" if first.span else ""
        helps = "".join(f"; {text}" for text in first.helps)
        more = "" if first.code == "F099" else "; `evalmark check` shows all"
        message = f"{report.path}{place}: {first.code} {first.message}{helps}{more}"
        raise BrokenFile(message, errors)


def broken_by(error: Exception, path: str) -> Exception:
    """The error that stopped the work on a file: its own, or a bug of ours as its finding."""
    if isinstance(error, EvalmarkError | OSError):
        return error
    message = f"{path}: F099 {failure(error)}; {PLEASE_REPORT}"
    return BrokenFile(message, (internal_error(error, path),))
