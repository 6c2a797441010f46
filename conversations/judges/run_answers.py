"""The answers of a finished run, to be judged again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evalmark.conversations.evaluation.replies import questions_of
from evalmark.conversations.judges.synthetic_answers import (
    GivenAnswer,
    answer_parts,
    for_each_question,
)
from evalmark.conversations.running.conversation_folder import (
    UNSCORED,
    Failed,
    agents_of,
    load_object,
    require_tests,
)
from evalmark.converters.convert import convert_data
from evalmark.schemas.errors import EvalmarkError, ScoringError
from evalmark.validator.edge.paths import without_links

#: What is in a result: questions, replies and expected answers.
_Parts = tuple[Sequence[Any], Sequence[Any], Any]


def run_answers(
    run: Path, skipped: Callable[[str], object], failed: Failed | None = None
) -> list[GivenAnswer]:
    """The answers of all agents in a run, scored or not; the type is the name of the dataset.

    Args:
        run: The folder of a run, or that of an agent in it.
        skipped: Called about each test whose expected answers are not texts or numbers for each
            question.
        failed: Called with each file that cannot be used, and the error, which is then not raised.

    Raises:
        ScoringError: The folder is not that of a run, or a file cannot be read.
    """
    answers: list[GivenAnswer] = []
    for agent in agents_of(run):
        parents = without_links(agent).parents
        home = parents[1] if len(parents) > 1 else agent
        paths = sorted(agent.glob("*/*.json")) + sorted(agent.glob(f"{UNSCORED}/*/*.json"))
        require_tests(agent)
        if not paths or not (home / "definitions").is_dir():
            raise ScoringError(f"{agent} is not a folder of results: <run>/results/<agent>")
        for path in paths:
            if path.parent.name == UNSCORED:
                continue
            try:
                answers += _answers(path, home, skipped)
            except EvalmarkError as error:
                if failed is None:
                    raise
                failed(path, error)
    return answers


def _answers(path: Path, home: Path, skipped: Callable[[str], object]) -> Iterator[GivenAnswer]:
    dataset, identity = path.parent.name, path.stem.rpartition("_")[0]
    data = load_object(path)
    try:
        unscored = path.parents[1].name == UNSCORED
        questions, replies, expected = (
            (data["questions"], data["responses"], data["expected"])
            if unscored
            else _of_result(data, home / "definitions" / dataset / f"{identity}.def.json")
        )
        answers = for_each_question(expected, len(questions))
        texts = [", ".join(answer_parts(answer)) for answer in answers]
        if not (len(questions) == len(replies) == len(answers)) or not all(texts):
            skipped(f"{dataset}/{identity}: expected answers are not a text for each question")
            return
        for question, reply, answer in zip(questions, replies, texts, strict=True):
            yield GivenAnswer(dataset, "", str(question), answer, str(reply))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, EvalmarkError):
            raise
        raise ScoringError(f"{path} is not a result of a conversation: {error!r}") from error


def _of_result(data: Mapping[str, Any], definition: Path) -> _Parts:
    content = load_object(definition)
    if not content:
        raise ScoringError(f"{definition} is missing")
    current = convert_data(content, to="ltm-definition-3").data
    return (
        questions_of(current, data["task_log"]),
        data["actual_responses"],
        current["expected_responses"] or data["expected_responses"],
    )
