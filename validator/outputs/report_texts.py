"""Texts that output formats share: findings, colours, counts, links."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, TextIO
from urllib.parse import quote

from evalmark.validator.batch.walking import UNRECOGNIZED
from evalmark.validator.findings.finding import Finding, Safety, Severity
from evalmark.validator.findings.phrasing import first_of
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.source import RowFile, Source

if TYPE_CHECKING:  # for branches only
    from evalmark.validator.batch.changes.result_differences import ResultDifferences

#: Paints a text in a style.
Painter = Callable[[str, str], str]

_STYLES = {"error": "1;31", "warning": "1;33", "blue": "1;34", "bold": "1"}


def painter(colour: bool) -> Painter:
    """A function that paints text, or leaves it as it is."""
    if not colour:
        return lambda text, _: text
    return lambda text, style: f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def colored(stream: TextIO) -> bool:
    """True if a stream gets colours."""
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty() or "FORCE_COLOR" in os.environ


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over a whole call."""

    files: int
    errors: int
    warnings: int
    files_with_findings: int
    fixable: int
    fixable_unsafe: int
    skipped: int = 0

    @property
    def checked(self) -> str:
        """The number of files in words."""
        skipped = f", skipped {self.skipped}" if self.skipped else ""
        return f"Checked {_count(self.files, 'file')}{skipped}"

    @property
    def counts(self) -> str:
        """The number of findings in words."""
        if not self.errors and not self.warnings:
            return "no findings"
        return f"{_count(self.errors, 'error')}, {_count(self.warnings, 'warning')}"


def summarize(files: int, findings: Sequence[Finding], skipped: int = 0) -> Summary:
    """Count findings."""
    safeties = [finding.fix.safety for finding in findings if finding.fix]
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    return Summary(
        files,
        errors,
        len(findings) - errors,
        len({finding.path for finding in findings}),
        safeties.count(Safety.SAFE),
        safeties.count(Safety.UNSAFE),
        skipped,
    )


def summary_text(summary: Summary, findings: Sequence[Finding] = ()) -> str:
    """The summary in words; it ends with how to read more on the first error."""
    text = f"{summary.checked}: {summary.counts}"
    if not summary.errors and not summary.warnings:
        return f"{text}.\n"
    text += f" in {_count(summary.files_with_findings, 'file')}.\n"
    hints = []
    if summary.fixable:
        hints.append(f"{summary.fixable} fixable with `--fix`")
    if summary.fixable_unsafe:
        hints.append(f"{summary.fixable_unsafe} fixable with `--fix --unsafe-fixes`")
    text += f"[*] {', '.join(hints)}. " if hints else ""
    if findings:
        first = min(findings, key=lambda finding: finding.severity is not Severity.ERROR)
        text += f"`evalmark explain {first.code}` says more.\n"
    return text


def verdicts_text(verdicts: Sequence[tuple[str, str]]) -> str:
    """The number of files that pass the checks of a leaderboard, in words."""
    if not verdicts:
        return ""
    left = sum(verdict != "pass" for _, verdict in verdicts)
    others = f"; {left} {'has' if left == 1 else 'have'} findings" if left else ""
    passed = f"{len(verdicts) - left} of {len(verdicts)} pass"
    return f"{passed} Every Eval Ever's checks{others}.\n"


#: Files that are named for each reason to skip some; unrecognized ones are all named, or none.
NAMED, UNRECOGNIZED_NAMED = 3, 5


def skipped_text(skipped: Sequence[tuple[str, str]]) -> str:
    """One line on what was skipped, by reason; empty if that is nothing."""
    by_reason: dict[str, list[str]] = {}
    for path, why in skipped:
        by_reason.setdefault(why, []).append(path)
    parts = []
    if strange := by_reason.pop(UNRECOGNIZED, []):
        are_few = len(strange) <= UNRECOGNIZED_NAMED
        names = f": {', '.join(strange)}" if are_few else " (`-v` names them)"
        parts.append(f"{_count(len(strange), f'{UNRECOGNIZED} file')}{names}")
    for why, paths in sorted(by_reason.items(), key=lambda pair: -len(pair[1])):
        parts.append(f"{first_of(paths, NAMED)} ({why})")
    return f"Skipped {'; '.join(parts)}." if parts else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def sources(
    findings: Sequence[Finding], stdin: tuple[str, bytes] | None = None
) -> Callable[[str], Source | None]:
    """The text behind a path, for frames; one text is kept, since findings come file by file."""
    cache: dict[str, Source] = {}
    # What could not or must not be read, or is not text, is not read for its frame either.
    unread = {f.path for f in findings if f.code in ("F004", "F011")}

    def source_of(path: str) -> Source | None:
        if path in unread:
            return None
        if path not in cache:
            cache.clear()
            if path.endswith(".jsonl"):
                cache[path] = RowFile(path, "rows")
                return cache[path]
            try:
                raw = stdin[1] if stdin and stdin[0] == path else read_whole(path)
            except OSError:
                return None
            cache[path] = Source(path, decoded(raw))
        return cache[path]

    return source_of


