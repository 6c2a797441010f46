"""``evalmark converse``."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.conversation_output import print_outcomes
from evalmark.cli.lines import complain, complain_of, say
from evalmark.cli.progress import counting
from evalmark.cli.record_source import record_source
from evalmark.conversations.agents.agents import Agent, ChatAgent, Completer, scripted_agent
from evalmark.conversations.agents.http import KEY, HttpCompleter
from evalmark.conversations.agents.local import LocalCompleter
from evalmark.conversations.conversation import Conversation, converse
from evalmark.conversations.registry import DATASETS
from evalmark.conversations.running.clock import Clock
from evalmark.conversations.running.run_folder import list_files
from evalmark.conversations.running.runner import MODES
from evalmark.converters.importers.ltm import read_ltm_run
from evalmark.converters.records.writer import RECORD_VERSION, WRITTEN_VERSIONS, write_record
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConfigError, ConversionError, ScoringError
from evalmark.scoring.models.loading import load_chat_model
from evalmark.scoring.output import run_time
from evalmark.validator.config import Config, load_config

EPILOG = f"""Examples:

evalmark converse all --model ./my-chat-model --out runs/mine

evalmark converse definitions/ --url https://api.example.org/v1 --model gpt-x --out runs/x

evalmark converse my_tests:Birthdays --model ./my-chat-model --out runs/birthdays

Datasets: {", ".join(DATASETS)}; `all` are those that need no judge to be generated.

