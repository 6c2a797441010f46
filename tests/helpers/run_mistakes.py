"""A memory test run with one mistake each: what changes a file of it, the code, the suggestion."""

import copy
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import pointers
from one_mistake import FIXTURES
from pointers import value_at

RUN = FIXTURES / "good/ltm"
AGENT = "results/Example agent"


class Mistake(NamedTuple):
    """A mistake in a run.

    Attributes:
        path: The file that has it, in the folder of the run.
        change: What makes it, of the file's data or lines.
        code: What reports it.
        help: What is suggested.
        cures: Whether the suggestion is applied; if not, it is for a person.
    """

    path: str
    change: Callable[[Any], Any]
    code: str
    help: str
    cures: bool = True


def good(path: str) -> Any:
    """The data, or rows, of a file of a good run; a result is made for each dataset."""
    file = RUN / path
    if path.endswith(".jsonl"):
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    if file.exists():
        return json.loads(file.read_text("utf-8"))
    dataset = path.split("/")[-2]
    if path.startswith("definitions"):
        return good(COLOURS)
    definition = json.loads((RUN / f"definitions/{dataset}/0.def.json").read_text("utf-8"))
    result = json.loads((RUN / f"{AGENT}/Colours/0_0.json").read_text("utf-8"))
    times = (datetime(2024, 5, 1, 12) + timedelta(seconds=n) for n in range(99))
    log = [
        f"{who} ({next(times).isoformat(' ', 'microseconds')}): {text}"
        for message in definition["script"] or ["Welcome.", "Here you are.", "Goodbye."]
        for who, text in (("Test", message), ("Agent", f"You said {message}"))
    ]
    flags = zip(definition["script"], definition["is_question"], strict=True)
    asked = [message for message, is_question in flags if is_question]
    return result | {
        "task_log": log,
        "actual_responses": [f"You said {message}" for message in asked or ["Welcome."]],
        "expected_responses": definition["expected_responses"],
        "needles": len(log) // 2 - len(asked) - (0 if asked else 1),
    }


def put(where: str, value: Any) -> Callable[[Any], Any]:
    """What writes a value at a pointer; of ``...``, what removes the one there."""

    def change(data: Any) -> Any:
        at = f"/{where}"
        return pointers.put(data, at, value(value_at(data, at)) if callable(value) else value)

    return change


def puts(**values: Any) -> Callable[[Any], Any]:
    return lambda data: {**data, **values}


def rows(change: Callable[[list[Any]], Any]) -> Callable[[Any], Any]:
    def changed(data: list[Any]) -> list[Any]:
        data = copy.deepcopy(data)
        change(data)
        return data

    return changed


def definition(dataset: str) -> str:
    return f"definitions/{dataset}/0.def.json"


def result(dataset: str) -> str:
    return f"{AGENT}/{dataset}/0_0.json"


COLOURS, NAMES, SHOPPING = definition("Colours"), definition("NameList"), definition("Shopping")
SALLY, CHAPTER, SPY = definition("SallyAnne"), definition("ChapterBreak"), definition("Spy Meeting")
QUOTE, TRIGGER, JOKES = (
    definition("Prospective Memory"),
    definition("Trigger Response"),
    definition("Jokes"),
)
LOG = f"{AGENT}/master_log.jsonl"
JOKE = {
    "script": ["Two fish are in a tank.", "I failed math so many times."],
    "is_question": [False, False, True],
    "waits": [{"time": 60}, {"time": 60}, {}],
    "is_temporal": True,
    "expected_responses": ["Two fish are in a tank."],
}


def joke(**values: Any) -> Callable[[Any], Any]:
    return puts(**{**JOKE, **values})


def old_result(**values: Any) -> Callable[[Any], Any]:
    """A result of the first two generations, whose maximum can be any number."""
    return lambda data: {k: v for k, v in {**data, **values}.items() if k != "needles"}


def later(line: str) -> str:
    """A line of a log an hour later."""
    return re.sub(r" 12:", " 13:", line)


