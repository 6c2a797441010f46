"""Rules on the expected responses of LTM definitions, whose form depends on the dataset."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import quoted, shown
from evalmark.validator.formats.ltm.ltm_view import DefinitionView
from evalmark.validator.formats.ltm.rules import intended


def one_expected(view: DefinitionView) -> Iterator[Hit]:
    """A dataset with one question expects one string.

    Bad: `"expected_responses": ["Red", "Blue"]` in `definitions/Colours`
    Good: `"expected_responses": ["Red"]`
    """
    expected = view.expected
    if view.place.dataset in intended.ONE and expected and not _texts(expected, 1):
        yield Hit(
            f"{shown(view.place.dataset)} expects one string",
            At(view.at("expected")),
            caret=f"found {len(expected)}" if len(expected) != 1 else "expected a string",
            helps=intended.one_text(view),
        )


def one_for_each_question(view: DefinitionView) -> Iterator[Hit]:
    """A dataset with several questions expects one string for each.

    Answers are compared in order. If one is missing, the last question is never scored.

    Bad: two expected responses for three questions in `definitions/Trigger Response`
    Good: three
    """
    expected, questions = view.expected, sum(view.flags)
    if view.place.dataset in intended.EACH and not _texts(expected, questions):
        yield Hit(
            f"{shown(view.place.dataset)} expects a string for each of {questions} questions",
            At(view.at("expected")),
            caret=f"found {len(expected)}",
            helps=intended.texts_of_questions(view, questions),
        )


def name_for_each_statement(view: DefinitionView) -> Iterator[Hit]:
    """NameList expects a name for each statement, and the statement contains it.

    Bad: four names for five statements
    Good: five
    """
    if view.place.dataset != "NameList" or not view.has_flags or view.flags[-1:] != [True]:
        return  # other rules report flags that tell no statements from the question
    expected, statements = view.expected, view.statements
    if not _texts(expected, len(statements)):
        yield Hit(
            f'"NameList" expects a name for each of {len(statements)} statements',
            At(view.at("expected")),
            caret=f"found {len(expected)}",
            helps=intended.names(view),
        )
        return
    for index, (name, statement) in enumerate(zip(expected, statements, strict=True)):
        if name not in statement:
            yield Hit(
                f"the name {shown(name)} is not in statement {index + 1}",
                At(f"{view.at('expected')}/{index}"),
                labels=((At(f"{view.at('script')}/{index}"), "the statement"),),
                helps=intended.one_of(
                    intended.name(view, statement), "write the name that the statement has"
                ),
            )


def shopping_quantities(view: DefinitionView) -> Iterator[Hit]:
    """Shopping expects items with quantities, without duplicates.

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
                    yield Hit(f"duplicate item {shown(item)}", at, helps=(help_text,))
                seen.setdefault(item, quantity)
            case _:
                yield Hit(
                    "not a pair of item and quantity",
                    at,
                    caret="expected [item, quantity], quantity at least 1",
                    helps=intended.pair(entry),
                )


def keyword_lists(view: DefinitionView) -> Iterator[Hit]:
    """Spy Meeting expects three lists of keywords: what to bring, when, where.

    Each list contains the words for one thing. Any of them gives a third of the score.

    Bad: `[["car"], ["sunset"]]`
    Good: `[["car"], ["sunset", "dusk"], ["shore"]]`
    """
    expected = view.expected
    if view.place.dataset != "Spy Meeting":
        return
    lists = [e for e in expected if isinstance(e, list) and all(isinstance(w, str) for w in e)]
    if len(expected) != 3 or len(lists) != 3:
        yield Hit(
            '"Spy Meeting" expects three lists of keywords',
            At(view.at("expected")),
            helps=intended.keywords(expected),
        )


def prospective_quote(view: DefinitionView) -> Iterator[Hit]:
    """Prospective Memory expects the quote, its author and the answer that the script names.

    In the third generation this is `[quote, author, n]`: the first message contains the quote and
    the author, the question contains the author and n.

    Bad: `["Know thyself", "Socrates", 4]` where the question says "your 5th response"
    Good: the same number in both
    """
    expected, script = view.expected, view.script
    if view.place.dataset != "Prospective Memory" or len(script) < 2:
        return
    meant = intended.quote(view)
    match expected:
        case [str()]:
            pass  # the first two generations describe the task in words
        case [[str(quote), str(author), int(number)]]:
            for index, (value, message, what) in enumerate(
                (
                    (quote, 0, "this quote is not in the first message"),
                    (author, 1, "the question does not contain this author"),
                    (str(number), 1, "the question does not contain this number"),
                )
            ):
                if value not in script[message]:
                    label = "the question" if message else "the first message"
                    yield Hit(
                        what,
                        At(f"{view.at('expected')}/0/{index}"),
                        labels=((At(f"{view.at('script')}/{message}"), label),),
                        helps=intended.one_of(
                            (value for value in meant[index : index + 1] if value is not None),
                            f"copy it from {label}",
                        ),
                    )
        case _:
            known = None not in meant
            yield Hit(
                '"Prospective Memory" expects one quote',
                At(view.at("expected")),
                caret="expected [quote, author, number] in a list",
                helps=(f"write {quoted([list(meant)]) if known else '[[quote, author, number]]'}",),
            )


def answer_in_script(view: DefinitionView) -> Iterator[Hit]:
    """A SallyAnne test expects a word from one of its messages.

    The answer is a place or a thing of the story. A word that is not in the story is misspelt or
    belongs to another test, and no agent can get it right.

    Bad: `["boxx"]` after "Sally put the ball into the box."
    Good: `["box"]`
    """
    expected = view.expected
    if view.place.dataset != "SallyAnne" or not _texts(expected, 1):
        return
    if not any(expected[0].lower() in message.lower() for message in view.script):
        yield Hit(
            f"no message contains the expected answer {shown(expected[0])}",
            At(f"{view.at('expected')}/0"),
            labels=((At(view.at("script")), "the messages"),),
            helps=intended.one_of(
                intended.alike(expected[0], " ".join(view.script).replace(".", " ").split()),
                "write the place or thing in the messages that the question asks for",
            ),
        )


def chapter_option(view: DefinitionView) -> Iterator[Hit]:
    """ChapterBreak expects the number of an option.

    Bad: `["7"]`, or `["B"]`
    Good: a string from `"1"` to `"6"`
    """
    expected = view.expected
    if view.place.dataset != "ChapterBreak" or not _texts(expected, 1):
        return
    if expected[0] not in ("1", "2", "3", "4", "5", "6"):
        at = At(f"{view.at('expected')}/0")
        yield Hit(
            "not the number of an option",
            at,
            caret='expected "1" to "6"',
            helps=intended.option(expected[0]),
        )


def last_colour(view: DefinitionView) -> Iterator[Hit]:
    """Colours expects the last colour in the script.

    Bad: `["Red"]` after "My favourite colour is Blue."
    Good: `["Blue"]`
    """
    expected, statements = view.expected, view.statements
    if view.place.dataset != "Colours" or not _texts(expected, 1) or not statements:
        return
    if not view.has_flags:
        return  # question_flags reports it
    if expected[0].lower() not in statements[-1].lower():
        yield Hit(
            f"the last colour in the script is not {shown(expected[0])}",
            At(f"{view.at('expected')}/0"),
            labels=((At(f"{view.at('script')}/{len(statements) - 1}"), "last statement"),),
            helps=intended.one_of(
                intended.colour(view, expected[0]), "write the colour that the last statement names"
            ),
        )


def _texts(expected: list[object], count: int) -> bool:
    return len(expected) == count and all(isinstance(entry, str) for entry in expected)
