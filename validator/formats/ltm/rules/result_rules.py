"""Rules on LTM results: whether answers, log and scores agree with each other."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import alike, cited, listed, quoted
from evalmark.validator.formats.ltm.ltm_view import ResultView


def definition_missing(view: ResultView) -> Iterator[Mistake]:
    """A result has no definition.

    It is expected at `definitions/<dataset>/<id>.def.json` in the run that the result belongs to.

    Bad: a result whose run has no such definition
    Good: a run with all its definitions
    """
    path = view.place.definition_path
    if path is not None and not path.exists():
        yield Mistake(
            f"the run has no definition {path.name} for this result",
            At(""),
            helps=(f"copy it to {'/'.join(path.parts[-3:])} in the folder of the run",),
        )


def stale_expected(view: ResultView) -> Iterator[Mistake]:
    """A result has other expected responses than its definition.

    The definition was changed after the run. The definition is authoritative.

    Bad: `expected_responses` that differ from those of the definition
    Good: the same `expected_responses`
    """
    definition = view.definition
    if not definition or not definition.script:
        return
    if definition.expected != view.entries("expected"):
        yield Mistake(
            "`expected_responses` differ from those of the definition",
            At(view.at("expected")),
            helps=("run the test again, or restore the definition that was used to score it",),
        )


def answer_count(view: ResultView) -> Iterator[Mistake]:
    """There are more or fewer answers than questions.

    Bad: two answers to a test of three questions
    Good: three
    """
    if view.definition is None:
        return
    questions, answers = sum(view.definition.flags), len(view.answers)
    if questions and answers != questions:
        message, at = f"{answers} answers to {questions} questions", At(view.at("answers"))
        log_answers = _answers_to_questions(view)
        yield Mistake(
            message,
            at,
            caret=f"expected {questions}",
            helps=(
                f"write {quoted(log_answers)}, as in the log"
                if len(log_answers) == questions
                else f"write {questions} answers, one to each question",
            ),
        )


def score_above_maximum(view: ResultView) -> Iterator[Mistake]:
    """A score is above the maximum.

    Bad: `"score": 4, "max_score": 3`
    Good: `"score": 3, "max_score": 3`
    """
    score, maximum = view.get("score"), view.get("max_score")
    if score > maximum:
        yield Mistake(
            f"the score {cited(score)} is above the maximum {cited(maximum)}",
            At(view.at("score")),
            labels=((At(view.at("max_score")), "the maximum"),),
            helps=_score_and_maximum(score, maximum),
        )


def _score_and_maximum(score: float, maximum: float) -> tuple[str, ...]:
    """Advice on a score above the maximum: it is a percentage, or the two are swapped."""
    if maximum == 1 and 10 <= score <= 100:
        return (f"if it is a percentage, write {quoted(score / 100)}",)
    if score > 0 and maximum >= 0:
        swapped = f'"score": {quoted(maximum)}, "max_score": {quoted(score)}'
        return (f"if the two are swapped, write {swapped}",)
    return ("write a number up to the maximum",)


def answers_in_log(view: ResultView) -> Iterator[Mistake]:
    """Answers are not in the log in order.

    An answer that is not in the log was edited, or belongs to another test.

    Bad: `"actual_responses": ["blue"]` where the agent said "green"
    Good: the exact words of the agent
    """
    if view.repeated_speaker is not None:
        return  # log_alternates reports that a line is missing
    log = iter(view.log)  # each answer is looked for after the one before it
    for index, answer in enumerate(view.answers):
        if not any(line.endswith(f": {answer}") for line in log):
            yield Mistake(
                "this answer is not in `task_log`, or not in this order",
                At(f"{view.at('answers')}/{index}"),
                labels=((At(view.at("log")), "the log"),),
                helps=_answer_meant(view, index),
            )
            return


def _answers_to_questions(view: ResultView) -> list[str]:
    definition = view.definition
    if definition is None or not definition.has_flags or view.repeated_speaker is not None:
        return []
    lines = [line.partition(": ") for line in view.log]
    questions = zip(definition.script, definition.flags, strict=False)
    question_texts = [message.strip() for message, is_question in questions if is_question]
    at, answers = 0, []
    for question in question_texts:
        places = (i for i in range(at, len(lines) - 1) if lines[i][2].strip() == question)
        at = next(places, len(lines)) + 1
        if at < len(lines) and lines[at][0].startswith("Agent "):
            answers.append(lines[at][2])
    return answers


def _answer_meant(view: ResultView, index: int) -> tuple[str, ...]:
    replies = [
        text for head, _, text in (line.partition(": ") for line in view.log) if head[0] == "A"
    ]
    answers = _answers_to_questions(view)
    if len(answers) == len(view.answers):
        near = answers[index : index + 1]
    else:
        near = alike(view.answers[index], replies)
        if not near and index == len(view.answers) - 1:
            near = replies[-1:]  # a test ends with its last question
    if not near or near[0] == view.answers[index]:
        return ("copy the answer from the log",)
    return (f"if the log is right, write {quoted(near[0])}",)


def log_alternates(view: ResultView) -> Iterator[Mistake]:
    """In a log, the test and the agent do not take turns.

    If a speaker has two messages in a row, a line is missing, or the file contains two logs.

    Bad: `Test`, `Test`, `Agent`
    Good: `Test`, `Agent`, `Test`, `Agent`
    """
    index = view.repeated_speaker
    if index is not None:
        who = "the agent" if view.log[index].startswith("Agent ") else "the test"
        earlier, line = (view.log[i].partition(": ")[2] for i in (index - 1, index))
        partner = "test" if who == "the agent" else "agent"
        if earlier == line:
            help_text = "remove this entry, if it is a duplicate of the one before it"
        else:
            help_text = f"add the line of the {partner} that is missing before it"
        at = At(f"{view.at('log')}/{index}")
        yield Mistake(f"{who} speaks twice in a row", at, helps=(help_text,))


def override_halves(view: ResultView) -> Iterator[Mistake]:
    """A score set by hand lacks the automatic score or its reasoning.

    Bad: `auto_score` without `auto_reasoning`
    Good: both
    """
    halves = ("auto_score", "auto_reasoning")
    missing = [view.key(field) for field in halves if not view.has(field)]
    present = [field for field in (*halves, "auto_answers") if view.has(field)]
    written = [view.key(field) for field in present]
    if present and missing:
        yield Mistake(
            f"`{view.key(present[0])}` is present, but {listed(f'`{key}`' for key in missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing",
            At(view.at(present[0]), key=True),
            notes=("they keep the automatic result of a score that was set by hand",),
            helps=(
                f"if the score was not set by hand, remove {listed(f'`{k}`' for k in written)}",
                f"or add the value{'s' * (len(missing) > 1)} that the automatic scoring gave: "
                f"{listed(f'`{k}`' for k in missing)}",
            ),
        )
    if view.has("misspelt_reasoning"):
        yield Mistake(
            "`auto reasoning` should be `auto_reasoning`",
            At(view.at("misspelt_reasoning"), key=True),
            helps=("rename `auto reasoning` to `auto_reasoning`",),
        )
