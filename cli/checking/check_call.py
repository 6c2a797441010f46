"""One call of ``evalmark check`` or ``evalmark-hook``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from evalmark.validator.batch.check_files import BatchOptions
    from evalmark.validator.findings.finding import Finding

#: Output formats for programs: written even if there are no findings.
MACHINE = ("json", "jsonl", "sarif", "junit", "markdown")


class CheckCall(NamedTuple):
    """One call of ``evalmark check``, besides the arguments of the check itself."""

    paths: Sequence[str]
    output_format: str = "auto"
    fail_on: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    defaults: Path | None = None
    diff: bool = False
    quiet: bool = False
    verbose: bool = False
    stdin_filename: str = "<stdin>"
    jobs: int | None = None
    ray: bool = False
    hook: bool = False
    listed: bool = False  # the paths are from a list
    outputs: Sequence[tuple[str, str]] = ()  # format and file of each further report
    stream: Callable[[Sequence[Finding]], str] | None = None  # findings that are written at once
    changed: str | None = None

    def batch_options(self, options: BatchOptions, stdin: bytes) -> BatchOptions:
        """The options of a check of files, with what the call says of them.

        Args:
            options: Those of the settings.
            stdin: What standard input has.
        """
        return options._replace(
            jobs=self.jobs,
            ray=self.ray,
            picked=self.hook or self.listed,
            hook=self.hook,
            bars=not self.is_brief,
            stdin=(self.stdin_filename, stdin) if self.reads_stdin else None,
        )

    @property
    def reads_stdin(self) -> bool:
        """True if standard input is checked."""
        return "-" in self.paths

    @property
    def rewrites_stdin(self) -> bool:
        """True if stdout gets the fixed text of standard input."""
        return self.fix and not self.diff and list(self.paths) == ["-"]

    @property
    def is_for_programs(self) -> bool:
        """True if the report is written even without findings."""
        return self.output_format in MACHINE

    @property
    def is_brief(self) -> bool:
        """True if nothing is said but findings."""
        return self.quiet or self.hook
