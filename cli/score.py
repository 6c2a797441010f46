"""``evalmark score``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from evalmark.converters import is_suite, records
from evalmark.scoring import (
    BATCH_TOKENS,
    DEMO,
    LoadedSuite,
    Scores,
    ScoringError,
    Settings,
    UndefinedValue,
    load_model,
    load_suite,
    prepare_folder,
    run_time,
    score_recorded,
    score_suites,
    write_output,
)
from evalmark.validator import (
    JOINS,
    Config,
    ConfigError,
    Rejected,
    decode,
    expand,
    load_config,
)

from ._checking import FOUND, complain

EPILOG = """Examples:

evalmark score suites/*.json --model gpt2 --out results/

evalmark score suite.json --model ./my-model --model-id my-lab/my-model

evalmark score suite.json --surprisals surprisals.tsv

Exit code: 0 done, 1 a value is undefined, 2 could not run.
"""

Join = StrEnum("Join", {name: name for name in JOINS})  # type: ignore[misc]
FirstToken = StrEnum("FirstToken", {name: name for name in ("undefined", "zero")})  # type: ignore[misc]
Undefined = StrEnum("Undefined", {name: name for name in ("refuse", "false")})  # type: ignore[misc]
DType = StrEnum(  # type: ignore[misc]
    "DType", {name: name for name in ("auto", "float32", "float64", "bfloat16", "float16")}
)
Device = StrEnum("Device", {name: name for name in ("auto", "cpu", "cuda", "mps")})  # type: ignore[misc]
Relationship = StrEnum(  # type: ignore[misc]
    "Relationship",
    {name: name for name in ("first_party", "third_party", "collaborative", "other")},
)


def command(
    paths: Annotated[
        list[str], typer.Argument(metavar="SUITES|FOLDERS", help="Suites, of any dialect.")
    ],
    model: Annotated[
        str | None,
        typer.Option(help=f"Folder, name on the Hugging Face hub, or `{DEMO}` (bundled)."),
    ] = None,
    surprisals: Annotated[
        Path | None, typer.Option(help="Take surprisals from this TSV instead of a model.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for record, samples and scores.json.")
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write to --out even if it has content.")
    ] = False,
    model_id: Annotated[
        str | None, typer.Option(help="What the record calls the model: organization/model.")
    ] = None,
    revision: Annotated[
        str | None, typer.Option(help="Branch, tag or commit of a hub model.")
    ] = None,
    dtype: Annotated[DType, typer.Option(help="Number format of the weights.")] = DType("float32"),
    device: Annotated[Device, typer.Option(help="Where to run.")] = Device("auto"),
    batch_tokens: Annotated[
        int, typer.Option(min=1, help="Tokens of one batch, padding included.")
    ] = BATCH_TOKENS,
    bos: Annotated[
        str, typer.Option(metavar="auto|none|TOKEN", help="What is put before a sentence.")
    ] = "auto",
    first_token: Annotated[
        FirstToken, typer.Option(help="The first token's surprisal without BOS.")
    ] = FirstToken("undefined"),
    join: Annotated[
        Join | None, typer.Option(help="How regions become sentences (default: core).")
    ] = None,
    undefined: Annotated[
        Undefined, typer.Option(help="What an undefined value does to a prediction.")
    ] = Undefined("refuse"),
    metric: Annotated[
        str | None, typer.Option(help="The metric to use where a legacy suite names several.")
    ] = None,
    collection: Annotated[
        str, typer.Option(help="First part of the record's evaluation_id.")
    ] = "evalmark",
    organization: Annotated[str | None, typer.Option(help="Who stands behind the record.")] = None,
    relationship: Annotated[
        Relationship | None, typer.Option(help="Their relationship to the maker of the model.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No table.")] = False,
) -> None:
    """Score suites with a language model and write a record.

    Surprisals are in bits. A table of accuracies against chance goes to stdout; --out also writes
    the record, one sample row for each item and result, and scores.json.
    """
    started = run_time()
    try:
        config = load_config()
        settings = Settings(
            bos=bos,
            first_token=str(first_token),
            join=str(join) if join else config.join,
            undefined=str(undefined),
        )
        if (model is None) == (surprisals is None):
            raise ScoringError("say where surprisals come from: --model or --surprisals")
        if out is not None:
            prepare_folder(out, overwrite=overwrite)
        suites = _suites(paths, settings.join, metric)
        if surprisals is not None:
            if len(suites) != 1:
                raise ScoringError("--surprisals goes with one suite")
            scores = score_recorded(suites[0], surprisals, settings)
        else:
            assert model is not None
            loaded = load_model(
                model,
                model_id=model_id,
                revision=revision,
                dtype=str(dtype),
                device=str(device),
                bos=bos,
            )
            with _progress() as progress:
                scores = score_suites(
                    suites, loaded, settings, batch_tokens=batch_tokens, progress=progress
                )
        if not quiet:
            _table(scores)
        if out is not None:
            source = _source(organization, relationship and str(relationship), config)
            written = write_output(
                scores, out, source=source, collection=collection, started=started
            )
            for path in written:
                sys.stderr.write(f"wrote {path}\n")
    except UndefinedValue as error:
        complain(str(error))
        raise typer.Exit(FOUND) from None
    except (ScoringError, ConfigError) as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        where = error.filename or ""
        raise typer.Exit(complain(f"{where}: {error.strerror or error}")) from None


def _suites(paths: list[str], join: str, metric: str | None) -> list[LoadedSuite]:
    suites = []
    for path, named in expand(paths):
        if not named and not _is_suite(path):
            continue
        suites.append(load_suite(path, join=join, metric=metric))
    if not suites:
        raise ScoringError("no suites to score")
    return suites


def _is_suite(path: str) -> bool:
    try:
        return is_suite(decode(Path(path).read_bytes()))
    except Rejected:
        return False


def _source(organization: str | None, relationship: str | None, config: Config) -> records.Source:
    source = records.Source(
        organization or config.organization, relationship or config.relationship
    )
    if source.organization is None or source.relationship is None:
        sys.stderr.write(
            "note: the record does not say who stands behind it: "
            "--organization and --relationship, or [tool.evalmark.record]\n"
        )
    return source


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scoring", total=None)

        def show(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield show


def _table(scores: Scores) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("suite", "prediction"):
        table.add_column(name)
    for name in ("items", "correct", "accuracy", "95 % interval", "chance"):
        table.add_column(name, justify="right")
    for scored in scores.suites:
        name = scored.source.suite.name
        items = len(scored.source.suite.items)
        columns = [(str(i), p.correct) for i, p in enumerate(scored.result.predictions, 1)]
        if len(columns) > 1:
            columns.append(("all", sum(scored.result.conjunction)))
        for (label, correct), chance in zip(columns, scored.chances, strict=False):
            lower, upper = records.wilson_interval(correct / items, items)
            table.add_row(
                name,
                label,
                str(items),
                str(correct),
                f"{correct / items:.3f}",
                f"{lower:.2f} to {upper:.2f}",
                f"{chance:.3f}",
            )
            name = ""
    width = None if sys.stdout.isatty() else 120
    Console(width=width).print(table)
    ties = [
        f"{scored.source.suite.name}: {', '.join(map(str, scored.result.ties))}"
        for scored in scores.suites
        if scored.result.ties
    ]
    if ties:
        sys.stdout.write("\nDecided by rounding (margin below 1e-4 bits), by item number:\n")
        sys.stdout.write("".join(f"  {line}\n" for line in ties))
