"""Rules on what is valid in a suite but rarely intended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import items_text, listed, shown
from evalmark.validator.formats.suites.formula.tree import Comparison, Node, references, walk
from evalmark.validator.formats.suites.rules.provable import NeverHolds
from evalmark.validator.formats.suites.rules.repeats import repeats
from evalmark.validator.formats.suites.sentences import join_regions
from evalmark.validator.formats.suites.suite_view import (
    METRIC,
    SuiteFileView,
    condition_name_at,
    conditions_at,
    declaration_at,
    item_number_at,
)
from evalmark.validator.writing_systems import is_joiner

#: Characters that joining rules treat in different ways when a region begins with them.
TIGHT = ".,!?;:"
#: Joining rules of public tools.
TOOLS = ("core", "hf", "brainscore")

_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_ODD_SPACE = r"[^\S ]"
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos|nbsp);")
#: UTF-8 read as Windows-1252 or Latin-1: curly quotes and dashes, letters with accents, spaces.
_MOJIBAKE = re.compile(
    "â€[\u0080-\u00ff\u0152-\u0178\u02c6\u02dc\u2013-\u203a\u20ac\u2122]|Ã[\u0080-\u00bf]|Â[\u0080-\u00bf]|\ufffd"
)
_ARTEFACT = r"Unnamed: \d+|.+\.\d+"


def one_sided(view: SuiteFileView) -> Iterator[Hit]:
    """A prediction compares conditions.

    A formula with only one condition, or none, does not test the contrast that the suite is about.
    Most often a condition name was copied and not changed.

    Bad: `(3;%match%) > (2;%match%)`
    Good: `(3;%mismatch%) > (3;%match%)`
    """
    if len(view.conditions) < 2:
        return
    named_in = _conditions_of_predictions(view)
    for (index, formula), named in zip(view.meaningful, named_in, strict=True):
        if len(named) < 2 and not _compares_with_itself(formula.tree):
            what = f"only condition `{named.pop()}`" if named else "no condition"
            yield Hit(f"prediction uses {what}", view.at(index))


def _compares_with_itself(tree: Node) -> bool:
    """Whether both sides of a comparison are the same; never_holds or cannot_fail reports it."""
    return any(isinstance(node, Comparison) and node.left == node.right for node in walk(tree))


def _conditions_of_predictions(view: SuiteFileView) -> list[set[str]]:
    trees = [formula.tree for _, formula in view.meaningful]
    return [{reference.condition for reference in references(tree)} for tree in trees]


def unused_condition(view: SuiteFileView) -> Iterator[Hit]:
    """Every condition is used by a prediction.

    The sentences of an unused condition are scored, but no prediction uses the result.

    Bad: conditions `a`, `b`, `c` and the one prediction `(2;%a%) > (2;%b%)`
    Good: a prediction that compares `c` too, or no condition `c`
    """
    if len(view.meaningful) < len(view.formulas) or not view.formulas:
        return  # a formula that cannot be parsed may use it
    if any(_compares_with_itself(formula.tree) for _, formula in view.meaningful):
        return  # one of its sides should be another condition, perhaps this one
    used = set().union(*_conditions_of_predictions(view))
    everywhere = [{condition.name for condition in item.conditions} for item in view.suite.items]
    if not everywhere or not used <= set(view.conditions):
        return  # a name is misspelt; other rules report it
    in_all = set.intersection(*everywhere) - used
    for j, condition in enumerate(view.suite.items[0].conditions):
        if (name := condition.name) in in_all:
            in_all.remove(name)
            yield Hit(f"no prediction uses condition `{name}`", At(condition_name_at(0, j)))


def undefined_region(view: SuiteFileView) -> Iterator[Hit]:
    """A prediction does not use an undefined value of an empty region.

    A region without tokens has the sum 0, but no mean, median, range, maximum or minimum. The
    reference implementation stops, or continues with NaN.

    Bad: `"metric": "mean"` and a prediction on a region whose content is `""`
    Good: `"metric": "sum"`
    """
    undefined = [metric for metric in view.metrics if metric != "sum"]
    if not undefined:
        return
    for index, formula in view.meaningful:
        for reference in references(formula.tree):
            lacking = [
                item.number
                for item, forms, is_sound in zip(
                    view.suite.items, view.forms, view.sound, strict=True
                )
                if (reference.condition, reference.region) not in forms
                and is_sound
                and any(
                    condition.name == reference.condition
                    and any(reference.region in (None, r.number) for r in condition.regions)
                    for condition in item.conditions
                )
            ]
            if lacking:
                yield Hit(
                    f"an empty region has no {listed(undefined)}: undefined in "
                    f"{items_text(lacking)}",
                    view.at(index, reference.span),
                    labels=((At(METRIC), "the metric"),),
                )


def identical_sentences(view: SuiteFileView) -> Iterator[Hit]:
    """The conditions of an item have different sentences.

    Two conditions with the same sentence have the same values. If a prediction can never hold
    because of it, the prediction is reported instead.

    Bad: `match` and `mismatch` both read "The sheep ate grass"
    Good: sentences that differ where the prediction looks
    """
    compared = dict(
        zip((index for index, _ in view.meaningful), _conditions_of_predictions(view), strict=True)
    )
    never = NeverHolds(view)
    for i, (item, sentences) in enumerate(zip(view.suite.items, view.sentences, strict=True)):
        for j, first in repeats(sentence.text for sentence in sentences):
            other, name = item.conditions[first].name, item.conditions[j].name
            if name == other or not sentences[j].text:
                continue  # duplicate_condition and empty_sentence report them
            both = (index for index, names in compared.items() if {other, name} <= names)
            if not any(i in never[index] for index in both):
                yield Hit(
                    f"item {item.number}: conditions `{other}` and `{name}` have the same sentence",
                    At(condition_name_at(i, j)),
                    labels=((At(condition_name_at(i, first)), "the other condition"),),
                    notes=(f"both are {shown(sentences[j].text)}",),
                    fold="identical",
                )


def repeated_item(view: SuiteFileView) -> Iterator[Hit]:
    """A suite has no duplicate items.

    A duplicate counts twice in every accuracy, and makes its confidence interval too narrow.

    Bad: items 3 and 17 with the same sentences under the same conditions
    Good: different items
    """
    items, keys = view.suite.items, []
    for item, sentences in zip(items, view.sentences, strict=True):
        pairs = zip(item.conditions, sentences, strict=True)
        keys.append(tuple(sorted((condition.name, sentence.text) for condition, sentence in pairs)))
    for i, first in repeats(keys):
        if keys[i]:
            yield Hit(
                f"item {items[i].number} is a duplicate of item {items[first].number}",
                At(item_number_at(i)),
                labels=((At(item_number_at(first)), "first occurrence"),),
                fold="repeated",
            )


def condition_order(view: SuiteFileView) -> Iterator[Hit]:
    """All items have their conditions in the same order.

    Lists of sentences and files of surprisals rely on positions. Tools that assume one order
    confuse the conditions.

    Bad: item 1 has `match`, `mismatch`; item 2 has `mismatch`, `match`
    Good: the same order in both
    """
    orders = [[condition.name for condition in item.conditions] for item in view.suite.items]
    for i, (item, names) in enumerate(zip(view.suite.items, orders, strict=True)):
        usual = orders[0]
        if names != usual and sorted(names) == sorted(usual):
            yield Hit(
                f"the conditions of item {item.number} are in a different order from item "
                f"{view.suite.items[0].number}",
                At(conditions_at(i)),
                notes=(
                    f"item {item.number}: {listed(names)}",
                    f"item {view.suite.items[0].number}: {listed(usual)}",
                ),
                fold="order",
            )


def leading_punctuation(view: SuiteFileView) -> Iterator[Hit]:
    """A region does not begin with punctuation.

    Tools join such a region in three ways: `core` keeps the space before it, `hf` removes the space
    before `.` and `,`, and `brainscore` also removes it before `! ? ; :`. The model reads different
    sentences, so scores differ between tools. Nothing needs to be fixed, but name the joining rule
    with each score.

    Bad: nothing is wrong with `", the nurse"`
    Good: a score that names its joining rule
    """
    for placed in view.regions:
        condition, text = placed.condition, placed.region.content.lstrip()
        before = condition.regions[: placed.index]
        if text[:1] and text[0] in TIGHT and any(region.content for region in before):
            texts = {join: join_regions(condition.contents, join).text for join in TOOLS}
            yield Hit(
                f"region {placed.region.number} begins with punctuation; tools differ on the "
                "space before it",
                At(placed.content_at),
                notes=tuple(f"{join}: {shown(text)}" for join, text in texts.items()),
                fold="punctuation",
            )


def odd_characters(view: SuiteFileView) -> Iterator[Hit]:
    r"""Regions contain plain text.

    Double spaces, tabs, no-break spaces, invisible characters and letters in an unusual Unicode
    form look normal but are tokenized differently. Joiners inside words of the Arabic and the Indic
    scripts, and between emoji, are part of the text. HTML entities and characters that were read in
    the wrong encoding are words to a model.

    Bad: `"the  guitar"`, `"the\u00a0guitar"`, `"cafe\u0301"`, `"it&#x27;s"`, `"itâ€™s"`
    Good: `"the guitar"`, `"café"`, `"it's"`
    """
    for placed in view.regions:
        if found := _oddity(placed.region.content):
            what, start, end = found
            message = f"region {placed.region.number} contains {what}"
            yield Hit(message, At(placed.content_at, start, end), fold=what)


def _oddity(text: str) -> tuple[str, int, int] | None:
    if text.isascii() and "  " not in text and "&" not in text and text.isprintable():
        return None
    import unicodedata

    if match := _ENTITY.search(text):
        return "an HTML entity", *match.span()
    if match := _MOJIBAKE.search(text):
        return "characters that were read in the wrong encoding", *match.span()

    inner = len(text) - len(text.lstrip())
    at = text.rstrip().find("  ", inner)
    if at >= 0:
        return "two spaces in a row", at, at + 2
    if match := re.search(_ODD_SPACE, text):
        name = unicodedata.name(match.group(), "control character").lower()
        return f"a {name}", *match.span()
    for at, character in enumerate(text):
        odd = character in _ZERO_WIDTH and not is_joiner(text, at)
        if odd or unicodedata.category(character) == "Cc":
            return "an invisible character", at, at + 1
    if unicodedata.normalize("NFC", text) != text:
        at = next(at for at, c in enumerate(text) if unicodedata.normalize("NFC", c) != c
                  or unicodedata.combining(c))  # fmt: skip
        return "a character that is not in Unicode normal form (NFC)", at, at + 1
    return None


def spreadsheet_names(view: SuiteFileView) -> Iterator[Hit]:
    """Region names are not made up by a spreadsheet reader.

    Spreadsheet readers call a column without a header `Unnamed: 7`, and a second `verb` `verb.1`.

    Bad: `"6": "Unnamed: 7"`
    Good: `"6": "Continuation"`
    """
    names = list(view.suite.region_meta.values())
    for key, name in view.suite.region_meta.items():
        if not isinstance(name, str) or not re.fullmatch(_ARTEFACT, name):
            continue
        if name.startswith("Unnamed: ") or name.rpartition(".")[0] in names:
            yield Hit(
                f"region {key} has a name made up by a spreadsheet reader ({shown(name)})",
                At(declaration_at(key)),
            )


def evaluated_values(view: SuiteFileView) -> Iterator[Hit]:
    """A suite contains no values computed with a model.

    `metric_value` is the value of a region for some model. In a published suite it is mistaken for
    part of the suite, and becomes outdated.

    Bad: `{"region_number": 1, "content": "The woman", "metric_value": {"sum": 8.6}}`
    Good: `{"region_number": 1, "content": "The woman"}`
    """
    for pointer in view.values():
        yield Hit(
            "region contains a value computed with a model",
            At(pointer, key=True),
            helps=("`evalmark convert --in-place --strip-results FILE` removes all of them",),
            fold="value",
        )
