"""``evalmark check``."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer
from evalmark.cli.checking import run
from evalmark.cli.options import Options
from evalmark.validator.kinds import KINDS
from evalmark.validator.outputs.registry import REPORTS
from evalmark.validator.views.sentences import JOINS

EPILOG = """Examples:

evalmark check suites/ records/*.json

evalmark check --fix --diff suite.json

evalmark check --profile eee data/gsm8k

cat suite.json | evalmark check - --stdin-filename suite.json

Exit code: 0 clean or warnings only, 1 findings at the level of --fail-on, 2 could not run.
"""

Kind = StrEnum("Kind", {name: name for name in KINDS})  # type: ignore[misc]
Format = StrEnum("Format", {name: name for name in ("auto", *REPORTS)})  # type: ignore[misc]
Join = StrEnum("Join", {name: name for name in JOINS})  # type: ignore[misc]
Level = StrEnum("Level", {name: name for name in ("error", "warning")})  # type: ignore[misc]
Profile = StrEnum("Profile", {"eee": "eee"})
Engine = StrEnum("Engine", {name: name for name in ("local", "ray")})  # type: ignore[misc]
Colour = StrEnum("Colour", {name: name for name in ("auto", "always", "never")})  # type: ignore[misc]


def command(
    paths: Annotated[
        list[str], typer.Argument(metavar="FILES|FOLDERS|-", help="What to check; - is stdin.")
    ],
    kind: Annotated[
        Kind | None, typer.Option(help="What the files are; found from their content if not given.")
    ] = None,
    schema_version: Annotated[
        str | None, typer.Option(help="Check records against this version, not their own.")
    ] = None,
    join: Annotated[
        Join | None, typer.Option(help="How regions become sentences (default: core).")
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(metavar="RULE", help="Look at this optional rule as well; ALL for all."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Do not show this rule.")
    ] = None,
    profile: Annotated[
        Profile | None,
        typer.Option(help="Say as well what a gate would: eee is that of Every Eval Ever."),
    ] = None,
    datastore: Annotated[
        bool,
        typer.Option("--datastore", help="Hold records against a datastore's places everywhere."),
    ] = False,
    schema_only: Annotated[
        bool,
        typer.Option("--schema-only", help="Hold files against their schemas, and skip all rules."),
    ] = False,
    output_format: Annotated[
        Format, typer.Option("--format", help="How findings are shown.")
    ] = Format("auto"),
    fail_on: Annotated[
        Level | None, typer.Option(help="Least severity that gives exit code 1 (default: error).")
    ] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Apply fixes that change no score.")] = False,
    unsafe_fixes: Annotated[
        bool,
        typer.Option("--unsafe-fixes", help="With --fix or --diff: also fixes that change scores."),
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show what --fix would change; change nothing.")
    ] = False,
    show_all: Annotated[bool, typer.Option("--show-all", help="Do not fold repeats.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Findings only.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say what each file was checked as.")
    ] = False,
    colour: Annotated[Colour, typer.Option("--color", help="Colours.")] = Colour("auto"),
    stdin_filename: Annotated[
        str, typer.Option(help="The name under which stdin is reported.")
    ] = "<stdin>",
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", "-j", min=1, help="Processes, for large inputs (default: all)."),
    ] = None,
    engine: Annotated[
        Engine, typer.Option(help="Where files are checked: on this machine, or on a Ray cluster.")
    ] = Engine("local"),
    ray_address: Annotated[
        str | None,
        typer.Option(
            envvar="RAY_ADDRESS", help="The cluster (default: one of this machine, for this call)."
        ),
    ] = None,
    exit_zero: Annotated[
        bool, typer.Option("--exit-zero", help="Exit with 0 in spite of findings.")
    ] = False,
) -> None:
    """Check suites, records, samples and conversations; say what is wrong and what to write.

    Folders are walked for JSON and YAML; files of no known kind are passed over there. A file that
    you name and that is of no known kind is an error.
    """
    options = Options(
        paths,
        kind=kind and str(kind),
        schema_version=schema_version,
        join=join and str(join),
        select=select or (),
        ignore=ignore or (),
        profile=profile and str(profile),
        datastore=datastore,
        schema_only=schema_only,
        format=str(output_format),
        fail_on=fail_on and str(fail_on),
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        diff=diff,
        show_all=show_all,
        quiet=quiet,
        verbose=verbose,
        colour=str(colour),
        stdin_filename=stdin_filename,
        exit_zero=exit_zero,
        jobs=jobs,
        engine=str(engine),
        ray_address=ray_address,
    )
    raise typer.Exit(run(options))
