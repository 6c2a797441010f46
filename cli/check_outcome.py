"""What a check of files ends with, and ``check --fix``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from evalmark.validator.batch.check_files import Checked
from evalmark.validator.format import CheckContext
from evalmark.validator.io.terminal import print_note, write_diff
from evalmark.validator.settings.check_options import CheckOptions

if TYPE_CHECKING:
    from evalmark.validator.batch.changes.result_differences import ResultDifferences
    from evalmark.validator.batch.fix_files import FixedFiles


class CheckOutcome(NamedTuple):
    """What became of the files of a call."""

    checked: Checked
    fixed: FixedFiles | None = None  # or would be
    stdin: bytes = b""  # what standard input has, or has become
    differences: ResultDifferences | None = None  # what a branch does to results
    fail_on: str = "error"  # of the settings


def fix(
    options: CheckOptions, context: CheckContext, only: frozenset[str] | None = None
) -> FixedFiles:
    """Fix files, or show the changes; only some of them if not all may be fixed."""
    from evalmark.validator.batch.fix_files import FixedFile, fix_files

    def show_diff(file: FixedFile) -> None:
        write_diff(file.old, file.new, file.path)

    values_for = None
    if options.defaults is not None:
        from pathlib import Path

        from evalmark.converters.overrides.read_defaults import read_defaults

        values_for = read_defaults(Path(options.defaults)).values_for
    fixed = fix_files(
        options.paths,
        context,
        unsafe=options.unsafe_fixes,
        defaults=values_for,
        write=not options.diff,
        only=only,
        changed=show_diff if options.diff else None,
    )
    for path, reason in fixed.not_written:
        print_note(f"evalmark: {path}: {reason}")
    return fixed
