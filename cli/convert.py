"""``evalmark convert``."""

from __future__ import annotations

from evalmark.cli.convert_options import ConvertOptions
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import report_error
from evalmark.validator.options.declaration import command


@command(
    ConvertOptions,
    "evalmark convert old.json -o new.json",
    "evalmark convert --needs records/ > facts.yaml",
    "evalmark convert --defaults facts.yaml records/ -o new/",
    "evalmark convert results_2026-01-21.json -o store/",
    exit_code="0 done, 1 refused (or --check: would change), 2 something failed",
)
def convert(options: ConvertOptions) -> int:
    """Convert files and results of other programs; refuse inexact conversions."""
    from evalmark.cli.conversion import convert_paths, show_needs
    from evalmark.cli.supplied_values import edits_of, supplied_by

    if not options.paths:
        return report_error("nothing to convert")
    supplied = supplied_by(options)
    if not options.needs:
        return convert_paths(options, supplied, edits_of(options))
    writing = options.output, options.in_place, options.check, options.diff, options.report
    if any(writing) or options.as_json:
        raise UsageError("--needs only prints what records lack: leave out -o and its like")
    return show_needs(options.paths, options.to, supplied)
