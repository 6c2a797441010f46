"""``evalmark store``: records in a table, and questions to it."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import (
    DatastoreOption,
    IgnoreOption,
    JobsOption,
    ProfileOption,
    SchemaOnlyOption,
    SchemaVersionOption,
    SelectOption,
    StoreArgument,
    TableFormatOption,
    file_option,
    one_of,
    output_option,
    refuse_dash,
    selection_option,
    shared,
)
from evalmark.cli.settings import settings
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.terminal import CLEAN, COULD_NOT_RUN, put_json, say, tell

if TYPE_CHECKING:
    from evalmark.leaderboard.open_store import Store

app = new_app(
    no_args_is_help=True,
    help="A store is a folder with a table of the results of many records: one Parquet file.",
    epilog="""
\b
Examples:
  evalmark store add leaderboard/ data/
  evalmark store aliases leaderboard/
  evalmark store top leaderboard/ mmlu_pro
  evalmark store publish leaderboard/ -o site/

The store can be left out if the setting `path` of [tool.evalmark.store] or
EVALMARK_STORE names it.

Exit code: 0 done, 2 something failed.
""",
)

question_option = partial(typer.Option, rich_help_panel="Query")
Function = TypeVar("Function", bound=Callable[..., None])


def command(
    *examples: str,
    exit_code: str = "0 done, 2 something failed",
    short_help: str | None = None,
) -> Callable[[Function], Function]:
    """Registers a command; examples and exit codes are shown below its help."""
    shown = "".join(f"\n  {example}" for example in examples)
    epilog = f"\n\b\nExamples:{shown}\n\nExit code: {exit_code}.\n"
    return app.command(cls=Command, epilog=epilog, short_help=short_help)


def _store_and(words: list[str], *parts: str) -> tuple[Path | None, list[str]]:
    """The store, if the first of the arguments names it, and what follows it.

    Raises:
        UsageError: There are fewer or more arguments.
    """
    if len(words) not in (len(parts), len(parts) + 1):
        raise UsageError(f"expected {' '.join(('STORE', *parts))}, found {len(words)} arguments")
    rest = len(words) - len(parts)
    return (Path(words[0]) if rest else None), words[rest:]


def _names(entity: str) -> Callable[[typer.Context], list[str]]:
    """A completion with the names in the store that is named before, or in the settings."""

    def complete(ctx: typer.Context) -> list[str]:
        from evalmark.cli.stores.answering import names_in

        first, *_ = ctx.params.get("words") or [""]
        return names_in(Path(first) if first and Path(first).is_dir() else None, entity)

    return complete


def _answer(
    store: Path | None,
    question: str,
    ask: Callable[[Store], Any],
    output_format: str,
    limit: int | None = None,
) -> None:
    """Ask a store, or that of the settings, and print what it answers."""
    from evalmark.cli.stores.answering import answer, the_store

    answer(the_store(store), question, ask, output_format, limit)


def _formats() -> tuple[str, ...]:
    from evalmark.pages.question_output import ANSWERS

    return ("table", *ANSWERS)


def _named() -> tuple[str, ...]:
    from evalmark.leaderboard.questions.query import named_queries

    return tuple(named_queries())


#: The store may be left out: the settings can name it.
OptionalStore = Annotated[
    Path | None, typer.Argument(metavar="[STORE]", help="Folder of the store.", show_default=False)
]
FormatOption = Annotated[
    str,
    output_option(
        "--format",
        metavar="FORMAT",
        **one_of("question format", _formats),
        show_default=False,
        help="table (default), csv, json or markdown.",
    ),
]
PathsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="FILES|FOLDERS", help="Records, and folders of them.")
]
PathsFromOption = Annotated[
    str | None,
    selection_option(
        "--paths-from", metavar="FILE", help="Read the paths from a list; - is stdin."
    ),
]
ExcludeOption = Annotated[
    list[str] | None, selection_option("--exclude", metavar="GLOB", help="Skip files in folders.")
]
SamplesOption = Annotated[
    bool,
    file_option(
        "--samples", help="Read the sample files of the records too, into a table `samples`."
    ),
]
QuietOption = Annotated[bool, output_option("--quiet", "-q", help="Show no progress.")]


@command(
    "evalmark store add board/ data/",
    "git ls-files -z data | evalmark store add board/ --paths-from -",
    short_help="Read records into a store; unchanged files are not read again.",
    exit_code="0 done, also if records have mistakes; 2 a file cannot be read",
)
def add(
    store: StoreArgument,
    paths: PathsArgument = None,
    paths_from: PathsFromOption = None,
    exclude: ExcludeOption = None,
    schema_version: SchemaVersionOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    profile: ProfileOption = None,
    datastore: DatastoreOption = False,
    schema_only: SchemaOnlyOption = False,
    samples: SamplesOption = False,
    output_format: TableFormatOption = "table",
    quiet: QuietOption = False,
    jobs: JobsOption = None,
) -> None:
    """Check records, and read their results into the table of a store.

    The folder of the store is made if there is none. Files that have not changed are neither read
    nor checked again; what has changed is replaced, and records that are gone from the given paths
    are removed. A record with mistakes keeps its results, with a verdict and the codes of its
    findings. It is safe to interrupt this command: the store is then as it was.
    """
    from evalmark.cli.check import paths_of
    from evalmark.cli.stores.store_reports import added_data, print_added
    from evalmark.leaderboard.ingest.add_records import add_records

    if not paths and paths_from is None:
        raise UsageError("nothing to add: give files or folders, or --paths-from")
    # Arrow's own allocator gives memory back after each group of rows, and asks for it again: with
    # the system's, adding what has changed takes 0.8 of the time and half the memory.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    count, ray = shared(jobs)
    config = settings(*(["ray.address"] if ray else []))
    added = add_records(
        paths_of(paths or [], None, paths_from),
        store,
        config=config,
        exclude=exclude or (),
        ignore=ignore or (),
        jobs=count,
        ray=ray,
        samples=samples,
        progress=not quiet,
        schema_version=schema_version,
        select=select or (),
        profile=profile,
        datastore=datastore,
        schema_only=schema_only,
    )
    for path, why in added.unreadable:
        say(f"{path}: not added: {why}")
    if output_format == "json":
        put_json(added_data(added))
    else:
        print_added(added)
    raise typer.Exit(COULD_NOT_RUN if added.unreadable else CLEAN)


@command(
    "evalmark store aliases leaderboard/",
    "evalmark store aliases leaderboard/ --format json",
    short_help="Show which names are one, and names that may be.",
    exit_code="0 done, 2 the aliases cannot be used",
)
def aliases(
    store: OptionalStore = None,
    show_all: Annotated[bool, output_option("--show-all", help="Show all proposals.")] = False,
    output_format: TableFormatOption = "table",
) -> None:
    """Show what the aliases of a store have merged, and propose further ones.

    Aliases are lines of `aliases.toml` in the folder of the store, and of the file that the setting
    `aliases` of [tool.evalmark.store] names: `"alias" = "name"` below [models], [developers] or
    [benchmarks]. They count when a question is asked: no record is read again. Proposals are names
    that differ in case or separators, models of several developers, and developers of one model.
    Nothing is merged unless you paste the lines.
    """
    from evalmark.cli.stores.answering import the_store
    from evalmark.cli.stores.store_reports import aliases_data, print_aliases
    from evalmark.leaderboard.alias_candidates import alias_report

    report = alias_report(the_store(store))
    if output_format == "json":
        put_json(aliases_data(report))
    else:
        print_aliases(report, show_all=show_all)
    raise typer.Exit(CLEAN)


@command("evalmark store top board/ gsm8k", "evalmark store top board/ gsm8k --all --format csv")
def top(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[STORE] BENCHMARK",
            autocompletion=_names("benchmark"),
            help="A benchmark, by its key or parts of it.",
        ),
    ],
    every_result: Annotated[
        bool, question_option("--all", help="Every result, not only the best of each model.")
    ] = False,
    output_format: FormatOption = "table",
    limit: Annotated[
        int | None,
        output_option(
            "--limit",
            metavar="N",
            min=1,
            help="At most N rows; default: 50 in a table, else all.",
        ),
    ] = None,
) -> None:
    """Rank the models of one benchmark.

    A benchmark is a data set with its subset, split, metric, direction and scale: scores that
    differ in one of these are never ranked together. If a name can mean several benchmarks, they
    are listed. Every model has its best result; `results` and `worst` say if there are others.
    """
    from evalmark.leaderboard.questions.ranking import top as top_models

    store, (benchmark,) = _store_and(words, "BENCHMARK")
    _answer(
        store,
        "top",
        lambda records: top_models(records, benchmark, every_result=every_result),
        output_format,
        limit,
    )


@command(
    "evalmark store show board/ meta/llama-65b",
    'evalmark store show board/ "LLaMA 65B" --format json',
    short_help="Show all results of one model.",
)
def show(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[STORE] MODEL",
            autocompletion=_names("model"),
            help="A model, by its id or display name.",
        ),
    ],
    output_format: FormatOption = "table",
) -> None:
    """Show all results of one model, by benchmark."""
    from evalmark.leaderboard.questions.ranking import show as show_model

    store, (model,) = _store_and(words, "MODEL")
    _answer(store, "show", lambda records: show_model(records, model), output_format)


@command(
    "evalmark store compare board/ openai/gpt-4o meta/llama-3-70b",
    "evalmark store compare board/ gpt-4o llama-3-70b --format json",
)
def compare(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[STORE] FIRST SECOND",
            autocompletion=_names("model"),
            help="Two models, by their ids or display names.",
        ),
    ],
    output_format: FormatOption = "table",
) -> None:
    """Compare two models on the benchmarks that both have.

    The comparison is paired where the store has samples of both (`store add --samples`), as in
    `evalmark compare`: it says how many samples only one of them has right, and a p value corrected
    by Holm for the number of benchmarks. Elsewhere the two scores are given without a test: two
    means without their samples do not say whether the models differ.
    """
    from evalmark.leaderboard.questions.model_comparison import compare_models

    store, (first, second) = _store_and(words, "FIRST", "SECOND")
    _answer(store, "compare", lambda records: compare_models(records, first, second), output_format)


@command(
    "evalmark store conflicts board/",
    "evalmark store conflicts board/ --format csv > conflicts.csv",
    exit_code="0 done, whether or not there are any; 2 something failed",
)
def conflicts(store: OptionalStore = None, output_format: FormatOption = "table") -> None:
    """Find different numbers for the same model and benchmark.

    The settings that differ are shown for each number. Numbers under the same settings contradict
    each other; sources, dates, ranks and costs are no settings. Numbers agree if one is the other
    rounded, but never more coarsely than 0.5 % of the scale. Contradictions are first, and of these
    the largest difference.
    """
    from evalmark.leaderboard.questions.conflicts import conflicts as conflict_table

    _answer(store, "conflicts", conflict_table, output_format)


@command(
    'evalmark store sql board/ "DESCRIBE results"',
    'evalmark store sql board/ "SELECT developer_key, count(*) FROM results\n    GROUP BY ALL"',
    "evalmark store sql board/ --name duplicates",
    "evalmark store sql board/ --name differences --before last-month/",
)
def sql(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[STORE] QUERY", help="A SELECT over the view `results`."),
    ] = None,
    name: Annotated[
        str | None,
        question_option(
            "--name",
            metavar="NAME",
            **one_of("named query", _named),
            help="Instead of QUERY: bounds, differences, duplicates or missing.",
        ),
    ] = None,
    before: Annotated[
        Path | None,
        question_option(
            "--before", metavar="STORE", help="Another store, whose results are the view `before`."
        ),
    ] = None,
    output_format: FormatOption = "table",
) -> None:
    """Ask any question in SQL.

    The view `results` has a row for each result of each record; `model_key`, `developer_key` and
    `benchmark_key` are names with aliases applied. The query can read the store and nothing else,
    and cannot change it. The dialect is DuckDB's.

    Some queries have names: `bounds` finds scores outside of their scale; `differences` what was
    added, removed or changed since the store of --before; `duplicates` files, records and results
    that are there twice; `missing` the benchmarks that models lack.
    """
    from evalmark.cli.stores.answering import opened
    from evalmark.leaderboard.questions.query import named_queries
    from evalmark.leaderboard.questions.query import sql as sql_table

    store, queries = _store_and(words or [], *(() if name else ("QUERY",)))
    query = named_queries()[name] if name else queries[0]
    if name == "differences" and before is None:
        raise UsageError("--name differences needs --before STORE")
    other = None if before is None else opened(before)
    _answer(store, "sql", lambda records: sql_table(records, query, before=other), output_format)


#: Records that a note names.
_NAMED = 3


@command(
    'evalmark store publish board/ -o site/ --title "Grammar"',
    "evalmark store publish board/ -o site/ \\\n"
    '    --record-url "https://github.com/me/records/blob/main/{file}"',
    short_help="Write a static site of a store.",
)
def publish(
    store: OptionalStore = None,
    *,
    out: Annotated[
        Path,
        output_option(
            "--out", "-o", metavar="FOLDER", callback=refuse_dash, help="Folder of the site."
        ),
    ],
    title: Annotated[
        str, output_option("--title", metavar="TEXT", help="What the site is called.")
    ] = "Leaderboard",
    record_url: Annotated[
        str | None,
        output_option(
            "--record-url",
            metavar="URL",
            help="URL of a record, {file} for its path; "
            "without it, records are copied into the site.",
        ),
    ] = None,
) -> None:
    """Write a static site of a store: models, benchmarks, and every number with its source.

    The first page has a table of models and benchmarks that can be sorted and filtered; each model
    and each benchmark has a page. Numbers that contradict each other are shown side by side with
    the settings in which they differ, and never averaged. Every number has a link to its record.
    The site loads nothing from other hosts, and works from a disk too. Files of an earlier site in
    the folder are replaced; other files stay.
    """
    from evalmark.cli.stores.answering import the_store
    from evalmark.cli.stores.store_reports import counted
    from evalmark.pages.site.write_site import publish as write_site

    site = write_site(the_store(store), out, title=title, record_url=record_url)
    counts = (
        (site.models, "model"),
        (site.benchmarks, "benchmark"),
        (site.results, "result"),
        (site.conflicts, "conflict"),
    )
    tell(", ".join(counted(count, noun) for count, noun in counts))
    if site.unnamed:
        noun = "1 result names" if site.unnamed == 1 else f"{site.unnamed:,} results name"
        say(f"note: {noun} no model: only in the tables for download")
    if site.lost:
        names = ", ".join(site.lost[:_NAMED])
        more = f" and {len(site.lost) - _NAMED:,} more" if len(site.lost) > _NAMED else ""
        say(
            f"note: {len(site.lost):,} of the records are not linked, since they are gone, have "
            "changed, or have paths from another folder than this one (run `store publish` where "
            f"`store add` was run): {names}{more}"
        )
    say(f"wrote {out / 'index.html'} and {site.files - 1:,} more files, {site.size / 1e6:.1f} MB")
    raise typer.Exit(CLEAN)
