"""Scores of a finished run, computed again and compared with the stored ones.

What judges replied is read from the run's log: ours, or one of the LTM benchmark.
"""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.converters.formats import FORMATS, format_of
from evalmark.memory.converters.memory_run import MemoryTest, ResultFile, load_object
from evalmark.memory.datasets.dataset_registry import DATASETS
from evalmark.memory.evaluation.replies import (
    EVALUATOR,
    GENERATIONS,
    RULES,
    Replies,
    questions_of,
    read_line,
)
from evalmark.memory.evaluation.scorers import score_replies
from evalmark.memory.interface.actions import SendMessageAction
from evalmark.memory.interface.dataset_interface import DatasetInterface, DynamicDataset
from evalmark.memory.running.outcome import share
from evalmark.memory.running.run_folder import RUN, result_files
from evalmark.memory.running.run_log import LOG, read_log
from evalmark.schemas.errors import NotJudged, ScoringError, UnknownNameError
from evalmark.validator.findings.report import Failed, raising
from evalmark.validator.io.opening import read_whole

#: The log of a run of the benchmark, and the type of its events that hold a model's reply.
MASTER_LOG = "master_log.jsonl"
_LLM_CALL = 8


#: Test → the replies of models to it, in order.
LoggedReplies = Mapping[str, list[str]]


def judge_replies(folder: Path, failed: Failed) -> list[LoggedReplies]:
    """The replies in the logs of an agent's folder; none for a log that cannot be read.

    Those of the judge of a run of evalmark, and those of the models of a run of the benchmark.

    Raises:
        EvalmarkError: A log cannot be read, and nobody asked to be called about it.
    """
    replies: list[LoggedReplies] = []
    for name, read in ((LOG, _own), (MASTER_LOG, _published)):
        try:
            replies.append(read(folder / name))
        except Exception as error:
            failed(folder / name, error)
            replies.append({})
    return replies


def _own(log: Path) -> dict[str, list[str]]:
    replies: dict[str, list[str]] = defaultdict(list)
    for event in read_log(log):
        if event.get("event") == "llm" and "reply" in event:
            replies[event["test"]].append(event["reply"])
    return dict(replies)


def _published(log: Path) -> dict[str, list[str]]:
    """As the benchmark takes them from its log: all calls of a test, in order."""
    replies: dict[str, list[str]] = defaultdict(list)
    try:
        lines = read_whole(log).splitlines()
    except FileNotFoundError:
        return {}
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
            if event["type"] == _LLM_CALL:
                replies[event["test_id"]].append(event["data"]["response"])
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise ScoringError(
                f"{log}: line {number} is not an event of a log; `evalmark check` says more"
            ) from error
    return dict(replies)


#: Scores that differ by no more are the same: they were rounded when they were stored.
_SAME = 5e-3
#: Words in reasons of Spy Meeting where later versions of the benchmark asked a judge.
_BY_JUDGE = "expected interpretation"


@dataclass(frozen=True, slots=True)
class Rescored:
    """The stored scores of a test and the new one."""

    agent: str  # folder of the agent
    test: str  # dataset and id
    dataset: str
    final: float  # the stored score, from 0 to 1
    automatic: float  # the stored score before somebody edited it; `final` if nobody did
    again: float | None  # the new automatic score; None if it cannot be decided
    way: str  # `rule`, `judge` (from the log), or `undecided`
    rules: str  # the rules that decided
    reasons: tuple[str, ...]  # the reasons for the new score
    by_hand: bool  # whether the file says that somebody edited the score
    run: str = ""  # folder of the run
    because: str = ""  # why a stored score differs; empty if none does

    @property
    def differs(self) -> bool:
        """True if the automatic scores differ."""
        return self.again is not None and not _same(self.again, self.automatic)


def _same(left: float, right: float) -> bool:
    return abs(left - right) <= _SAME


def rescore(folder: Path, *, rules: str | None = None, failed: Failed = raising) -> list[Rescored]:
    """Score the results of an agent again.

    Args:
        folder: ``<run>/results/<agent>``; the definitions are in ``<run>/definitions``.
        rules: ``evalmark-1`` or a generation of the benchmark; by default the rules that the run
            was scored with.
        failed: Called with each file that cannot be used, and the error; the other results are
            scored. By default, the first such file is an error.

    Raises:
        UnknownNameError: There are no such rules.
        ScoringError: The folder has no results, or a file cannot be read.
    """
    files = result_files(folder)
    if rules is not None and rules not in RULES:
        raise UnknownNameError("rules", rules, RULES)
    logged = judge_replies(folder, failed)
    rules = rules or _rules_of_run(folder / RUN, failed)
    rescored = []
    for file in files:
        try:
            rescored.append(_rescored(file, rules, *logged))
        except Exception as error:
            failed(file.path, error)
    return rescored


def _rules_of_run(file: Path, failed: Failed) -> str | None:
    """The rules that a run of evalmark was scored with; None if it is of the benchmark."""
    try:
        run = load_object(file)
    except ScoringError as error:
        failed(file, error)
        return EVALUATOR
    return str(run.get("evaluator", EVALUATOR)) if run else None


