"""What ``evalmark check`` and ``evalmark-hook`` do alike: files → findings → report → exit code."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NamedTuple

from evalmark.validator import ConfigError, check_bytes, check_file, expand, load_config

from ._progress import reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from evalmark.validator import Config, FileIgnore, Finding, Report, Source
    from evalmark.validator.report import Summary

CLEAN, FOUND, COULD_NOT_RUN = 0, 1, 2
#: Files after which cycles are looked for, should there be any.
_COLLECTED = 500


class Options(NamedTuple):
    """What the user asked for; the defaults are those of the command line."""

    paths: Sequence[str]
    kind: str | None = None
    schema_version: str | None = None
    join: str | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    profile: str | None = None
    datastore: bool = False
    format: str = "auto"
    fail_on: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    show_all: bool = False
    quiet: bool = False
    verbose: bool = False
    colour: str = "auto"
    stdin_filename: str = "<stdin>"
    exit_zero: bool = False
    backend: str = "auto"
    #: Under the hook, files of no known kind are passed over: a repository has other JSON too.
    hook: bool = False


def run(options: Options) -> int:
    """Check, show, and say how it went."""
    try:
        config = load_config()
    except ConfigError as error:
        return complain(str(error))
    if options.select or options.ignore:
        from evalmark.validator import rule_codes

        try:
            config = config._replace(
                select=(*config.select, *rule_codes(options.select)),
                ignore=(*config.ignore, *rule_codes(options.ignore)),
            )
        except KeyError as error:
            return complain(f"there is no rule {error.args[0]!r}; `evalmark rules` lists them")
    if options.backend != "auto":
        from evalmark.validator import use_backend

        try:
            use_backend(options.backend)
        except ImportError as error:
            return complain(f"--backend {options.backend}: {error}; pip install 'evalmark[fast]'")
    # What is read is a tree, and is let go as one: looking for cycles costs more than reading.
    gc.disable()
    session = _Session(options, config)
    for number, (path, named) in enumerate(_files(options, config), 1):
        session.check(path, named and not options.hook)
        if not number % _COLLECTED:
            gc.collect()
    gc.enable()
    return session.close()


def complain(message: str) -> int:
    """Say on stderr why the job could not be done."""
    sys.stderr.write(f"evalmark: {message}\n")
    return COULD_NOT_RUN


def _files(options: Options, config: Config) -> Iterable[tuple[str, bool]]:
    for path, named in expand(options.paths):
        if config.exclude and (options.hook or not named) and _matches(path, config.exclude):
            continue
        yield path, named


def _matches(path: str, globs: Iterable[str]) -> bool:
    from fnmatch import fnmatch

    plain = os.path.normpath(path).replace(os.sep, "/")
    return any(fnmatch(plain, glob) for glob in globs)


class _Session:
    """One call: its files, its findings."""

    def __init__(self, options: Options, config: Config) -> None:
        self.options = options
        self.config = config
        self.join = options.join or config.join
        self.fail_on = options.fail_on or config.fail_on
        self.files = 0
        self.fixed = 0
        self.changed: list[str] = []
        self.unreadable = False
        self.findings: list[Finding] = []
        self.companions: set[str] = set()
        self.identities: dict[str, str] = {}
        self.used_ignores: set[FileIgnore] = set()
        self.stdin: bytes | None = None
        self.fixed_stdin: str | None = None

    def check(self, path: str, named: bool) -> None:
        if path in self.companions:
            return  # checked with its record, which sorts before it
        report = self._report(path)
        self.companions.update(report.companions, map(os.path.relpath, report.companions))
        if any(finding.code == "F012" for finding in report.findings) and not named:
            return
        self.files += 1 + len(report.companions)
        fixing = self.options.fix or self.options.diff
        if fixing and any(finding.fix for finding in report.findings):
            report = self._fix(path, report)
        self.findings += self._kept((*report.findings, *self._same_id(report)))
        self.unreadable |= any(finding.code == "F011" for finding in report.findings)
        if self.options.verbose:
            kind = f"{report.kind} {report.version or ''}".strip()
            sys.stderr.write(f"{report.path}: checked as {kind}\n")
            for remark in report.remarks:
                sys.stderr.write(f"{remark}\n")

    def _report(self, path: str, raw: bytes | None = None) -> Report:
        options = self.options
        if path == "-" and raw is None:
            raw = self.stdin = sys.stdin.buffer.read()
        if raw is not None:
            name = options.stdin_filename if path == "-" else path
            return check_bytes(
                raw,
                name,
                kind=options.kind,
                schema_version=options.schema_version,
                join=self.join,
                select=self.config.select,
                profile=options.profile,
                datastore=options.datastore,
            )
        with reading(path) as progress:
            return check_file(
                path,
                kind=options.kind,
                schema_version=options.schema_version,
                join=self.join,
                select=self.config.select,
                profile=options.profile,
                datastore=options.datastore,
                progress=progress,
            )

    def _same_id(self, report: Report) -> list[Finding]:
        """A record whose evaluation id an earlier file of this call has."""
        if report.identity is None or self.options.hook:
            return []  # a hook sees some of the files only
        first = self.identities.setdefault(report.identity, report.path)
        if first == report.path:
            return []
        from evalmark.validator import same_evaluation_id

        return [same_evaluation_id(report.path, first, _read(report.path) or b"")]

    def _kept(self, findings: Iterable[Finding]) -> list[Finding]:
        ignored, by_file = self.config.ignore, self.config.per_file_ignores
        if not ignored and not by_file:
            return list(findings)
        return [f for f in findings if f.code not in ignored and not self._ignored_here(f)]

    def _ignored_here(self, finding: Finding) -> bool:
        for ignore in self.config.per_file_ignores:
            if (
                finding.code in ignore.codes
                and f"{finding.pointer}/".startswith(f"{ignore.pointer.rstrip('/')}/")
                and _matches(finding.path, [ignore.files])
            ):
                self.used_ignores.add(ignore)
                return True
        return False

    def _fix(self, path: str, report: Report) -> Report:
        """Apply fixes to one file; the report of what is left."""
        from evalmark.validator import apply_fixes, write_atomically

        raw = self.stdin if path == "-" else _read(path)
        if raw is None:
            return report
        old = raw.decode("utf-8", "replace")
        if any(finding.code == "F003" for finding in self._kept(report.findings)):
            raw = raw[3:]
            self.fixed += 1
            report = self._report(path, raw)
        text = _text(raw)
        fixed = apply_fixes(text, self._kept(report.findings), unsafe=self.options.unsafe_fixes)
        self.fixed += len(fixed.findings)
        if fixed.text == old:
            return report
        if self.options.diff:
            sys.stdout.write(unified_diff(old, fixed.text, report.path))
        elif path == "-":
            self.fixed_stdin = fixed.text
        else:
            try:
                write_atomically(path, fixed.text.encode("utf-8"))
            except OSError as error:
                self.unreadable = True
                sys.stderr.write(f"evalmark: {path}: cannot be written: {error.strerror}\n")
                return report
        self.changed.append(report.path)
        if path == "-" or self.options.diff:
            return self._report(path, fixed.text.encode("utf-8"))
        return self._report(path)  # as it is now, with the samples of a record

    def close(self) -> int:
        """Show what was found; the exit code."""
        options = self.options
        if not self.files and not options.hook:
            return complain("no files to check")
        if options.fix and options.paths == ["-"] and not options.diff:
            text = self.fixed_stdin if self.fixed_stdin is not None else _text(self.stdin or b"")
            sys.stdout.write(text)
        self.show()
        if not options.hook and not options.quiet:
            # A hook sees some of the files only; what matches nothing there may match elsewhere.
            for ignore in self.config.per_file_ignores:
                if ignore not in self.used_ignores:
                    codes = ", ".join(sorted(ignore.codes))
                    place = ignore.files + (f"#{ignore.pointer}" if ignore.pointer else "")
                    sys.stderr.write(f"unused ignore: {codes} in {place} matches nothing\n")
        if self.unreadable:
            return COULD_NOT_RUN
        failing = {"error"} if self.fail_on == "error" else {"error", "warning"}
        if options.exit_zero:
            return CLEAN
        if options.diff and self.changed:
            return FOUND
        return FOUND if any(f.severity in failing for f in self.findings) else CLEAN

    def show(self) -> None:
        options = self.options
        form = _form(options)
        # Forms for programs are written also where there is nothing to say.
        machine = form in ("json", "jsonl", "sarif", "junit")
        silent = options.quiet or options.hook
        if not self.findings and not machine and silent:
            return
        from evalmark.validator.report import REPORTS, Look, summarize

        summary = summarize(self.files, self.findings)
        look = Look(self._source_of, options.show_all, _coloured(options.colour))
        stream = sys.stderr if options.paths == ["-"] and options.fix else sys.stdout
        if not (options.diff and machine):
            stream.write(REPORTS[form](self.findings, summary, look))
        if not options.quiet and not machine:
            stream.flush()
            self._close_line(summary)

    def _close_line(self, summary: Summary) -> None:
        from evalmark.validator.report import summary_text

        verb = "Would fix" if self.options.diff else "Fixed"
        if self.fixed:
            files = len(self.changed)
            plural = "s" if self.fixed > 1 else ""
            where = f"{files} file{'s' if files > 1 else ''}"
            sys.stderr.write(f"{verb} {self.fixed} finding{plural} in {where}.\n")
        first = self.findings[0].code if self.findings else ""
        sys.stderr.write(summary_text(summary, first))

    @property
    def _source_of(self) -> Callable[[str], Source | None]:
        from evalmark.validator import RowFile, Source

        known: dict[str, Source] = {}

        def source_of(path: str) -> Source | None:
            if path not in known:
                known.clear()  # findings come file by file: one text at a time is enough
                if path.endswith(".jsonl"):
                    known[path] = RowFile(path, "rows")
                    return known[path]
                raw = self.stdin if path == self.options.stdin_filename else _read(path)
                if self.options.fix and path == self.options.stdin_filename and self.fixed_stdin:
                    raw = self.fixed_stdin.encode("utf-8")
                if raw is None or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
                    return None
                known[path] = Source(path, _text(raw))
            return known[path]

        return source_of


def unified_diff(old: str, new: str, path: str) -> str:
    """What would change, as ``patch`` reads it."""
    from difflib import unified_diff as diff

    lines = diff(_lines(old), _lines(new), f"a/{path}", f"b/{path}")
    no_end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + no_end for line in lines)


def _lines(text: str) -> list[str]:
    """Lines with their ends; U+2028 inside a string is no end of a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _form(options: Options) -> str:
    if options.format != "auto":
        return options.format
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if sys.stdout.isatty() else "concise"


def _coloured(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() or "FORCE_COLOR" in os.environ


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def _text(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace")
    return text.removeprefix("\ufeff")
