"""``evalmark converse``."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from evalmark.cli.checking import UnusedFiles
from evalmark.cli.judging.endpoint_keys import say_withheld
from evalmark.cli.sets.converse_sets import chosen_sets, converse_sets, prompt_of
from evalmark.cli.settings import settings as settings_of_folder
from evalmark.cli.typed import option
from evalmark.conversations.agents.agents import CUT, Agent, ChatAgent, scripted_agent
from evalmark.conversations.agents.choosing import completer
from evalmark.conversations.agents.http import MAX_TOKENS
from evalmark.conversations.agents.keys import is_same_endpoint
from evalmark.conversations.agents.own_agent import own_agent
from evalmark.conversations.conversation import Conversation, Finished, converse
from evalmark.conversations.interface.named_class import look_in_current_folder
from evalmark.conversations.judges.naming_judges import named_judge
from evalmark.conversations.record import write_conversation_record
from evalmark.conversations.registry import require_targets
from evalmark.conversations.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from evalmark.conversations.running.runner import MODES
from evalmark.converters.records.record_version import chosen_version, version_line
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.schemas.errors import AgentRefused, NotJudged, OtherRun, UsageError
from evalmark.validator.edge.lines import FOUND, complain, put_json, say, tell
from evalmark.validator.edge.progress import counting
from evalmark.validator.edge.tables import plain_table, print_table

EPILOG = """Example: evalmark converse all --model ./my-chat-model --out runs/mine
Exit code: 0 done, 1 a test failed or was not judged, 2 something else failed.
"""

#: The settings that name a judge.
JUDGE_SETTINGS = ("converse.judge", "converse.judge-url")
#: Argument of the library -> what to do about tests that need another value of it.
HINTS = {
    "judge": "name a judge with --judge",
    "mode": "or make no talk of waits, with --mode isolated",
}
#: What to do about the tests that a run lacks.
FIXED = "after fixing them, repeat the command: {} is resumed with their tests, after all others"


def command(
    targets: Annotated[list[str], option("targets")],
    out: Annotated[Path, option("converse_out")],
    model: Annotated[str | None, option("converse_model")] = None,
    url: Annotated[str | None, option("url")] = None,
    script: Annotated[Path | None, option("script")] = None,
    own: Annotated[str | None, option("agent")] = None,
    key: Annotated[str | None, option("key_env")] = None,
    window: Annotated[int | None, option("window")] = None,
    prices: Annotated[tuple[float, float], option("prices")] = (0.0, 0.0),
    temperature: Annotated[float, option("temperature")] = 0.0,
    max_tokens: Annotated[int, option("max_tokens")] = 256,
    max_tokens_field: Annotated[str, option("max_tokens_field")] = MAX_TOKENS,
    body: Annotated[list[str] | None, option("body")] = None,
    timeout: Annotated[float, option("timeout")] = 120.0,
    system: Annotated[str, option("system")] = "",
    device: Annotated[str, option("device")] = "auto",
    judge: Annotated[str | None, option("judge")] = None,
    judge_url: Annotated[str | None, option("judge_url")] = None,
    judge_key: Annotated[str | None, option("judge_key_env")] = None,
    judge_prices: Annotated[tuple[float, float] | None, option("judge_prices")] = None,
    judge_body: Annotated[list[str] | None, option("judge_body")] = None,
    judge_prompt: Annotated[Path | None, option("judge_prompt")] = None,
    mode: Annotated[str | None, option("mode")] = None,
    examples: Annotated[int | None, option("examples")] = None,
    types: Annotated[list[str] | None, option("question_types")] = None,
    memory_span: Annotated[int | None, option("memory_span")] = None,
    thoughts: Annotated[str, option("thoughts")] = CUT,
    seed: Annotated[int | None, option("seed")] = None,
    retry: Annotated[bool, option("retry")] = False,
    model_id: Annotated[str | None, option("model_id")] = None,
    record_version: Annotated[str | None, option("record_version")] = None,
    organization: Annotated[str | None, option("organization")] = None,
    relationship: Annotated[str | None, option("relationship")] = None,
    output_format: Annotated[str, option("table_format")] = "table",
    quiet: Annotated[bool, option("quiet")] = False,
) -> None:
    """Test a model's memory and write a record. Repeat the command to resume."""
    try:
        is_judged = judge is not None or judge_url is not None
        config = settings_of_folder(*([] if is_judged else JUDGE_SETTINGS))
        require_targets(targets)  # a model takes longer to load
        settings = Conversation.for_targets(targets, mode, examples, memory_span, seed, thoughts)
        unused = UnusedFiles("run", HINTS)
        sets = chosen_sets(targets, unused.add, types, examples, judge_prompt)
        look_in_current_folder(*targets, own, judge)
        agent = agent_of(
            own, script, model, url, system=system, temperature=temperature, max_tokens=max_tokens,
            key=key, window=window, prices=prices, model_id=model_id, device=device,
            seed=settings.seed, joins=bool(sets), **requests_as(max_tokens_field, body, timeout),
        )  # fmt: skip
        if not is_judged:
            judge, judge_url = config.judge, config.judge_url
        judge_key = judge_key or (key if is_same_endpoint(url, judge_url) else None)
        say_withheld((url, key, "--key-env"), (judge_url, judge_key, "--judge-key-env"))
        judging = named_judge(
            judge, url=judge_url, key=judge_key, window=window, prices=judge_prices or prices,
            device=device, seed=settings.seed, **requests_as(max_tokens_field, judge_body, timeout),
        )  # fmt: skip
        version = chosen_version(record_version, config)
        source = Producer(organization or config.organization, relationship or config.relationship)
        if sets:
            code = converse_sets(
                sets, agent, out, judge=judging, prompt=prompt_of(judge_prompt, judging),
                retry=retry, thoughts=thoughts, unused=unused, source=source, model_id=model_id,
                version=version, output_format=output_format, quiet=quiet,
            )  # fmt: skip
            raise typer.Exit(code)
        with counting("conversing", "tests", resumes=True, patience=0) as progress:
            finished = converse(
                targets, agent, out, settings,
                judge=judging, retry=retry, progress=progress, failed=unused.add,
            )  # fmt: skip
        _deliver(
            finished, source, model_id, version, unused, output_format=output_format, quiet=quiet,
            has_judge=judging is not None, mode=settings.mode,
        )  # fmt: skip
    except (AgentRefused, OtherRun, NotJudged) as error:
        raise typer.Exit(complain(f"{error}; {what_to_do(error)}")) from None
    raise typer.Exit(_code(finished, unused, out))


