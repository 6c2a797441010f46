"""Rules on LTM definitions and results: what a schema cannot count or compare."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.views.ltm import (
    CALLBACK_DATASETS,
    DYNAMIC_DATASETS,
    DefinitionView,
    ResultView,
)
from evalmark.validator.views.ltm_run import DATASET_NAMES


def question_flags(view: DefinitionView) -> Iterator[Hit]:
    """There is a flag for each message, and one more in a temporal test.

    The question of a temporal test is made at run time and stands behind the script. With one flag
    too few or too many the runner stops, or sends the wrong message as the question.

    Bad: three messages and four flags
    Good: three messages and three flags; four where `is_temporal` is true
    """
    extra = 1 if view.is_temporal else 0
    wanted, found = len(view.script) + extra, len(view.flags)
    if view.script and wanted != found:
        why = " and one question made at run time" if extra else ""
        yield Hit(
            f"`is_question` has {found} flags for {len(view.script)} messages{why}",
            At(view.at("flags")),
            caret=f"expected {wanted}",
            labels=((At(view.at("script")), "the messages"),),
        )


def wait_count(view: DefinitionView) -> Iterator[Hit]:
    """There is a wait for each flag.

    In the first generation there is a token spacing for each flag and a time jump for each message.

    Bad: four flags and three waits
    Good: four flags and four waits; `{}` waits not at all
    """
    flags, messages = len(view.flags), len(view.script)
    for field, count in (("waits", flags), ("spacings", flags), ("jumps", messages)):
        found = len(view.entries(field))
        if found not in (0, count):
            yield Hit(
                f"`{view.key(field)}` has {found} entries",
                At(view.at(field)),
                caret=f"expected {count}",
                labels=((At(view.at("flags")), "the flags"),),
            )


def default_waits(view: DefinitionView) -> Iterator[Hit]:
    """A scripted test says how long to wait.

    Without waits the runner spreads the messages over nine tenths of the memory span; another
    runner may do otherwise, and the scores no longer compare.

    Bad: `"waits": []`
    Good: `"waits": [{"percentage_finished": 45}, {}]`
    """
    # ChapterBreak is told without a pause; its waits are written out, and empty.
    if view.script and view.get("waits") == []:
        yield Hit("no waits: each runner fills in its own", At(view.at("waits")))


def last_is_question(view: DefinitionView) -> Iterator[Hit]:
    """A test ends in a question.

    What is said after the last question is never asked about.

    Bad: `"is_question": [false, true, false]`
    Good: `"is_question": [false, false, true]`
    """
    flags = view.flags
    if flags and not flags[-1]:
        yield Hit(
            "the last message is no question",
            At(f"{view.at('flags')}/{len(flags) - 1}"),
            caret="expected true",
        )


def percentages_ascend(view: DefinitionView) -> Iterator[Hit]:
    """Waits for a percentage ascend.

    A percentage that has passed already is no wait.

    Bad: 45 after 60
    Good: 60 after 45
    """
    earlier = 0.0
    for pointer, value in view.percentages:
        if value <= earlier:
            yield Hit(
                f"wait for {value:g} % after one for {earlier:g} %",
                At(pointer),
                caret=f"expected more than {earlier:g}",
            )
            return
        earlier = value


def last_wait(view: DefinitionView) -> Iterator[Hit]:
    """Nothing is waited for after the last question.

    Bad: `"waits": [{}, {"tokens": 500}]`
    Good: `"waits": [{"tokens": 500}, {}]`
    """
    waits = view.entries("waits")
    if len(waits) != len(view.flags):
        return  # wait_count says so
    if waits and any(waits[-1].values()):
        yield Hit(
            "a wait after the last question",
            At(f"{view.at('waits')}/{len(waits) - 1}"),
            caret="expected {}",
        )


def joke_in_script(view: DefinitionView) -> Iterator[Hit]:
    """The expected answer of a temporal test is one of its messages.

    The question asks which of them was told at a certain time; the runner looks the answer up in
    the script and stops if it is not there.

    Bad: an expected response that was edited in one place only
    Good: the message, word for word
    """
    if view.is_temporal and view.expected and view.expected[0] not in view.script:
        yield Hit(
            "the expected answer of this temporal test is none of its messages",
            At(f"{view.at('expected')}/0"),
            labels=((At(view.at("script")), "the messages"),),
        )


def callback_dataset(view: DefinitionView) -> Iterator[Hit]:
    """A test is evaluated the way its dataset evaluates.

    The dataset is the folder the definition lies in. Of datasets that are not the benchmark's
    nothing is known.

    Bad: `"uses_callback": true` in `definitions/Colours`
    Good: `"uses_callback": true` in `definitions/Prospective Memory`
    """
    dataset = view.place.dataset
    if dataset not in DATASET_NAMES.values():
        return
    if view.get("uses_callback") and dataset not in CALLBACK_DATASETS:
        yield Hit(
            f"the dataset {shown(dataset)} has no callback",
            At(view.at("uses_callback")),
            notes=(f"with a callback: {listed(sorted(CALLBACK_DATASETS))}",),
        )
    if not view.script and dataset not in DYNAMIC_DATASETS:
        yield Hit(
            f"the dataset {shown(dataset)} is not dynamic, and this test has no script",
            At(view.at("script")),
            notes=(f"dynamic: {listed(sorted(DYNAMIC_DATASETS))}",),
        )


def definition_missing(view: ResultView) -> Iterator[Hit]:
    """A result has a definition.

    It is looked for at `definitions/<dataset>/<id>.def.json` in the run that the result lies in.

    Bad: a result whose run has no such definition
    Good: a run with all definitions it was made from
    """
    path = view.place.definition_path
    if path is not None and not path.exists():
        yield Hit(f"the run has no definition {path.name} for this result", At(""))


def stale_expected(view: ResultView) -> Iterator[Hit]:
    """A result expects what its definition expects.

    Where they differ, the definition was changed after the run; it is the truth.

    Bad: `expected_responses` that differ from those of the definition
    Good: equal ones
    """
    definition = view.definition
    if definition is None or not definition.script:
        return
    if definition.expected != view.entries("expected"):
        yield Hit(
            "`expected_responses` differ from those of the definition",
            At(view.at("expected")),
            helps=("take the definition's when you score again",),
        )


def answer_count(view: ResultView) -> Iterator[Hit]:
    """There is an answer for each question.

    Bad: two answers to a test of three questions
    Good: three
    """
    if view.definition is None:
        return
    questions, answers = sum(view.definition.flags), len(view.answers)
    if questions and answers != questions:
        yield Hit(
            f"{answers} answers to {questions} questions",
            At(view.at("answers")),
            caret=f"expected {questions}",
        )


def answers_in_log(view: ResultView) -> Iterator[Hit]:
    """Answers stand in the log, in their order.

    An answer that the log does not have was edited, or belongs to another test.

    Bad: `"actual_responses": ["blue"]` where the agent said "green"
    Good: the words of the agent
    """
    log, at = view.log, 0
    for index, answer in enumerate(view.answers):
        found = next((i for i in range(at, len(log)) if log[i].endswith(f": {answer}")), None)
        if found is None:
            yield Hit(
                "this answer does not stand in `task_log`, or not in this order",
                At(f"{view.at('answers')}/{index}"),
                labels=((At(view.at("log")), "the log"),),
            )
            return
        at = found + 1


def log_alternates(view: ResultView) -> Iterator[Hit]:
    """In a log, the one who asks and the agent take turns.

    Two messages of one speaker in a row are a log that lost a line, or two logs in one file.

    Bad: `Test`, `Test`, `Agent`
    Good: `Test`, `Agent`, `Test`, `Agent`
    """
    speakers = [line.partition(" ")[0] == "Agent" for line in view.log]
    for index, (one, other) in enumerate(itertools.pairwise(speakers), 1):
        if one is other:
            who = "the agent" if other else "the one who asks"
            yield Hit(f"{who} speaks twice in a row", At(f"{view.at('log')}/{index}"))
            return


def override_halves(view: ResultView) -> Iterator[Hit]:
    """A score that was set by hand keeps the automatic one, with its reasons.

    Bad: `auto_score` without `auto_reasoning`
    Good: both
    """
    halves = ("auto_score", "auto_reasoning")
    missing = [view.key(field) for field in halves if not view.has(field)]
    present = [field for field in (*halves, "auto_answers") if view.has(field)]
    if present and missing:
        yield Hit(
            f"`{view.key(present[0])}` without {listed(f'`{key}`' for key in missing)}",
            At(view.at(present[0]), key=True),
        )
    if view.has("misspelt_reasoning"):
        yield Hit(
            "`auto reasoning` is a misspelt `auto_reasoning`",
            At(view.at("misspelt_reasoning"), key=True),
        )
