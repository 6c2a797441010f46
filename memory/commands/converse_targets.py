"""``evalmark memory run``: tests or memory sets are run; scores are printed and recorded."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from evalmark.cli.settings import settings as settings_of_folder
from evalmark.cli.unused_files import UnusedFiles
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.memory.agents.agent import Agent, Completer, is_concurrent
from evalmark.memory.agents.completers import named_judge
from evalmark.memory.agents.endpoint_keys import is_same_endpoint
from evalmark.memory.agents.endpoints import MAX_TOKENS
from evalmark.memory.commands.agents import AgentOptions, Endpoint, RequestOptions, say_withheld
from evalmark.memory.commands.score_tables import print_costs, print_outcomes, print_scores
from evalmark.memory.datasets.dataset_registry import DATASETS, dataset_names, require_targets
from evalmark.memory.datasets.named_benchmarks import named_benchmark
from evalmark.memory.evaluation.texts import dollars
from evalmark.memory.interface.user_code import look_in_current_folder
from evalmark.memory.judges.judge_prompt import SET_PROMPT, JudgePrompt, read_prompt
from evalmark.memory.running.conversation import Conversation, Finished, converse
from evalmark.memory.running.memory_record import (
    accuracy_name,
    prompt_in,
    write_answers,
    write_conversation_record,
)
from evalmark.memory.running.outcome import SCORED
from evalmark.memory.sets.set_agents import can_go_back
from evalmark.memory.sets.set_files import LoadedSet, load_sets, narrowed
from evalmark.memory.sets.set_run import FinishedSets, SetJudge, run_sets
from evalmark.memory.sets.set_scores import Answered, SetScores, measured, scores_data, scores_of
from evalmark.schemas.errors import AgentRefused, NotJudged, OtherRun, UsageError
from evalmark.scoring.comparison.gates import ALL, Measured, below, measured_mean, require_known
from evalmark.validator.findings.report import Failed
from evalmark.validator.io.terminal import CLEAN, FOUND, complain, counting, put, say, tell

#: The settings that name a judge.
JUDGE_SETTINGS = ("memory.judge", "memory.judge-url")
#: Argument of the library -> what to do about tests that need another value of it.
HINTS = {
    "judge": "name a judge with --judge",
    "mode": "or make no talk of waits, with --mode isolated",
}
#: The advice on tests that a run lacks.
FIXED = "after fixing them, repeat the command: {} is resumed with their tests, after all others"

#: The warning where an agent cannot go back.
TOLD_AGAIN = (
    "the agent has no `save` and `load`, nor `reads_only = True`, so it is told the whole history "
    "again for each question"
)

#: Why ``--workers`` does not make the agent faster.
ONE_AT_A_TIME = (
    "the agent does one thing at a time: its class does not say `concurrent = True` (its objects "
    "share nothing), or its model is on this machine"
)


@dataclass(frozen=True, slots=True)
class ConverseCall:
    """A call of the command."""

    targets: list[str]
    out: Path | None
    agent: AgentOptions
    judge: Endpoint
    judge_prompt: Path | None
    requests: RequestOptions
    mode: str | None
    examples: int | None
    types: Sequence[str]
    memory_span: int | None
    seed: int | None
    thoughts: str
    max_messages: int
    max_seconds: float | None
    retry: bool
    workers: int
    output_format: str
    floors: dict[str, float] = field(default_factory=dict)

    @property
    def home(self) -> Path:
        """The folder of the run.

        Raises:
            UsageError: None is named.
        """
        if self.out is None:
            raise UsageError("--out is missing: name the folder of the run")
        return self.out


def converse_targets(call: ConverseCall) -> int:
    """Run tests or memory sets, print the outcomes and write the files; the exit code."""
    try:
        return _converse(call)
    except (AgentRefused, OtherRun, NotJudged) as error:
        return complain(f"{error}; {what_to_do(error)}")


def _converse(call: ConverseCall) -> int:
    _ = call.home  # a model takes longer to load
    is_judged = call.judge.model is not None or call.judge.url is not None
    config = settings_of_folder(*([] if is_judged else JUDGE_SETTINGS))
    call, name = _of_benchmark(call)
    require_targets(call.targets)  # a model takes longer to load
    settings = replace(
        Conversation.for_targets(
            call.targets, call.mode, call.examples, call.memory_span, call.seed, call.thoughts
        ),
        benchmark=name,
        max_messages=call.max_messages,
        max_seconds=call.max_seconds,
    )
    unused = UnusedFiles("run", HINTS)
    sets = chosen_sets(call.targets, unused.add, call.types, call.examples, call.judge_prompt)
    if not sets and call.workers > 1:
        raise UsageError("--workers is for memory sets")
    if names := _named(call.targets, sets) if call.floors else []:
        require_known(call.floors, names)
    look_in_current_folder(*call.targets, call.agent.agent_class, call.judge.model)
    agent = call.agent.agent(call.requests, seed=settings.seed, joins=bool(sets))
    judge = (
        call.judge if is_judged else call.judge._replace(model=config.judge, url=config.judge_url)
    )
    judging = _judge(call, judge, settings.seed)
    version = config.version_of_records(None)
    source = Producer(config.organization, config.relationship)
    dialogues: _TestDialogues | _SetDialogues = (
        _SetDialogues(sets, agent, judging, prompt_of(call.judge_prompt, judging), call, name)
        if sets
        else _TestDialogues(settings, agent, judging, unused, call)
    )
    dialogues.run()
    if call.output_format != "json":
        dialogues.print()
    files = _written(dialogues, source, call.agent.model_id, version)
    if call.output_format == "json":
        written = list(map(str, files))
        put({**dialogues.data(), "written": written, "not_run": unused.data()})
    code = max(unused.say(), FOUND if dialogues.has_failures else CLEAN)
    if unused.files and dialogues.resumes_with_more:
        say(f"note: {FIXED.format(call.home)}")
    for reason in below(dialogues.measured(), call.floors):
        say(reason)
        code = max(code, FOUND)
    return code


def _of_benchmark(call: ConverseCall) -> tuple[ConverseCall, str]:
    """The call for the files of a benchmark that it names, and what the run is called.

    That is empty for any other call, and for a run that differs, which is said.
    """
    found = named_benchmark(call.targets)
    if found is None:
        return call, ""
    for line in found.lines():
        say(line)
    options = {
        "--memory-span": (call.memory_span, found.memory_span),
        "--mode": (call.mode, found.mode),
        "--examples": (call.examples, None),
        "--type": (tuple(call.types), ()),
    }
    other = [f"{key} {value}" for key, (value, own) in options.items() if value not in (None, own)]
    differs = [*found.differs, *other]
    if differs:
        say(f"note: this run is not called {found.name}: {', '.join(differs)}")
    span, mode = call.memory_span or found.memory_span, call.mode or found.mode
    call = replace(call, targets=found.targets, memory_span=span, mode=mode)
    return call, "" if differs else found.name


def _named(targets: list[str], sets: Sequence[LoadedSet]) -> list[str]:
    """The names of scores of targets; none if they are not known before the run."""
    if not sets:
        return dataset_names(targets)
    asked = [Answered(each.kind, question, None) for each in sets for question in each.questions]
    return [name for row in measured(scores_of(sets, asked)) for name in row.names]


def _written(
    dialogues: _TestDialogues | _SetDialogues, source: Producer, model_id: str | None, version: str
) -> tuple[Path, ...]:
    """Write the record of a run, if something has a score; what was written."""
    files = dialogues.files()
    if dialogues.has_scores:
        if not source.is_stated:
            say(f"note: {UNSTATED}")
        record = write_conversation_record(
            dialogues.finished, source, model_id=model_id, version=version
        )
        files = (record.record, record.samples, *files)
    for path in files:
        say(f"wrote {path}")
    return files


def _judge(call: ConverseCall, judge: Endpoint, seed: int) -> Completer | None:
    """The judge, with the key of the agent if it is at the same endpoint and has none."""
    tested = call.agent.endpoint
    key = judge.key or (tested.key if is_same_endpoint(tested.url, judge.url) else None)
    say_withheld((tested.url, tested.key, "--key-env "), (judge.url, key, "--key-env judge:"))
    return named_judge(
        judge.model,
        url=judge.url,
        key=key,
        prices=judge.prices or tested.prices,
        **call.requests.arguments(judge, seed),
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


def chosen_sets(
    targets: Sequence[str],
    failed: Failed,
    types: Collection[str] | None,
    most: int | None,
    judge_prompt: Path | None,
) -> list[LoadedSet]:
    """The sets among what is to be run, with the questions that are asked; none if it is tests.

    Raises:
        UsageError: There are sets and tests, or options that only sets have.
        UnknownNameError: No question is of a type.
    """
    sets = load_sets(targets, failed)
    if not sets and types:
        raise UsageError("--type is for memory sets")
    if not sets and judge_prompt is not None:
        raise UsageError("--judge-prompt is for memory sets")
    return narrowed(sets, types or (), most)


def prompt_of(path: Path | None, judge: Completer | None) -> JudgePrompt:
    """The prompt of a file, or ours.

    Raises:
        UsageError: There is a prompt but no judge, or the file cannot be used.
    """
    if path is None:
        return SET_PROMPT
    if judge is None:
        raise UsageError("--judge-prompt needs a --judge")
    return read_prompt(path)


def say_cost(sets: Sequence[LoadedSet], agent: Agent) -> None:
    """Say how often histories are told again."""
    histories = [history for each in sets for history in each.histories]
    most = max((len(history.questions) for history in histories), default=0)
    if most > 1 and not can_go_back(agent):
        say(f"note: {TOLD_AGAIN}: up to {most} times")


def _names(dataset: str) -> tuple[str, ...]:
    """The names of a dataset: its own, and that by which one of ours is run."""
    return (dataset, *(key for key, kind in DATASETS.items() if kind.name == dataset))


@dataclass
class _TestDialogues:
    """Tests of datasets, files and classes."""

    settings: Conversation
    agent: Agent
    judge: Completer | None
    unused: UnusedFiles
    call: ConverseCall
    finished: Finished = field(init=False)

    def run(self) -> None:
        with counting("conversing", "tests", resumes=True, patience=0) as progress:
            self.finished = converse(
                self.call.targets,
                self.agent,
                self.call.home,
                self.settings,
                judge=self.judge,
                retry=self.call.retry,
                progress=progress,
                failed=self.unused.add,
            )
        for note in self.finished.notes:
            say(f"note: {note}")

    def print(self) -> None:
        if self.finished.outcomes:
            has_judge, mode = self.judge is not None, self.settings.mode
            print_outcomes(
                self.finished.outcomes, self.finished.totals, has_judge=has_judge, mode=mode
            )

    def data(self) -> dict[str, object]:
        tests = [
            {
                "test": f"{outcome.example.dataset_name}/{outcome.example.example_id}",
                "dataset": outcome.example.dataset_name,
                "state": outcome.state,
                "score": outcome.score,
                "tokens": outcome.tokens,
                "reasons": outcome.reasons,
            }
            for outcome in self.finished.outcomes
        ]
        totals = asdict(self.finished.totals)
        return {"mode": self.settings.mode, "tests": tests, "totals": totals}

    def files(self) -> tuple[Path, ...]:
        return (self.finished.folder,) if self.has_scores else ()

    @property
    def has_scores(self) -> bool:
        return any(outcome.state == SCORED for outcome in self.finished.outcomes)

    @property
    def has_failures(self) -> bool:
        return any(outcome.state != SCORED for outcome in self.finished.outcomes)

    def measured(self) -> list[Measured]:
        """The mean of each dataset, and over datasets."""
        by_dataset: dict[str, list[float]] = {}
        for outcome in self.finished.outcomes:
            if outcome.score is not None:
                by_dataset.setdefault(outcome.example.dataset_name, []).append(outcome.score)
        means = [statistics.fmean(scores) for scores in by_dataset.values()]
        return [
            measured_mean((ALL,), f"mean over {len(means)} datasets", means),
            *(measured_mean(_names(name), name, scores) for name, scores in by_dataset.items()),
        ]

    @property
    def resumes_with_more(self) -> bool:
        return bool(self.finished.outcomes)


@dataclass
class _SetDialogues:
    """Questions of memory sets."""

    sets: Sequence[LoadedSet]
    agent: Agent
    judge: Completer | None
    prompt: JudgePrompt
    call: ConverseCall
    benchmark: str
    finished: FinishedSets = field(init=False)
    scores: tuple[SetScores, ...] = field(init=False)
    resumes_with_more: bool = False

    def run(self) -> None:
        say_cost(self.sets, self.agent)
        if self.call.workers > 1 and not is_concurrent(self.agent):
            say(f"note: {ONE_AT_A_TIME}")
        with counting("asking", "questions", resumes=True, patience=0) as progress:
            self.finished = run_sets(
                self.sets,
                self.agent,
                self.call.home,
                judge=SetJudge(self.judge, self.prompt) if self.judge else None,
                retry=self.call.retry,
                thoughts=self.call.thoughts,
                progress=progress,
                workers=self.call.workers,
                benchmark=self.benchmark,
            )
        self.scores = scores_of(self.finished.sets, self.finished.answered)

    def print(self) -> None:
        for number, scores in enumerate(self.scores):
            if number:
                tell("")
            judge = self.finished.judge
            name = accuracy_name(scores, prompt_in(judge)) if judge else "accuracy"
            accuracy = name.removeprefix(f"{scores.kind.title}: ")
            print_scores(scores, accuracy)
        if self.finished.thoughts:
            say(f"note: thoughts: {self.finished.thoughts}")
        totals = self.finished.totals
        agent = totals.agent_cost
        cost = dollars(None if agent is None else agent + totals.judge_cost)
        tell("")
        tell(
            f"{totals.input_tokens} tokens read, {totals.output_tokens} written, {cost}, "
            f"{totals.seconds:.0f} s"
        )
        print_costs(self.finished.costs)
        # The set has prompts for a judge, or answers that no rule scores.
        has_prompts = any(scores.kind.prompts for scores in self.scores)
        is_lacking = has_prompts or any(a.question.has_rubric for a in self.finished.answered)
        if self.finished.judge is None and is_lacking:
            say("note: for the accuracy that a judge gives, run the same command with --judge")

    def data(self) -> dict[str, object]:
        return {
            "sets": list(map(scores_data, self.scores)),
            "totals": asdict(self.finished.totals),
            "costs": self.finished.costs.data(),
        }

    def measured(self) -> list[Measured]:
        return measured(self.scores)

    def files(self) -> tuple[Path, ...]:
        write_answers(self.finished)
        return (self.finished.folder,)

    @property
    def has_scores(self) -> bool:
        answers = self.finished.answered
        scores = ((answer.f1, answer.exact, answer.accepted) for answer in answers)
        return any(score is not None for row in scores for score in row)

    @property
    def has_failures(self) -> bool:
        answers = self.finished.answered
        return any(
            answer.reply is None or (self.judge is not None and answer.accepted is None)
            for answer in answers
        )
