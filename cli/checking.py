"""Check, fix, show, exit code: the part that ``evalmark check`` and ``evalmark-hook`` share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.schemas.errors import UndefinedValue, UsageError
from evalmark.validator.batch.check_files import BatchOptions, Checked
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import FAILING, Report, Unused
from evalmark.validator.io.terminal import (
    CLEAN,
    COULD_NOT_RUN,
    FOUND,
    complain,
    print_diff,
    put,
    reason_of,
    say,
    say_skipped,
)
from evalmark.validator.settings.config import Config, load_config

if TYPE_CHECKING:
    from pathlib import Path

    from evalmark.validator.batch.changes.branch_settings import BranchSettings
    from evalmark.validator.batch.changes.check_changed import Selection
    from evalmark.validator.batch.changes.result_differences import ResultDifferences
    from evalmark.validator.batch.fix_files import FixedFiles
    from evalmark.validator.outputs.look import Look

#: Output formats for programs: written even if there are no findings.
MACHINE = ("json", "jsonl", "sarif", "junit", "markdown")
#: Formats that list all checked files, also those without findings.
LISTING = frozenset(("junit",))


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


def settings(*required: str) -> Config:
    """The settings; each that is not for a folder to decide is a line on stderr.

    Args:
        required: Settings that the command needs, since nothing else gives them.

    Raises:
        ConfigError: They cannot be used.
        UsageError: A setting is not used, and the command needs it.
    """
    config = load_config()
    for refused in config.refused:
        if refused.setting not in required:
            say(f"note: {refused.line}")
    for refused in config.refused:
        if refused.setting in required:
            raise UsageError(refused.line)
    return config


def run(call: CheckCall, **arguments: Any) -> int:
    """Check, fix and show; the exit code. The arguments are those of a ``Checker``.

    Raises:
        UsageError: Options exclude each other.
    """
    _require_sense(call)
    outputs = _outputs(call)
    branch = _branch_settings(call)
    config = branch.held if branch else _settings(call)
    checker = Checker(config, **arguments)
    stdin = sys.stdin.buffer.read() if call.reads_stdin else b""
    streamed: set[Finding] = set()
    options = _batch_options(call, checker.options, stdin)._replace(
        each=_each(call, streamed),
        listed=not LISTING.isdisjoint((call.output_format, *dict(outputs))),
    )
    asked, selection = call, _selection(call, options)
    if selection is not None:
        call, options = call._replace(paths=selection.paths), selection.options
    fixed = _fix(call, options, selection)
    checked = fixed.checked if fixed else checker.files(call.paths, options)
    if branch is not None:
        checked = _with_settings(checked, asked, branch, arguments)
    for remark in checked.remarks:
        say(f"note: {remark}")
    stdin = fixed.stdin if fixed else stdin
    if selection is not None:
        checked = replace(checked, skipped=(*selection.skipped, *checked.skipped))
    differences = selection.differences if selection else None
    written = _write(outputs, call, checked, stdin, differences)
    if call.verbose:
        say_skipped(checked.skipped)
    code = None if checked.files or call.hook else _nothing(call, checked, differences)
    if not (call.quiet or call.hook or call.is_for_programs):
        _say_of_call(checked, differences)
    if code is None:
        show(call, checked, fixed, stdin, streamed, differences)
        _say_unused(call, checked)
        code = _exit_code(call, checked, fixed, FAILING[call.fail_on or config.fail_on])
    return code if written else COULD_NOT_RUN


def _say_of_call(checked: Checked, differences: ResultDifferences | None) -> None:
    """Say what a branch does to results, and what was skipped."""
    if differences is not None:
        from evalmark.validator.outputs.difference_text import difference_lines

        for line in difference_lines(differences):
            say(line)
    if checked.skipped:
        from evalmark.validator.outputs.look import skipped_text

        say(skipped_text(checked.skipped))


def _batch_options(call: CheckCall, options: BatchOptions, stdin: bytes) -> BatchOptions:
    return options._replace(
        jobs=call.jobs,
        ray=call.ray,
        picked=call.hook or call.listed,
        hook=call.hook,
        bars=not (call.quiet or call.hook),
        stdin=(call.stdin_filename, stdin) if call.reads_stdin else None,
    )


def _nothing(
    call: CheckCall, checked: Checked, differences: ResultDifferences | None
) -> int | None:
    """Say that no file was checked; the exit code, or None if there is a report all the same."""
    if call.paths and not call.listed and call.changed is None:
        return complain(f"no files to check{reason_of(checked.skipped)}")
    if checked.findings or call.quiet or call.is_for_programs:
        return None
    if differences is not None and differences.summary:
        return CLEAN  # the branch only deletes
    listed = "No evaluation files are in the list." if call.paths else "The list is empty."
    say(listed if call.changed is None else "No evaluation files have changed.")
    return CLEAN


def _exit_code(
    call: CheckCall, checked: Checked, fixed: FixedFiles | None, failing: frozenset[str]
) -> int:
    if checked.unreadable or (fixed and fixed.not_written):
        return COULD_NOT_RUN
    if call.diff and fixed and fixed.changed and failing:
        return FOUND
    return FOUND if any(f.severity in failing for f in checked.findings) else CLEAN


def _outputs(call: CheckCall) -> Sequence[tuple[str, str]]:
    """The format and the file of each further report."""
    if not call.outputs:
        return ()
    from evalmark.validator.outputs.rendering import parsed_outputs

    return parsed_outputs(call.outputs, call.paths)


def _write(
    outputs: Sequence[tuple[str, str]],
    call: CheckCall,
    checked: Checked,
    stdin: bytes,
    differences: ResultDifferences | None,
) -> bool:
    """Write the further reports; whether all of them could be written."""
    if not outputs:
        return True
    from evalmark.validator.outputs.rendering import write_outputs

    look = _look(call, checked, stdin, differences)
    not_written = write_outputs(outputs, checked.findings, look)
    for path, reason in not_written:
        say(f"evalmark: {path}: cannot be written: {reason}")
    return not not_written


def _look(
    call: CheckCall, checked: Checked, stdin: bytes, differences: ResultDifferences | None
) -> Look:
    """The facts that output formats need besides the findings."""
    from evalmark.validator.outputs.look import Look, colored, skipped_text, sources, summarize

    web = ""
    if "GITHUB_REPOSITORY" in os.environ:
        from evalmark.validator.outputs.look import web_folder

        web = web_folder(os.environ)
    return Look(
        summarize(checked.files, checked.findings, len(checked.skipped)),
        sources(checked.findings, (call.stdin_filename, stdin) if call.reads_stdin else None),
        call.verbose,
        colored(sys.stdout),
        checked.verdicts,
        checked.paths,
        skipped_text(checked.skipped),
        differences,
        web,
    )


def _require_sense(call: CheckCall) -> None:
    """Refuse options of which one would be ignored."""
    if call.diff and call.is_for_programs:
        raise UsageError(f"--format {call.output_format} and --diff exclude each other")
    for name, value in (("--unsafe-fixes", call.unsafe_fixes), ("--defaults", call.defaults)):
        if value and not (call.fix or call.diff):
            raise UsageError(f"{name} needs --fix or --diff")


def _each(call: CheckCall, streamed: set[Finding]) -> Callable[[Report], Report] | None:
    """A function that takes each report as it comes: JSON lines are written at once."""
    streams = call.output_format == "jsonl" and not call.fix
    if not (streams or call.verbose):
        return None

    def tell_of(report: Report) -> Report:
        if call.verbose:
            say(f"{report.path}: checked as {report.kind} {report.version or ''}".rstrip())
            for remark in report.remarks:
                say(remark)
            for path, verdict in report.verdicts:
                say(f"{path}: EEE's validator: {verdict}")
        if streams and report.findings:
            from evalmark.validator.outputs.rendering import json_lines

            put(json_lines(report.findings))
            sys.stdout.flush()
            streamed.update(report.findings)
        return report

    return tell_of


def _settings(call: CheckCall) -> Config:
    return settings(*(["ray.address"] if call.ray else []))


def _branch_settings(call: CheckCall) -> BranchSettings | None:
    """The settings of a branch and of its base, if what the branch changes is checked."""
    if call.changed is None:
        return None
    from evalmark.validator.batch.changes.branch_settings import branch_settings

    return branch_settings(call.changed, lambda: _settings(call))


def _with_settings(
    checked: Checked, call: CheckCall, branch: BranchSettings, arguments: Mapping[str, Any]
) -> Checked:
    """The result under the settings of the base, with what those of the branch would hide."""
    if branch.problem and branch.own:
        checked = replace(checked, remarks=(*checked.remarks, branch.problem))
    if not branch.path:
        return checked
    held, own = (Checker(config, **arguments) for config in (branch.held, branch.own))
    hidden: list[Finding] = []
    if branch.own is not None and not branch.is_lacking:
        # Also in files that stay as they are: else one more file would make it look harmless.
        shown, left = (list(_found(call, each, is_all=True)) for each in (held, own))
        if not branch.is_alone:
            shown += checked.findings
            left += _found(call, own, is_all=False)
        hidden = branch.hidden(shown, left)
        if branch.is_alone:
            return replace(checked, remarks=(*checked.remarks, branch.remark(hidden)))
    finding = branch.finding(hidden, held.options.check.profile)
    reports = (*checked.reports, Report(branch.path, None, None, (finding,)))
    return replace(checked, reports=reports, unreadable=checked.unreadable or branch.is_lacking)


def _found(call: CheckCall, checker: Checker, *, is_all: bool) -> tuple[Finding, ...]:
    """What is found in all files of a call, or in those that the branch changes."""
    paths, options = call.paths, _batch_options(call, checker.options, b"")._replace(bars=False)
    if not is_all:
        from evalmark.validator.batch.changes.check_changed import select_changed

        selection = select_changed(paths, call.changed or "", options)
        paths, options = selection.paths, selection.options
    return checker.files(paths, options).findings


def _selection(call: CheckCall, options: BatchOptions) -> Selection | None:
    """The files that a branch changes, if only these are checked."""
    if call.changed is None:
        return None
    from evalmark.validator.batch.changes.check_changed import select_changed

    selection = select_changed(call.paths, call.changed, options)
    for remark in selection.remarks if call.verbose else ():
        say(remark)
    return selection


def _fix(call: CheckCall, options: BatchOptions, selection: Selection | None) -> FixedFiles | None:
    """Fix files or show the changes, with ``--fix`` or ``--diff``; of a branch, only its own."""
    if not (call.fix or call.diff):
        return None
    from evalmark.validator.batch.fix_files import FixedFile, fix_files

    def diff(file: FixedFile) -> None:
        print_diff(file.old, file.new, file.path)

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


def show(
    call: CheckCall,
    checked: Checked,
    fixed: FixedFiles | None,
    stdin: bytes,
    streamed: Collection[Finding] = (),
    differences: ResultDifferences | None = None,
) -> None:
    """Write the findings that are not written yet to stdout, and a summary to stderr."""
    if call.rewrites_stdin:
        from evalmark.validator.outputs.look import decoded

        put(decoded(stdin))
    if not (checked.findings or call.is_for_programs) and (call.quiet or call.hook):
        return
    from evalmark.validator.outputs.look import output_format_for, summary_text, verdicts_text
    from evalmark.validator.outputs.rendering import render

    look = _look(call, checked, stdin, differences)
    stream = sys.stderr if call.rewrites_stdin else sys.stdout
    left = checked.findings
    if streamed:  # only then: telling findings apart takes a hash of each
        left = tuple(finding for finding in left if finding not in streamed)
    text = render(output_format_for(call.output_format, sys.stdout), left, look)
    if call.is_for_programs:
        put(text, stream)
        return
    stream.write(text)
    if not call.quiet:
        stream.flush()
        _say_fixes(call, fixed)
        sys.stderr.write(summary_text(look.summary, checked.findings))
        sys.stderr.write(verdicts_text(checked.verdicts))


def _say_unused(call: CheckCall, checked: Checked) -> None:
    """Say which settings match nothing."""
    if call.hook or call.quiet or call.changed is not None:
        return  # a hook sees some of the files only, and so does a check of what has changed
    for unused in checked.unused_ignores:
        codes = ", ".join(sorted(unused.codes))
        place = unused.files + (f"#{unused.pointer}" if unused.pointer else "")
        say(f"unused ignore: {codes} in {place} matches nothing")
    for glob in checked.unused_globs:
        say(f"unused setting: there is nothing at {glob}, which `files` names")


def _say_fixes(call: CheckCall, fixed: FixedFiles | None) -> None:
    """Say how many findings were fixed, or would be; by kind where that says more."""
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


class UnusedFiles:
    """The files that a command could not use, while it used the others.

    Attributes:
        done: What the command does with files: ``scored``, ``run``.
        hints: Argument of the library -> what the user can do about it.
        files: Each file, with the model that could not use it if others could.
    """

    def __init__(self, done: str, hints: Mapping[str, str]) -> None:
        self.done = done
        self.hints = hints
        self.files: list[tuple[Unused, str]] = []

    def add(self, name: str, error: Exception, model: str = "") -> None:
        """Note a file, and show what ``check`` finds in it."""
        self.files.append((Unused(name, error), model))
        say_findings(getattr(error, "findings", ()))

    def say(self) -> int:
        """Name each with its reason; the exit code."""
        code = CLEAN
        for unused, model in self.files:
            done = f"{self.done} with {model}" if model else self.done
            reason = f"{unused.reason}{hint_of(unused.error, self.hints)}"
            complain(f"not {done}: {unused.name}: {reason}")
            refused = isinstance(unused.error, UndefinedValue)
            code = max(code, FOUND if refused else COULD_NOT_RUN)
        return code

    def data(self) -> list[dict[str, Any]]:
        """The same as JSON; model is null if no model could use the file."""
        return [
            {"name": unused.name, "model": model or None, "reason": unused.reason}
            for unused, model in self.files
        ]


def hint_of(error: Exception, hints: Mapping[str, str]) -> str:
    """A hint at the option that avoids an error, or an empty text."""
    hint = hints.get(getattr(error, "argument", ""))
    return f"; {hint}" if hint else ""


def say_findings(findings: Sequence[Finding]) -> None:
    """Write findings to stderr as ``check`` shows them."""
    if findings:
        from evalmark.validator.outputs.look import (
            Look,
            colored,
            output_format_for,
            sources,
            summarize,
        )
        from evalmark.validator.outputs.rendering import render

        look = Look(summarize(0, findings), sources(findings), colour=colored(sys.stderr))
        sys.stderr.write(render(output_format_for("auto", sys.stderr), findings, look))
