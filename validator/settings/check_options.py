"""The options of a check: what the user wants, on the command line, in settings and in Python."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, BinaryIO, TypedDict

from evalmark.schemas.backend import Backend, native_is_installed
from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.schemas.versions import GATES, RECORDS, SAMPLES
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.unusable import FAILING
from evalmark.validator.format import CheckContext, Glob
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.shared.row_findings import may_be_no_rows
from evalmark.validator.formats.suites.suite import JOINS, MODELS
from evalmark.validator.io.escaping import shown
from evalmark.validator.options.declaration import (
    Argument,
    Option,
    choice_of,
    fix_option,
    output_option,
    run_option,
    selection_option,
)
from evalmark.validator.reading.pair_columns import NO_TABLES, stated_tables
from evalmark.validator.settings.config import Config
from evalmark.validator.settings.user_config import rule_codes

_VERSIONS = tuple(
    dict.fromkeys(name for v in (*RECORDS, *SAMPLES) for name in (v.name, *v.aliases))
)
#: Profiles of `check`: the datastores whose validators it follows.
PROFILES = tuple(GATES)
#: Output formats of reports; `outputs.rendering` has what writes each.
OUTPUT_FORMATS = (
    "full", "concise", "json", "jsonl", "sarif", "junit", "github", "markdown",
)  # fmt: skip
#: Those for programs: written even if there are no findings.
MACHINE = ("json", "jsonl", "sarif", "junit", "markdown")
#: The value of ``--jobs`` that is not a number.
RAY = "ray"


class Arguments(TypedDict, total=False):
    """Those fields of ``CheckOptions`` that every ``check_…`` function takes."""

    kind: str | None
    schema_version: str | None
    join: str | None
    models: str | None
    select: Collection[str]
    profile: str | None
    datastore: bool
    schema_only: bool
    backend: str | None
    pairs: Sequence[str]


def _kinds() -> tuple[str, ...]:
    from evalmark.validator.formats.plugins import other_formats

    return (*KINDS, *other_formats().named)


def _read_kind(value: str) -> str:
    """The name of a format; packages are looked at for names that are not ours."""
    return value if value in KINDS else str(choice_of("kind", _kinds)["parser"](value))


def rule_words(incomplete: str) -> list[tuple[str, str]]:
    """The codes of all rules, each with its summary; the names too, once a letter is typed."""
    from evalmark.validator.formats.rule_registry import all_rules

    rules = all_rules().values()
    words = {rule.code: rule.summary for rule in rules}
    if incomplete:
        words |= {rule.name: rule.summary for rule in rules}
    return list(words.items())


def _optional_rules(incomplete: str) -> list[tuple[str, str]]:
    return [*rule_words(incomplete), ("ALL", "Every rule.")]


def read_jobs(value: str) -> str:
    """The value of ``--jobs``: a number of processes, or ``ray``."""
    if value != RAY and (not value.isdecimal() or int(value) < 1):
        raise UsageError(f"{value!r} is neither a number of processes nor `{RAY}`")
    return value


def shared(jobs: str | None) -> tuple[int | None, bool]:
    """The number of processes if it is given, and true if a Ray cluster does the work."""
    return (None, True) if jobs == RAY else (int(jobs) if jobs else None, False)


# Options that commands share with `check`, made when a command line is read.
kind_option = partial(
    selection_option, "--kind", metavar="KIND", parser=_read_kind,
    autocompletion=choice_of("kind", _kinds)["autocompletion"],
)  # fmt: skip
paths_from_option = partial(
    selection_option, "--paths-from", metavar="FILE", help="Read the paths from a list; - is stdin."
)
ignore_option = partial(
    selection_option, "--ignore", metavar="RULE", autocompletion=rule_words, help="Disable a rule."
)
pairs_option = partial(
    Option, "--pairs", metavar="COLUMNS",
    help="Minimal pairs: PRESET or KEY=COLUMN; repeatable.",
    details="The [keys](definitions.md#columns-of-minimal-pairs).",
)  # fmt: skip
jobs_option = partial(
    run_option, "--jobs", "-j", metavar="N|ray", parser=read_jobs, show_default=False,
    help="Worker processes; default: one per processor. `ray`: a Ray cluster.",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckOptions:
    """The options of ``evalmark check``."""

    paths: Annotated[
        Sequence[str],
        Argument(
            metavar="FILES|FOLDERS|-", help="What to check; JSON and YAML in folders; - is stdin."
        ),
    ] = ()
    changed: Annotated[
        str | None,
        selection_option("--changed", metavar="BASE", help="Only files changed since BASE (git)."),
    ] = None
    paths_from: Annotated[str | None, paths_from_option()] = None
    kind: Annotated[str | None, kind_option(help=f"Kind (else detected): {', '.join(KINDS)}.")] = (
        None
    )
    # Of a record or a sample, rather than its own.
    schema_version: Annotated[
        str | None,
        selection_option(
            "--schema-version", metavar="VERSION", help="Check records against this version."
        ),
    ] = None
    # Codes or names.
    select: Annotated[
        Collection[str],
        selection_option(
            "--select",
            metavar="RULE",
            autocompletion=_optional_rules,
            help="Enable an optional rule; ALL: every rule.",
        ),
    ] = ()
    ignore: Annotated[Collection[str], ignore_option()] = ()
    profile: Annotated[
        str | None,
        selection_option(
            "--profile",
            metavar="eee",
            **choice_of("profile", PROFILES),
            help="Also report what Every Eval Ever would reject.",
        ),
    ] = None
    # Otherwise only those that lie three folders below a folder `data`.
    datastore: Annotated[
        bool,
        selection_option("--datastore", help="Check all paths against the datastore layout."),
    ] = False
    # No rules, and no sample file of a record.
    schema_only: Annotated[
        bool,
        selection_option("--schema-only", help="Check against schemas only; run no rules."),
    ] = False
    # The name of a preset, ``good=COLUMN``, ``bad=COLUMN`` and the like.
    pairs: Annotated[
        Sequence[str],
        pairs_option(rich_help_panel="File selection"),
    ] = ()
    fix: Annotated[bool, fix_option("--fix", help="Apply fixes that change no score.")] = False
    unsafe_fixes: Annotated[
        bool, fix_option("--unsafe-fixes", help="Include fixes that may change scores.")
    ] = False
    defaults: Annotated[
        str | None,
        fix_option(
            "--defaults", metavar="FILE", help="Fill in missing keys of records from a file."
        ),
    ] = None
    diff: Annotated[
        bool, fix_option("--diff", help="Show what --fix would change; write nothing.")
    ] = False
    output_format: Annotated[
        str,
        output_option(
            "--format",
            metavar="FORMAT",
            **choice_of("output format", ("auto", *OUTPUT_FORMATS)),
            show_default=False,
            help="auto (default), full, concise, json, jsonl, sarif, junit, github or markdown.",
        ),
    ] = "auto"
    outputs: Annotated[
        Sequence[str],
        output_option("--out", "-o", metavar="FORMAT=FILE", help="Also write a report to a file."),
    ] = ()
    fail_on: Annotated[
        str | None,
        output_option(
            "--fail-on",
            metavar="LEVEL",
            **choice_of("fail on", FAILING),
            help="Least severity for exit 1: error, warning, never.",
        ),
    ] = None
    quiet: Annotated[bool, output_option("--quiet", "-q", help="Print findings only.")] = False
    verbose: Annotated[
        bool,
        output_option("--verbose", "-v", help="Show every finding, and the kind of each file."),
    ] = False
    stdin_filename: Annotated[
        str,
        output_option("--stdin-filename", metavar="NAME", help="File name to report for stdin."),
    ] = "<stdin>"
    jobs: Annotated[str | None, jobs_option()] = None

    # Of settings and Python alone.
    #: How regions become sentences: ``core`` (the default), ``hf``, ``brainscore`` or ``none``.
    join: str | None = None
    #: ``left-to-right`` (the default): also report predictions that no such model can decide;
    #: ``any``: only those that no model can, masked models included.
    models: str | None = None
    exclude: Sequence[str] = ()  # globs of files to skip in folders
    backend: Backend | str | None = None  # parses and validates; by default, what suits the size
    hook: bool = False  # a commit is checked: see ``CheckContext.hook``

    @property
    def reads_stdin(self) -> bool:
        """True if standard input is checked."""
        return "-" in self.paths

    @property
    def rewrites_stdin(self) -> bool:
        """True if stdout gets the fixed text of standard input."""
        return self.fix and not self.diff and list(self.paths) == ["-"]

    @property
    def is_for_programs(self) -> bool:
        """True if the report is written even without findings."""
        return self.output_format in MACHINE

    @property
    def is_brief(self) -> bool:
        """True if nothing is printed but findings."""
        return self.quiet or self.hook


#: The settings of no folder.
_NONE = Config()


def context_of(options: CheckOptions, config: Config = _NONE) -> CheckContext:
    """The context of checks under some settings, with what the options add to these.

    Raises:
        UnknownNameError: A kind, version, joining rule, rule, profile, backend or preset does not
            exist.
        UsageError: A kind, the native backend or columns of pairs cannot be used.
    """
    if options.kind is not None and options.kind not in KINDS:
        _require_other(options.kind)
    profile = options.profile or config.profile
    join, models = options.join or config.join, options.models or config.models
    known: tuple[tuple[str, object, Collection[Any]], ...] = (
        ("schema_version", options.schema_version, _VERSIONS),
        ("join", join, JOINS),
        ("models", models, MODELS),
        ("profile", profile, PROFILES),
        ("backend", options.backend, tuple(Backend)),
    )
    for name, value, values in known:
        if value is not None and value not in values:
            raise UnknownNameError(name, str(value), tuple(values))
    if options.backend == Backend.NATIVE and not native_is_installed():
        raise UsageError("the native backend needs orjson and jsonschema-rs (evalmark[fast])")
    tables = stated_tables(_several(options.pairs)) if options.pairs else NO_TABLES
    jobs, is_ray = shared(options.jobs)
    return CheckContext(
        kind=options.kind,
        schema_version=options.schema_version,
        join=join,
        models=models,
        select=frozenset((*config.select, *rule_codes(_several(options.select)))),
        profile=profile,
        datastore=options.datastore,
        schema_only=options.schema_only,
        backend=None if options.backend is None else Backend(options.backend),
        pairs=tables if tables.entries else config.pairs,
        words=frozenset(config.words),
        no_rows=_no_rows,
        exclude=(
            *(Glob(glob, config.folder) for glob in config.exclude),
            *map(Glob, _several(options.exclude)),
        ),
        ignore=(*config.ignore, *rule_codes(_several(options.ignore))),
        per_file_ignores=config.per_file_ignores,
        jobs=jobs,
        ray=is_ray,
        ray_address=config.ray.address,
    )


def _no_rows(file: BinaryIO, path: str, *, is_sample: bool = False) -> Finding | None:
    if not may_be_no_rows(file):
        return None
    from evalmark.validator.formats.unrecognized import not_rows  # for other files only

    return not_rows(file, path, is_sample=is_sample)


def _several(words: Collection[str]) -> list[str]:
    return [words] if isinstance(words, str) else [*words]


def _require_other(kind: str) -> None:
    from evalmark.validator.formats.plugins import other_formats  # few are asked for

    others = other_formats()
    if kind in others.named:
        return
    for line in others.refused:
        if line.startswith(f"{shown(kind)} of "):
            raise UsageError(line)
    raise UnknownNameError("kind", kind, (*KINDS, *others.named))
