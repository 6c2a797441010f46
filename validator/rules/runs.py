"""Rules on LTM runs: a configuration, its definitions and its results against each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import shown
from evalmark.validator.views.ltm import ADDED_LINES, ConfigView, DefinitionView, ResultView
from evalmark.validator.views.ltm_run import load

_HEAD = re.compile(r"^(Test|Agent|System) \(([-0-9]{10} [0-9:]{8}(?:\.[0-9]+)?)\): ")
#: The benchmark's report names this folder; its runs have the name of the memory span alone.
_ISOLATED = " (isolated)"


def script_in_span(view: DefinitionView) -> Iterator[Hit]:
    """The script of a test fits into the memory span.

    No tokenizer makes fewer tokens than there are words, so that a script of more words than the
    span has tokens cannot fit. What is closer than that, only a run can tell.

    Bad: 1,200 words where `memory_span` is 1000
    Good: a larger span, or a shorter test
    """
    span = view.place.memory_span
    words = sum(len(line.split()) for line in view.script)
    if span is not None and words >= span:
        yield Hit(
            f"the script has {words} words, and the memory span of this run is {span} tokens",
            At(view.at("script")),
        )


def log_runs_backwards(view: ResultView) -> Iterator[Hit]:
    """The lines of a log stand in the order of their times.

    Bad: a line at 10:05 after one at 10:07
    Good: times that only grow
    """
    earlier = ""
    for index, line in enumerate(view.log):
        head = _HEAD.match(line)
        if head is None:
            continue  # the schema's pattern says what heads there are
        if head[2] < earlier:
            yield Hit("line is older than the one before it", At(f"{view.at('log')}/{index}"))
            return
        earlier = head[2]


def script_in_log(view: ResultView) -> Iterator[Hit]:
    """The messages of a test were sent, in their order.

    A log without them is that of another test, or of an earlier form of the definition.

    Bad: a log that lacks the second message of the script
    Good: all of them
    """
    if view.definition is None:
        return
    log = [line[head.end() :] for line in view.log if (head := _HEAD.match(line))]
    at = 0
    for number, message in enumerate(view.definition.script, 1):
        found = next((i for i in range(at, len(log)) if log[i].strip() == message.strip()), None)
        if found is None:
            yield Hit(
                f"message {number} of the definition was not sent, or not in its order",
                At(view.at("log")),
                notes=(f"the message: {shown(message)}",),
            )
            return
        at = found + 1


def needles(view: ResultView) -> Iterator[Hit]:
    """`needles` counts the messages of the test that are no questions.

    For a dynamic test it is the number of its messages, without the reset if there was one.

    Bad: `"needles": 3` for four messages and one question
    Good: `"needles": 3` for four messages of which one is a question
    """
    stated, definition = view.get("needles"), view.definition
    if stated is None or definition is None:
        return
    questions = sum(definition.flags)
    if definition.script:
        if questions != len(view.answers):
            return  # answer_count says so
        # The question of a temporal test joins the script when it is made.
        wanted = len(definition.script) - questions + definition.is_temporal
        fitting = {wanted}
    else:
        # The benchmark's runner ends a test with a message that resets the agent; others do not.
        wanted = sum(line.startswith("Test (") for line in view.log) - 1
        fitting = {wanted, wanted + 1}
    if stated not in fitting:
        yield Hit(f"the test has {wanted} messages that are no questions", At(view.at("needles")))


def overrun(view: ResultView) -> Iterator[Hit]:
    """A test stayed within the memory span.

    The agents of short spans talk themselves over it; the score then tells of a longer span than
    the run is named after.

    Bad: `"tokens": 1730` in a run of 1000
    Good: `"tokens": 930`
    """
    span, tokens = view.place.memory_span, view.get("tokens")
    if span is not None and tokens > span:
        yield Hit(
            f"{tokens} tokens, and the memory span of this run is {span}", At(view.at("tokens"))
        )


def restaurant_fifths(view: ResultView) -> Iterator[Hit]:
    """A score of Restaurant is a number of fifths.

    Five things are looked at in a visit, and each is right or wrong.

    Bad: `"score": 0.5`
    Good: `"score": 0.6`
    """
    if view.place.dataset != "Restaurant" or not view.has("needles"):
        return
    score = view.get("score")
    if abs(5 * score - round(5 * score)) > 1e-9:
        yield Hit(f"{score:g} is no number of fifths", At(view.at("score")))


def run_name(view: ConfigView) -> Iterator[Hit]:
    """A run has the name of its folder.

    The runner looks for definitions and results by `run_name`; with another one it makes a new
    folder and starts anew.

    Bad: `run_name: Benchmark 2 - 1k` in the folder `Benchmark 2 - 10k`
    Good: the same name
    """
    folder = view.place.folder
    if folder is not None and view.get("run_name") != folder.name.removesuffix(_ISOLATED):
        yield Hit(f"the folder of this run is {shown(folder.name)}", At(view.at("run_name")))


def number_of_tests(view: ConfigView) -> Iterator[Hit]:
    """A run has as many definitions as its configuration says.

    Bad: `dataset_examples: 3`, and two definitions in the folder of a dataset
    Good: three
    """
    for entry in view.datasets:
        wanted = entry.get("examples") if entry.has("examples") else view.get("examples")
        found = len(entry.definitions)
        if entry.folder and found != wanted:
            yield Hit(
                f"{shown(entry.folder.name)} has {found} definitions, and is to have {wanted}",
                At(entry.at("name")),
                pointer=entry.pointer,
            )


def script_lengths(view: ConfigView) -> Iterator[Hit]:
    """Scripts are as long as the arguments of their dataset make them.

    Bad: `colour_changes: 3`, and a script of six messages
    Good: three colours and one question
    """
    for entry in view.datasets:
        for argument, added in ADDED_LINES.get(entry.name, {}).items():
            changes = entry.argument(argument)
            if changes is None:
                continue
            lengths = {
                path.name: len(script)
                for path in entry.definitions
                if isinstance(script := load(path).get("script"), list)
            }
            other = {name: n for name, n in lengths.items() if n != changes + added}
            if other:
                name, length = next(iter(other.items()))
                yield Hit(
                    f"`{argument}: {changes}` makes {changes + added} messages, "
                    f"and {name} has {length}",
                    At(f"{entry.at('args')}/{argument}"),
                )


def dataset_twice(view: ConfigView) -> Iterator[Hit]:
    """A dataset stands once in a configuration.

    Its definitions have one folder: the tests of the second one replace those of the first.

    Bad: `- name: colours` twice
    Good: `- name: colours` once, with the arguments it needs
    """
    names = [entry.name for entry in view.datasets]
    for name, count in Counter(names).items():
        if count > 1:
            last = len(names) - 1 - names[::-1].index(name)
            yield Hit(f"{shown(name)} stands {count} times", At(view.datasets[last].at("name")))
