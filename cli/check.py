"""``evalmark check``; ``evalmark-hook`` begins here too."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from evalmark.cli.check_outcome import CheckOutcome, fix
from evalmark.cli.settings import settings_for
from evalmark.schemas.errors import UsageError
from evalmark.validator.batch.check_files import Checked
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.unusable import FAILING
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.terminal import (
    CLEAN,
    COULD_NOT_RUN,
    FOUND,
    print_note,
    report_error,
    write_stdout,
)
from evalmark.validator.options.declaration import command
from evalmark.validator.settings.check_options import CheckOptions

if TYPE_CHECKING:
    from evalmark.cli.check_output import CheckOutput


@command(
    CheckOptions,
    "evalmark check --fix --defaults facts.yaml data/",
    exit_code="0 clean, 1 findings at the level of --fail-on, 2 something failed",
)
def check(options: CheckOptions) -> int:
    """Check suites, records, samples and conversations, and suggest fixes."""
    paths = paths_of(options.paths, options.changed, options.paths_from)
    return run(replace(options, paths=paths))


def paths_of(paths: Sequence[str], changed: str | None, paths_from: str | None) -> list[str]:
    """The paths to check: the arguments, or a list; UsageError if there are both, or none."""
    if paths_from is not None:
        if paths or changed is not None:
            raise UsageError("--paths-from excludes arguments and --changed")
        return _listed(paths_from)
    if changed is not None and "-" in paths:
        raise UsageError("--changed compares files; it does not read standard input")
    if not paths and changed is None:
        raise UsageError("nothing to check: give files or folders, --changed or --paths-from")
    return [*paths] or ["."]


def _listed(name: str) -> list[str]:
    """The paths in a list, in the order of the list; a name in it is never standard input.

    They end in NUL if there is one, else in line feeds.
    """
    raw = sys.stdin.buffer.read() if name == "-" else read_whole(name)
    names = raw.split(b"\0") if b"\0" in raw else raw.replace(b"\r\n", b"\n").split(b"\n")
    paths = [os.fsdecode(path) for path in names if path]
    return [os.path.join(os.curdir, path) if path == "-" else path for path in paths]


def run(options: CheckOptions) -> int:
    """Check, fix and show; the exit code. Raises UsageError if options exclude each other."""
    _require_sense(options)
    outputs = _outputs(options)
    streamed: set[Finding] = set()
    outcome = _outcome(options, _handler(options, streamed), is_listed="junit" in dict(outputs))
    checked = outcome.checked
    for remark in checked.remarks:
        print_note(f"note: {remark}")
    output = _output(options, outcome, outputs, streamed)
    is_written = output is None or output.write()
    if options.verbose:
        for path, why in checked.skipped:
            print_note(f"{path}: skipped: {why}")
    code = None if checked.files or options.hook else _nothing_checked(options, outcome)
    if output is not None and not (options.is_brief or options.is_for_programs):
        output.say_differences()
    if code is None:
        if output is not None:
            output.show()
        _say_unused_ignores(options, checked)
        code = _exit_code(options, outcome)
    if checked.skipped and not (options.is_for_programs and checked.files):
        from evalmark.validator.outputs.report_texts import skipped_text

        print_note(skipped_text(checked.skipped))
    return code if is_written else COULD_NOT_RUN


def _output(
    options: CheckOptions,
    outcome: CheckOutcome,
    outputs: tuple[tuple[str, str], ...],
    streamed: set[Finding],
) -> CheckOutput | None:
    is_silent = options.is_brief and not (options.is_for_programs or options.rewrites_stdin)
    if is_silent and not (outputs or outcome.checked.findings):
        return None
    from evalmark.cli.check_output import CheckOutput

    return CheckOutput(options, outcome, outputs, streamed)


def _require_sense(options: CheckOptions) -> None:
    if options.diff and options.is_for_programs:
        raise UsageError(f"--format {options.output_format} and --diff exclude each other")
    for name, value in (("--unsafe-fixes", options.unsafe_fixes), ("--defaults", options.defaults)):
        if value and not (options.fix or options.diff):
            raise UsageError(f"{name} needs --fix or --diff")


def _outputs(options: CheckOptions) -> tuple[tuple[str, str], ...]:
    if not options.outputs:
        return ()
    from evalmark.validator.outputs.rendering import parsed_outputs

    return parsed_outputs(options.outputs, options.paths)


def _handler(options: CheckOptions, streamed: set[Finding]) -> Callable[[Report], Report] | None:
    streams = options.output_format == "jsonl" and not options.fix
    if not (streams or options.verbose):
        return None

    def tell_of(report: Report) -> Report:
        if options.verbose:
            print_note(f"{report.path}: checked as {report.kind} {report.version or ''}".rstrip())
            for remark in report.remarks:
                print_note(remark)
            for path, verdict in report.verdicts:
                print_note(f"{path}: Every Eval Ever's checks: {verdict}")
        if streams and report.findings:
            from evalmark.validator.outputs.rendering import json_lines

            write_stdout(json_lines(report.findings))
            sys.stdout.flush()
            streamed.update(report.findings)
        return report

    return tell_of


def _outcome(
    options: CheckOptions, on_report: Callable[[Report], Report] | None, *, is_listed: bool
) -> CheckOutcome:
    branch = None
    if options.changed is not None:
        from evalmark.cli.branch_check import branch_check  # loads git

        branch = branch_check(options)
    config = branch.settings.held if branch else settings_for(options.jobs)
    checker = Checker(config, options)
    stdin = sys.stdin.buffer.read() if options.reads_stdin else b""
    context = checker.context._replace(
        picked=options.hook or options.paths_from is not None,
        hook=options.hook,
        bars=not options.is_brief,
        stdin=(options.stdin_filename, stdin) if options.reads_stdin else None,
        each=on_report,
        listed=is_listed or options.output_format == "junit",  # also files without findings
    )
    if branch is not None:
        return branch.outcome(context, checker)
    if options.fix or options.diff:
        fixed = fix(options, context)
        return CheckOutcome(fixed.checked, fixed, fixed.stdin, fail_on=config.fail_on)
    checked = checker.files(options.paths, context)
    return CheckOutcome(checked, None, stdin, fail_on=config.fail_on)


def _nothing_checked(options: CheckOptions, outcome: CheckOutcome) -> int | None:
    """Say that no file was checked; the exit code, or None if there is a report all the same."""
    checked = outcome.checked
    if options.changed is None and options.paths_from is None:
        return report_error("no files to check")
    if checked.findings or options.quiet or options.is_for_programs:
        return None
    if outcome.differences is not None and outcome.differences.summary:
        return CLEAN  # the branch only deletes
    if options.changed is None:
        is_empty = not options.paths
        print_note("The list is empty." if is_empty else "No evaluation files are in the list.")
    elif not _has_submodules(checked):  # which the line on what was skipped says
        print_note("No evaluation files have changed.")
    return CLEAN


def _has_submodules(checked: Checked) -> bool:
    from evalmark.validator.batch.changes.changed_files import SUBMODULE  # for few calls

    return any(why == SUBMODULE for _, why in checked.skipped)


def _exit_code(options: CheckOptions, outcome: CheckOutcome) -> int:
    checked, fixed = outcome.checked, outcome.fixed
    failing = FAILING[options.fail_on or outcome.fail_on]
    if checked.unreadable or (fixed and fixed.not_written):
        return COULD_NOT_RUN
    if options.diff and fixed and fixed.changed and failing:
        return FOUND
    return FOUND if any(f.severity in failing for f in checked.findings) else CLEAN


def _say_unused_ignores(options: CheckOptions, checked: Checked) -> None:
    if options.hook or options.quiet or options.changed is not None:
        return  # a hook sees some of the files only, and so does a check of what has changed
    for unused in checked.unused_ignores:
        codes = ", ".join(sorted(unused.codes))
        place = unused.files + (f"#{unused.pointer}" if unused.pointer else "")
        print_note(f"unused ignore: {codes} in {place} matches nothing")