Exit code: 0 done, 1 a test went wrong or was not judged, 2 could not run. A run that was stopped
goes on when the same command is given again.
"""

Mode = StrEnum("Mode", {name: name for name in MODES})  # type: ignore[misc]
RecordVersion = StrEnum(  # type: ignore[misc]
    "RecordVersion", {name: name for name in WRITTEN_VERSIONS}
)


def command(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="DEFINITIONS|module:Class|DATASET...",
            help="Definition files or folders, classes of yours, or datasets by their keys.",
        ),
    ],
    out: Annotated[Path, typer.Option(help="Folder of the run.")],
    model: Annotated[
        str | None,
        typer.Option(help="Folder or hub name of a chat model; with --url, what is asked for."),
    ] = None,
    url: Annotated[
        str | None, typer.Option(help="An endpoint that speaks chat completions, up to /v1.")
    ] = None,
    script: Annotated[
        Path | None, typer.Option(help="Instead of a model: a JSON file of replies.")
    ] = None,
    model_id: Annotated[
        str | None, typer.Option(help="What the record calls the model: organization/model.")
    ] = None,
    key: Annotated[
        str, typer.Option("--key-env", help="Environment variable that holds the key.")
    ] = KEY,
    window: Annotated[
        int | None, typer.Option(min=1, help="With --url: tokens the model can read and write.")
    ] = None,
    prices: Annotated[
        tuple[float, float],
        typer.Option(help="With --url: US dollars for a million tokens read, and written."),
    ] = (0.0, 0.0),
    judge: Annotated[str | None, typer.Option(help="Model that judges where rules cannot.")] = None,
    judge_url: Annotated[str | None, typer.Option(help="Endpoint of the judge.")] = None,
    mode: Annotated[
        Mode,
        typer.Option(
            help="Each test alone and waits let time pass; alone and waits are filled with talk; "
            "or all in one conversation."
        ),
    ] = Mode("isolated"),
    examples: Annotated[int, typer.Option(min=1, help="Tests of each dataset.")] = 3,
    memory_span: Annotated[
        int, typer.Option(min=1, help="Tokens over which a test is spread.")
    ] = 2000,
    seed: Annotated[int, typer.Option(help="Of tests, talk and drawn replies.")] = 0,
    temperature: Annotated[float, typer.Option(min=0.0, help="Of the model.")] = 0.0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Of a reply.")] = 256,
    system: Annotated[str, typer.Option(help="A message before the conversation.")] = "",
    device: Annotated[str, typer.Option(help="cpu, cuda, mps or auto.")] = "auto",
    retry: Annotated[
        bool, typer.Option("--retry", help="Go back to the first reply that failed; ask again.")
    ] = False,
    record_version: Annotated[
        RecordVersion, typer.Option(help="Version of the record.")
    ] = RecordVersion(RECORD_VERSION),
    organization: Annotated[str | None, typer.Option(help="Who stands behind the record.")] = None,
    relationship: Annotated[
        str | None, typer.Option(help="Their relationship to the maker of the model.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No table.")] = False,
) -> None:
    """Run tests of conversational memory with a model, score them, and write a record.

    Tests come from definition files, from datasets of ours or from classes of yours (their code
    runs then, and only then). The folder holds definitions, results, a log and the record.
    """
    try:
        config = load_config()
        agent, judging = _people(
            model, url, script, key, window, prices, judge, judge_url,
            temperature, max_tokens, system, device, seed, model_id,
        )  # fmt: skip
        settings = Conversation(str(mode), examples, memory_span, seed)
        clock = Clock(datetime.fromtimestamp(run_time(), UTC))
        with counting("conversing", "tests") as progress:
            finished = converse(
                targets, agent, out, settings, judge=judging, clock=clock, retry=retry,
                progress=progress,
            )  # fmt: skip
        for note in finished.notes:
            say(f"note: {note}")
        if not quiet:
            print_outcomes(finished.outcomes, finished.totals)
        if any(outcome.score is not None for outcome in finished.outcomes):
            _record(
                finished.folder, out, str(record_version), model_id, organization, relationship,
                config,
            )  # fmt: skip
    except (ScoringError, ConversionError, ConfigError) as error:
        raise typer.Exit(complain(str(error))) from None
    except OSError as error:
        raise typer.Exit(complain_of(error)) from None
    if any(outcome.score is None for outcome in finished.outcomes):
        raise typer.Exit(1)


def _people(
    model: str | None,
    url: str | None,
    script: Path | None,
    key: str,
    window: int | None,
    prices: tuple[float, float],
    judge: str | None,
    judge_url: str | None,
    temperature: float,
    max_tokens: int,
    system: str,
    device: str,
    seed: int,
    model_id: str | None,
) -> tuple[Agent, Completer | None]:
    """Who is tested, and who judges.

    Raises:
        ScoringError: It is not said who, or a model cannot be loaded.
    """
    if (model is None) == (script is None):
        raise ScoringError("say who is tested: --model, --url with --model, or --script")
    if url is not None and model is None:
        raise ScoringError("--url goes with --model: what the endpoint is asked for")

    def completer(name: str, address: str | None, label: str | None = None) -> Completer:
        if address is not None:
            return HttpCompleter(address, name, key=key, window=window, prices=prices)
        return LocalCompleter(load_chat_model(name, model_id=label, device=device, seed=seed))

    judging = completer(judge, judge_url) if judge is not None else None
    if script is not None:
        return scripted_agent(script), judging
    assert model is not None
    agent = ChatAgent(
        completer(model, url, model_id),
        system=system,
        temperature=temperature,
        max_tokens=max_tokens,
    )
    return agent, judging


def _record(
    folder: Path,
    out: Path,
    version: str,
    model_id: str | None,
    organization: str | None,
    relationship: str | None,
    config: Config,
) -> None:
    source = record_source(organization, relationship, config)
    said = {
        "/model_info/id": model_id,
        "/source_metadata/source_organization_name": source.organization,
        "/source_metadata/evaluator_relationship": source.relationship,
    }
    supplied = Supplied(values={key: value for key, value in said.items() if value is not None})
    (run,) = read_ltm_run(folder, None, supplied)
    place = out / "records" / folder.name
    place.mkdir(parents=True, exist_ok=True)
    written = write_record(run, place, version=version)
    list_files(out, folder, (written.record, written.samples))
    for path in (written.record, written.samples, folder):
        say(f"wrote {path}")
