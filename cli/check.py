"""``evalmark check``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.checking.check_call import CheckCall
from evalmark.cli.checking.check_run import run
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import (
    CheckPairsOption,
    DatastoreOption,
    IgnoreOption,
    JobsOption,
    PathsFromOption,
    ProfileOption,
    SchemaOnlyOption,
    SchemaVersionOption,
    SelectOption,
    fix_option,
    one_of,
    output_option,
    selection_option,
    shared,
)
from evalmark.schemas.errors import UsageError
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.io.opening import read_whole
from evalmark.validator.outputs.rendering import REPORTS, json_lines, parsed_outputs

app = new_app()

EPILOG = """
\b
Example: evalmark check --fix --defaults facts.yaml data/
Exit code: 0 clean, 1 findings at the level of --fail-on, 2 something failed.
"""


PathsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILES|FOLDERS|-", help="What to check; JSON and YAML in folders; - is stdin."
    ),
]
ChangedOption = Annotated[
    str | None,
    selection_option("--changed", metavar="BASE", help="Only files changed since BASE (git)."),
]


def _kinds() -> tuple[str, ...]:
    """The names of all formats, those that packages add included."""
    from evalmark.validator.formats.plugins import other_formats

    return (*KINDS, *other_formats().named)


_KIND = one_of("kind", _kinds)


def _kind(value: str) -> str:
    """The name of a format; packages are looked at for names that are not ours."""
    return value if value in KINDS else _KIND["parser"](value)


KindOption = Annotated[
    str | None,
    selection_option(
        "--kind",
        metavar="KIND",
        parser=_kind,
        autocompletion=_KIND["autocompletion"],
        help=f"Kind (else detected): {', '.join(KINDS)}.",
    ),
]
FixOption = Annotated[bool, fix_option("--fix", help="Apply fixes that change no score.")]
UnsafeFixesOption = Annotated[
    bool, fix_option("--unsafe-fixes", help="Include fixes that may change scores.")
]
DefaultsOption = Annotated[
    Path | None,
    fix_option("--defaults", metavar="FILE", help="Fill in missing keys of records from a file."),
]
DiffOption = Annotated[
    bool, fix_option("--diff", help="Show what --fix would change; write nothing.")
]
OutputFormatOption = Annotated[
    str,
    output_option(
        "--format",
        metavar="FORMAT",
        **one_of("output format", ("auto", *REPORTS)),
        show_default=False,
        help="auto (default), full, concise, json, jsonl, sarif, junit, github or markdown.",
    ),
]
OutputsOption = Annotated[
    list[str] | None,
    output_option("--out", "-o", metavar="FORMAT=FILE", help="Also write a report to a file."),
]
FailOnOption = Annotated[
    str | None,
    output_option(
        "--fail-on",
        metavar="LEVEL",
        **one_of("fail on", ("error", "warning", "never")),
        help="Least severity for exit 1: error, warning, never.",
    ),
]
QuietOption = Annotated[bool, output_option("--quiet", "-q", help="Print findings only.")]
VerboseOption = Annotated[
    bool, output_option("--verbose", "-v", help="Show every finding, and the kind of each file.")
]
StdinFilenameOption = Annotated[
    str, output_option("--stdin-filename", metavar="NAME", help="File name to report for stdin.")
]


@app.command(cls=Command, epilog=EPILOG)
def check(
    paths: PathsArgument = None,
    changed: ChangedOption = None,
    paths_from: PathsFromOption = None,
    kind: KindOption = None,
    schema_version: SchemaVersionOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    profile: ProfileOption = None,
    datastore: DatastoreOption = False,
    schema_only: SchemaOnlyOption = False,
    pairs: CheckPairsOption = None,
    fix: FixOption = False,
    unsafe_fixes: UnsafeFixesOption = False,
    defaults: DefaultsOption = None,
    diff: DiffOption = False,
    output_format: OutputFormatOption = "auto",
    outputs: OutputsOption = None,
    fail_on: FailOnOption = None,
    quiet: QuietOption = False,
    verbose: VerboseOption = False,
    stdin_filename: StdinFilenameOption = "<stdin>",
    jobs: JobsOption = None,
) -> None:
    """Check suites, records, samples and conversations, and suggest fixes."""
    count, ray = shared(jobs)
    asked = paths_of(paths or [], changed, paths_from)
    call = CheckCall(
        asked,
        changed=changed,
        listed=paths_from is not None,
        output_format=output_format,
        fail_on=fail_on,
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        defaults=defaults,
        diff=diff,
        quiet=quiet,
        verbose=verbose,
        stdin_filename=stdin_filename,
        jobs=count,
        ray=ray,
        outputs=parsed_outputs(outputs or (), asked),
        stream=json_lines if output_format == "jsonl" and not fix else None,
    )
    code = run(
        call,
        kind=kind,
        schema_version=schema_version,
        select=select or (),
        ignore=ignore or (),
        profile=profile,
        datastore=datastore,
        schema_only=schema_only,
        pairs=pairs or (),
    )
    raise typer.Exit(code)


def paths_of(paths: list[str], changed: str | None, paths_from: str | None) -> list[str]:
    """The paths to check: the arguments, or a list.

    Raises:
        UsageError: It is given twice, or not at all.
    """
    if paths_from is not None:
        if paths or changed is not None:
            raise UsageError("--paths-from excludes arguments and --changed")
        return _listed(paths_from)
    if changed is not None and "-" in paths:
        raise UsageError("--changed compares files; it does not read standard input")
    if not paths and changed is None:
        raise UsageError("nothing to check: give files or folders, --changed or --paths-from")
    return paths or ["."]


def _listed(name: str) -> list[str]:
    """The paths in a list, in the order of the list; a name in it is never standard input.

    They end in NUL if there is one, else in line feeds.
    """
    raw = sys.stdin.buffer.read() if name == "-" else read_whole(name)
    names = raw.split(b"\0") if b"\0" in raw else raw.replace(b"\r\n", b"\n").split(b"\n")
    paths = [os.fsdecode(each) for each in names if each]
    return [os.path.join(os.curdir, path) if path == "-" else path for path in paths]
