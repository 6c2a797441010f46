"""Fix many files: what ``check_batch`` finds is corrected, and what is left is reported."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field

from evalmark.validator.asked import Asked
from evalmark.validator.batch.batch_options import BatchOptions
from evalmark.validator.batch.check_files import Checked, check_batch
from evalmark.validator.batch.ignores import Ignores
from evalmark.validator.check import check_one
from evalmark.validator.edge.writing import sweep, write_atomically
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
    options: BatchOptions,
    *,
    unsafe: bool = False,
    write: bool = True,
    only: Collection[str] | None = None,
    changed: Callable[[FixedFile], None] | None = None,
) -> FixedFiles:
    """Fix files, and the files in folders, in this process.

    Args:
        paths: Files and folders.
        options: As for ``check_batch``. Findings that are ignored are not fixed, and standard input
            is fixed, not written. ``each`` gets the report of what is left.
        unsafe: Apply also fixes that change what a model reads or a recorded number.
        write: False to write nothing, and only say what would change.
        only: Paths of the files that may be fixed, if not all may.
        changed: Called with every file that is fixed.

    Raises:
        EvalmarkError: As ``check_files`` does.
    """
    name, stdin = options.stdin or (None, b"")
    fixer = _Fixer(
        asked=options.asked,
        ignores=Ignores(options.ignore, options.per_file_ignores),
        unsafe=unsafe,
        write=write,
        only=only,
        changed=changed or (lambda _: None),
        name=name,
        stdin=stdin,
    )
    paths = list(paths)
    if write:
        sweep(*paths)  # temporary files of an interrupted run
    each = options.each
    checked = check_batch(
        paths,
        options._replace(
            jobs=1,
            each=(lambda report: each(fixer.fixed(report))) if each else fixer.fixed,
            seen=fixer.see,
        ),
    )
    return FixedFiles(
        checked, fixer.fixes, tuple(fixer.files), tuple(fixer.not_written), fixer.stdin
    )


@dataclass(slots=True)
class _Fixer:
    """Fixes one file after the other, and counts what it did."""

    asked: Asked
    ignores: Ignores
    unsafe: bool
    write: bool
    only: Collection[str] | None
    changed: Callable[[FixedFile], None]
    name: str | None
    stdin: bytes
    fixes: int = 0
    files: list[str] = field(default_factory=list)
    not_written: list[tuple[str, str]] = field(default_factory=list)
    #: The bytes that were checked last: positions of fixes are places in them.
    checked: bytes = b""

    def see(self, raw: bytes) -> None:
        """Keep the bytes of a file whose report follows."""
        self.checked = raw

    def fixed(self, report: Report) -> Report:
        """Fix a file; the report of what is left."""
        path = report.path
        if not any(finding.fix for finding in report.findings):
            return report
        if self.only is not None and path not in self.only:
            return report
        raw = self.stdin if path == self.name else self.checked
        old = raw.decode("utf-8", "replace")
        findings = report.findings
        if any(finding.code == "F003" for finding in findings):  # a byte order mark
            self.fixes += 1
            again = check_one(path, self.asked, raw[3:])
            findings = self.ignores.kept(again.findings)
        fixed = apply_fixes(old.removeprefix("\ufeff"), findings, unsafe=self.unsafe)
        self.fixes += len(fixed.findings)
        if fixed.text == old:
            return report
        content = fixed.text.encode("utf-8")
        if path == self.name and self.write:
            self.stdin = content
        elif self.write and not self._put(path, raw, content):
            return report
        self.files.append(path)
        self.changed(FixedFile(path, old, fixed.text))
        if path == self.name or not self.write:
            return check_one(path, self.asked, content)
        return check_one(path, self.asked)  # with the samples of a record

    def _put(self, path: str, old: bytes, content: bytes) -> bool:
        try:
            write_atomically(path, content, instead_of=old)
        except OSError as error:
            self.not_written.append((path, f"cannot be written: {error.strerror}"))
            return False
        return True