def decoded(raw: bytes) -> str:
    """Bytes as text, without a byte order mark."""
    return raw.decode("utf-8", "replace").removeprefix("\ufeff")


def uri(path: str) -> str:
    """A relative reference to a file, whose name may be bytes that are not UTF-8.

    A path with the drive of Windows becomes a URI of the scheme ``file``.
    """
    pure = PurePath(path)
    name = pure.as_posix()
    if pure.drive.endswith(":") and pure.is_absolute():
        return f"file:///{pure.drive}{quote(name.removeprefix(pure.drive))}"
    try:
        return quote(name, errors="surrogateescape")
    except UnicodeEncodeError:
        return quote(name, errors="surrogatepass")


def web_folder(environment: Mapping[str, str]) -> str:
    """The URL at which GitHub shows the current folder, if a workflow says so; else empty."""
    server = environment.get("GITHUB_SERVER_URL", "")
    repository = environment.get("GITHUB_REPOSITORY", "")
    commit = environment.get("GITHUB_SHA", "")
    workspace = environment.get("GITHUB_WORKSPACE", "")
    if not (
        re.fullmatch(r"https?://[\w.:-]+", server, re.ASCII)
        and re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII)
        and re.fullmatch(r"[0-9a-f]{40,64}", commit)
    ):
        return ""
    base = f"{server}/{repository}/blob/{commit}/"
    here = os.path.realpath(os.curdir)
    below = os.path.relpath(here, os.path.realpath(workspace)) if workspace else os.curdir
    if below == os.curdir:
        return base
    return "" if below.startswith(os.pardir) else f"{base}{uri(below)}/"


#: Rules that a collection breaks as a whole: its converter made all of its records alike.
OF_COLLECTIONS = frozenset({"EE222", "EE242"})


def _collection(path: str) -> str:
    place = f"/{os.path.normpath(path)}".replace(os.sep, "/")
    above, data, below = place.rpartition("/data/")
    parts = below.split("/")
    return f"{above}{data}{parts[0]}" if data and len(parts) > 2 else ""


@dataclass(frozen=True, slots=True)
class Look:
    """The look of the findings of a call."""

    summary: Summary
    source_of: Callable[[str], Source | None]  # the text of a path, if it is available
    show_all: bool = False  # do not fold repeats
    colour: bool = False
    verdicts: tuple[tuple[str, str], ...] = ()  # with a profile: each file and its verdict
    paths: tuple[str, ...] = ()  # all checked files, if the format lists them
    skipped: str = ""  # what was not checked, and why
    differences: ResultDifferences | None = None  # of a branch
    web: str = ""  # where the current folder is on the web, with a slash; empty for relative links

    def folded(self, findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
        """Findings, each with how many like it in the same file are not shown; order is kept.

        What differs in its suggestion is shown.
        """
        if self.show_all:
            return [(finding, 0) for finding in findings]
        groups: dict[tuple[object, ...], list[Finding]] = {}
        for finding in findings:
            like: tuple[object, ...] = (finding.path, finding.code, finding.fold, finding.helps)
            if finding.code in OF_COLLECTIONS and (collection := _collection(finding.path)):
                like = (collection, finding.code)
            groups.setdefault(like, []).append(finding)
        return [(group[0], len(group) - 1) for group in groups.values()]


def output_format_for(choice: str, stream: TextIO) -> str:
    """The output format of a stream; ``auto`` depends on what it is."""
    if choice != "auto":
        return choice
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if stream.isatty() else "concise"