def agent_of(
    own: str | None,
    script: Path | None,
    model: str | None,
    url: str | None,
    *,
    system: str,
    temperature: float,
    max_tokens: int,
    joins: bool = False,
    **rest: Any,
) -> Agent:
    """The agent under test; ``joins`` is that of ``ChatAgent``, ``rest`` that of ``completer``.

    Raises:
        UsageError: None is named, or several are.
    """
    if sum(name is not None for name in (own, script, model)) != 1 or (url and not model):
        raise UsageError("give one of --model, --url with --model, --agent, or --script")
    if own is not None:
        return own_agent(own)
    if script is not None:
        return scripted_agent(script)
    tested = completer(str(model), url=url, **rest)
    return ChatAgent(
        tested, system=system, temperature=temperature, max_tokens=max_tokens, joins=joins
    )


def requests_as(
    max_tokens_field: str, fields: Sequence[str] | None, timeout: float
) -> dict[str, Any]:
    """How requests to an endpoint are written.

    Raises:
        UsageError: A field is not NAME=JSON.
    """
    body = {}
    for entry in fields or ():
        name, found, value = entry.partition("=")
        if not (name and found):
            raise UsageError(f"{entry!r} is not NAME=JSON")
        try:
            body[name] = json.loads(value)
        except (ValueError, RecursionError):
            text = json.dumps(f"{name}={json.dumps(value)}")
            raise UsageError(
                f"the value of {entry!r} is not JSON; a text needs quotes: {text}"
            ) from None
    limit = None if max_tokens_field == "none" else max_tokens_field
    return {"max_tokens_field": limit, "body": body, "timeout": timeout}


def what_to_do(error: Exception) -> str:
    """What to do about an error that stops the whole run."""
    if isinstance(error, OtherRun):
        return "name another folder with --out"
    if isinstance(error, NotJudged):
        return "name a judge with --judge"
    if MAX_TOKENS in str(error):
        return "name the field with --max-tokens-field, or set it to none"
    return "once this is solved, repeat the command: the run is resumed"


