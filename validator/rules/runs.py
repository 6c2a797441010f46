"""Rules on LTM runs: a configuration, its definitions and its results against each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import shown
from evalmark.validator.views.ltm import ADDED_LINES, DATASET_NAMES, LtmFacts, span_of

_HEAD = re.compile(r"^(Test|Agent|System) \(([-0-9]{10} [0-9:]{8}(?:\.[0-9]+)?)\): ")
#: The benchmark's report names this folder; its runs have the name of the memory span alone.
_ISOLATED = " (isolated)"


def script_in_span(facts: LtmFacts) -> Iterator[Hit]:
    """The script of a test fits into the memory span.

    No tokenizer makes fewer tokens than there are words, so that a script of more words than the
    span has tokens cannot fit. What is closer than that, only a run can tell.

    Bad: 1,200 words where `memory_span` is 1000
    Good: a larger span, or a shorter test
    """
    span = span_of(facts.config, facts.dataset)
    words = sum(len(line.split()) for line in facts.data["script"])
    if span is not None and words >= span:
        yield Hit(
            f"the script has {words} words, and the memory span of this run is {span} tokens",
            At("/script"),
        )


def log_runs_backwards(facts: LtmFacts) -> Iterator[Hit]:
    """The lines of a log stand in the order of their times.

    Bad: a line at 10:05 after one at 10:07
    Good: times that only grow
    """
    earlier = ""
    for index, line in enumerate(facts.data["task_log"]):
        head = _HEAD.match(line)
        if head is None:
            continue  # the schema's pattern says what heads there are
        if head[2] < earlier:
            yield Hit("line is older than the one before it", At(f"/task_log/{index}"))
            return
        earlier = head[2]


def script_in_log(facts: LtmFacts) -> Iterator[Hit]:
    """The messages of a test were sent, in their order.

    A log without them is that of another test, or of an earlier form of the definition.

    Bad: a log that lacks the second message of the script
    Good: all of them
    """
    if facts.definition is None:
        return
    log = [line[head.end() :] for line in facts.data["task_log"] if (head := _HEAD.match(line))]
    at = 0
    for number, message in enumerate(facts.definition.get("script") or (), 1):
        found = next((i for i in range(at, len(log)) if log[i].strip() == message.strip()), None)
        if found is None:
            yield Hit(
                f"message {number} of the definition was not sent, or not in its order",
                At("/task_log"),
                notes=(f"the message: {shown(message)}",),
            )
            return
        at = found + 1


def needles(facts: LtmFacts) -> Iterator[Hit]:
    """`needles` counts the messages of the test that are no questions.

    For a dynamic test it is the number of its messages, without the reset if there was one.

    Bad: `"needles": 3` for four messages and one question
    Good: `"needles": 3` for four messages of which one is a question
    """
    stated, definition = facts.data.get("needles"), facts.definition
    if stated is None or definition is None:
        return
    questions = sum(definition["is_question"])
    if definition["script"]:
        if questions != len(facts.data["actual_responses"]):
            return  # answer_count says so
        # The question of a temporal test joins the script when it is made.
        wanted = len(definition["script"]) - questions + bool(definition.get("is_temporal"))
        fitting = {wanted}
    else:
        # The benchmark's runner ends a test with a message that resets the agent; others do not.
        wanted = sum(line.startswith("Test (") for line in facts.data["task_log"]) - 1
        fitting = {wanted, wanted + 1}
    if stated not in fitting:
        yield Hit(f"the test has {wanted} messages that are no questions", At("/needles"))


def overrun(facts: LtmFacts) -> Iterator[Hit]:
    """A test stayed within the memory span.

    The agents of short spans talk themselves over it; the score then tells of a longer span than
    the run is named after.

    Bad: `"tokens": 1730` in a run of 1000
    Good: `"tokens": 930`
    """
    span = span_of(facts.config, facts.dataset)
    tokens = facts.data["tokens"]
    if span is not None and tokens > span:
        yield Hit(f"{tokens} tokens, and the memory span of this run is {span}", At("/tokens"))


def restaurant_fifths(facts: LtmFacts) -> Iterator[Hit]:
    """A score of Restaurant is a number of fifths.

    Five things are looked at in a visit, and each is right or wrong.

    Bad: `"score": 0.5`
    Good: `"score": 0.6`
    """
    if facts.dataset != "Restaurant" or "needles" not in facts.data:
        return
    fifths = 5 * facts.data["score"]
    if abs(fifths - round(fifths)) > 1e-9:
        yield Hit(f"{facts.data['score']:g} is no number of fifths", At("/score"))


def run_name(facts: LtmFacts) -> Iterator[Hit]:
    """A run has the name of its folder.

    The runner looks for definitions and results by `run_name`; with another one it makes a new
    folder and starts anew.

    Bad: `run_name: Benchmark 2 - 1k` in the folder `Benchmark 2 - 10k`
    Good: the same name
    """
    folder, name = facts.run_folder, facts.data["config"]["run_name"]
    if folder is not None and name != folder.name.removesuffix(_ISOLATED):
        yield Hit(f"the folder of this run is {shown(folder.name)}", At("/config/run_name"))


def number_of_tests(facts: LtmFacts) -> Iterator[Hit]:
    """A run has as many definitions as its configuration says.

    Bad: `dataset_examples: 3`, and two definitions in the folder of a dataset
    Good: three
    """
    for index, entry, folder in _datasets(facts):
        args = entry.get("args") or {}
        wanted = args.get("dataset_examples", facts.data["datasets"]["args"]["dataset_examples"])
        found = len(list(folder.glob("*.def.json")))
        if found != wanted:
            yield Hit(
                f"{shown(folder.name)} has {found} definitions, and is to have {wanted}",
                At(f"/datasets/datasets/{index}/name"),
                pointer=f"/datasets/datasets/{index}",
            )


def script_lengths(facts: LtmFacts) -> Iterator[Hit]:
    """Scripts are as long as the arguments of their dataset make them.

    Bad: `colour_changes: 3`, and a script of six messages
    Good: three colours and one question
    """
    for index, entry, folder in _datasets(facts):
        for argument, added in ADDED_LINES.get(entry["name"], {}).items():
            changes = (entry.get("args") or {}).get(argument)
            if changes is None:
                continue
            lengths = {
                path.name: len(script)
                for path in sorted(folder.glob("*.def.json"))
                if isinstance(script := facts.load(path).get("script"), list)
            }
            other = {name: n for name, n in lengths.items() if n != changes + added}
            if other:
                name, length = next(iter(other.items()))
                yield Hit(
                    f"`{argument}: {changes}` makes {changes + added} messages, "
                    f"and {name} has {length}",
                    At(f"/datasets/datasets/{index}/args/{argument}"),
                )


def dataset_twice(facts: LtmFacts) -> Iterator[Hit]:
    """A dataset stands once in a configuration.

    Its definitions have one folder: the tests of the second one replace those of the first.

    Bad: `- name: colours` twice
    Good: `- name: colours` once, with the arguments it needs
    """
    names = [entry["name"] for entry in facts.data["datasets"]["datasets"]]
    for name, count in Counter(names).items():
        if count > 1:
            last = len(names) - 1 - names[::-1].index(name)
            yield Hit(f"{shown(name)} stands {count} times", At(f"/datasets/datasets/{last}/name"))


def _datasets(facts: LtmFacts) -> Iterator[tuple[int, dict[str, Any], Path]]:
    """Index, entry and folder of the datasets whose definitions lie beside the configuration."""
    if facts.run_folder is None:
        return
    for index, entry in enumerate(facts.data["datasets"]["datasets"]):
        folder = facts.run_folder / "definitions" / DATASET_NAMES[entry["name"]]
        if folder.is_dir():
            yield index, entry, folder
