"""``evalmark store``: records in a table, and questions to it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.check import paths_of
from evalmark.cli.command import new_app
from evalmark.cli.options import (
    DatastoreOption,
    IgnoreOption,
    JobsOption,
    PathsFromOption,
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


def _words(metavar: str, help_text: str, entity: str) -> Any:
    """The argument of a command that asks about names in a store, which a shell can complete."""

    def complete(ctx: typer.Context) -> list[str]:
        from evalmark.cli.stores.named_store import names_in  # loads duckdb

        first, *_ = ctx.params.get("words") or [""]
        return names_in(Path(first) if first and Path(first).is_dir() else None, entity)

    return typer.Argument(metavar=f"[STORE] {metavar}", autocompletion=complete, help=help_text)


def _formats() -> tuple[str, ...]:
    from evalmark.leaderboard.questions.question_output import ANSWERS

    return ("table", *ANSWERS)


def _named() -> tuple[str, ...]:
    from evalmark.leaderboard.questions.query import named_queries

    return tuple(named_queries())


def _answer(question: str, words: list[str], output_format: str, **options: Any) -> None:
    from evalmark.cli.stores.answering import answer  # loads duckdb

    answer(question, words, output_format, **options)


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


@app.with_examples(
    "evalmark store add board/ data/",
    "git ls-files -z data | evalmark store add board/ --paths-from -",
    short_help="Read records into a store; unchanged files are not read again.",
    exit_code="0 done; 1 records with errors were left out; 2 a file cannot be read",
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
    include_errors: Annotated[
        bool,
        selection_option(
            "--include-errors", help="Add records with errors too; answers mark their numbers."
        ),
    ] = False,
    output_format: TableFormatOption = "table",
    quiet: QuietOption = False,
    jobs: JobsOption = None,
) -> None:
    """Check records, and read their results into the table of a store.

    The folder of the store is made if there is none. Files that have not changed are neither read
    nor checked again; what has changed is replaced, and records that are gone from the given paths
    are removed. Records with errors are left out and named, unless you include them. Keys and
    passwords are never written. It is safe to interrupt this command: the store is then as it was.
    """
    if not paths and paths_from is None:
        raise UsageError("nothing to add: give files or folders, or --paths-from")
    # Arrow's own allocator gives memory back after each group of rows, and asks for it again: with
    # the system's, adding what has changed takes 0.8 of the time and half the memory.
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    count, ray = shared(jobs)
    config = settings(*(["ray.address"] if ray else []))
    from evalmark.cli.stores.store_reports import add_and_tell

    code = add_and_tell(
        paths_of(paths or [], None, paths_from),
        store,
        as_json=output_format == "json",
        config=config,
        exclude=exclude or (),
        ignore=ignore or (),
        jobs=count,
        ray=ray,
        samples=samples,
        include_errors=include_errors,
        progress=not quiet,
        schema_version=schema_version,
        select=select or (),
        profile=profile,
        datastore=datastore,
        schema_only=schema_only,
    )
    raise typer.Exit(code)


@app.with_examples(
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
    from evalmark.cli.stores.store_reports import tell_aliases

    tell_aliases(store, as_json=output_format == "json", show_all=show_all)


@app.with_examples(
    "evalmark store top board/ gsm8k", "evalmark store top board/ gsm8k --all --format csv"
)
def top(
    words: Annotated[
        list[str], _words("BENCHMARK", "A benchmark, by its key or parts of it.", "benchmark")
    ],
    every_result: Annotated[
        bool, question_option("--all", help="Every result, not only one of each model.")
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
    are listed. Of several numbers of a model the one represents it whose settings most models of
    the benchmark have; of these a third party's, then that of the larger sample, then the newest;
    never the best. `results`, `worst` and `best` say if there are others.
    """
    _answer("top", words, output_format, limit=limit, every_result=every_result)


@app.with_examples(
    "evalmark store show board/ meta/llama-65b",
    'evalmark store show board/ "LLaMA 65B" --format json',
    short_help="Show all results of one model.",
)
def show(
    words: Annotated[list[str], _words("MODEL", "A model, by its id or display name.", "model")],
    output_format: FormatOption = "table",
) -> None:
    """Show all results of one model, by benchmark."""
    _answer("show", words, output_format)


@app.with_examples(
    "evalmark store compare board/ openai/gpt-4o meta/llama-3-70b",
    "evalmark store compare board/ gpt-4o llama-3-70b --format json",
)
def compare(
    words: Annotated[
        list[str], _words("FIRST SECOND", "Two models, by their ids or display names.", "model")
    ],
    output_format: FormatOption = "table",
) -> None:
    """Compare two models on the benchmarks that both have.

    The comparison is paired where the store has samples of both (`store add --samples`), as in
    `evalmark compare`: it says how many samples only one of them has right, and a p value corrected
    by Holm for the number of benchmarks. Elsewhere the two scores are given without a test: two
    means without their samples do not say whether the models differ.
    """
    _answer("compare", words, output_format)


@app.with_examples(
    "evalmark store conflicts board/",
    "evalmark store conflicts board/ --format csv > conflicts.csv",
    exit_code="0 done, whether or not there are any; 2 something failed",
)
def conflicts(store: OptionalStore = None, output_format: FormatOption = "table") -> None:
    """Find different numbers for the same model and benchmark.

    The settings that differ are shown for each number. Numbers contradict each other if no setting
    that both state differs; sources, dates, ranks and costs are not settings. Numbers agree if one
    is the other rounded, but never more coarsely than 0.5 % of the scale. Contradictions are first,
    and of these the largest difference.
    """
    _answer("conflicts", [str(store)] if store else [], output_format)


@app.with_examples(
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
    if name == "differences" and before is None:
        raise UsageError("--name differences needs --before STORE")
    named = {"name": name} if name else {}
    _answer("named" if name else "sql", words or [], output_format, before=before, **named)


@app.with_examples(
    'evalmark store publish board/ -o site/ --title "Grammar"',
    "evalmark store publish board/ -o site/ \\\n"
    '    --record-url "https://github.com/me/records/blob/main/{file}"',
    short_help="Publish a store as a website.",
)
def publish(
    store: OptionalStore = None,
    *,
    out: Annotated[
        Path,
        output_option(
            "--out", "-o", metavar="FOLDER", callback=refuse_dash, help="Folder of the website."
        ),
    ],
    title: Annotated[
        str, output_option("--title", metavar="TEXT", help="Title of the website.")
    ] = "Leaderboard",
    record_url: Annotated[
        str | None,
        output_option(
            "--record-url",
            metavar="URL",
            help="URL of a record, with {file} for its path. By default, its URL in its "
            "repository, or a copy in the website.",
        ),
    ] = None,
) -> None:
    """Publish a store as a website: its models, its benchmarks, and the source of each number.

    The first page is a table of models and benchmarks, to sort and filter. Each model and each
    benchmark has a page, and each number a link to its record. Numbers that contradict each other
    appear side by side with the settings that differ; they are never averaged. The website loads
    nothing from other hosts, and opens from a disk too. A second run replaces its files in the
    folder and keeps others.
    """
    from evalmark.cli.stores.store_reports import publish_and_tell

    publish_and_tell(store, out, title, record_url)