def _deliver(
    finished: Finished,
    source: Producer,
    model_id: str | None,
    version: str,
    unused: UnusedFiles,
    *,
    output_format: str,
    quiet: bool,
    has_judge: bool,
    mode: str,
) -> None:
    """Print the outcomes of a run of tests, and write its record."""
    for note in finished.notes:
        say(f"note: {note}")
    if output_format != "json" and finished.outcomes and not quiet:
        print_outcomes(finished.outcomes, finished.totals, has_judge=has_judge, mode=mode)
    files = _write_record(finished, source, model_id, version)
    if output_format == "json":
        data = outcomes_data(finished.outcomes, finished.totals, files)
        put_json({"mode": mode, **data, "not_run": unused.data()})


def _code(finished: Finished, unused: UnusedFiles, out: Path) -> int:
    """Name what could not be run; the exit code."""
    code = unused.say()
    if unused.found and finished.outcomes:
        say(f"note: {FIXED.format(out)}")
    failed = any(outcome.state != SCORED for outcome in finished.outcomes)
    return max(code, FOUND) if failed else code


def _write_record(
    finished: Finished, source: Producer, model_id: str | None, version: str
) -> tuple[Path, ...]:
    """Write the record of a run, if a test has a score; what was written."""
    if all(outcome.state != SCORED for outcome in finished.outcomes):
        return ()
    if not source.is_stated:
        say(f"note: {UNSTATED}")
    written = write_conversation_record(finished, source, model_id=model_id, version=version)
    files = (written.record, written.samples, finished.folder)
    for path in files:
        say(f"wrote {path}")
    say(version_line(version))
    return files


def outcomes_data(
    outcomes: Sequence[Outcome], totals: Totals, files: Sequence[Path]
) -> dict[str, Any]:
    """The outcomes as JSON: what the table averages, test by test, and what was written."""
    tests = [
        {
            "test": f"{outcome.example.dataset_name}/{outcome.example.example_id}",
            "dataset": outcome.example.dataset_name,
            "state": outcome.state,
            "score": outcome.score,
            "tokens": outcome.tokens,
            "reasons": outcome.reasons,
        }
        for outcome in outcomes
    ]
    return {"tests": tests, "totals": asdict(totals), "written": list(map(str, files))}


def print_outcomes(
    outcomes: Sequence[Outcome], totals: Totals, *, has_judge: bool, mode: str
) -> None:
    """A table of datasets on stdout, and what went wrong."""
    numbers = ("tests", "score", "deviation", "distance", "not judged", "errors")
    table = plain_table(("dataset",), numbers)
    means = []
    for name in sorted({outcome.example.dataset_name for outcome in outcomes}):
        own = [outcome for outcome in outcomes if outcome.example.dataset_name == name]
        scores = [outcome.score for outcome in own if outcome.score is not None]
        means += [statistics.fmean(scores)] if scores else []
        table.add_row(
            name,
            str(len(own)),
            f"{statistics.fmean(scores):.3f}" if scores else "",
            f"{statistics.stdev(scores):.3f}" if len(scores) > 1 else "",
            str(round(statistics.fmean(outcome.tokens for outcome in own))),
            str(sum(outcome.state == UNJUDGED for outcome in own) or ""),
            str(sum(outcome.state == FAILED for outcome in own) or ""),
        )
    if len(means) > 1:
        table.add_section()
        table.add_row(f"sum of {len(means)} datasets", "", f"{sum(means):.3f}")
    print_table(table)
    costs = f"{totals.agent_cost + totals.judge_cost:.2f} USD"
    time = f"{totals.seconds:.0f} s of talk"
    tell("")
    tell(f"{totals.tokens} tokens of conversation, {costs}, {time}")
    tell(f"{mode}: {MODES[mode]}")
    for outcome in outcomes:
        if outcome.state != SCORED:
            why = "; ".join(outcome.reasons)
            tell(f"{outcome.state}: {outcome.example.unique_id}: {why}")
    if not has_judge and any(outcome.state == UNJUDGED for outcome in outcomes):
        say("note: to judge these tests, run the same command with --judge")
