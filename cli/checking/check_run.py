"""Check, fix, show, exit code: the part that ``evalmark check`` and ``evalmark-hook`` share."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from evalmark.cli.checking.check_call import CheckCall
from evalmark.cli.settings import settings
from evalmark.schemas.errors import UsageError
from evalmark.validator.batch.check_files import BatchOptions, Checked
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import FAILING, Report
from evalmark.validator.io.terminal import (
    CLEAN,
    COULD_NOT_RUN,
    FOUND,
    complain,
    put,
    put_diff,
    say,
)
from evalmark.validator.settings.config import Config

if TYPE_CHECKING:
    from evalmark.cli.checking.branch_check import BranchCheck
    from evalmark.validator.batch.changes.check_changed import Selection
    from evalmark.validator.batch.changes.result_differences import ResultDifferences
    from evalmark.validator.batch.fix_files import FixedFiles


def run(call: CheckCall, **arguments: Any) -> int:
    """Check, fix and show; the exit code. The arguments are those of a ``Checker``.

    Raises:
        UsageError: Options exclude each other.
    """
    atexit.register(gc.freeze)  # the end of a process searches for cycles: a seventh of a short one
    _require_sense(call)
    branch = _branch_check(call, arguments)
    config = branch.settings.held if branch else _settings(call)
    checker = Checker(config, **arguments)
    stdin = sys.stdin.buffer.read() if call.reads_stdin else b""
    streamed: set[Finding] = set()
    options = call.batch_options(checker.options, stdin)._replace(
        each=_each(call, streamed),
        listed="junit" in (call.output_format, *dict(call.outputs)),  # also files without findings
    )
    selection = branch.selection(options) if branch else None
    if selection is not None:
        call, options = call._replace(paths=selection.paths), selection.options
    fixed = _fix(call, options, selection)
    checked = fixed.checked if fixed else checker.files(call.paths, options)
    if branch is not None:
        checked = branch.with_settings(checked)
    for remark in checked.remarks:
        say(f"note: {remark}")
    stdin = fixed.stdin if fixed else stdin
    if selection is not None:
        checked = replace(checked, skipped=(*selection.skipped, *checked.skipped))
    differences = selection.differences if selection else None
    output = None
    is_silent = call.is_brief and not (call.is_for_programs or call.rewrites_stdin)
    if call.outputs or checked.findings or not is_silent:
        from evalmark.cli.checking.check_output import (
            CheckOutput,  # a hook that finds nothing has none
        )

        output = CheckOutput(call, checked, fixed, stdin, streamed, differences)
    written = output is None or output.write()
    if call.verbose:
        for path, why in checked.skipped:
            say(f"{path}: skipped: {why}")
    code = None if checked.files or call.hook else _nothing(call, checked, differences)
    if output is not None and not (call.is_brief or call.is_for_programs):
        output.say_of_call()
    if code is None:
        if output is not None:
            output.show()
        _say_unused(call, checked)
        code = _exit_code(call, checked, fixed, FAILING[call.fail_on or config.fail_on])
    if checked.skipped and not (call.is_for_programs and checked.files):
        from evalmark.validator.outputs.report_texts import skipped_text

        say(skipped_text(checked.skipped))
    return code if written else COULD_NOT_RUN


def _nothing(
    call: CheckCall, checked: Checked, differences: ResultDifferences | None
) -> int | None:
    """Say that no file was checked; the exit code, or None if there is a report all the same."""
    if call.paths and not call.listed and call.changed is None:
        return complain("no files to check")
    if checked.findings or call.quiet or call.is_for_programs:
        return None
    if differences is not None and differences.summary:
        return CLEAN  # the branch only deletes
    if call.changed is not None and checked.skipped and _are_submodules(checked):
        return CLEAN  # which the line on what was skipped says
    listed = "No evaluation files are in the list." if call.paths else "The list is empty."
    say(listed if call.changed is None else "No evaluation files have changed.")
    return CLEAN


def _are_submodules(checked: Checked) -> bool:
    from evalmark.validator.batch.changes.changed_files import SUBMODULE  # for few calls

    return any(why == SUBMODULE for _, why in checked.skipped)


def _exit_code(
    call: CheckCall, checked: Checked, fixed: FixedFiles | None, failing: frozenset[str]
) -> int:
    if checked.unreadable or (fixed and fixed.not_written):
        return COULD_NOT_RUN
    if call.diff and fixed and fixed.changed and failing:
        return FOUND
    return FOUND if any(f.severity in failing for f in checked.findings) else CLEAN


def _require_sense(call: CheckCall) -> None:
    """Refuse combinations of options in which one would be ignored."""
    if call.diff and call.is_for_programs:
        raise UsageError(f"--format {call.output_format} and --diff exclude each other")
    for name, value in (("--unsafe-fixes", call.unsafe_fixes), ("--defaults", call.defaults)):
        if value and not (call.fix or call.diff):
            raise UsageError(f"{name} needs --fix or --diff")


def _each(call: CheckCall, streamed: set[Finding]) -> Callable[[Report], Report] | None:
    """A function that takes each report as it comes: JSON lines are written at once."""
    if call.stream is None and not call.verbose:
        return None

    def tell_of(report: Report) -> Report:
        if call.verbose:
            say(f"{report.path}: checked as {report.kind} {report.version or ''}".rstrip())
            for remark in report.remarks:
                say(remark)
            for path, verdict in report.verdicts:
                say(f"{path}: Every Eval Ever's checks: {verdict}")
        if call.stream is not None and report.findings:
            put(call.stream(report.findings))
            sys.stdout.flush()
            streamed.update(report.findings)
        return report

    return tell_of


def _settings(call: CheckCall) -> Config:
    return settings(*(["ray.address"] if call.ray else []))


def _branch_check(call: CheckCall, arguments: Mapping[str, Any]) -> BranchCheck | None:
    """The check of what a branch changes, if only that is checked."""
    if call.changed is None:
        return None
    from evalmark.cli.checking.branch_check import BranchCheck  # loads git
    from evalmark.validator.batch.changes.branch_settings import branch_settings

    settings = branch_settings(call.changed, lambda: _settings(call))
    return BranchCheck(call, call.changed, settings, arguments)


def _fix(call: CheckCall, options: BatchOptions, selection: Selection | None) -> FixedFiles | None:
    """Fix files or show the changes, with ``--fix`` or ``--diff``; of a branch, only its own."""
    if not (call.fix or call.diff):
        return None
    from evalmark.validator.batch.fix_files import FixedFile, fix_files

    def diff(file: FixedFile) -> None:
        put_diff(file.old, file.new, file.path)

    values_for = None
    if call.defaults is not None:
        from evalmark.converters.overrides.read_defaults import read_defaults

        values_for = read_defaults(call.defaults).values_for
    fixed = fix_files(
        call.paths,
        options,
        unsafe=call.unsafe_fixes,
        defaults=values_for,
        write=not call.diff,
        only=selection.changed if selection else None,
        changed=diff if call.diff else None,
    )
    for path, reason in fixed.not_written:
        say(f"evalmark: {path}: {reason}")
    return fixed


def _say_unused(call: CheckCall, checked: Checked) -> None:
    """Say which ignores match nothing."""
    if call.hook or call.quiet or call.changed is not None:
        return  # a hook sees some of the files only, and so does a check of what has changed
    for unused in checked.unused_ignores:
        codes = ", ".join(sorted(unused.codes))
        place = unused.files + (f"#{unused.pointer}" if unused.pointer else "")
        say(f"unused ignore: {codes} in {place} matches nothing")
