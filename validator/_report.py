"""What a check says of one file."""

from __future__ import annotations

from ._light import NamedTuple
from ._severity import Severity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._finding import Finding


class InvalidDocument(ValueError):  # noqa: N818 - the noun says what it is
    """A document has errors. ``report`` holds them."""

    def __init__(self, report: Report) -> None:
        first = next(f for f in report.findings if f.severity is Severity.ERROR)
        more = sum(f.severity is Severity.ERROR for f in report.findings) - 1
        tail = f" (and {more} more)" if more else ""
        super().__init__(f"{report.path}: {first.code} {first.message}{tail}")
        self.report = report


class Report(NamedTuple):
    """The findings of one file, in order of place.

    Attributes:
        path: The file as the caller named it.
        kind: What it is taken for; None if that could not be told.
        version: Version of the format it was checked against, where there are several.
        findings: What is wrong.
        remarks: What could not be looked at, and why.
        companions: Further files that were checked with it: the samples of a record.
        identity: What must differ between the files of a call: a record's evaluation id.
    """

    path: str
    kind: str | None
    version: str | None
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    identity: str | None = None

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings are allowed."""
        return all(finding.severity is not Severity.ERROR for finding in self.findings)

    def raise_for_errors(self) -> None:
        """Raise if there is an error.

        Raises:
            InvalidDocument: There is one.
        """
        if not self.ok:
            raise InvalidDocument(self)
