"""One call of ``evalmark check`` or ``evalmark-hook``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

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
    outputs: Sequence[str] = ()  # FORMAT=FILE
    changed: str | None = None

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
