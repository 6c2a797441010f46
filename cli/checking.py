"""What ``evalmark check`` and ``evalmark-hook`` do alike: files → findings → report → exit code."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from evalmark.cli.entries import Entry, entries_of, matches, size_of
from evalmark.cli.lines import COULD_NOT_RUN, complain, put, say
from evalmark.schemas.errors import ConfigError, UnknownNameError
from evalmark.validator.asked import asked, rule_codes
from evalmark.validator.check import check_one
from evalmark.validator.config import load_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from evalmark.validator.batch.duplicates import Repeats
    from evalmark.validator.batch.workers import Share
    from evalmark.validator.config import Config, FileIgnore
    from evalmark.validator.findings.finding import Finding
    from evalmark.validator.findings.report import Report

#: Value of --fail-on → severities that give exit code 1.
FAILING = {"error": {"error"}, "warning": {"error", "warning"}, "never": set[str]()}
CLEAN, FOUND, INTERRUPTED = 0, 1, 130
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
    schema_only: bool = False
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
    #: Processes; None for as many as there are processors, once there is enough to share out.
    jobs: int | None = None
    #: Bytes after which the rest is shared out: starting processes has been repaid by then.
    enough: int = 20_000_000
    engine: str = "local"
    #: Under the hook, files of no known kind are passed over: a repository has other JSON too.
    hook: bool = False


def run(options: Options) -> int:
    """Check, show, and say how it went."""
    try:
        code = _run(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Who read our output has gone, as `head` does. What is left of it goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _run(options: Options) -> int:
    try:
        config = load_config()
    except ConfigError as error:
        return complain(str(error))
    try:
        config = replace(
            config,
            select=(*config.select, *rule_codes(options.select)),
            ignore=(*config.ignore, *rule_codes(options.ignore)),
        )
        session = Session(options, config)
    except UnknownNameError as error:
        return complain(str(error))
    # What is read is a tree, and is let go as one: looking for cycles costs more than reading.
    gc.disable()
    entries = session.entries()
    if options.engine == "local":
        session.check_here(entries)
    if (entry := next(entries, None)) is not None:
        from evalmark.cli.beside import check_beside

        code = check_beside(session, chain([entry], entries))
        if code is not None:
            gc.enable()
            return code
    session.check_identities()
    gc.enable()
    return session.close()


#: Forms for programs; they are written also where there is nothing to say.
MACHINE = ("json", "jsonl", "sarif", "junit")


class Session:
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
        #: Number of a file, and what was found in it.
        self._found: list[tuple[int, list[Finding]]] = []
        self.bytes = 0
        self.asked = asked(
            kind=options.kind,
            schema_version=options.schema_version,
            join=self.join,
            select=config.select,
            profile=options.profile,
            datastore=options.datastore,
            schema_only=options.schema_only,
        )
        self._one_identity: tuple[str, int] | None = None
        self._identities: Repeats | None = None
        self.companions: set[str] = set()
        self.used_ignores: set[FileIgnore] = set()
        self.stdin: bytes | None = None
        self.fixed_stdin: str | None = None

    def entries(self) -> Iterator[Entry]:
        """The files of the call."""
        options = self.options
        entries, engine = entries_of(options.paths, self.config.exclude, even_named=options.hook)
        self.asked = replace(self.asked, engine=engine)
        return entries

    def check_here(self, entries: Iterator[Entry]) -> None:
        """Check files in this process, until there is enough to share out; see ``_beside``."""
        for entry in entries:
            self.check(entry)
            if not entry.number % _COLLECTED:
                gc.collect()
                gc.freeze()  # what is left is in use, and need not be looked at again
            if self.processes > 1 and self.bytes > self.options.enough:
                return

    @cached_property
    def processes(self) -> int:
        """How many processes may check files."""
        options = self.options
        if options.hook or options.fix or options.diff or "-" in options.paths:
            return 1
        # Those that this process may use: a container often has fewer than its machine.
        usable = getattr(os, "sched_getaffinity", None)
        return options.jobs or (len(usable(0)) if usable else os.cpu_count() or 1)

    @cached_property
    def share(self) -> Share | None:
        """What shares out a large file of rows."""
        return partial(_in_processes, self.processes) if self.processes > 1 else None

    def check(self, entry: Entry, report: Report | None = None) -> None:
        """Check a file, or take over what another process found in it."""
        path, named = entry.path, entry.named and not self.options.hook
        if path in self.companions:
            return  # checked with its record
        here = report is None
        report = report or self.report(path)
        if here and self.processes > 1:
            self.bytes += sum(map(size_of, (path, *report.companions)))
        self.companions.update(report.companions, map(os.path.relpath, report.companions))
        if any(finding.code == "F012" for finding in report.findings) and not named:
            return
        self.files += 1 + len(report.companions)
        fixing = self.options.fix or self.options.diff
        if fixing and any(finding.fix for finding in report.findings):
            from evalmark.cli.fixing import fix

            report = fix(self, path, report)
        if kept := self.kept(report.findings):
            self._found.append((entry.number, kept))
        options = self.options
        # A hook sees some of the files only.
        if report.identity is not None and not (options.hook or options.schema_only):
            self.identify(report.identity, entry.number)
        self.unreadable |= any(finding.code == "F011" for finding in report.findings)
        if self.options.verbose:
            kind = f"{report.kind} {report.version or ''}".strip()
            say(f"{report.path}: checked as {kind}")
            for remark in report.remarks:
                say(f"{remark}")

    def report(self, path: str, raw: bytes | None = None) -> Report:
        """Check one file, or bytes that replace it."""
        options = self.options
        if path == "-" and raw is None:
            raw = self.stdin = sys.stdin.buffer.read()
        if raw is not None:
            name = options.stdin_filename if path == "-" else path
            return check_one(name, self.asked, raw)
        if not sys.stderr.isatty():
            return check_one(path, self.asked, share=self.share)
        from evalmark.cli.progress import reading

        with reading(path) as progress:
            return check_one(path, self.asked, progress=progress, share=self.share)

    def identify(self, identity: str, number: int) -> None:
        """Keep what must differ between the files of this call: an evaluation id."""
        if self._one_identity is None:
            self._one_identity = identity, number  # one alone cannot be there twice
            return
        if self._identities is None:
            from evalmark.validator.batch.duplicates import Repeats

            self._identities = Repeats()
            self._identities.add(*self._one_identity)
        self._identities.add(identity, number)

    def check_identities(self) -> None:
        """Find records whose evaluation id an earlier file of this call has."""
        pairs = list(self._identities.pairs()) if self._identities else []
        if not pairs:
            return
        from evalmark.validator.findings.file_findings import same_evaluation_id
        from evalmark.validator.reading.source import Source

        wanted = {number for pair in pairs for number in pair}
        paths = {entry.number: entry.path for entry in self.entries() if entry.number in wanted}
        for first, later in pairs:
            path, other = paths[later], paths[first]
            found = same_evaluation_id(path, other, Source(path, text_of(read_file(path) or b"")))
            if kept := self.kept([found]):
                self._found.append((later, kept))

    def kept(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings that no setting ignores."""
        ignored, by_file = self.config.ignore, self.config.per_file_ignores
        if not ignored and not by_file:
            return list(findings)
        return [f for f in findings if f.code not in ignored and not self._ignored_here(f)]

    def _ignored_here(self, finding: Finding) -> bool:
        for ignore in self.config.per_file_ignores:
            if (
                finding.code in ignore.codes
                and f"{finding.pointer}/".startswith(f"{ignore.pointer.rstrip('/')}/")
                and matches(finding.path, [ignore.files])
            ):
                self.used_ignores.add(ignore)
                return True
        return False

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings, in the order of the files; once all are checked."""
        self._found.sort(key=itemgetter(0))
        return [finding for _, found in self._found for finding in found]

    def close(self) -> int:
        """Show what was found; the exit code."""
        options = self.options
        if not self.files and not options.hook:
            return complain("no files to check")
        if options.fix and options.paths == ["-"] and not options.diff:
            text = self.fixed_stdin if self.fixed_stdin is not None else text_of(self.stdin or b"")
            put(text)
        machine = options.format in MACHINE
        if self.findings or machine or not (options.quiet or options.hook):
            from evalmark.cli.showing import show

            show(self)
        if not options.hook and not options.quiet:
            # A hook sees some of the files only; what matches nothing there may match elsewhere.
            for ignore in self.config.per_file_ignores:
                if ignore not in self.used_ignores:
                    codes = ", ".join(sorted(ignore.codes))
                    place = ignore.files + (f"#{ignore.pointer}" if ignore.pointer else "")
                    say(f"unused ignore: {codes} in {place} matches nothing")
        if self.unreadable:
            return COULD_NOT_RUN
        failing = FAILING[self.fail_on]
        if options.diff and self.changed and failing:
            return FOUND
        return FOUND if any(f.severity in failing for f in self.findings) else CLEAN


def _in_processes(
    processes: int, pieces: Any, work: Any, died: Any, *, batch: int
) -> Iterator[Any]:
    from evalmark.validator.batch.workers import in_processes

    return in_processes(pieces, work, died, processes, batch=batch)


def read_file(path: str) -> bytes | None:
    """The bytes of a file; None if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return None


def text_of(raw: bytes) -> str:
    """Bytes as text, without a byte order mark."""
    text = raw.decode("utf-8", "replace")
    return text.removeprefix("\ufeff")
