"""The output of ``evalmark check``: the report, further reports, and a summary."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Sequence
from typing import NamedTuple

from evalmark.cli.check_outcome import CheckOutcome
from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.terminal import print_note, write_stdout
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
from evalmark.validator.settings.check_options import CheckOptions


class CheckOutput(NamedTuple):
    """The output of a call."""

    options: CheckOptions
    outcome: CheckOutcome
    outputs: Sequence[tuple[str, str]]  # format and file of each further report
    streamed: Collection[Finding]  # findings that are written already

    def write(self) -> bool:
        """Write further reports; whether all of them could be written."""
        if not self.outputs:
            return True
        not_written = write_outputs(self.outputs, self.outcome.checked.findings, self._look())
        for path, reason in not_written:
            print_note(f"evalmark: {path}: cannot be written: {reason}")
        return not not_written

    def say_differences(self) -> None:
        """Say what a branch does to results."""
        if self.outcome.differences is not None:
            from evalmark.validator.outputs.difference_text import difference_lines  # of a branch

            for line in difference_lines(self.outcome.differences):
                print_note(line)

    def show(self) -> None:
        """Write the findings that are not written yet to stdout, and a summary to stderr."""
        options, checked = self.options, self.outcome.checked
        if options.rewrites_stdin:
            write_stdout(decoded(self.outcome.stdin))
        if options.is_brief and not (checked.findings or options.is_for_programs):
            return
        look = self._look()
        stream = sys.stderr if options.rewrites_stdin else sys.stdout
        left = checked.findings
        if self.streamed:  # only then: telling findings apart takes a hash of each
            left = tuple(finding for finding in left if finding not in self.streamed)
        text = REPORTS[output_format_for(options.output_format, sys.stdout)](left, look)
        if options.is_for_programs:
            write_stdout(text, stream)
            return
        stream.write(text)
        if not options.quiet:
            stream.flush()
            self._say_fixes()
            sys.stderr.write(summary_text(look.summary, checked.findings))
            sys.stderr.write(verdicts_text(checked.verdicts))

    def _look(self) -> Look:
        options, checked = self.options, self.outcome.checked
        stdin = (options.stdin_filename, self.outcome.stdin) if options.reads_stdin else None
        return Look(
            summarize(checked.files, checked.findings, len(checked.skipped)),
            sources(checked.findings, stdin),
            options.verbose,
            colored(sys.stdout),
            checked.verdicts,
            checked.paths,
            skipped_text(checked.skipped),
            self.outcome.differences,
            web_folder(os.environ) if "GITHUB_REPOSITORY" in os.environ else "",
        )

    def _say_fixes(self) -> None:
        options, fixed = self.options, self.outcome.fixed
        if not fixed or not fixed.fixes:
            return
        verb = "Would fix" if options.diff else "Fixed"
        noun = "finding" if options.defaults is None else "place"
        files, places = len(fixed.changed), fixed.fixes
        print_note(f"{verb} {places} {noun}{'s'[: places - 1]} in {files} file{'s'[: files - 1]}.")
        if len(fixed.mends) > 1 or options.defaults is not None:
            print_note(f"{'files':>7} {'places':>7}")
            for mend in fixed.mends:
                print_note(f"{mend.files:7} {mend.places:7}  {mend.action}")
