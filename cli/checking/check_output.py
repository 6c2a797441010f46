"""The output of ``evalmark check``: the report, further reports, and a summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from evalmark.cli.checking.check_call import CheckCall
from evalmark.validator.batch.check_files import Checked
from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.terminal import put, say
from evalmark.validator.outputs.rendering import REPORTS, write_outputs
from evalmark.validator.outputs.report_texts import (
    Look,
    colored,
    decoded,
    output_format_for,
    skipped_text,
    sources,
    summarize,
    summary_text,
    verdicts_text,
    web_folder,
)

if TYPE_CHECKING:
    from evalmark.validator.batch.changes.result_differences import ResultDifferences
    from evalmark.validator.batch.fix_files import FixedFiles


class CheckOutput(NamedTuple):
    """The output of a call.

    Attributes:
        call: The call.
        checked: What was checked.
        fixed: What was fixed, or would be.
        stdin: What standard input has, or has become.
        streamed: Findings that are written already.
        differences: What a branch does to results.
    """

    call: CheckCall
    checked: Checked
    fixed: FixedFiles | None
    stdin: bytes
    streamed: Collection[Finding]
    differences: ResultDifferences | None

    def write(self) -> bool:
        """Write further reports; whether all of them could be written."""
        outputs = self.call.outputs
        not_written = write_outputs(outputs, self.checked.findings, self._look()) if outputs else ()
        for path, reason in not_written:
            say(f"evalmark: {path}: cannot be written: {reason}")
        return not not_written

    def say_of_call(self) -> None:
        """Say what a branch does to results."""
        if self.differences is not None:
            from evalmark.validator.outputs.difference_text import difference_lines  # of a branch

            for line in difference_lines(self.differences):
                say(line)

    def show(self) -> None:
        """Write the findings that are not written yet to stdout, and a summary to stderr."""
        call, checked = self.call, self.checked
        if call.rewrites_stdin:
            put(decoded(self.stdin))
        if call.is_brief and not (checked.findings or call.is_for_programs):
            return
        look = self._look()
        stream = sys.stderr if call.rewrites_stdin else sys.stdout
        left = checked.findings
        if self.streamed:  # only then: telling findings apart takes a hash of each
            left = tuple(finding for finding in left if finding not in self.streamed)
        text = REPORTS[output_format_for(call.output_format, sys.stdout)](left, look)
        if call.is_for_programs:
            put(text, stream)
            return
        stream.write(text)
        if not call.quiet:
            stream.flush()
            self._say_fixes()
            sys.stderr.write(summary_text(look.summary, checked.findings))
            sys.stderr.write(verdicts_text(checked.verdicts))

    def _look(self) -> Look:
        """The facts that output formats need besides the findings."""
        call, checked = self.call, self.checked
        stdin = (call.stdin_filename, self.stdin) if call.reads_stdin else None
        return Look(
            summarize(checked.files, checked.findings, len(checked.skipped)),
            sources(checked.findings, stdin),
            call.verbose,
            colored(sys.stdout),
            checked.verdicts,
            checked.paths,
            skipped_text(checked.skipped),
            self.differences,
            web_folder(os.environ) if "GITHUB_REPOSITORY" in os.environ else "",
        )

    def _say_fixes(self) -> None:
        """Say how many findings were fixed, or would be; by kind where that says more."""
        call, fixed = self.call, self.fixed
        if not fixed or not fixed.fixes:
            return
        verb = "Would fix" if call.diff else "Fixed"
        noun = "finding" if call.defaults is None else "place"
        files, places = len(fixed.changed), fixed.fixes
        say(f"{verb} {places} {noun}{'s'[: places - 1]} in {files} file{'s'[: files - 1]}.")
        if len(fixed.mends) > 1 or call.defaults is not None:
            say(f"{'files':>7} {'places':>7}")
            for mend in fixed.mends:
                say(f"{mend.files:7} {mend.places:7}  {mend.action}")
