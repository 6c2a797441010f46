"""Scores of a finished run, computed again and compared with the stored ones."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.evaluation.lines import read_line
from evalmark.conversations.evaluation.scorers import (
    EVALUATOR,
    GENERATIONS,
    Replies,
    approximate,
    score_replies,
)
from evalmark.conversations.interface.actions import SendMessageAction
from evalmark.conversations.interface.dynamic import DynamicDataset
from evalmark.conversations.registry import DATASETS
from evalmark.conversations.running.evaluation import share
from evalmark.conversations.running.run_folder import Failed, load_object
from evalmark.conversations.running.run_log import LOG, read_log
from evalmark.converters.formats import FORMATS, format_of
from evalmark.converters.records.memory_run import OVERRIDES
from evalmark.schemas.errors import EvalmarkError, NotJudged, ScoringError, UnknownNameError
from evalmark.validator.edge.links import without_links


@dataclass(frozen=True, slots=True)
class Rescored:
    """The stored scores of a test and the new one."""

    agent: str  # folder of the agent
    test: str  # dataset and id
    dataset: str
    final: float  # the stored score, from 0 to 1
    automatic: float  # the stored score before somebody edited it; `final` if nobody did
    again: float | None  # the new automatic score; None if it cannot be decided
    way: str  # `rule`, `judge` (from the log), `approximation`, or `undecided`
    rules: str  # the rules that decided
    reasons: tuple[str, ...]  # the reasons for the new score
    by_hand: bool  # whether the file says that somebody edited the score

    @property
    def differs(self) -> bool:
        """Whether the automatic scores differ."""
        return self.again is not None and abs(self.again - self.automatic) > 5e-3


def rescore(
    folder: Path,
    *,
    rules: str | None = None,
    approximations: bool = False,
    failed: Failed | None = None,
) -> list[Rescored]:
    """Score the results of an agent again.

    Args:
        folder: ``<run>/results/<agent>``; the definitions are in ``<run>/definitions``.
        rules: ``evalmark-1`` or a generation of the benchmark; by default the rules that the run
            was scored with.
        approximations: Whether rules alone decide where a judge would.
        failed: Called with each result that cannot be scored again, and the error, which is then
            not raised; the others are scored.

    Raises:
        UnknownNameError: There are no such rules.
        ScoringError: The folder has no results, or a file cannot be read.
    """
    home = without_links(folder).parents[1] if len(without_links(folder).parents) > 1 else folder
    paths = sorted(path for path in folder.glob("*/*.json") if path.parent.name != "unscored")
    if not paths or not (home / "definitions").is_dir():
        raise ScoringError(f"{folder} is not a folder of results: <run>/results/<agent>")
    if rules is not None and rules not in (EVALUATOR, *GENERATIONS):
        raise UnknownNameError("rules", rules, (EVALUATOR, *GENERATIONS))
    said = _judge_replies(folder / LOG)
    own = load_object(folder / "run.json")
    rules = rules or (str(own.get("evaluator", EVALUATOR)) if own else None)
    found = []
    for path in paths:
        try:
            found.append(_rescored(path, home, rules, approximations, said))
        except Exception as error:
            if failed is None:
                raise
            failed(path, error)
    return found


def _rescored(
    path: Path,
    home: Path,
    rules: str | None,
    approximations: bool,
    said: Mapping[str, deque[str]],
) -> Rescored:
    dataset, identity = path.parent.name, path.stem.rpartition("_")[0]
    result = load_object(path)
    place = home / "definitions" / dataset / f"{identity}.def.json"
    definition = load_object(place)
    if not definition:
        raise ScoringError(f"{place} is missing")
    rules = rules or _rules_of(result, definition)
    try:
        stored = result["score"] / result["max_score"]
        automatic = result.get("auto_score", stored)
        responses = result.get("auto_actual_responses", result["actual_responses"])
        replies = Replies(
            _questions(definition, result["task_log"]),
            responses,
            definition["expected_responses"] or result["expected_responses"],
            result["task_log"],
        )
        again, way, reasons = _again(dataset, identity, replies, rules, approximations, said)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, EvalmarkError):
            raise
        raise ScoringError(f"{path} is not a result of a conversation: {error!r}") from error
    by_hand = any(key in result for key in OVERRIDES)
    return Rescored(
        path.resolve().parents[1].name, f"{dataset}/{identity}", dataset, stored, automatic, again,
        way, rules, tuple(reasons), by_hand,
    )  # fmt: skip


def _again(
    dataset: str,
    identity: str,
    replies: Replies,
    rules: str,
    approximations: bool,
    said: Mapping[str, deque[str]],
) -> tuple[float | None, str, list[str]]:
    verdict = score_replies(dataset, replies, rules)
    if verdict is not None:
        return verdict[0], "rule", verdict[1]
    kept = said.get(f"{dataset} - {identity}", deque())
    kind = next((entry for entry in DATASETS.values() if entry.name == dataset), None)
    judged = kind(ask=lambda *_: _next(kept)) if kind else None
    if isinstance(judged, DynamicDataset) and rules == EVALUATOR:
        return _told_again(judged, identity, replies.log)
    if kept and judged is not None:
        try:
            score, greatest, reasons = judged.evaluate_correct(
                list(replies.questions), list(replies.responses), list(replies.expected)
            )
            return score / greatest, "judge", reasons
        except (NotJudged, ScoringError, NotImplementedError) as error:
            return None, "undecided", [str(error)]
    if approximations and (near := approximate(dataset, replies)) is not None:
        return near[0], "approximation", near[1]
    return None, "undecided", ["needs a judge, but the log has no reply of a judge"]


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


def _judge_replies(log: Path) -> dict[str, deque[str]]:
    """Test → the replies of the judge, in order."""
    found: dict[str, deque[str]] = defaultdict(deque)
    for event in read_log(log):
        if event.get("event") == "llm" and "reply" in event:
            found[event["test"]].append(event["reply"])
    return dict(found)


def _rules_of(result: Mapping[str, Any], definition: Mapping[str, Any]) -> str:
    """The rules of the generation that wrote the files."""
    if "needles" in result:
        return "ltm-3"
    form = FORMATS.get(format_of(definition) or "")
    return "ltm-1" if form and form.generation == 1 else "ltm-2"


def _questions(definition: Mapping[str, Any], log: list[str]) -> list[str]:
    """The questions; that of a temporal test is the last message outside of its script."""
    script, flags = definition["script"], definition["is_question"]
    asked = [line for line, question in zip(script, flags, strict=False) if question]
    if definition["is_temporal"]:
        messages = (line.text for line in map(read_line, log) if line.who == "Test")
        asked += [text for text in messages if text not in script][-1:]
    return asked


def rescored_data(found: list[Rescored]) -> dict[str, Any]:
    """The scores as JSON."""
    tests = [{**asdict(entry), "differs": entry.differs} for entry in found]
    return {"version": 1, "tests": tests}
