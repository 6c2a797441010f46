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
from evalmark.conversations.running.run_folder import (
    Failed,
    ResultFile,
    agents_of,
    load_object,
    result_files,
)
from evalmark.converters.convert_document import convert_data
from evalmark.schemas.errors import EvalmarkError

#: What is in a result: questions, replies and expected answers.
_Parts = tuple[Sequence[object], Sequence[object], object]


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
        for file in result_files(agent, unscored=True):
            try:
                answers += _answers(file, skipped)
            except EvalmarkError as error:
                if failed is None:
                    raise
                failed(file.path, error)
    return answers


def _answers(file: ResultFile, skipped: Callable[[str], object]) -> Iterator[GivenAnswer]:
    data = load_object(file.path)
    with file.understood():
        questions, replies, expected = (
            _of_result(data, file.definition())
            if file.is_scored
            else (data["questions"], data["responses"], data["expected"])
        )
        answers = for_each_question(expected, len(questions))
        texts = [", ".join(answer_parts(answer)) for answer in answers]
        if not (len(questions) == len(replies) == len(answers)) or not all(texts):
            name = f"{file.dataset}/{file.id}"
            skipped(f"{name}: expected answers are not a text for each question")
            return
        for question, reply, answer in zip(questions, replies, texts, strict=True):
            yield GivenAnswer(file.dataset, "", str(question), answer, str(reply))


def _of_result(data: Mapping[str, Any], definition: dict[str, Any]) -> _Parts:
    current = convert_data(definition, to="ltm-definition-3").data
    return (
        questions_of(current, data["task_log"]),
        data["actual_responses"],
        current["expected_responses"] or data["expected_responses"],
    )
