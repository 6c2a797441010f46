"""What ``evalmark check`` and ``evalmark-hook`` share: check, fix, show, exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.cli.settings import settings
from evalmark.schemas.errors import UndefinedValue, UsageError
from evalmark.validator.batch.check_files import BatchOptions, Checked, batch_options, check_batch
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
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

if TYPE_CHECKING:
    from pathlib import Path

    from evalmark.validator.batch.check_changed import Selection
    from evalmark.validator.batch.fix_files import FixedFiles
    from evalmark.validator.findings.report import Unused
    from evalmark.validator.outputs.look import Look

#: Value of --fail-on → severities that give exit code 1.
FAILING: dict[str, frozenset[str]] = {
    "error": frozenset({"error"}),
    "warning": frozenset({"error", "warning"}),
    "never": frozenset(),
}
#: Output formats for programs: written even if there are no findings.
MACHINE = ("json", "jsonl", "sarif", "junit", "markdown")
#: Formats that list all checked files, also those without findings.
LISTING = frozenset(("junit",))


class Wanted(NamedTuple):
    """What the command line asks for, besides the arguments of the check itself."""

    paths: Sequence[str]
    output_format: str = "auto"
    fail_on: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    defaults: Path | None = None
    diff: bool = False
    show_all: bool = False
    quiet: bool = False
    verbose: bool = False
    color: str = "auto"
    stdin_filename: str = "<stdin>"
    jobs: int | None = None
    ray: bool = False
    hook: bool = False
    outputs: Sequence[str] = ()  # FORMAT=FILE
    changed: str | None = None

    @property
    def reads_stdin(self) -> bool:
        """Whether standard input is checked."""
        return "-" in self.paths

    @property
    def rewrites_stdin(self) -> bool:
        """Whether stdout has the fixed text of standard input."""
        return self.fix and not self.diff and list(self.paths) == ["-"]

    @property
    def is_for_programs(self) -> bool:
        """Whether the report is written even if there are no findings."""
        return self.output_format in MACHINE


def run(wanted: Wanted, **arguments: Any) -> int:
    """Check, fix and show; the exit code. The arguments are those of ``batch_options``.

    Raises:
        UsageError: Options exclude each other.
    """
    _require_sense(wanted)
    outputs = _outputs(wanted)
    config = settings(*(["ray.address"] if wanted.ray else []))
    stdin = sys.stdin.buffer.read() if wanted.reads_stdin else b""
    streamed: set[Finding] = set()
    options = _batch_options(wanted, batch_options(config, **arguments), stdin)._replace(
        each=_each(wanted, streamed),
        listed=not LISTING.isdisjoint((wanted.output_format, *dict(outputs))),
    )
    selection = _selection(wanted, options)
    skipped: Sequence[tuple[str, str]] = ()
    if selection is not None:
        wanted, options = wanted._replace(paths=selection.paths), selection.options
        skipped = selection.skipped
    fixed = _fixed(wanted, options, selection)
    checked = fixed.checked if fixed else check_batch(wanted.paths, options)
    for remark in checked.remarks:
        say(f"note: {remark}")
    stdin = fixed.stdin if fixed else stdin
    written = _write(outputs, wanted, checked, stdin)
    if wanted.verbose:
        say_skipped((*skipped, *checked.skipped))
    code = None if checked.files or wanted.hook else _nothing(wanted, checked)
    if code is None:
        show(wanted, checked, fixed, stdin, streamed)
        _say_unused(wanted, checked)
        code = _found(wanted, checked, fixed, FAILING[wanted.fail_on or config.fail_on])
    return code if written else COULD_NOT_RUN


def _batch_options(wanted: Wanted, options: BatchOptions, stdin: bytes) -> BatchOptions:
    """The options of the check that are those of the command line."""
    return options._replace(
        jobs=wanted.jobs,
        ray=wanted.ray,
        picked=wanted.hook,
        hook=wanted.hook,
        bars=not (wanted.quiet or wanted.hook),
        stdin=(wanted.stdin_filename, stdin) if wanted.reads_stdin else None,
    )


def _nothing(wanted: Wanted, checked: Checked) -> int | None:
    """Say that no file was checked; the exit code, or None if there is a report all the same."""
    if wanted.paths and wanted.changed is None:
        return complain(f"no files to check{reason_of(checked.skipped)}")
    if checked.findings or wanted.quiet or wanted.is_for_programs:
        return None
    is_empty = wanted.changed is None
    say("The list is empty." if is_empty else "No evaluation files have changed.")
    return CLEAN


def _found(
    wanted: Wanted, checked: Checked, fixed: FixedFiles | None, failing: frozenset[str]
) -> int:
    """The exit code for what was checked and fixed."""
    if checked.unreadable or (fixed and fixed.not_written):
        return COULD_NOT_RUN
    if wanted.diff and fixed and fixed.changed and failing:
        return FOUND
    return FOUND if any(f.severity in failing for f in checked.findings) else CLEAN


def _outputs(wanted: Wanted) -> Sequence[tuple[str, str]]:
    """The format and the file of each further report."""
    if not wanted.outputs:
        return ()
    from evalmark.validator.outputs.rendering import parsed_outputs

    return parsed_outputs(wanted.outputs, wanted.paths)


def _write(
    outputs: Sequence[tuple[str, str]], wanted: Wanted, checked: Checked, stdin: bytes
) -> bool:
    """Write the further reports; whether all of them could be written."""
    if not outputs:
        return True
    from evalmark.validator.outputs.rendering import write_outputs

    not_written = write_outputs(outputs, checked.findings, _look(wanted, checked, stdin))
    for path, reason in not_written:
        say(f"evalmark: {path}: cannot be written: {reason}")
    return not not_written


def _look(wanted: Wanted, checked: Checked, stdin: bytes) -> Look:
    """What output formats need to know besides the findings."""
    from evalmark.validator.outputs.look import Look, colored, sources, summarize

    web = ""
    if "GITHUB_REPOSITORY" in os.environ:
        from evalmark.validator.outputs.look import web_folder

        web = web_folder(os.environ)
    return Look(
        summarize(checked.files, checked.findings),
        sources(checked.findings, (wanted.stdin_filename, stdin) if wanted.reads_stdin else None),
        wanted.show_all,
        colored(wanted.color, sys.stdout),
        checked.verdicts,
        checked.paths,
        web,
    )


def _require_sense(wanted: Wanted) -> None:
    """Refuse options of which one would be ignored."""
    if wanted.diff and wanted.is_for_programs:
        raise UsageError(f"--format {wanted.output_format} and --diff exclude each other")
    for name, given in (("--unsafe-fixes", wanted.unsafe_fixes), ("--defaults", wanted.defaults)):
        if given and not (wanted.fix or wanted.diff):
            raise UsageError(f"{name} needs --fix or --diff")
    if wanted.ray and wanted.jobs is not None:
        raise UsageError("--jobs is for workers on this machine; --engine ray does not use it")


def _each(wanted: Wanted, streamed: set[Finding]) -> Callable[[Report], Report] | None:
    """What is done with each report as soon as it is there: JSON lines are written at once."""
    streams = wanted.output_format == "jsonl" and not wanted.fix
    if not (streams or wanted.verbose):
        return None

    def tell_of(report: Report) -> Report:
        if wanted.verbose:
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


def _selection(wanted: Wanted, options: BatchOptions) -> Selection | None:
    """What a branch changes, if only that is wanted."""
    if wanted.changed is None:
        return None
    from evalmark.validator.batch.check_changed import select_changed

    selection = select_changed(wanted.paths, wanted.changed, options)
    for remark in selection.remarks if wanted.verbose else ():
        say(remark)
    return selection


def _fixed(wanted: Wanted, options: BatchOptions, selection: Selection | None) -> FixedFiles | None:
    """Fix files, or show what would change, if asked to; of a branch, those that it has changed."""
    if not (wanted.fix or wanted.diff):
        return None
    from evalmark.validator.batch.fix_files import FixedFile, fix_files

    def diff(file: FixedFile) -> None:
        print_diff(file.old, file.new, file.path)

    known = None
    if wanted.defaults is not None:
        from evalmark.converters.overrides.read_defaults import read_defaults

        known = read_defaults(wanted.defaults).values_for
    fixed = fix_files(
        wanted.paths,
        options,
        unsafe=wanted.unsafe_fixes,
        known=known,
        write=not wanted.diff,
        only=selection.changed if selection else None,
        changed=diff if wanted.diff else None,
    )
    for path, reason in fixed.not_written:
        say(f"evalmark: {path}: {reason}")
    return fixed


def show(
    wanted: Wanted,
    checked: Checked,
    fixed: FixedFiles | None,
    stdin: bytes,
    streamed: Collection[Finding] = (),
) -> None:
    """Write the findings that are not written yet to stdout, and a summary to stderr."""
    if wanted.rewrites_stdin:
        from evalmark.validator.outputs.look import decoded

        put(decoded(stdin))
    if not (checked.findings or wanted.is_for_programs) and (wanted.quiet or wanted.hook):
        return
    from evalmark.validator.outputs.look import output_format_for, summary_text, verdicts_text
    from evalmark.validator.outputs.rendering import render

    look = _look(wanted, checked, stdin)
    stream = sys.stderr if wanted.rewrites_stdin else sys.stdout
    left = checked.findings
    if streamed:  # only then: telling findings apart takes a hash of each
        left = tuple(finding for finding in left if finding not in streamed)
    text = render(output_format_for(wanted.output_format, sys.stdout), left, look)
    if wanted.is_for_programs:
        put(text, stream)
        return
    stream.write(text)
    if not wanted.quiet:
        stream.flush()
        _say_fixes(wanted, fixed)
        sys.stderr.write(summary_text(look.summary, checked.findings))
        sys.stderr.write(verdicts_text(checked.verdicts))


def _say_unused(wanted: Wanted, checked: Checked) -> None:
    """Say which settings match nothing."""
    if wanted.hook or wanted.quiet or wanted.changed is not None:
        return  # a hook sees some of the files only, and so does a check of what has changed
    for unused in checked.unused_ignores:
        codes = ", ".join(sorted(unused.codes))
        place = unused.files + (f"#{unused.pointer}" if unused.pointer else "")
        say(f"unused ignore: {codes} in {place} matches nothing")
    for glob in checked.unused_globs:
        say(f"unused setting: there is nothing at {glob}, which `files` names")


def _say_fixes(wanted: Wanted, fixed: FixedFiles | None) -> None:
    """What was fixed, or would be; by kind where that says more."""
    if not fixed or not fixed.fixes:
        return
    verb = "Would fix" if wanted.diff else "Fixed"
    what = "finding" if wanted.defaults is None else "place"
    files, places = len(fixed.changed), fixed.fixes
    say(f"{verb} {places} {what}{'s'[: places - 1]} in {files} file{'s'[: files - 1]}.")
    if len(fixed.mends) > 1 or wanted.defaults is not None:
        say(f"{'files':>7} {'places':>7}")
        for mend in fixed.mends:
            say(f"{mend.files:7} {mend.places:7}  {mend.what}")


class UnusedFiles:
    """The files that a command could not use, while it used the others.

    Attributes:
        done: What the command does with files: ``scored``, ``run``.
        hints: Argument of the library -> what the user can do about it.
        found: Each file, with the model that could not use it if others could.
    """

    def __init__(self, done: str, hints: Mapping[str, str]) -> None:
        self.done = done
        self.hints = hints
        self.found: list[tuple[Unused, str]] = []

    def add(self, name: str, error: Exception, model: str = "") -> None:
        """Note a file, and show what ``check`` finds in it."""
        from evalmark.validator.findings.report import Unused  # the hook uses every file

        self.found.append((Unused(name, error), model))
        say_findings(getattr(error, "findings", ()))

    def say(self) -> int:
        """Name each with its reason; the exit code."""
        code = CLEAN
        for unused, model in self.found:
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
            for unused, model in self.found
        ]


def hint_of(error: Exception, hints: Mapping[str, str]) -> str:
    """What the user can do about an error, if that is known."""
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

        look = Look(summarize(0, findings), sources(findings), colour=colored("auto", sys.stderr))
        sys.stderr.write(render(output_format_for("auto", sys.stderr), findings, look))
