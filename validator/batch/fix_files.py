"""Fix many files: what ``check_batch`` finds is corrected, and what is left is reported."""

from __future__ import annotations

import copy
import math
import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from evalmark.schemas.errors import ParseRejected
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import find
from evalmark.validator.batch.check_files import Checked, Ignores, check_batch
from evalmark.validator.check import check_one
from evalmark.validator.findings.finding import Finding, apply_fixes
from evalmark.validator.findings.report import Report
from evalmark.validator.format import CheckContext
from evalmark.validator.io.escaping import json_text
from evalmark.validator.io.writing import remove_stale_temp_files, write_atomically
from evalmark.validator.reading.rewrite import rewrite
from evalmark.validator.reading.source import make_pointer, member, parse_pointer
from evalmark.validator.reading.strict_json import parse

#: A record and its path -> pointer (``*`` is any index) -> the value of a missing key.
DefaultsOf = Callable[[dict[str, Any], str], Mapping[str, Any]]


def filled(text: str, report: Report, defaults: DefaultsOf) -> tuple[str, tuple[str, ...]]:
    """A record with those of its missing keys that have defaults; nothing else is changed.

    A key is filled in only where a finding of the report says that the record's own version
    requires it, with objects around it if they are missing too. ``@name`` is the value of the
    member of that name, of the same object or of one around it. Each key comes back with its value:
    ``/model_info/id = "a/b"``, ``*`` for indices.
    """
    missing = set(_missing(report))
    if not missing:
        return text, ()
    try:
        data = parse(text)
    except ParseRejected:
        return text, ()
    if not isinstance(data, dict):
        return text, ()
    new, done = copy.deepcopy(data), []
    for pointer, value in defaults(data, report.path).items():
        for place in _places(parse_pointer(pointer), data):
            first = _first_missing(place, data)
            if first is None or first not in missing:
                continue
            default = _value(value, place, data)
            if default is not None:
                _set_value(new, place, default)
                general = make_pointer("*" if name.isdecimal() else name for name in place)
                done.append(f"{general} = {json_text(default)}")
    return (rewrite(text, new) if done else text), tuple(done)


def _missing(report: Report) -> Iterator[tuple[str, ...]]:
    version = find(report.kind or "", report.version)
    if version is None:
        return
    schema = bundle(version.schema)
    for finding in report.findings:
        for key in _required(finding, schema):
            yield (*parse_pointer(finding.pointer), key)


def _required(finding: Finding, schema: Mapping[str, Any]) -> list[str]:
    location = parse_pointer(finding.schema_location or "")
    if not location or location[-1] != "required":
        return []
    part: Any = schema
    for name in location:
        part = part[int(name)] if isinstance(part, list) else part[name]
    return list(part)


def _places(pattern: list[str], data: object) -> Iterator[tuple[str, ...]]:
    """The paths that a pattern stands for: ``*`` is each index of an array that exists."""
    paths: list[tuple[tuple[str, ...], Any]] = [((), data)]
    for name in pattern:
        further = []
        for path, holder in paths:
            if name == "*":
                indices = range(len(holder)) if isinstance(holder, list) else ()
                further += [((*path, str(index)), holder[index]) for index in indices]
            else:
                further.append(((*path, name), member(holder, name)))
        paths = further
    return (path for path, _ in paths)


def _first_missing(path: tuple[str, ...], data: object) -> tuple[str, ...] | None:
    """The path up to the first key that an object lacks; None if the way is another one."""
    holder = data
    for depth, name in enumerate(path):
        if isinstance(holder, dict) and name not in holder:
            return path[: depth + 1]
        holder = member(holder, name)
        if holder is None:
            return None
    return None


def _value(value: object, path: tuple[str, ...], data: object) -> Any:
    """The value to write: itself, or that of the member it names; None if there is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no such number
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    holders = [data]
    for name in path[:-1]:
        holders.append(member(holders[-1], name))
    for holder in reversed(holders):
        text = member(holder, value[1:])
        if isinstance(text, str):
            return text
    return None


def _set_value(data: Any, path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        data = data[int(name)] if isinstance(data, list) else data.setdefault(name, {})
    data[path[-1]] = value


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file that was fixed: its path, its text, and the new text."""

    path: str
    old: str
    new: str


class Mend(NamedTuple):
    """A rule or a key that was fixed, and in how many files and places."""

    action: str
    files: int
    places: int


@dataclass(frozen=True, slots=True)
class FixedFiles:
    """The result of fixing many files."""

    checked: Checked  # what is left, as ``check_files`` reports it
    #: What was done, a rule or a key with its value, and in how many files and places.
    mends: tuple[Mend, ...]
    changed: tuple[str, ...]  # paths of the files that were fixed
    #: Path and reason of each file that could not be written.
    not_written: tuple[tuple[str, str], ...]
    stdin: bytes  # standard input after the fixes

    @property
    def fixes(self) -> int:
        """Number of places that were fixed."""
        return sum(mend.places for mend in self.mends)