MISTAKES = (
    # flags and waits
    Mistake(COLOURS, put("is_question/0", ...), "LT201", "write [false, false, true]"),
    Mistake(TRIGGER, puts(is_question=[False, True]), "LT201", "write [false, true, true]"),
    Mistake(JOKES, joke(is_question=[False, True]), "LT201", "write [false, false, true]"),
    Mistake(
        COLOURS, puts(script=["It is green.", "What is it?"]), "LT201",
        "add the missing message to `script`, or remove a flag and its wait", cures=False,
    ),
    Mistake(
        COLOURS, put("waits/2", ...), "LT202",
        "add {} at the end: there is no wait after the last message",
    ),
    Mistake(COLOURS, put("waits", lambda w: [*w, {}]), "LT202", "remove the last entry"),
    Mistake(
        COLOURS, puts(waits=[{"tokens": 5}]), "LT202",
        "write 2 more: one after each message, {} for no wait", cures=False,
    ),
    Mistake(
        COLOURS, put("waits", lambda w: [{"tokens": 5}, *w]), "LT202",
        "remove the 1 that no message has: there is one after each message", cures=False,
    ),
    Mistake(
        COLOURS, puts(is_question=[False, True, False]), "LT203",
        'write "is_question": [false, false, true]',
    ),
    Mistake(TRIGGER, put("is_question/2", False), "LT203",
        "if it is a question, write true; otherwise remove the message, its flag and wait",
        cures=False,
    ),
    Mistake(
        COLOURS, puts(waits=[]), "LT204",
        'write [{"percentage_finished": 45}, {"percentage_finished": 90}, {}], '
        "as the benchmark's runner waits",
    ),
    Mistake(
        COLOURS, put("waits/1/percentage_finished", 20), "LT205",
        "remove `percentage_finished`, which has no effect after 30 %",
    ),
    Mistake(
        SPY, put("waits/0/percentage_finished", 95), "LT205",
        "say which is wrong: 95, or all percentages after it", cures=False,
    ),
    Mistake(COLOURS, put("waits/2", {"tokens": 5}), "LT208", "write {}"),
    Mistake(
        COLOURS, put("waits", [{"percentage_finished": 0.3}, {"percentage_finished": 0.6}, {}]),
        "LT218", "multiply all percentages by 100: 30 and 60",
    ),
    # datasets
    Mistake(COLOURS, puts(uses_callback=True), "LT207", "write false"),
    Mistake(QUOTE, puts(uses_callback=False), "LT207", "write true"),
    Mistake(
        COLOURS, puts(script=[], is_question=[], waits=[], expected_responses=[]), "LT207",
        "write the messages, or move the file to the folder of a dynamic dataset", cures=False,
    ),
    # expected responses
    Mistake(
        JOKES, joke(expected_responses=["Two fishes are in a tank."]), "LT206",
        'write "Two fish are in a tank."',
    ),
    Mistake(
        JOKES, joke(expected_responses=["?"]), "LT206",
        'write one of "Two fish are in a tank.", "I failed math so many times."',
    ),
    *(
        Mistake(file, puts(expected_responses=expected), code, advice, cures=False)
        for file, expected, code, advice in (
            (COLOURS, ["green", "blue"], "LT209", "write a list of one string"),
            (COLOURS, [["blue"]], "LT209", "write a list of one string"),
            (TRIGGER, ["hom"], "LT210",
             "write 2 strings, the answers to the questions in their order"),
            (NAMES, ["Ada"], "LT211", "write 2 strings, the name in each statement"),
            (NAMES, ["Ada", "Grcae"], "LT211", "write the name that the statement has"),
            (SHOPPING, [["soap", "3"]], "LT212",
             'write the item and how many of it, as in ["soap", 3]'),
            (SPY, [["boat"], ["noon"]], "LT213",
             "write three lists of keywords: for what to bring, for when and for where"),
            (SPY, [["boat"], ["noon"], "pier"], "LT213",
             "write three lists of keywords: for what to bring, for when and for where"),
            (QUOTE, ["Know thyself.", "Chilon"], "LT214", "say it as [[quote, author, number]]"),
            (QUOTE, [["Know yourself.", "Chilon", 4]], "LT214",
             "copy what the first message has, word for word"),
            (QUOTE, [["Know thyself.", "Socrates", 4]], "LT214",
             "copy what the question has, word for word"),
            (COLOURS, ["bleu"], "LT216", "write the colour that the last statement names"),
        )
    ),
    Mistake(
        CHAPTER, puts(expected_responses=["7"]), "LT215",
        'write one of "1", "2", "3", "4", "5", "6": the right option',
    ),
    Mistake(SHOPPING, put("expected_responses/1", ["soap", 3]), "LT212", "remove this entry"),
    Mistake(
        SHOPPING, put("expected_responses/1", ["soap", 1]), "LT212",
        "remove the entry with the wrong quantity, or add the two up", cures=False,
    ),
    Mistake(SALLY, puts(expected_responses=["boxx"]), "LT219", 'write "box"'),
    Mistake(
        SALLY, puts(expected_responses=["cupboard"]), "LT219",
        "write the place or thing in the messages that the question asks for", cures=False,
    ),
    Mistake(
        COLOURS, put("script/0", "It is green. " * 500), "LT217",
        "raise `memory_span` of the configuration well above 1509, or cut the script", cures=False,
    ),
    # results
    Mistake(
        result("Shopping"), puts(expected_responses=[["soap", 2]]), "LT302",
        "run the test again, or restore the definition that was used to score it", cures=False,
    ),
    Mistake(
        result("Trigger Response"), puts(actual_responses=["You said hum"]), "LT303",
        'write ["You said hum", "You said hum"], as in the log',
    ),
    Mistake(
        result("Colours"), puts(actual_responses=["Bleu."]), "LT304",
        'if the log is right, write "Blue."',
    ),
    Mistake(
        result("Colours"), puts(auto_score=1), "LT305",
        "if the score was not set by hand, remove `auto_score`",
    ),
    Mistake(
        result("Colours"), put("task_log/1", ...), "LT306",
        "add the line of the agent that is missing before it", cures=False,
    ),
    Mistake(
        result("Colours"), put("task_log", lambda log: [log[0], *log]), "LT306",
        "remove this entry, if it is a duplicate of the one before it",
    ),
    Mistake(
        result("Colours"), put("task_log/2", later), "LT307",
        "say when the line before it was: from 2024-05-01 12:00:01.000000 "
        "up to 2024-05-01 12:00:03.000000", cures=False,
    ),
    Mistake(
        result("Colours"), put("task_log/3", lambda line: line.replace(" 12:", " 11:")), "LT307",
        "say when this line was: from 2024-05-01 12:00:02.000000 up to 2024-05-01 12:00:04.000000",
        cures=False,
    ),
    Mistake(
        result("Colours"), put("task_log/0", lambda line: line.replace("green", "red")), "LT308",
        "run the test again, or move the result to the run that it belongs to "
        "(the definition may have changed since)", cures=False,
    ),
    Mistake(result("Colours"), puts(needles=3), "LT309", "write 2"),
    Mistake(
        result("Colours"), puts(tokens=1730), "LT310",
        "run the test again with shorter answers, or report the score with its tokens", cures=False,
    ),
    Mistake(result("Restaurant"), puts(score=0.5), "LT311", "write one of 0.4, 0.6"),
    Mistake(result("Spy Meeting"), puts(score=0.7), "LT312", "write one of 0.6666666666666666, 1"),
    Mistake(result("Colours"), puts(score=0.4), "LT312", "write one of 0, 1"),
    Mistake(result("Colours"), old_result(score=100), "LT313", "if it is a percentage, write 1.0"),
    Mistake(
        result("NameList"), old_result(score=4, max_score=3), "LT313",
        'if the two are swapped, write "score": 3, "max_score": 4',
    ),
    # logs
    Mistake(
        LOG, put("4/timestamp", 10300), "LT411", "say which is wrong: this one is at least 10300, "
        "or that on line 5 is from 102.0 up to 104.0", cures=False,
    ),
    Mistake(LOG, put("4/timestamp", 3), "LT411", "say when it was: 102.0 or later", cures=False),
    Mistake(LOG, put("4/timestamp", -103.0), "LT411", "write 103.0"),
    Mistake(
        LOG, put("5", ...), "LT412",
        'add its answer after it: an event with type 4 and test_id "Colours - 0"',
        cures=False,
    ),
    Mistake(
        LOG, put("4", ...), "LT412",
        "add the message that it answers before it, or remove this line", cures=False,
    ),
    Mistake(
        LOG, put("7", ...), "LT413",
        'resume the run; if the test did end, add the line `{"type": 2, "timestamp": 104.5, '
        '"test_id": "Colours - 0", "data": {}}` after 7',
    ),
    Mistake(
        LOG, rows(lambda log: log.append(log[-1])), "LT413",
        "remove this line, or add the begin of the test before it",
    ),
    Mistake(LOG, put("7/test_id", "Colours - O"), "LT414", 'write "Colours - 0"'),
    Mistake(LOG, put("7/test_id", "COLOURS - 0"), "LT414", 'write "Colours - 0"'),
    Mistake(
        LOG, put("3", ...), "LT414",
        "add its begin before it: an event with the type 1 and this test_id", cures=False,
    ),
)  # fmt: skip
