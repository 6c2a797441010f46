"""``evalmark converse``: what is run, and its outcomes on a terminal, as data and in a record."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.cli.checking import UnusedFiles
from evalmark.cli.conversing.agents import AgentOptions, Endpoint, RequestOptions, say_withheld
from evalmark.cli.conversing.converse_sets import chosen_sets, converse_sets, prompt_of
from evalmark.cli.settings import settings as settings_of_folder
from evalmark.conversations.agents.agent import Completer
from evalmark.conversations.agents.completers import named_judge
from evalmark.conversations.agents.endpoint_keys import is_same_endpoint
from evalmark.conversations.agents.endpoints import MAX_TOKENS
from evalmark.conversations.conversation import Conversation, Finished, converse
from evalmark.conversations.datasets.dataset_registry import require_targets
from evalmark.conversations.interface.user_code import look_in_current_folder
from evalmark.conversations.record import write_conversation_record
from evalmark.conversations.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from evalmark.conversations.running.runner import MODES
from evalmark.converters.records.record_version import chosen_version, version_line
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.schemas.errors import AgentRefused, NotJudged, OtherRun
from evalmark.validator.io.tables import plain_table, print_table
from evalmark.validator.io.terminal import FOUND, complain, counting, put_json, say, tell

#: The settings that name a judge.
JUDGE_SETTINGS = ("converse.judge", "converse.judge-url")
#: Argument of the library -> what to do about tests that need another value of it.
HINTS = {
    "judge": "name a judge with --judge",
    "mode": "or make no talk of waits, with --mode isolated",
}
#: What to do about the tests that a run lacks.
FIXED = "after fixing them, repeat the command: {} is resumed with their tests, after all others"


class Tests(NamedTuple):
    """Which tests are run, and how."""

    mode: str | None
    examples: int | None
    types: Sequence[str]
    memory_span: int | None
    seed: int | None
    thoughts: str


@dataclass(frozen=True, slots=True)
class ConverseCall:
    """What the command line says."""

    targets: list[str]
    out: Path
    agent: AgentOptions
    judge: Endpoint
    judge_prompt: Path | None
    requests: RequestOptions
    tests: Tests
    retry: bool
    record_version: str | None
    organization: str | None
    relationship: str | None
    output_format: str
    quiet: bool


def converse_targets(call: ConverseCall) -> int:
    """Run tests or memory sets, print the outcomes and write the files; the exit code."""
    try:
        return _converse(call)
    except (AgentRefused, OtherRun, NotJudged) as error:
        return complain(f"{error}; {what_to_do(error)}")


def _converse(call: ConverseCall) -> int:
    is_judged = call.judge.model is not None or call.judge.url is not None
    config = settings_of_folder(*([] if is_judged else JUDGE_SETTINGS))
    require_targets(call.targets)  # a model takes longer to load
    tests = call.tests
    settings = Conversation.for_targets(
        call.targets, tests.mode, tests.examples, tests.memory_span, tests.seed, tests.thoughts
    )
    unused = UnusedFiles("run", HINTS)
    sets = chosen_sets(call.targets, unused.add, tests.types, tests.examples, call.judge_prompt)
    look_in_current_folder(*call.targets, call.agent.own, call.judge.model)
    agent = call.agent.agent(call.requests, seed=settings.seed, joins=bool(sets))
    judge = (
        call.judge if is_judged else call.judge._replace(model=config.judge, url=config.judge_url)
    )
    judging = _judge(call, judge, settings.seed)
    version = chosen_version(call.record_version, config)
    source = Producer(
        call.organization or config.organization, call.relationship or config.relationship
    )
    model_id = call.agent.model_id
    if sets:
        return converse_sets(
            sets, agent, call.out, judge=judging, prompt=prompt_of(call.judge_prompt, judging),
            retry=call.retry, thoughts=tests.thoughts, unused=unused, source=source,
            model_id=model_id, version=version, output_format=call.output_format, quiet=call.quiet,
        )  # fmt: skip
    with counting("conversing", "tests", resumes=True, patience=0) as progress:
        finished = converse(
            call.targets, agent, call.out, settings,
            judge=judging, retry=call.retry, progress=progress, failed=unused.add,
        )  # fmt: skip
    _deliver(
        finished, source, model_id, version, unused, output_format=call.output_format,
        quiet=call.quiet, has_judge=judging is not None, mode=settings.mode,
    )  # fmt: skip
    return _code(finished, unused, call.out)


def _judge(call: ConverseCall, judge: Endpoint, seed: int) -> Completer | None:
    """The judge, with the key of the agent if it is at the same endpoint and has none."""
    tested = call.agent.endpoint
    key = judge.key or (tested.key if is_same_endpoint(tested.url, judge.url) else None)
    say_withheld((tested.url, tested.key, "--key-env"), (judge.url, key, "--judge-key-env"))
    return named_judge(
        judge.model, url=judge.url, key=key, prices=judge.prices or tested.prices or (0.0, 0.0),
        **call.requests.arguments(judge.fields, seed),
    )  # fmt: skip


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