def fix_files(
    paths: Iterable[str | os.PathLike[str]],
    context: CheckContext,
    *,
    unsafe: bool = False,
    defaults: DefaultsOf | None = None,
    write: bool = True,
    only: Collection[str] | None = None,
    changed: Callable[[FixedFile], None] | None = None,
) -> FixedFiles:
    """Fix files, and the files in folders, in this process.

    ``context`` is as for ``check_batch``: findings that are ignored are not fixed, standard input
    is fixed and not written, and ``each`` gets the report of what is left. ``unsafe`` also applies
    fixes that change what a model reads or a recorded number. ``only`` has the files that may be
    fixed, if not all may; ``changed`` is called with each that is.

    Raises:
        EvalmarkError: As ``check_files`` does.
    """
    name, stdin = context.stdin or (None, b"")
    fixer = _Fixer(
        context=context,
        ignores=Ignores(context.ignore, context.per_file_ignores),
        unsafe=unsafe,
        defaults=defaults,
        write=write,
        only=only,
        changed=changed or (lambda _: None),
        name=name,
        stdin=stdin,
    )
    paths = list(paths)
    if write:
        remove_stale_temp_files(*paths)  # temporary files of an interrupted run
    on_report = context.each
    checked = check_batch(
        paths,
        context._replace(
            jobs=1,
            each=(lambda report: on_report(fixer.fixed(report))) if on_report else fixer.fixed,
            seen=fixer.see,
        ),
    )
    mends = tuple(Mend(w, fixer.files_with[w], n) for w, n in sorted(fixer.places.items()))
    return FixedFiles(checked, mends, tuple(fixer.files), tuple(fixer.not_written), fixer.stdin)


@dataclass(slots=True)
class _Fixer:
    context: CheckContext
    ignores: Ignores
    unsafe: bool
    defaults: DefaultsOf | None
    write: bool
    only: Collection[str] | None
    changed: Callable[[FixedFile], None]
    name: str | None
    stdin: bytes
    #: Each kind of fix -> how often it was made, and in how many files.
    places: Counter[str] = field(default_factory=Counter)
    files_with: Counter[str] = field(default_factory=Counter)
    files: list[str] = field(default_factory=list)
    not_written: list[tuple[str, str]] = field(default_factory=list)
    #: The bytes that were checked last: positions of fixes are places in them.
    checked: bytes = b""

    @property
    def alone(self) -> CheckContext:
        return self.context._replace(is_file=False)

    def see(self, raw: bytes) -> None:
        self.checked = raw

    def fixed(self, report: Report) -> Report:
        path = report.path
        if self.only is not None and path not in self.only:
            return report
        raw = self.stdin if path == self.name else self.checked
        if not (any(finding.fix for finding in report.findings) or self._may_fill(report)):
            return report
        old = raw.decode("utf-8", "replace")
        done: list[str] = []
        new = self._fill_missing(self._with_fixes(raw, old, report, done), path, report, done)
        if new == old:
            return report
        content = new.encode("utf-8")
        if self.write and not self._write(path, raw, content):
            return report
        self.places.update(done)
        self.files_with.update(set(done))
        self.files.append(path)
        self.changed(FixedFile(path, old, new))
        if path == self.name or not self.write:
            return check_one(path, self.alone, content)
        return check_one(path, self.context)  # with the samples of a record

    def _with_fixes(self, raw: bytes, old: str, report: Report, done: list[str]) -> str:
        findings = report.findings
        for mark in (f for f in findings if f.code == "F003"):  # a byte order mark
            done.append(f"{mark.code} {mark.name}")
            findings = self.ignores.kept(check_one(report.path, self.alone, raw[3:]).findings)
        fixed = apply_fixes(old.removeprefix("\ufeff"), findings, unsafe=self.unsafe)
        done += [f"{finding.code} {finding.name}" for finding in fixed.findings]
        return fixed.text

    def _may_fill(self, report: Report) -> bool:
        return (
            self.defaults is not None
            and report.path.endswith(".json")
            and any((f.schema_location or "").endswith("required") for f in report.findings)
        )

    def _fill_missing(self, text: str, path: str, report: Report, done: list[str]) -> str:
        if self.defaults is None or not (path.endswith(".json") or path == self.name):
            return text
        if done:
            report = check_one(path, self.alone, text.encode("utf-8"))
        findings = self.ignores.kept(report.findings)
        new, keys = filled(text, replace(report, findings=findings), self.defaults)
        done += keys
        return new

    def _write(self, path: str, old: bytes, content: bytes) -> bool:
        """Write a file, or keep the new standard input; False if it cannot be written."""
        if path == self.name:
            self.stdin = content
            return True
        try:
            write_atomically(path, content, instead_of=old)
        except OSError as error:
            self.not_written.append((path, f"cannot be written: {error.strerror}"))
            return False
        return True
