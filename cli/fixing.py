"""Applying fixes to one file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalmark.cli.checking import read_file, text_of
from evalmark.cli.lines import complain
from evalmark.cli.showing import print_diff
from evalmark.validator.edge.writing import write_atomically
from evalmark.validator.findings.fix import apply_fixes

if TYPE_CHECKING:
    from evalmark.cli.checking import Session
    from evalmark.validator.findings.report import Report


def fix(session: Session, path: str, report: Report) -> Report:
    """Apply fixes to one file; the report of what is left."""
    raw = session.stdin if path == "-" else read_file(path)
    if raw is None:
        return report
    old = raw.decode("utf-8", "replace")
    if any(finding.code == "F003" for finding in session.kept(report.findings)):
        raw = raw[3:]
        session.fixed += 1
        report = session.report(path, raw)
    text = text_of(raw)
    fixed = apply_fixes(text, session.kept(report.findings), unsafe=session.options.unsafe_fixes)
    session.fixed += len(fixed.findings)
    if fixed.text == old:
        return report
    if session.options.diff:
        print_diff(old, fixed.text, report.path)
    elif path == "-":
        session.fixed_stdin = fixed.text
    else:
        try:
            write_atomically(path, fixed.text.encode("utf-8"))
        except OSError as error:
            session.unreadable = True
            complain(f"{path}: cannot be written: {error.strerror}")
            return report
    session.changed.append(report.path)
    if path == "-" or session.options.diff:
        return session.report(path, fixed.text.encode("utf-8"))
    return session.report(path)  # as it is now, with the samples of a record
