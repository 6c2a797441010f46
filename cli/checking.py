"""What ``evalmark check`` and ``evalmark-hook`` share: check, fix, show, exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalmark.schemas.errors import UsageError
from evalmark.validator.asked import rule_codes
from evalmark.validator.batch.check_files import Checked, check_files
from evalmark.validator.batch.ignores import Ignores
from evalmark.validator.check import check_bytes, check_file
from evalmark.validator.config import load_config
from evalmark.validator.edge.lines import (
    CLEAN,
    COULD_NOT_RUN,
    FOUND,
    complain,
    print_diff,
    put,
    say,
)
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.report import Report

#: Value of --fail-on → severities that give exit code 1.
FAILING: dict[str, frozenset[str]] = {
    "error": frozenset({"error"}),
    "warning": frozenset({"error", "warning"}),
    "never": frozenset(),
}
#: Output formats for programs: written even if there are no findings.
MACHINE = ("json", "jsonl", "sarif", "junit")


@dataclass(frozen=True, slots=True)
class Wanted:
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


def run(
    wanted: Wanted,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    join: str | None = None,
    **arguments: Any,
) -> int:
    """Check, fix and show; the exit code. The arguments are those of ``check_file``.

    Raises:
        UsageError: Options exclude each other.
    """
    _require_sense(wanted)
    config = load_config()
    arguments["select"] = (*config.select, *rule_codes(select))
    arguments["join"] = join or config.join
    stdin = sys.stdin.buffer.read() if "-" in wanted.paths else b""
    ignored = (*config.ignore, *rule_codes(ignore))
    ignores = Ignores(ignored, config.per_file_ignores)
    fixer = Fixer(wanted, arguments, ignores, stdin) if wanted.fix or wanted.diff else None
    checked = check_files(
        wanted.paths,
        exclude=config.exclude,
        ignore=ignored,
        per_file_ignores=config.per_file_ignores,
        jobs=1 if fixer else wanted.jobs,
        ray=wanted.ray,
        ray_address=os.environ.get("RAY_ADDRESS") or config.ray.address,
        hook=wanted.hook,
        bars=True,
        stdin=(wanted.stdin_filename, stdin),
        each=_each(wanted, fixer),
        **arguments,
    )
    if wanted.verbose:
        for link in checked.skipped_links:
            say(f"{link}: skipped: a link out of the folder or to a hidden file")
    if not checked.files and not wanted.hook:
        links = len(checked.skipped_links)
        reason = f" (links skipped: {links}; see --verbose)" if links else ""
        return complain(f"no files to check{reason}")
    show(wanted, checked, fixer, stdin)
    failing = FAILING[wanted.fail_on or config.fail_on]
    if checked.unreadable or (fixer and fixer.failed):
        return COULD_NOT_RUN
    if wanted.diff and fixer and fixer.changed and failing:
        return FOUND
    return FOUND if any(f.severity in failing for f in checked.findings) else CLEAN


def _require_sense(wanted: Wanted) -> None:
    """Refuse options of which one would be ignored."""
    if wanted.diff and wanted.output_format in MACHINE:
        raise UsageError(f"--format {wanted.output_format} and --diff exclude each other")
    if wanted.unsafe_fixes and not (wanted.fix or wanted.diff):
        raise UsageError("--unsafe-fixes needs --fix or --diff")
    if wanted.ray and wanted.jobs is not None:
        raise UsageError("--jobs is for workers on this machine; --engine ray does not use it")


def _each(wanted: Wanted, fixer: Fixer | None) -> Callable[[Report], Report] | None:
    if not wanted.verbose:
        return fixer.fixed if fixer else None

    def each(report: Report) -> Report:
        report = fixer.fixed(report) if fixer else report
        say(f"{report.path}: checked as {report.kind} {report.version or ''}".rstrip())
        for remark in report.remarks:
            say(remark)
        return report

    return each


@dataclass(slots=True)
class Fixer:
    """Applies fixes, or shows them as a diff; counts what it did."""

    wanted: Wanted
    arguments: Mapping[str, Any]
    ignores: Ignores
    stdin: bytes
    fixes: int = 0
    changed: list[str] = field(default_factory=list)
    failed: bool = False

    def fixed(self, report: Report) -> Report:
        """Fix a file; the report of what is left."""
        from evalmark.validator.findings.fix import apply_fixes

        if not any(finding.fix for finding in report.findings):
            return report
        from_stdin = self._is_stdin(report.path)
        raw = self.stdin if from_stdin else read_whole(report.path)
        old = raw.decode("utf-8", "replace")
        findings = report.findings
        if any(finding.code == "F003" for finding in findings):  # a byte order mark
            self.fixes += 1
            again = check_bytes(raw[3:], report.path, **self.arguments)
            findings = self.ignores.kept(again.findings)
        fixed = apply_fixes(text_of(raw), findings, unsafe=self.wanted.unsafe_fixes)
        self.fixes += len(fixed.findings)
        if fixed.text == old:
            return report
        content = fixed.text.encode("utf-8")
        if self.wanted.diff:
            print_diff(old, fixed.text, report.path)
        elif from_stdin:
            self.stdin = content
        elif not self._write(report.path, content):
            return report
        self.changed.append(report.path)
        if from_stdin or self.wanted.diff:
            return check_bytes(content, report.path, **self.arguments)
        return check_file(report.path, **self.arguments)  # with the samples of a record

    def _is_stdin(self, path: str) -> bool:
        return "-" in self.wanted.paths and path == self.wanted.stdin_filename

    def _write(self, path: str, content: bytes) -> bool:
        from evalmark.validator.edge.writing import write_atomically

        try:
            write_atomically(path, content)
        except OSError as error:
            self.failed = True
            say(f"evalmark: {path}: cannot be written: {error.strerror}")
            return False
        return True


def show(wanted: Wanted, checked: Checked, fixer: Fixer | None, stdin: bytes) -> None:
    """Write findings to stdout and a summary to stderr."""
    rewrites_stdin = wanted.fix and not wanted.diff and list(wanted.paths) == ["-"]
    if rewrites_stdin:
        put(text_of(fixer.stdin if fixer else stdin))
    output_format = _output_format(wanted.output_format)
    machine = output_format in MACHINE
    if checked.findings or machine or not (wanted.quiet or wanted.hook):
        from evalmark.validator.outputs.look import Look
        from evalmark.validator.outputs.registry import render
        from evalmark.validator.outputs.summary import summarize, summary_text

        summary = summarize(checked.files, checked.findings)
        source_of = _source_of(wanted, fixer.stdin if fixer else stdin, checked)
        look = Look(summary, source_of, wanted.show_all, _colored(wanted.color))
        stream = sys.stderr if rewrites_stdin else sys.stdout
        text = render(output_format, checked.findings, look)
        if machine:
            put(text, stream)
        else:
            stream.write(text)
        if not wanted.quiet and not machine:
            stream.flush()
            _say_fixes(wanted, fixer)
            first = checked.findings[0].code if checked.findings else ""
            sys.stderr.write(summary_text(summary, first))
    if not wanted.hook and not wanted.quiet:
        # A hook sees some of the files only.
        for unused in checked.unused_ignores:
            codes = ", ".join(sorted(unused.codes))
            place = unused.files + (f"#{unused.pointer}" if unused.pointer else "")
            say(f"unused ignore: {codes} in {place} matches nothing")


def _say_fixes(wanted: Wanted, fixer: Fixer | None) -> None:
    if fixer and fixer.fixes:
        verb = "Would fix" if wanted.diff else "Fixed"
        files = len(fixer.changed)
        plural = "s" if fixer.fixes > 1 else ""
        say(f"{verb} {fixer.fixes} finding{plural} in {files} file{'s' if files > 1 else ''}.")


def _source_of(wanted: Wanted, stdin: bytes, checked: Checked) -> Callable[[str], Any]:
    """The text behind a path, for frames; one text is kept, since findings come file by file."""
    from evalmark.validator.reading.source import RowFile, Source

    known: dict[str, Any] = {}
    # What could not or must not be read is not read for its frame either.
    unread = {finding.path for finding in checked.findings if finding.code == "F011"}

    def source_of(path: str) -> Any:
        if path in unread:
            return None
        if path not in known:
            known.clear()
            if path.endswith(".jsonl"):
                known[path] = RowFile(path, "rows")
                return known[path]
            is_stdin = path == wanted.stdin_filename and "-" in wanted.paths
            try:
                raw = stdin if is_stdin else read_whole(path)
            except OSError:
                return None
            if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
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
