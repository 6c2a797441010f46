"""``evalmark memory``: tests are run; their outcomes are printed as a table, and recorded."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from evalmark.cli.settings import settings as settings_of_folder
from evalmark.cli.unused_files import UnusedFiles
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.memory.agents.agent import Completer
from evalmark.memory.agents.completers import DEFAULT_JUDGE, named_judge
from evalmark.memory.agents.endpoint_keys import host_of, is_same_endpoint, key_of, openai_with_key
from evalmark.memory.agents.endpoints import MAX_TOKENS
from evalmark.memory.commands.agents import (
    Endpoint,
    agent_of,
    endpoints,
    request_arguments,
    say_withheld,
)
from evalmark.memory.commands.memory_options import MemoryOptions
from evalmark.memory.datasets.dataset_registry import (
    dataset_names,
    may_ask_judge,
    names_of,
    require_targets,
)
from evalmark.memory.datasets.named_benchmarks import named_benchmark
from evalmark.memory.evaluation.llm_judge import GRADER
from evalmark.memory.evaluation.texts import dollars
from evalmark.memory.interface.user_code import look_in_current_folder
from evalmark.memory.running.conversation import Conversation, Finished, converse
from evalmark.memory.running.memory_record import write_conversation_record
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from evalmark.memory.running.runner import MODES
from evalmark.schemas.errors import AgentRefused, NotJudged, OtherRun
from evalmark.scoring.comparison.gates import (
    ALL,
    Measured,
    below,
    measured_mean,
    read_floors,
    require_known_floors,
)
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import (
    CLEAN,
    FOUND,
    counting,
    print_line,
    print_note,
    report_error,
    write_stdout,
)

#: The settings that name a judge.
JUDGE_SETTINGS = ("memory.judge", "memory.judge-url")
#: Argument of the library -> what to do about tests that need another value of it.
HINTS = {
    "judge": "name a judge with --judge",
    "mode": "or make no talk of waits, with --mode isolated",
}
#: The advice on tests that a run lacks.
FIXED = "after fixing them, repeat the command: {} is resumed with their tests, after all others"


def converse_targets(options: MemoryOptions, out: Path) -> int:
    """Run tests, print the outcomes and write the files; the exit code."""
    try:
        return _converse(options, out)
    except (AgentRefused, OtherRun, NotJudged) as error:
        return report_error(f"{error}; {what_to_do(error)}")


def _converse(options: MemoryOptions, out: Path) -> int:
    tested, judge = endpoints(options)
    floors = read_floors(options.at_least)
    is_judged = judge.model is not None or judge.url is not None
    config = settings_of_folder(*([] if is_judged else JUDGE_SETTINGS))
    options, name = _benchmark_options(options)
    targets = [*options.targets]
    require_targets(targets)  # a model takes longer to load
    settings = replace(
        Conversation.for_targets(
            targets, options.mode, options.examples, options.memory_span, options.seed,
            options.thoughts,
        ),
        benchmark=name,
        max_messages=options.max_messages,
        max_seconds=options.max_seconds,
    )  # fmt: skip
    unused = UnusedFiles("run", HINTS)
    if names := dataset_names(targets) if floors else []:
        require_known_floors(floors, names)
    look_in_current_folder(*targets, options.agent_class, judge.model)
    agent = agent_of(options, tested, seed=settings.seed)
    if not is_judged:
        judge = _usual_judge(targets, judge._replace(model=config.judge, url=config.judge_url))
    judging = _judge(options, tested, judge, settings.seed)
    version = config.version_of_records(None)
    source = Producer(config.organization, config.relationship)
    with counting("conversing", "tests", resumes=True, patience=0) as progress:
        finished = converse(
            targets, agent, out, settings, judge=judging, retry=options.retry,
            progress=progress, failed=unused.add,
        )  # fmt: skip
    for note in finished.notes:
        print_note(f"note: {note}")
    as_json = options.output_format == "json"
    if finished.outcomes and not as_json:
        has_judge = judging is not None
        print_outcomes(finished.outcomes, finished.totals, has_judge=has_judge, mode=settings.mode)
    files = _write_record(finished, source, options.model_id, version)
    if as_json:
        tests = list(map(_data, finished.outcomes))
        data = {"mode": settings.mode, "tests": tests, "totals": asdict(finished.totals)}
        write_stdout({**data, "written": list(map(str, files)), "not_run": unused.data()})
    is_scored = all(outcome.state == SCORED for outcome in finished.outcomes)
    code = max(unused.say(), CLEAN if is_scored else FOUND)
    if unused.files and finished.outcomes:
        print_note(f"note: {FIXED.format(out)}")
    for reason in below(_measured(finished.outcomes), floors):
        print_note(reason)
        code = max(code, FOUND)
    return code


def _benchmark_options(options: MemoryOptions) -> tuple[MemoryOptions, str]:
    """The options for the files of a benchmark that it names, and what the run is called.

    That is empty without one, and for a run that differs, which is said.
    """
    found = named_benchmark(options.targets)
    if found is None:
        return options, ""
    for line in found.lines():
        print_note(line)
    stated = {
        "--memory-span": (options.memory_span, found.memory_span),
        "--mode": (options.mode, found.mode),
        "--examples": (options.examples, None),
    }
    other = [f"{key} {value}" for key, (value, own) in stated.items() if value not in (None, own)]
    differs = [*found.differs, *other]
    if differs:
        print_note(f"note: this run is not called {found.name}: {', '.join(differs)}")
    span, mode = options.memory_span or found.memory_span, options.mode or found.mode
    options = replace(options, targets=[str(found.folder)], memory_span=span, mode=mode)
    return options, "" if differs else found.name


def _write_record(
    finished: Finished, source: Producer, model_id: str | None, version: str
) -> tuple[Path, ...]:
    if not any(outcome.state == SCORED for outcome in finished.outcomes):
        return ()
    if not source.is_stated:
        print_note(f"note: {UNSTATED}")
    record = write_conversation_record(finished, source, model_id=model_id, version=version)
    files = (record.record, record.samples, finished.folder)
    for path in files:
        print_note(f"wrote {path}")
    return files


def _usual_judge(targets: list[str], judge: Endpoint) -> Endpoint:
    """The judge of settings; without one, that of the LTM benchmark if the user has a key for it.

    Tests that are scored by rules have none.
    """
    if judge.model is None and judge.url is None and may_ask_judge(targets):
        judge = judge._replace(url=openai_with_key())
        if judge.url is not None:
            print_note(
                f"note: no judge is named: replies are judged by {GRADER} of {host_of(judge.url)}, "
                f"with the key in {key_of(judge.url).variable}, and `ask_llm` asks "
                f"{DEFAULT_JUDGE}; --judge names another"
            )
    return judge


def _judge(
    options: MemoryOptions, tested: Endpoint, judge: Endpoint, seed: int
) -> Completer | None:
    """The judge, with the key of the agent if it is at the same endpoint and has none."""
    key = judge.key or (tested.key if is_same_endpoint(tested.url, judge.url) else None)
    say_withheld((tested.url, tested.key, "--key-env "), (judge.url, key, "--key-env judge:"))
    return named_judge(
        judge.model,
        url=judge.url,
        key=key,
        prices=judge.prices or tested.prices,
        **request_arguments(options, judge, seed),
    )


def what_to_do(error: Exception) -> str:
    """Advice about an error that stops the whole run."""
    if isinstance(error, OtherRun):
        return "name another folder with --out"
    if isinstance(error, NotJudged):
        return "name a judge with --judge"
    if MAX_TOKENS in str(error):
        return "replace it: --body max_tokens=null --body max_completion_tokens=4096"
    return "once this is solved, repeat the command: the run is resumed"


def _data(outcome: Outcome) -> dict[str, object]:
    return {
        "test": f"{outcome.example.dataset_name}/{outcome.example.example_id}",
        "dataset": outcome.example.dataset_name,
        "state": outcome.state,
        "score": outcome.score,
        "tokens": outcome.tokens,
        "reasons": outcome.reasons,
    }


def _measured(outcomes: Sequence[Outcome]) -> list[Measured]:
    by_dataset: dict[str, list[float]] = {}
    for outcome in outcomes:
        if outcome.score is not None:
            by_dataset.setdefault(outcome.example.dataset_name, []).append(outcome.score)
    means = [statistics.fmean(scores) for scores in by_dataset.values()]
    return [
        measured_mean((ALL,), f"mean over {len(means)} datasets", means),
        *(measured_mean(names_of(name), name, scores) for name, scores in by_dataset.items()),
    ]


def print_outcomes(
    outcomes: Sequence[Outcome], totals: Totals, *, has_judge: bool, mode: str
) -> None:
    """A table of datasets on stdout, and what went wrong."""
    numbers = ("tests", "score", "deviation", "distance", "not judged", "errors")
    table = plain_table(("dataset",), numbers)
    means = []
    for name in sorted({outcome.example.dataset_name for outcome in outcomes}):
        tests = [outcome for outcome in outcomes if outcome.example.dataset_name == name]
        scores = [outcome.score for outcome in tests if outcome.score is not None]
        means += [statistics.fmean(scores)] if scores else []
        table.add_row(name, *_numbers(tests, scores))
    if len(means) > 1:
        table.add_section()
        table.add_row(f"sum of {len(means)} datasets", "", f"{sum(means):.3f}")
        table.add_row(f"mean of {len(means)} datasets", "", f"{statistics.fmean(means):.3f}")
    print_table(table)
    costs = dollars(totals.cost)
    print_line("")
    print_line(
        f"{totals.tokens} tokens of conversation, {costs}, {totals.seconds:.0f} s for replies"
    )
    print_line(f"mode {mode}: {MODES[mode]}")
    _tell_unscored(outcomes)
    if not has_judge and any(outcome.state == UNJUDGED for outcome in outcomes):
        print_note("note: to judge these tests, run the same command with --judge")


def _tell_unscored(outcomes: Sequence[Outcome]) -> None:
    causes: dict[tuple[str, str], list[str]] = {}
    for outcome in outcomes:
        if outcome.state != SCORED:
            cause = outcome.state, "; ".join(outcome.reasons)
            causes.setdefault(cause, []).append(outcome.example.unique_id)
    for (state, why), names in causes.items():
        print_line(f"{state}: {listed(names)}: {why}")


def _numbers(tests: Sequence[Outcome], scores: Sequence[float]) -> Iterator[str]:
    yield str(len(tests))
    yield f"{statistics.fmean(scores):.3f}" if scores else ""
    yield f"{statistics.stdev(scores):.3f}" if len(scores) > 1 else ""
    yield str(round(statistics.fmean(outcome.tokens for outcome in tests)))
    for state in (UNJUDGED, FAILED):
        yield str(sum(outcome.state == state for outcome in tests) or "")
