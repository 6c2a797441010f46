"""Rules on LTM runs: whether configuration, definitions and results agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from math import ceil, floor

from evalmark.validator.findings.finding import Action, At, Mistake
from evalmark.validator.findings.phrasing import cited, one_of, quoted
from evalmark.validator.formats.ltm.ltm_run import load_of_run
from evalmark.validator.formats.ltm.ltm_view import (
    ADDED_LINES,
    ConfigView,
    DatasetEntry,
    DefinitionView,
    ResultView,
)

_HEAD = re.compile(r"^(Test|Agent|System) \(([-0-9]{10} [0-9:]{8}(?:\.[0-9]+)?)\): ")
#: Datasets with one question, which is answered or not.
_ALL_OR_NOTHING = frozenset(
    {"ChapterBreak", "Colours", "Jokes", "Locations Directions", "Prospective Memory", "SallyAnne"}
)
#: The benchmark appends this to the names of some folders of its reports, not to `run_name`.
_ISOLATED = " (isolated)"


def script_in_span(view: DefinitionView) -> Iterator[Mistake]:
    """The script of a test does not fit into the memory span.

    A text has at least as many tokens as words, so a script with more words than the span has
    tokens cannot fit. For shorter scripts, only a run can tell.

    Bad: 1,200 words where `memory_span` is 1000
    Good: a larger span, or a shorter test
    """
    span = view.place.memory_span
    words = sum(len(line.split()) for line in view.script)
    if span is not None and words >= span:
        yield Mistake(
            f"the script has {words} words, but the memory span of this run is {span} tokens",
            At(view.at("script")),
            helps=(
                f"raise `memory_span` of the configuration well above {words}, or cut the script",
            ),
        )


def log_runs_backwards(view: ResultView) -> Iterator[Mistake]:
    """The lines of a log are not in the order of their times.

    Bad: a line at 10:05 after one at 10:07
    Good: increasing times
    """
    earlier = ""
    for index, line in enumerate(view.log):
        head = _HEAD.match(line)
        if head is None:
            continue  # the schema checks the form of lines
        if head[2] < earlier:
            yield Mistake(
                "this line is older than the one before it",
                At(f"{view.at('log')}/{index}"),
                helps=_time_meant(view.log, index, earlier),
            )
            return
        earlier = head[2]


def _time_meant(log: list[str], index: int, earlier: str) -> tuple[str, ...]:
    times = [head[2] if (head := _HEAD.match(line)) else "" for line in log]
    here, before = times[index], times[index - 2] if index > 1 else ""
    after = times[index + 1] if index + 1 < len(times) else ""
    fits = earlier <= after or not after  # the line before this one with the one after it
    if before <= here and not (fits and after):
        lowest = f"from {before} " if before else ""
        return (f"say when the line before it was: {lowest}up to {here}",)
    if fits and here < before:
        highest = f" up to {after}" if after else ""
        return (f"say when this line was: from {earlier}{highest}",)
    return (f"say which is wrong: {earlier} in the line before it, or {here}",)


def script_in_log(view: ResultView) -> Iterator[Mistake]:
    """The messages of a test are not in the log in order.

    The log belongs to another test, or to an earlier version of the definition.

    Bad: a log that lacks the second message of the script
    Good: all of them
    """
    if view.definition is None or view.repeated_speaker is not None:
        return  # log_alternates reports that a line is missing
    # A generator: each message is looked for after the one before it.
    messages = (line[head.end() :].strip() for line in view.log if (head := _HEAD.match(line)))
    for number, message in enumerate(view.definition.script, 1):
        if message.strip() not in messages:
            yield Mistake(
                f"the log lacks message {number} of the definition, or has it in another order",
                At(view.at("log")),
                notes=(f"the message: {cited(message)}",),
                helps=(
                    "run the test again, or move the result to the run that it belongs to "
                    "(the definition may have changed since)",
                ),
            )
            return


def needles(view: ResultView) -> Iterator[Mistake]:
    """`needles` is not the number of messages of the test without its questions.

    For a test without a script (dynamic) it must be the number of messages, without the final reset
    if there was one.

    Bad: `"needles": 3` for five messages of which one is a question
    Good: `"needles": 3` for four messages of which one is a question
    """
    stated, definition = view.get("needles"), view.definition
    if stated is None or definition is None:
        return
    questions = sum(definition.flags)
    if definition.script:
        if questions != len(view.answers):
            return  # answer_count reports it
        # The question of a temporal test is added to the script at run time.
        expected = len(definition.script) - questions + definition.is_temporal
        fitting = {expected}
    else:
        # The benchmark's runner ends a test with a message that resets the agent; others do not.
        expected = sum(line.startswith("Test (") for line in view.log) - 1
        fitting = {expected, expected + 1}
    if stated not in fitting:
        yield Mistake(
            f"`{view.key('needles')}` is {stated}, but the test has {expected} messages "
            "that are not questions",
            At(view.at("needles")),
            helps=(Action.WRITE(expected),),
        )


def overrun(view: ResultView) -> Iterator[Mistake]:
    """A test exceeded the memory span.

    With a short span, the answers of the agent can exceed it. The score is then that of a longer
    span than the run states.

    Bad: `"tokens": 1730` in a run of 1000
    Good: `"tokens": 930`
    """
    span, tokens = view.place.memory_span, view.get("tokens")
    if span is not None and tokens > span:
        yield Mistake(
            f"{tokens} tokens, but the memory span of this run is {span}",
            At(view.at("tokens")),
            helps=("run the test again with shorter answers, or report the score with its tokens",),
        )


def restaurant_fifths(view: ResultView) -> Iterator[Mistake]:
    """A score of Restaurant is not a multiple of 0.2.

    Five things are judged in a visit, and each is right or wrong.

    Bad: `"score": 0.5`
    Good: `"score": 0.6`
    """
    if view.place.dataset != "Restaurant" or not view.has("needles"):
        return
    score = view.get("score")
    if _is_between(score, 5, 1e-9):
        yield Mistake(
            f"a Restaurant test scores five answers: {score:g} is not a multiple of 0.2",
            At(view.at("score")),
            helps=_shares(score, 5),
        )


def _is_between(score: float, parts: int, error: float) -> bool:
    """True if a score is not a multiple of a part; other rules report infinite ones."""
    share = parts * score
    return abs(score) < 1e12 and abs(share - round(share)) > error


def _shares(score: float, parts: int) -> tuple[str, ...]:
    steps = sorted(
        {min(max(step, 0), parts) for step in (floor(score * parts), ceil(score * parts))}
    )
    values = [step / parts if step % parts else step // parts for step in steps]
    return one_of(values, "write a score from 0 to 1")


def impossible_share(view: ResultView) -> Iterator[Mistake]:
    """A score is one that the dataset cannot give.

    Datasets with one question give 0 or 1. Spy Meeting gives a third for each list of keywords, and
    Trigger Response the same share for each question. Checked in files with `needles`, whose scores
    are shares of 1.

    Bad: `"score": 0.7` in Spy Meeting
    Good: `"score": 0.6666666666666666`
    """
    if not view.has("needles"):
        return
    dataset, score = view.place.dataset, view.get("score")
    parts = 1 if dataset in _ALL_OR_NOTHING else 3 if dataset == "Spy Meeting" else 0
    if dataset == "Trigger Response":
        parts = len(view.answers)
    if parts and _is_between(score, parts, 1e-6):
        range_text = "0 or 1" if parts == 1 else f"0, 1 or a multiple of 1/{parts}"
        yield Mistake(
            f"{cited(dataset)} cannot give a score of {score:g}",
            At(view.at("score")),
            caret=f"expected {range_text}",
            helps=_shares(score, parts),
        )


def run_name(view: ConfigView) -> Iterator[Mistake]:
    """`run_name` is not the name of the folder of the run.

    The runner finds definitions and results by `run_name`. With a different name it creates a new
    folder and starts over.

    Bad: `run_name: Benchmark 2 - 1k` in the folder `Benchmark 2 - 10k`
    Good: the same name
    """
    folder = view.place.folder
    if folder is not None and view.get("run_name") != folder.name.removesuffix(_ISOLATED):
        name = folder.name.removesuffix(_ISOLATED)
        yield Mistake(
            f"the folder of this run is {cited(folder.name)}",
            At(view.at("run_name")),
            helps=(
                Action.WRITE(quoted(name)),
                f"or rename the folder to {quoted(view.get('run_name'))}",
            ),
        )


def number_of_tests(view: ConfigView) -> Iterator[Mistake]:
    """A run has more or fewer definitions than its configuration states.

    Bad: `dataset_examples: 3`, and two definitions in the folder of a dataset
    Good: three
    """
    for entry in view.datasets:
        expected = entry.get("examples") if entry.has("examples") else view.get("examples")
        count = len(entry.definitions)
        if entry.folder and count != expected:
            yield Mistake(
                f"definitions of {cited(entry.folder.name)}: expected {expected}, found {count}",
                At(entry.at("name")),
                pointer=entry.pointer,
                helps=_count_meant(view, entry, expected),
            )


def _count_meant(view: ConfigView, entry: DatasetEntry, expected: int) -> tuple[str, ...]:
    count = len(entry.definitions)
    others = {len(dataset.definitions) for dataset in view.datasets if dataset.folder}
    if entry.has("examples"):
        where = "its `dataset_examples`"
    elif others == {count}:
        where = "`dataset_examples` of all datasets"
    else:
        where = "`dataset_examples` in the arguments of this dataset"
    verb = "add the missing" if count < expected else "remove the other"
    return (f"set {where} to {count}, or {verb} definitions",)


def script_lengths(view: ConfigView) -> Iterator[Mistake]:
    """The length of a script contradicts the arguments of its dataset.

    Bad: `colour_changes: 3`, and a script of six messages
    Good: three colours and one question
    """
    for entry in view.datasets:
        for argument, added in ADDED_LINES.get(entry.name, {}).items():
            changes = entry.argument(argument)
            if changes is None:
                continue
            for path in entry.definitions:
                script = load_of_run(path).get("script")
                if isinstance(script, list) and len(script) != changes + added:
                    yield Mistake(
                        f"`{argument}: {changes}` gives {changes + added} messages, "
                        f"but {path.name} has {len(script)}",
                        At(f"{entry.at('args')}/{argument}"),
                        helps=_length_meant(entry, added),
                    )
                    break


def _length_meant(entry: DatasetEntry, added: int) -> tuple[str, ...]:
    scripts = [load_of_run(path).get("script") for path in entry.definitions]
    lengths = {len(script) for script in scripts if isinstance(script, list)}
    length = lengths.pop() if len(lengths) == 1 else 0
    if length > added:
        return (f"write {length - added}, which all definitions have",)
    return ("make the definitions again: their scripts differ in length",)


def dataset_twice(view: ConfigView) -> Iterator[Mistake]:
    """A configuration has duplicate datasets.

    A dataset has one folder, so the tests of the second entry replace those of the first.

    Bad: `- name: colours` twice
    Good: `- name: colours` once, with the arguments it needs
    """
    names = [entry.name for entry in view.datasets]
    for name, count in Counter(names).items():
        if count > 1:
            last = len(names) - 1 - names[::-1].index(name)
            yield Mistake(
                f"{cited(name)} appears {count} times",
                At(view.datasets[last].at("name")),
                helps=("remove one of them, or run each set of arguments separately",),
            )
