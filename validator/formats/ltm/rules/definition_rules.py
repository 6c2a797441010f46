"""Rules on LTM definitions: what a schema cannot count or compare."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import alike, cited, listed, one_of, quoted
from evalmark.validator.formats.ltm.ltm_run import DATASET_NAMES
from evalmark.validator.formats.ltm.ltm_view import (
    CALLBACK_DATASETS,
    DYNAMIC_DATASETS,
    DefinitionView,
)

#: How many more places of a mistake are marked.
SHOWN = 3
#: Datasets that expect one string, and those that expect one for each of several questions.
_ONE = ("ChapterBreak", "Colours", "Jokes", "Locations Directions", "Locations", "SallyAnne")
_EACH = ("Delayed Recall", "Instruction Recall", "Trigger Response")
#: Datasets whose only question is the last message.
_ONE_QUESTION = (*_ONE, "NameList", "Prospective Memory", "Shopping", "Spy Meeting")


def question_flags(view: DefinitionView) -> Iterator[Mistake]:
    """`is_question` does not have a flag for each message, and one more in a temporal test.

    The question of a temporal test is made at run time and follows the script. With a wrong number
    of flags the runner stops, or sends the wrong message as the question.

    Bad: three messages and four flags
    Good: three messages and three flags; four where `is_temporal` is true
    """
    extra = 1 if view.is_temporal else 0
    expected, count = len(view.script) + extra, len(view.flags)
    if view.script and expected != count:
        why = " and a question made at run time" if extra else ""
        yield Mistake(
            f"`is_question` has {count} flags for {len(view.script)} messages{why}",
            At(view.at("flags")),
            caret=f"expected {expected}",
            labels=((At(view.at("script")), "the messages"),),
            helps=_suggest_flags(view),
        )


def wait_count(view: DefinitionView) -> Iterator[Mistake]:
    """There are more or fewer waits than flags.

    The first generation has a token spacing for each flag and a time jump for each message.

    Bad: four flags and three waits
    Good: four flags and four waits; `{}` does not wait
    """
    flags, messages = len(view.flags), len(view.script)
    for field, count in (("waits", flags), ("spacings", flags), ("jumps", messages)):
        length = len(view.entries(field))
        # question_flags reports a wrong number of flags; the waits may be right.
        fitting = (0, count) if view.has_flags else (0, flags, messages + view.is_temporal)
        if length not in fitting:
            yield Mistake(
                f"`{view.key(field)}` has {length} entries",
                At(view.at(field)),
                caret=f"expected {count}",
                labels=((At(view.at("flags")), "the flags"),),
                helps=_suggest_waits(view, field, count),
            )


def default_waits(view: DefinitionView) -> Iterator[Mistake]:
    """A test with a script does not say how long to wait.

    Without waits the runner spreads the messages over nine tenths of the memory span. Other runners
    may do something else, and scores are then not comparable.

    Bad: `"waits": []`
    Good: `"waits": [{"percentage_finished": 45}, {}]`
    """
    # ChapterBreak has no pauses: its waits are objects without keys.
    if view.script and view.get("waits") == []:
        yield Mistake(
            "no waits, so each runner waits as long as it chooses",
            At(view.at("waits")),
            helps=_suggest_spread(view),
        )


def last_is_question(view: DefinitionView) -> Iterator[Mistake]:
    """The last message of a test is not a question.

    Nothing asks about messages after the last question.

    Bad: `"is_question": [false, true, false]`
    Good: `"is_question": [false, false, true]`
    """
    flags = view.flags
    if flags and not flags[-1]:
        at = At(f"{view.at('flags')}/{len(flags) - 1}")
        yield Mistake(
            "the last message is not a question",
            at,
            caret="expected true",
            helps=_suggest_last_flag(view),
        )


def percentages_ascend(view: DefinitionView) -> Iterator[Mistake]:
    """The percentages of successive waits do not increase.

    A percentage that has already been reached is not a wait.

    Bad: 45 after 60
    Good: 60 after 45
    """
    earlier = 0.0
    percentages = list(view.percentages)
    for index, (pointer, value) in enumerate(percentages):
        if value <= earlier:
            yield Mistake(
                f"the wait for {value:g} % comes after one for {earlier:g} %",
                At(pointer),
                caret=f"expected more than {earlier:g}",
                helps=_between(earlier, [value for _, value in percentages[index + 1 :]]),
            )
            return
        earlier = value


def _between(earlier: float, later: list[float]) -> tuple[str, ...]:
    if later and later[0] <= earlier:
        return (f"say which is wrong: {earlier:g}, or all percentages after it",)
    if earlier == 100:
        return ("remove `percentage_finished`, which has no effect after a wait for 100 %",)
    above = f"write a number above {earlier:g}" + (f" and below {later[0]:g}" if later else "")
    return (f"remove `percentage_finished`, which has no effect after {earlier:g} %", f"or {above}")


def percentages_as_shares(view: DefinitionView) -> Iterator[Mistake]:
    """A percentage is a share from 0 to 1.

    A share from 0 to 1 is read as at most one percent of the memory span.

    Bad: `"percentage_finished": 0.45`
    Good: `"percentage_finished": 45`
    """
    percentages = list(view.percentages)
    if percentages and all(value < 1 for _, value in percentages):
        (first, value), *others = percentages
        meant = [f"{100 * value:.10g}" for _, value in percentages]
        help_text = (
            f"multiply all percentages by 100: {listed(meant)}"
            if others
            else Action.WRITE(meant[0])
        )
        yield Mistake(
            f"{value:g} means {value:g} % of the memory span: percentages go up to 100",
            At(first),
            caret="expected a percentage, not a share",
            labels=tuple((At(pointer), "this one too") for pointer, _ in others[:SHOWN]),
            helps=(help_text,),
            changes=tuple(
                Change(At(pointer), text)
                for (pointer, _), text in zip(percentages, meant, strict=True)
            ),
            safety=Safety.UNSAFE,
        )


def last_wait(view: DefinitionView) -> Iterator[Mistake]:
    """There is a wait after the last question.

    Bad: `"waits": [{}, {"tokens": 500}]`
    Good: `"waits": [{"tokens": 500}, {}]`
    """
    waits = view.entries("waits")
    # wait_count reports a wrong number of waits.
    if waits and len(waits) == len(view.flags) and any(waits[-1].values()):
        at = At(f"{view.at('waits')}/{len(waits) - 1}")
        helps = ("write {}",)
        yield Mistake("there is a wait after the last question", at, "expected {}", helps=helps)


def joke_in_script(view: DefinitionView) -> Iterator[Mistake]:
    """The expected answer of a temporal test is not one of its messages.

    The question asks which message was sent at a certain time. The runner looks the answer up in
    the script and stops if it is not there.

    Bad: an expected response that was edited in one place only
    Good: the exact message
    """
    if not view.is_temporal or not view.has_flags or not view.expected:
        return  # question_flags reports flags that do not fit the script
    if view.expected[0] not in view.script:
        yield Mistake(
            "the test is temporal, so it must expect one of its own messages",
            At(f"{view.at('expected')}/0"),
            labels=((At(view.at("script")), "the messages"),),
            helps=one_of(
                alike(str(view.expected[0]), view.script, cutoff=0.9) or view.script,
                "copy the message that the test asks about from `script`",
            ),
        )


def callback_dataset(view: DefinitionView) -> Iterator[Mistake]:
    """`uses_callback` or the script does not fit the dataset.

    The dataset is the folder of the definition. Only the datasets of the benchmark are checked.

    Bad: `"uses_callback": true` in `definitions/Colours`
    Good: `"uses_callback": true` in `definitions/Prospective Memory`
    """
    dataset = view.place.dataset
    if dataset not in DATASET_NAMES.values():
        return
    if view.get("uses_callback") and dataset not in CALLBACK_DATASETS:
        yield Mistake(
            f"`uses_callback` is true, but the dataset {cited(dataset)} has no callback",
            At(view.at("uses_callback")),
            notes=(f"datasets with a callback: {listed(sorted(CALLBACK_DATASETS))}",),
            helps=("write false",),
        )
    if not view.get("uses_callback") and dataset in CALLBACK_DATASETS:
        message = f"`uses_callback` is false, but the dataset {cited(dataset)} has a callback"
        at = At(view.at("uses_callback"))
        yield Mistake(message, at, caret="expected true", helps=("write true",))
    if not view.script and dataset not in DYNAMIC_DATASETS:
        yield Mistake(
            f"the dataset {cited(dataset)} is not dynamic, but this test has no script",
            At(view.at("script")),
            notes=(f"dynamic: {listed(sorted(DYNAMIC_DATASETS))}",),
            helps=("write the messages, or move the file to the folder of a dynamic dataset",),
        )


def one_expected(view: DefinitionView) -> Iterator[Mistake]:
    """A dataset with one question does not expect exactly one string.

    Bad: `"expected_responses": ["Red", "Blue"]` in `definitions/Colours`
    Good: `"expected_responses": ["Red"]`
    """
    expected = view.expected
    if view.place.dataset in _ONE and expected and not _texts(expected, 1):
        yield Mistake(
            f"{cited(view.place.dataset)} expects one string",
            At(view.at("expected")),
            caret=f"found {len(expected)}" if len(expected) != 1 else "expected a string",
            helps=("write a list of one string",),
        )


def one_for_each_question(view: DefinitionView) -> Iterator[Mistake]:
    """A dataset with several questions does not expect one string for each.

    Answers are compared in order. If one is missing, the last question is never scored.

    Bad: two expected responses for three questions in `definitions/Trigger Response`
    Good: three
    """
    expected, questions = view.expected, sum(view.flags)
    if view.place.dataset in _EACH and not _texts(expected, questions):
        yield Mistake(
            f"{cited(view.place.dataset)} expects a string for each of {questions} questions",
            At(view.at("expected")),
            caret=f"found {len(expected)}",
            helps=(f"write {questions} strings, the answers to the questions in their order",),
        )


def name_for_each_statement(view: DefinitionView) -> Iterator[Mistake]:
    """A statement of NameList has no expected name, or does not contain it.

    Bad: four names for five statements
    Good: five
    """
    if view.place.dataset != "NameList" or not view.has_flags or view.flags[-1:] != [True]:
        return  # other rules report flags that tell no statements from the question
    expected, statements = view.expected, view.statements
    if not _texts(expected, len(statements)):
        yield Mistake(
            f'"NameList" expects a name for each of {len(statements)} statements',
            At(view.at("expected")),
            caret=f"found {len(expected)}",
            helps=(f"write {len(statements)} strings, the name in each statement",),
        )
        return
    for index, (name, statement) in enumerate(zip(expected, statements, strict=True)):
        if name not in statement:
            yield Mistake(
                f"the name {cited(name)} is not in statement {index + 1}",
                At(f"{view.at('expected')}/{index}"),
                labels=((At(f"{view.at('script')}/{index}"), "the statement"),),
                helps=("write the name that the statement has",),
            )


def shopping_quantities(view: DefinitionView) -> Iterator[Mistake]:
    """Shopping expects an item without a quantity, or a duplicate.

    Bad: `[["soap", 0]]`, `["soap"]`, or a duplicate item
    Good: `[["soap", 3], ["milk", 1]]`
    """
    if view.place.dataset != "Shopping":
        return
    seen: dict[str, int] = {}
    for index, entry in enumerate(view.expected):
        at = At(f"{view.at('expected')}/{index}")
        match entry:
            case [str(item), int(quantity)] if quantity >= 1:
                if item in seen:
                    same = seen[item] == quantity
                    help_text = (
                        "remove this entry"
                        if same
                        else "remove the entry with the wrong quantity, or add the two up"
                    )
                    yield Mistake(f"duplicate item {cited(item)}", at, helps=(help_text,))
                seen.setdefault(item, quantity)
            case _:
                yield Mistake(
                    "not a pair of item and quantity",
                    at,
                    caret="expected [item, quantity], quantity at least 1",
                    helps=('write the item and how many of it, as in ["soap", 3]',),
                )


def keyword_lists(view: DefinitionView) -> Iterator[Mistake]:
    """Spy Meeting does not expect three lists of keywords: what to bring, when, where.

    Each list contains the words for one thing. Any of them gives a third of the score.

    Bad: `[["car"], ["sunset"]]`
    Good: `[["car"], ["sunset", "dusk"], ["shore"]]`
    """
    expected = view.expected
    if view.place.dataset != "Spy Meeting":
        return
    lists = [e for e in expected if isinstance(e, list) and all(isinstance(w, str) for w in e)]
    if len(expected) != 3 or len(lists) != 3:
        yield Mistake(
            '"Spy Meeting" expects three lists of keywords',
            At(view.at("expected")),
            helps=("write three lists of keywords: for what to bring, for when and for where",),
        )


def prospective_quote(view: DefinitionView) -> Iterator[Mistake]:
    """Prospective Memory expects another quote, author or answer than the script names.

    In the third generation this is `[quote, author, n]`: the first message contains the quote and
    the author, the question contains the author and n.

    Bad: `["Know thyself", "Socrates", 4]` where the question says "your 5th response"
    Good: the same number in both
    """
    expected, script = view.expected, view.script
    if view.place.dataset != "Prospective Memory" or len(script) < 2:
        return
    match expected:
        case [str()]:
            pass  # the first two generations describe the task in words
        case [[str(quote), str(author), int(number)]]:
            for index, (value, message, problem) in enumerate(
                (
                    (quote, 0, "this quote is not in the first message"),
                    (author, 1, "the question does not contain this author"),
                    (str(number), 1, "the question does not contain this number"),
                )
            ):
                if value not in script[message]:
                    label = "the question" if message else "the first message"
                    yield Mistake(
                        problem,
                        At(f"{view.at('expected')}/0/{index}"),
                        labels=((At(f"{view.at('script')}/{message}"), label),),
                        helps=(f"copy what {label} has, word for word",),
                    )
        case _:
            yield Mistake(
                '"Prospective Memory" expects one quote',
                At(view.at("expected")),
                caret="expected [quote, author, number] in a list",
                helps=("say it as [[quote, author, number]]",),
            )


def answer_in_script(view: DefinitionView) -> Iterator[Mistake]:
    """A SallyAnne test expects a word that none of its messages has.

    The answer is a place or a thing of the story. A word that is not in the story is misspelt or
    belongs to another test, and no agent can get it right.

    Bad: `["boxx"]` after "Sally put the ball into the box."
    Good: `["box"]`
    """
    expected = view.expected
    if view.place.dataset != "SallyAnne" or not _texts(expected, 1):
        return
    if not any(expected[0].lower() in message.lower() for message in view.script):
        yield Mistake(
            f"no message contains the expected answer {cited(expected[0])}",
            At(f"{view.at('expected')}/0"),
            labels=((At(view.at("script")), "the messages"),),
            helps=one_of(
                alike(expected[0], " ".join(view.script).replace(".", " ").split()),
                "write the place or thing in the messages that the question asks for",
            ),
        )


def chapter_option(view: DefinitionView) -> Iterator[Mistake]:
    """ChapterBreak does not expect the number of an option.

    Bad: `["7"]`, or `["B"]`
    Good: a string from `"1"` to `"6"`
    """
    expected = view.expected
    if view.place.dataset != "ChapterBreak" or not _texts(expected, 1):
        return
    if expected[0] not in ("1", "2", "3", "4", "5", "6"):
        at = At(f"{view.at('expected')}/0")
        yield Mistake(
            "not the number of an option",
            at,
            caret='expected "1" to "6"',
            helps=('write one of "1", "2", "3", "4", "5", "6": the right option',),
        )


def last_colour(view: DefinitionView) -> Iterator[Mistake]:
    """Colours does not expect the last colour in the script.

    Bad: `["Red"]` after "My favourite colour is Blue."
    Good: `["Blue"]`
    """
    expected, statements = view.expected, view.statements
    if view.place.dataset != "Colours" or not _texts(expected, 1) or not statements:
        return
    if not view.has_flags:
        return  # question_flags reports it
    if expected[0].lower() not in statements[-1].lower():
        yield Mistake(
            f"the last colour in the script is not {cited(expected[0])}",
            At(f"{view.at('expected')}/0"),
            labels=((At(f"{view.at('script')}/{len(statements) - 1}"), "last statement"),),
            helps=("write the colour that the last statement names",),
        )


def _texts(expected: list[object], count: int) -> bool:
    return len(expected) == count and all(isinstance(entry, str) for entry in expected)


def _suggest_flags(view: DefinitionView) -> tuple[str, ...]:
    expected, count = len(view.script) + view.is_temporal, len(view.flags)
    waits = len(view.entries("waits")) or len(view.entries("spacings"))
    if waits not in (0, expected):
        if waits == count > expected:
            return ("add the missing message to `script`, or remove a flag and its wait",)
        return ("write a flag and a wait for each message",)
    only_last = [False] * (expected - 1) + [True]
    if view.is_temporal or view.place.dataset in _ONE_QUESTION:
        return (Action.WRITE(quoted(only_last)),)
    questions = len(view.expected)
    if view.place.dataset in _EACH and questions < expected:
        return (Action.WRITE(quoted([False] * (expected - questions) + [True] * questions)),)
    marked = [_is_asked(message) for message in view.script]
    if marked == only_last:
        return (f"write {quoted(only_last)}, if only the last message is a question",)
    if marked[-1]:
        return (f"write {quoted(marked)}, if these are the questions",)
    return ("write a flag for each message: true if it is a question",)


def _suggest_last_flag(view: DefinitionView) -> tuple[str, ...]:
    only_last = [False] * (len(view.flags) - 1) + [True]
    if view.is_temporal or view.place.dataset in _ONE_QUESTION:
        return (f'write "is_question": {quoted(only_last)}',)
    if view.has_flags and _is_asked(view.script[-1]):
        marked = [_is_asked(message) for message in view.script]
        if sum(marked) == sum(view.flags):
            return (f'write "is_question": {quoted(marked)}, if these are the questions',)
        return ("write true",)
    return ("if it is a question, write true; otherwise remove the message, its flag and wait",)


def _is_asked(message: str) -> bool:
    return message.rstrip().endswith("?")


def _suggest_waits(view: DefinitionView, field: str, count: int) -> tuple[str, ...]:
    entries = view.entries(field)
    empty: object = {} if field == "waits" else 0
    if not view.has_flags:
        return (f"write {count} entries",) if count else ("remove all entries",)
    if len(entries) == count - 1 and not _is_empty(entries[-1]):
        return (f"add {quoted(empty)} at the end: there is no wait after the last message",)
    if len(entries) == count + 1 and all(map(_is_empty, entries[-2:])):
        return ("remove the last entry",)
    missing = count - len(entries)
    if missing > 0:
        return (f"write {missing} more: one after each message, {quoted(empty)} for no wait",)
    return (f"remove the {-missing} that no message has: there is one after each message",)


def _is_empty(wait: object) -> bool:
    return not any(wait.values()) if isinstance(wait, dict) else not wait


def _suggest_spread(view: DefinitionView) -> tuple[str, ...]:
    """The waits of a test that states none, as the runner of the benchmark makes them."""
    gaps = len(view.flags) - 1
    if not view.has_flags or gaps < 1:
        return ("write a wait for each message",)
    shares = [(i + 1) * 90 / gaps for i in range(gaps)]
    made = [{"percentage_finished": int(s) if s.is_integer() else round(s, 4)} for s in shares]
    return (f"write {quoted([*made, {}])}, as the benchmark's runner waits",)
