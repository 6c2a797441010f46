"""What ``evalmark check`` and ``evalmark-hook`` share: check, fix, show, exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.batch.batch_options import BatchOptions, batch_options
from evalmark.validator.batch.check_files import Checked, check_batch
from evalmark.validator.config import load_config
from evalmark.validator.edge.lines import (
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
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report

if TYPE_CHECKING:
    from evalmark.validator.batch.check_changed import Selection
    from evalmark.validator.batch.fix_files import FixedFiles
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

    def is_stdin(self, path: str) -> bool:
        """Whether a reported path is standard input."""
        return "-" in self.paths and path == self.stdin_filename


def run(wanted: Wanted, **arguments: Any) -> int:
    """Check, fix and show; the exit code. The arguments are those of ``batch_options``.

    Raises:
        UsageError: Options exclude each other.
    """
    _require_sense(wanted)
    outputs = _outputs(wanted) if wanted.outputs else ()
    config = load_config()
    stdin = sys.stdin.buffer.read() if "-" in wanted.paths else b""
    streamed: set[Finding] = set()
    options = batch_options(config, **arguments)._replace(
        jobs=wanted.jobs,
        ray=wanted.ray,
        ray_address=os.environ.get("RAY_ADDRESS") or config.ray.address,
        picked=wanted.hook,
        hook=wanted.hook,
        bars=not (wanted.quiet or wanted.hook),
        stdin=(wanted.stdin_filename, stdin) if "-" in wanted.paths else None,
        each=_each(wanted, streamed),
        listed=not LISTING.isdisjoint((wanted.output_format, *dict(outputs))),
    )
    selection = _selection(wanted, options)
    if selection is not None:
        wanted, options = wanted._replace(paths=selection.paths), selection.options
    fixes = wanted.fix or wanted.diff
    fixed = _fixed(wanted, options, selection) if fixes else None
    checked = fixed.checked if fixed else check_batch(wanted.paths, options)
    written = not outputs or _write(outputs, wanted, checked, fixed.stdin if fixed else stdin)
    if wanted.verbose:
        say_skipped((*(selection.skipped if selection else ()), *checked.skipped))
    if not checked.files and not wanted.hook:
        if wanted.paths and wanted.changed is None:
            return complain(f"no files to check{reason_of(checked.skipped)}")
        if not (checked.findings or wanted.quiet or wanted.output_format in MACHINE):
            say("No evaluation files have changed." if selection else "The list is empty.")
            return CLEAN if written else COULD_NOT_RUN
    show(wanted, checked, fixed, stdin, streamed)
    failing = FAILING[wanted.fail_on or config.fail_on]
    if checked.unreadable or not written or (fixed and fixed.not_written):
        return COULD_NOT_RUN
    if wanted.diff and fixed and fixed.changed and failing:
        return FOUND
    return FOUND if any(f.severity in failing for f in checked.findings) else CLEAN


def _outputs(wanted: Wanted) -> tuple[tuple[str, str], ...]:
    """Format and file of each report that is wanted.

    Raises:
        UnknownNameError: There is no such format.
        UsageError: A file is missing, is named twice, or is one that is checked.
    """
    from evalmark.validator.outputs.registry import REPORTS

    outputs: list[tuple[str, str]] = []
    for text in wanted.outputs:
        form, equals, path = text.partition("=")
        if not equals or not path or path == "-":
            raise UsageError(
                f"--output needs FORMAT=FILE, for example sarif=evalmark.sarif; got {text!r}"
            )
        if form not in REPORTS:
            raise UnknownNameError("output format", form, tuple(REPORTS))
        real = os.path.realpath(path)
        if real in map(os.path.realpath, (other for _, other in outputs)):
            raise UsageError(f"two --output write to {path}")
        if real in map(os.path.realpath, wanted.paths):
            raise UsageError(f"--output {text} would replace a file that is checked")
        outputs.append((form, path))
    return tuple(outputs)


def _write(
    outputs: tuple[tuple[str, str], ...], wanted: Wanted, checked: Checked, stdin: bytes
) -> bool:
    """Write the further reports; whether all of them could be written."""
    from evalmark.validator.outputs.to_files import write_outputs

    not_written = write_outputs(outputs, checked.findings, _look(wanted, checked, stdin))
    for path, reason in not_written:
        say(f"evalmark: {path}: cannot be written: {reason}")
    return not not_written


def _look(wanted: Wanted, checked: Checked, stdin: bytes) -> Look:
    """What output formats need to know besides the findings."""
    from evalmark.validator.outputs.look import Look
    from evalmark.validator.outputs.summary import summarize

    web = ""
    if "GITHUB_REPOSITORY" in os.environ:
        from evalmark.validator.outputs.uri import web_folder

        web = web_folder(os.environ)
    return Look(
        summarize(checked.files, checked.findings),
        _source_of(wanted, stdin, checked),
        wanted.show_all,
        _colored(wanted.color),
        checked.verdicts,
        checked.paths,
        web,
    )


def listed_paths(name: str) -> list[str]:
    """The paths in a list, in the order of the list; a name in it is never standard input.

    They end in NUL if there is one, else in line feeds.
    """
    raw = sys.stdin.buffer.read() if name == "-" else read_whole(name)
    names = raw.split(b"\0") if b"\0" in raw else raw.replace(b"\r\n", b"\n").split(b"\n")
    paths = [os.fsdecode(each) for each in names if each]
    return [os.path.join(os.curdir, path) if path == "-" else path for path in paths]


def _require_sense(wanted: Wanted) -> None:
    """Refuse options of which one would be ignored."""
    if wanted.diff and wanted.output_format in MACHINE:
        raise UsageError(f"--format {wanted.output_format} and --diff exclude each other")
    if wanted.unsafe_fixes and not (wanted.fix or wanted.diff):
        raise UsageError("--unsafe-fixes needs --fix or --diff")
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
            from evalmark.validator.outputs.json_report import json_lines

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
    if wanted.verbose:
        for remark in selection.remarks:
            say(remark)
    return selection


def _fixed(wanted: Wanted, options: BatchOptions, selection: Selection | None) -> FixedFiles:
    """Fix files, or show what would change; of a branch, those that it has changed."""
    from evalmark.validator.batch.fix_files import FixedFile, fix_files

    def diff(file: FixedFile) -> None:
        print_diff(file.old, file.new, file.path)

    fixed = fix_files(
        wanted.paths,
        options,
        unsafe=wanted.unsafe_fixes,
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
    rewrites_stdin = wanted.fix and not wanted.diff and list(wanted.paths) == ["-"]
    if rewrites_stdin:
        put(text_of(fixed.stdin if fixed else stdin))
    output_format = _output_format(wanted.output_format)
    machine = output_format in MACHINE
    if checked.findings or machine or not (wanted.quiet or wanted.hook):
        from evalmark.validator.outputs.registry import render
        from evalmark.validator.outputs.summary import summary_text, verdicts_text

        look = _look(wanted, checked, fixed.stdin if fixed else stdin)
        stream = sys.stderr if rewrites_stdin else sys.stdout
        left = checked.findings
        if streamed:  # only then: telling findings apart takes a hash of each
            left = tuple(finding for finding in left if finding not in streamed)
        text = render(output_format, left, look)
        if machine:
            put(text, stream)
        else:
            stream.write(text)
        if not wanted.quiet and not machine:
            stream.flush()
            _say_fixes(wanted, fixed)
            sys.stderr.write(summary_text(look.summary, checked.findings))
            sys.stderr.write(verdicts_text(checked.verdicts))
    if not wanted.hook and not wanted.quiet and wanted.changed is None:
        # A hook sees some of the files only, and so does a check of what has changed.
        for unused in checked.unused_ignores:
            codes = ", ".join(sorted(unused.codes))
            place = unused.files + (f"#{unused.pointer}" if unused.pointer else "")
            say(f"unused ignore: {codes} in {place} matches nothing")
        for glob in checked.unused_globs:
            say(f"unused setting: there is nothing at {glob}, which `files` names")


def _say_fixes(wanted: Wanted, fixed: FixedFiles | None) -> None:
    if fixed and fixed.fixes:
        verb = "Would fix" if wanted.diff else "Fixed"
        files = len(fixed.changed)
        plural = "s" if fixed.fixes > 1 else ""
        say(f"{verb} {fixed.fixes} finding{plural} in {files} file{'s' if files > 1 else ''}.")


def _source_of(wanted: Wanted, stdin: bytes, checked: Checked) -> Callable[[str], Any]:
    """The text behind a path, for frames; one text is kept, since findings come file by file."""
    from evalmark.validator.reading.source import RowFile, Source

    known: dict[str, Any] = {}
    # What could not or must not be read, or is not text, is not read for its frame either.
    unread = {f.path for f in checked.findings if f.code in ("F004", "F011")}

    def source_of(path: str) -> Any:
        if path in unread:
            return None
        if path not in known:
            known.clear()
            if path.endswith(".jsonl"):
                known[path] = RowFile(path, "rows")
                return known[path]
            try:
                raw = stdin if wanted.is_stdin(path) else read_whole(path)
            except OSError:
                return None
            known[path] = Source(path, text_of(raw))
        return known[path]

    return source_of


def _output_format(choice: str) -> str:
    if choice != "auto":
        return choice
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if sys.stdout.isatty() else "concise"


def _colored(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() or "FORCE_COLOR" in os.environ


def text_of(raw: bytes) -> str:
    """Bytes as text, without a byte order mark."""
    return raw.decode("utf-8", "replace").removeprefix("\ufeff")