def _rescored(
    file: ResultFile, rules: str | None, judged: LoggedReplies, published: LoggedReplies
) -> Rescored:
    test = file.test()
    result, definition = test.result, test.definition
    if not definition:
        raise ScoringError(f"{file.defined_in} is missing")
    file_rules = _rules_of(result, definition)
    rules = rules or file_rules
    name = f"{file.dataset} - {file.id}"
    with file.understood():
        stored = test.score
        automatic = result.get("auto_score", stored)
        replies = Replies(
            questions_of(definition, result["task_log"]),
            result.get("auto_actual_responses", result["actual_responses"]),
            definition["expected_responses"] or result["expected_responses"],
            result["task_log"],
            definition["script"],
            result.get("full_log") or (),
            published.get(name, ()),
        )
        again, way, reasons = _again(file, replies, rules, judged.get(name, ()))
        because = []
        if again is not None and not _same(again, automatic):
            older = replace(replies, expected=result["expected_responses"] or replies.expected)
            candidates = (replies, older)
            because.append(_explained(test, candidates, rules, file_rules))
        if test.by_hand and not _same(stored, automatic):
            because.append(f"edited by hand, from {automatic:.3g} to {stored:.3g}")
    return Rescored(
        agent=file.path.resolve().parents[1].name,
        test=f"{file.dataset}/{file.id}",
        dataset=file.dataset,
        final=stored,
        automatic=automatic,
        again=again,
        way=way,
        rules=rules,
        reasons=tuple(reasons),
        by_hand=test.by_hand,
        run=file.home.name,
        because="; ".join(because),
    )


def _explained(
    test: MemoryTest, candidates: tuple[Replies, Replies], rules: str, file_rules: str
) -> str:
    """The reason that the stored automatic score is another one.

    Args:
        test: The test, with the stored result.
        candidates: The replies with the expected responses of the definition, and of the result.
        rules: The rules of the new score.
        file_rules: The rules of the generation that wrote the files.
    """
    stored = test.result.get("auto_score", test.score)
    for name in dict.fromkeys((rules, file_rules, *GENERATIONS)):
        for replies in candidates:
            verdict = score_replies(test.dataset, replies, name)
            if verdict is None or not _same(verdict[0], stored):
                continue
            if replies is candidates[1]:
                return "the definition has other expected responses than the result"
            return f"{name} gives the stored score"
    if rules != file_rules and score_replies(test.dataset, candidates[0], file_rules) is None:
        return f"by {file_rules} a judge decides"
    stored_reasons = test.result.get("auto_reasoning", test.result.get("reasoning", ()))
    if any(_BY_JUDGE in str(reason) for reason in stored_reasons):
        return "a judge accepted what is not a keyword"
    return "by none of the known rules"


def _again(
    file: ResultFile, replies: Replies, rules: str, judge_texts: Sequence[str]
) -> tuple[float | None, str, list[str]]:
    verdict = score_replies(file.dataset, replies, rules)
    if verdict is not None:
        return verdict[0], "judge" if replies.judged else "rule", verdict[1]
    kept = deque(judge_texts)
    judged = _dataset(file.dataset, kept)
    if isinstance(judged, DynamicDataset) and rules == EVALUATOR:
        return _told_again(judged, file.id, replies.log)
    if kept and judged is not None:
        return _judged_again(judged, replies)
    return None, "undecided", ["a judge decides, and the log has no reply of one"]


def _dataset(name: str, kept: deque[str]) -> DatasetInterface | None:
    """A dataset whose judge says what the log kept; None if evalmark has none of the name."""
    kind = next((entry for entry in DATASETS.values() if entry.name == name), None)
    return kind(ask=lambda *_: _next(kept)) if kind else None


def _judged_again(
    dataset: DatasetInterface, replies: Replies
) -> tuple[float | None, str, list[str]]:
    """Judge replies with the texts of the log."""
    try:
        score, greatest, reasons = dataset.evaluate_correct(
            list(replies.questions), list(replies.responses), list(replies.expected)
        )
        return score / greatest, "judge", reasons
    except (NotJudged, ScoringError, NotImplementedError) as error:
        return None, "undecided", [str(error)]


def _told_again(
    dataset: DynamicDataset, identity: str, log: Sequence[str]
) -> tuple[float | None, str, list[str]]:
    """Repeat a dynamic test with the replies of its log."""
    lines = [read_line(line) for line in log]
    messages = [line.text for line in lines if line.who == "Test"]
    answers = [line.text for line in lines if line.who == "Agent"]
    pairs = iter(zip(messages, answers, strict=False))
    example = dataset.create_example(example_id=identity)
    try:
        for action in example.action_iter():
            if isinstance(action, SendMessageAction):
                message, action.reply = next(pairs)
                if message != action.message:
                    return None, "undecided", ["the test has changed since"]
        score, reasons = share(example.score, example.max_score, example.reasoning)
    except (NotJudged, ScoringError, StopIteration, RuntimeError) as error:
        return None, "undecided", [str(error) or "the log ends too early"]
    return score, "rule", reasons


def _next(kept: deque[str]) -> str:
    if not kept:
        raise NotJudged("the log has no further reply of the judge")
    return kept.popleft()


def _rules_of(result: Mapping[str, Any], definition: Mapping[str, Any]) -> str:
    """The rules of the generation that wrote the files."""
    if "needles" in result:
        return "ltm-3"
    form = FORMATS.get(format_of(definition) or "")
    return "ltm-1" if form and form.generation == 1 else "ltm-2"


def rescored_data(rescored: list[Rescored]) -> dict[str, object]:
    """The scores as JSON."""
    tests = [{**asdict(entry), "differs": entry.differs} for entry in rescored]
    return {"version": 1, "tests": tests}
