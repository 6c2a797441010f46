"""Rules on LTM definitions and results: what a schema cannot count or compare."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.views.ltm import (
    CALLBACK_DATASETS,
    DATASET_NAMES,
    DYNAMIC_DATASETS,
    LtmFacts,
)


def question_flags(facts: LtmFacts) -> Iterator[Hit]:
    """There is a flag for each message, and one more in a temporal test.

    The question of a temporal test is made at run time and stands behind the script. With one flag
    too few or too many the runner stops, or sends the wrong message as the question.

    Bad: three messages and four flags
    Good: three messages and three flags; four where `is_temporal` is true
    """
    data = facts.data
    extra = 1 if data["is_temporal"] else 0
    wanted, found = len(data["script"]) + extra, len(data["is_question"])
    if data["script"] and wanted != found:
        why = " and one question made at run time" if extra else ""
        yield Hit(
            f"`is_question` has {found} flags for {len(data['script'])} messages{why}",
            At("/is_question"),
            caret=f"expected {wanted}",
            labels=((At("/script"), "the messages"),),
        )


def wait_count(facts: LtmFacts) -> Iterator[Hit]:
    """There is a wait for each flag.

    In the first generation there is a token spacing for each flag and a time jump for each message.

    Bad: four flags and three waits
    Good: four flags and four waits; `{}` waits not at all
    """
    data = facts.data
    wanted = {
        "waits": len(data["is_question"]),
        "token_spacings": len(data["is_question"]),
        "time_jumps": len(data["script"]),
    }
    for key, count in wanted.items():
        if data.get(key) and len(data[key]) != count:
            yield Hit(
                f"`{key}` has {len(data[key])} entries",
                At(f"/{key}"),
                caret=f"expected {count}",
                labels=((At("/is_question"), "the flags"),),
            )


def default_waits(facts: LtmFacts) -> Iterator[Hit]:
    """A scripted test says how long to wait.

    Without waits the runner spreads the messages over nine tenths of the memory span; another
    runner may do otherwise, and the scores no longer compare.

    Bad: `"waits": []`
    Good: `"waits": [{"percentage_finished": 45}, {}]`
    """
    data = facts.data
    # ChapterBreak is told without a pause; its waits are written out, and empty.
    if data["script"] and data.get("waits") == []:
        yield Hit("no waits: each runner fills in its own", At("/waits"))


def last_is_question(facts: LtmFacts) -> Iterator[Hit]:
    """A test ends in a question.

    What is said after the last question is never asked about.

    Bad: `"is_question": [false, true, false]`
    Good: `"is_question": [false, false, true]`
    """
    flags = facts.data["is_question"]
    if flags and not flags[-1]:
        yield Hit(
            "the last message is no question",
            At(f"/is_question/{len(flags) - 1}"),
            caret="expected true",
        )


def percentages_ascend(facts: LtmFacts) -> Iterator[Hit]:
    """Waits for a percentage ascend.

    A percentage that has passed already is no wait.

    Bad: 45 after 60
    Good: 60 after 45
    """
    earlier = 0.0
    for index, value in facts.percentages:
        if value <= earlier:
            yield Hit(
                f"wait for {value:g} % after one for {earlier:g} %",
                At(f"/waits/{index}/percentage_finished"),
                caret=f"expected more than {earlier:g}",
            )
            return
        earlier = value


def last_wait(facts: LtmFacts) -> Iterator[Hit]:
    """Nothing is waited for after the last question.

    Bad: `"waits": [{}, {"tokens": 500}]`
    Good: `"waits": [{"tokens": 500}, {}]`
    """
    waits = facts.data.get("waits") or ()
    if len(waits) != len(facts.data["is_question"]):
        return  # wait_count says so
    if waits and any(waits[-1].values()):
        yield Hit(
            "a wait after the last question",
            At(f"/waits/{len(waits) - 1}"),
            caret="expected {}",
        )


def joke_in_script(facts: LtmFacts) -> Iterator[Hit]:
    """The expected answer of a temporal test is one of its messages.

    The question asks which of them was told at a certain time; the runner looks the answer up in
    the script and stops if it is not there.

    Bad: an expected response that was edited in one place only
    Good: the message, word for word
    """
    data = facts.data
    expected = data["expected_responses"]
    if data["is_temporal"] and expected and expected[0] not in data["script"]:
        yield Hit(
            "the expected answer of this temporal test is none of its messages",
            At("/expected_responses/0"),
            labels=((At("/script"), "the messages"),),
        )


def callback_dataset(facts: LtmFacts) -> Iterator[Hit]:
    """A test is evaluated the way its dataset evaluates.

    The dataset is the folder the definition lies in. Of datasets that are not the benchmark's
    nothing is known.

    Bad: `"uses_callback": true` in `definitions/Colours`
    Good: `"uses_callback": true` in `definitions/Prospective Memory`
    """
    dataset, data = facts.dataset, facts.data
    if dataset not in DATASET_NAMES.values():
        return
    if data["uses_callback"] and dataset not in CALLBACK_DATASETS:
        yield Hit(
            f"the dataset {shown(dataset)} has no callback",
            At("/uses_callback"),
            notes=(f"with a callback: {listed(sorted(CALLBACK_DATASETS))}",),
        )
    if not data["script"] and dataset not in DYNAMIC_DATASETS:
        yield Hit(
            f"the dataset {shown(dataset)} is not dynamic, and this test has no script",
            At("/script"),
            notes=(f"dynamic: {listed(sorted(DYNAMIC_DATASETS))}",),
        )


def definition_missing(facts: LtmFacts) -> Iterator[Hit]:
    """A result has a definition.

    It is looked for at `definitions/<dataset>/<id>.def.json` in the run that the result lies in.

    Bad: a result whose run has no such definition
    Good: a run with all definitions it was made from
    """
    if facts.definition_path is not None and not facts.definition_path.exists():
        name = facts.definition_path.name
        yield Hit(f"the run has no definition {name} for this result", At(""))


def stale_expected(facts: LtmFacts) -> Iterator[Hit]:
    """A result expects what its definition expects.

    Where they differ, the definition was changed after the run; it is the truth.

    Bad: `expected_responses` that differ from those of the definition
    Good: equal ones
    """
    definition = facts.definition
    if definition is None or not definition.get("script"):
        return
    if definition.get("expected_responses") != facts.data["expected_responses"]:
        yield Hit(
            "`expected_responses` differ from those of the definition",
            At("/expected_responses"),
            helps=("take the definition's when you score again",),
        )


def answer_count(facts: LtmFacts) -> Iterator[Hit]:
    """There is an answer for each question.

    Bad: two answers to a test of three questions
    Good: three
    """
    definition = facts.definition
    if definition is None:
        return
    questions = sum(definition.get("is_question") or ())
    answers = len(facts.data["actual_responses"])
    if questions and answers != questions:
        yield Hit(
            f"{answers} answers to {questions} questions",
            At("/actual_responses"),
            caret=f"expected {questions}",
        )


def answers_in_log(facts: LtmFacts) -> Iterator[Hit]:
    """Answers stand in the log, in their order.

    An answer that the log does not have was edited, or belongs to another test.

    Bad: `"actual_responses": ["blue"]` where the agent said "green"
    Good: the words of the agent
    """
    log = facts.data["task_log"]
    at = 0
    for index, answer in enumerate(facts.data["actual_responses"]):
        found = next((i for i in range(at, len(log)) if log[i].endswith(f": {answer}")), None)
        if found is None:
            yield Hit(
                "this answer does not stand in `task_log`, or not in this order",
                At(f"/actual_responses/{index}"),
                labels=((At("/task_log"), "the log"),),
            )
            return
        at = found + 1


def log_alternates(facts: LtmFacts) -> Iterator[Hit]:
    """In a log, the one who asks and the agent take turns.

    Two messages of one speaker in a row are a log that lost a line, or two logs in one file.

    Bad: `Test`, `Test`, `Agent`
    Good: `Test`, `Agent`, `Test`, `Agent`
    """
    speakers = [line.partition(" ")[0] == "Agent" for line in facts.data["task_log"]]
    for index, (one, other) in enumerate(itertools.pairwise(speakers), 1):
        if one is other:
            who = "the agent" if other else "the one who asks"
            yield Hit(f"{who} speaks twice in a row", At(f"/task_log/{index}"))
            return


def override_halves(facts: LtmFacts) -> Iterator[Hit]:
    """A score that was set by hand keeps the automatic one, with its reasons.

    Bad: `auto_score` without `auto_reasoning`
    Good: both
    """
    halves = ("auto_score", "auto_reasoning")
    missing = [key for key in halves if key not in facts.data]
    present = [key for key in (*halves, "auto_actual_responses") if key in facts.data]
    if present and missing:
        yield Hit(
            f"`{present[0]}` without {listed(f'`{key}`' for key in missing)}",
            At(f"/{present[0]}", key=True),
        )
    if "auto reasoning" in facts.data:
        yield Hit(
            "`auto reasoning` is a misspelt `auto_reasoning`", At("/auto reasoning", key=True)
        )
