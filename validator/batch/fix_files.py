"""Fix many files: what ``check_files`` finds is corrected, and what is left is reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from evalmark.validator.asked import Arguments, rule_codes
from evalmark.validator.batch.check_files import Checked, check_files
from evalmark.validator.batch.ignores import Ignores
from evalmark.validator.check import check_bytes, check_file
from evalmark.validator.config import FileIgnore
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.fix import apply_fixes
from evalmark.validator.findings.report import Report


@dataclass(frozen=True, slots=True)
class FixedFile:
    """A file that was fixed: its path, its text, and the new text."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class FixedFiles:
    """What was fixed in many files.

    Attributes:
        checked: What is left, as ``check_files`` reports it.
        fixes: Number of findings that were fixed.
        changed: Paths of the files that were fixed.
        not_written: Path and reason of each file that could not be written.
        stdin: Standard input after the fixes.
    """

    checked: Checked
    fixes: int
    changed: tuple[str, ...]
    not_written: tuple[tuple[str, str], ...]
    stdin: bytes


def fix_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    unsafe: bool = False,
    write: bool = True,
    changed: Callable[[FixedFile], None] | None = None,
    ignore: Collection[str] = (),
    per_file_ignores: Iterable[FileIgnore] = (),
    stdin: tuple[str, bytes] | None = None,
    each: Callable[[Report], Report] | None = None,
    **how: Any,
) -> FixedFiles:
    """Fix files, and the files in folders, in this process.

    Args:
        paths: Files and folders.
        unsafe: Apply also fixes that change what a model reads or a recorded number.
        write: False to write nothing, and only say what would change.
        changed: Called with every file that is fixed.
        ignore: Codes or names of rules whose findings are neither fixed nor reported.
        per_file_ignores: Rules ignored in some files or below a pointer in them.
        stdin: Name and content of standard input, which is the path ``-``; nothing is written.
        each: Called with every report of what is left; what it returns takes its place.
        how: The other arguments of ``check_files``.

    Raises:
        EvalmarkError: As ``check_files`` does.
    """
    ignores = tuple(per_file_ignores)
    fixer = _Fixer(
        arguments={name: how[name] for name in Arguments.__annotations__ if name in how},
        ignores=Ignores(rule_codes(ignore), ignores),
        unsafe=unsafe,
        write=write,
        changed=changed or (lambda _: None),
        name=stdin[0] if stdin else None,
        stdin=stdin[1] if stdin else b"",
    )
    checked = check_files(
        paths,
        ignore=ignore,
        per_file_ignores=ignores,
        stdin=stdin,
        each=(lambda report: each(fixer.fixed(report))) if each else fixer.fixed,
        **{**how, "jobs": 1},
    )
    return FixedFiles(
        checked, fixer.fixes, tuple(fixer.files), tuple(fixer.not_written), fixer.stdin
    )


@dataclass(slots=True)
class _Fixer:
    """Fixes one file after the other, and counts what it did."""

    arguments: dict[str, Any]
    ignores: Ignores
    unsafe: bool
    write: bool
    changed: Callable[[FixedFile], None]
    name: str | None
    stdin: bytes
    fixes: int = 0
    files: list[str] = field(default_factory=list)
    not_written: list[tuple[str, str]] = field(default_factory=list)

    def fixed(self, report: Report) -> Report:
        """Fix a file; the report of what is left."""
        path = report.path
        if not any(finding.fix for finding in report.findings):
            return report
        raw = self.stdin if path == self.name else read_whole(path)
        old = raw.decode("utf-8", "replace")
        findings = report.findings
        if any(finding.code == "F003" for finding in findings):  # a byte order mark
            self.fixes += 1
            again = check_bytes(raw[3:], path, **self.arguments)
            findings = self.ignores.kept(again.findings)
        fixed = apply_fixes(old.removeprefix("\ufeff"), findings, unsafe=self.unsafe)
        self.fixes += len(fixed.findings)
        if fixed.text == old:
            return report
        content = fixed.text.encode("utf-8")
        if path == self.name and self.write:
            self.stdin = content
        elif self.write and not self._put(path, content):
            return report
        self.files.append(path)
        self.changed(FixedFile(path, old, fixed.text))
        if path == self.name or not self.write:
            return check_bytes(content, path, **self.arguments)
        return check_file(path, **self.arguments)  # with the samples of a record

    def _put(self, path: str, content: bytes) -> bool:
        from evalmark.validator.edge.writing import write_atomically

        try:
            write_atomically(path, content)
        except OSError as error:
            self.not_written.append((path, f"cannot be written: {error.strerror}"))
            return False
        return True
