r"""Rules on leftovers of other programs in texts: markup, placeholders, values of spreadsheets.

None of them is invalid, so all are warnings. If at least half of the items have the same problem,
it is reported once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import takewhile
from typing import NamedTuple

from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.phrasing import cited
from evalmark.validator.formats.plain_text import marks
from evalmark.validator.formats.suites.rules.spreadsheet_columns import of_columns, similar_items
from evalmark.validator.formats.suites.suite_view import (
    SuiteFileView,
    item_number_at,
    memo,
    pointers,
    with_rewrite,
)
from evalmark.validator.formats.suites.table import LEAST_ITEMS, TextCell

#: Not numbers (`#1`), what spreadsheets show (`#REF!`), and hashtags that look like one (`#MeToo`).
_JUDGEMENT = re.compile(
    r"\s*(?:[*%]|#(?!\d|REF!|N/A|[A-Z]+[!?]|\w*[a-z\d_][A-Z\d_])|\?{1,3}[*#]?)\s*(?=\w)"
)
#: Words that editors, and transcripts of speech, put in brackets.
_EVENT = re.compile(
    r"\[(?:sic|laugh(?:s|ter|ing)|applause|cough(?:s|ing)|sigh(?:s|ing)|cries|crying|pause|silence"
    r"|music|noise|inaudible|unintelligible|crosstalk)\]",
    re.IGNORECASE,
)
_MARKUP = re.compile(
    r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s[^<>]*)?/?>|(?<!\d)\*\*|\*\*(?!\d)|__(?=\w)|(?<=\w)__"
    r"|\\[a-zA-Z]+\{[^{}]*\}?|\\(?:[nrt\"'](?![a-z])|u[0-9a-fA-F]{4})|`{2}|\[(?=\w[^\]]*\])"
    r"|(?<=\w)\](?!\w)"
)
#: Of these, what is a word too: bread, and nothing.
_EMPTY_WORDS = ("nan", "null")
_SPREADSHEET = re.compile(
    r"nan|NaN|NULL|null|#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|NULL!)|TRUE|FALSE"
    r"|=[A-Z]{1,2}\d{1,5}|\d{1,2}/\d{1,2}/(?:19|20)\d{2}|\d+\.0|[34]\d{4}"
    r"|\d+(?:\.\d+)?E[+-]\d+|\d{1,2}-[A-Z][a-z]{2}(?:-\d{2,4})?|[A-Z][a-z]{2}-\d{2}"
)
#: Numbers and dates, which are texts of suites about them.
_AS_NUMBER = re.compile(r"[\d./]+")
_PLACEHOLDER = re.compile(
    r"\b(?:TODO|FIXME|TBD|XXX+)\b|(?<![\\\w])\{(?![^\W\d]\}|\w+(?:, ?\w+)+\})\{?[^{}]*\}?\}"
    r"|<[A-Z_]{3,}>|_{3,}|(?<!\d)%s\b|\[(?:MASK|BLANK|[A-Z]+)\]"
)
_TOKENS = re.compile(
    r"(?<=\w) (?:n't|'s|'re|'ve|'ll|'d|'m)\b|(?<=[\w)\"]) [.,;:!?](?=\s|$)|-LRB-|-RRB-|@-@|''|``"
)
#: Brackets and quotes as parsers write them.
_BRACKETS = {"-LRB-": "(", "-RRB-": ")", "@-@": "-", "''": '"', "``": '"'}
#: A word, and the same word again.
_DOUBLED = re.compile(r"\b([^\W\d_]+) \1\b", re.IGNORECASE)
#: Regions before a word that are looked at: a sentence may have thousands.
_NEAR = 20
_FIRST = re.compile(r"\s*(\w+)")
#: Words that are written twice on purpose.
_REPEATABLE = frozenset(
    (
        "had", "that", "very", "really", "so", "much", "many", "more", "long", "far", "no", "yes",
        "well", "now", "bye", "ha", "nous", "vous", "piano",
    )
)  # fmt: skip
#: The languages in which the capital of `i` is `İ`, and that of `ı` is `I`.
_DOTTED = frozenset("İı")
_DOTTED_CAPITALS = {"İ": "i", "I": "ı"}
#: Marks that end a statement, and all that end a sentence.
_STOPS = ".。｡．۔।॥։።။។"
ENDS = f"{_STOPS}!?‽！？؟"
_OPENING, _CLOSING = "\"'([“‘«‹„「『¿¡ ", "\"')]”’“‘»›«‹」』）"
#: The end of a text whose last stop is that of an abbreviation, or says that it is unfinished.
_NOT_A_STOP = re.compile(
    r"(?:\b\w\.){2,}$|\b(?:Jr|Sr|Inc|Ltd|Co|Corp|etc|al|Mr|Mrs|Ms|Dr|St|vs|usw)\.$|\.\.$|…$"
)
#: Fewer sentences show no convention.
_LEAST = 8
Problem = Callable[[SuiteFileView, TextCell], Mistake | None]


def in_texts(problem: Problem) -> Callable[[SuiteFileView], Iterator[Mistake]]:
    """A rule on the problem of a text; one mistake for all if half of the items have it.

    It sees the cells that may have leftovers: ``suite_view._LEFTOVERS`` says which.
    """

    @memo
    @wraps(problem)
    def rule(view: SuiteFileView) -> Iterator[Mistake]:
        mistakes = [
            (cell.row, as_expected(view, cell, mistake))
            for cell in view.may_have_leftovers
            if (mistake := problem(view, cell))
        ]
        items, count = len({item for item, _ in mistakes}), len(view.suite.items)
        if items > 2 and 2 * items >= count:
            first = mistakes[0][1]
            changes = tuple(change for _, mistake in mistakes for change in mistake.changes)
            notes = (*first.notes, f"found in {items} of {count} items")
            yield replace(first, notes=notes, changes=changes)
        else:
            yield from (mistake for _, mistake in mistakes)

    return rule


@in_texts
def judgement_mark(_: SuiteFileView, cell: TextCell) -> Mistake | None:
    """A sentence begins with a mark of grammaticality.

    Linguists write `*` or `?` before a sentence that is not grammatical; a model reads the mark.

    Bad: `"*The keys"`
    Good: `"The keys"`
    """
    text = cell.text
    match = _JUDGEMENT.match(text) if text[:1] in "*?#% " and "**" not in text else None
    problem = f"begins with the mark {cited(match[0].strip())}" if match else ""
    return match and flaw(cell, match.span(), problem, text[match.end() :])


@in_texts
def markup(_: SuiteFileView, cell: TextCell) -> Mistake | None:
    r"""A text has markup, or an escape that was escaped twice.

    A model reads `<b>`, `**`, `\textbf{`, brackets around a word and `\n` in two characters as they
    are. Not reported: what transcripts and editors put in brackets, such as `[laughs]` and `[sic]`.

    Bad: `"the <b>keys</b>"`, `"the **keys**"`
    Good: `"the keys"`
    """
    text = cell.text
    match = None if _PLACEHOLDER.search(text) or "``" in text else _MARKUP.search(text)
    if match is None or not _MARKUP.search(_EVENT.sub("", text)):
        return None
    if match[0] == "[" and not (text.strip()[0] == "[" and text.strip()[-1] == "]"):
        advice = "remove the brackets, or the note in them"
        return flaw(cell, match.span(), 'contains markup: "["', helps=(advice,))
    plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), text)
    plain = re.sub(r"\\[a-zA-Z]+\{([^{}]*)\}?", r"\1", plain)
    new = _MARKUP.sub(" " if match[0].startswith("\\n") else "", plain)
    return flaw(cell, match.span(), f"contains markup: {cited(match[0])}", new)


@in_texts
def spreadsheet_value(view: SuiteFileView, cell: TextCell) -> Mistake | None:
    """A text is what a spreadsheet shows for an empty cell, an error, a date or a number.

    `nan` and `null` are words too: bread, and nothing. They are not reported if longer texts of the
    suite have the word, or if it is the text of one item only, in all its conditions.

    Bad: `"nan"`, `"#REF!"`
    Good: `""`
    """
    text = cell.text.strip()
    if not text or not _SPREADSHEET.fullmatch(text) or _is_word(view, cell, text):
        return None
    if _AS_NUMBER.fullmatch(text) and _has_numbers(view, cell):
        return None
    is_value = text[0].isdigit() or text[-1].isdigit() or text in ("TRUE", "FALSE")
    kind = "a value of another kind" if is_value else "an empty cell or an error"
    problem = f"is {cited(text)}, which spreadsheets show for {kind}"
    return flaw(cell, None, problem, fold=text, helps=('write "" if the region is empty',))


def _has_numbers(view: SuiteFileView, cell: TextCell) -> bool:
    """True if a region has numbers in other items too, or if there are none."""
    texts = [
        c.text for c in view.cells if c.row != cell.row and c.region.number == cell.region.number
    ]
    return not texts or any(any(map(str.isdigit, text)) for text in texts)


def _is_word(view: SuiteFileView, cell: TextCell, text: str) -> bool:
    if text not in _EMPTY_WORDS:
        return False
    if any(text in r.text.split()[1:] or r.text.startswith(f"{text} ") for r in view.cells):
        return True
    same = [r for r in view.cells if r.text.strip() == text]
    names = {r.condition.name for r in same if r.row == cell.row}
    return len({r.row for r in same}) == 1 and len(names) == len(cell.item.conditions)


@in_texts
def placeholder(_: SuiteFileView, cell: TextCell) -> Mistake | None:
    """A text has a placeholder.

    A set in braces is not reported: `{x}`, `{a, b}`.

    Bad: `"the {noun}"`, `"TODO"`
    Good: `"the keys"`
    """
    match = _PLACEHOLDER.search(cell.text)
    problem = f"contains a placeholder: {cited(match[0])}" if match else ""
    helps = (f"replace {cited(match[0])} with the words that belong there",) if match else ()
    return match and flaw(cell, match.span(), problem, fold="placeholder", helps=helps)


@in_texts
def pretokenized(view: SuiteFileView, cell: TextCell) -> Mistake | None:
    """A text is tokens with spaces between them, not natural language.

    Corpora of parsed text write `do n't` and a space before a stop, which models rarely see. A mark
    that is a region of its own is not reported: regions are joined as the joining rule says. Nor is
    French spacing: a space before every `?`, `!`, `:` and `;` of the suite, but before no stop.

    Bad: `"did n't see it ."`
    Good: `"didn't see it."`
    """
    text = cell.text
    matches = _TOKENS.finditer(text)
    match = next((m for m in matches if m[0][1:] not in "?!:;" or not view.spaces_marks), None)
    if match is None:
        return None
    new = _TOKENS.sub(lambda token: _BRACKETS.get(token[0], token[0].lstrip()), text)
    # In a suite without stops, what is meant is not known.
    is_stray = match.end() == len(text) and match[0][1:] in _STOPS and not view.stop
    problem = f"has spaces of tokenized text: {cited(match[0])}"
    return flaw(cell, match.span(), problem, None if is_stray else new)


#: Rules on single texts.
LEFTOVERS = (
    judgement_mark, markup, spreadsheet_value, placeholder, pretokenized
)  # fmt: skip


@memo
def doubled_word(view: SuiteFileView) -> Iterator[Mistake]:
    """A word is written twice in a row, at the end of a region and the beginning of the next.

    Not reported where several items have it, nor for words that are often repeated on purpose, such
    as "had had" and "that that". Many languages double words to intensify them or to form a plural
    (Turkish "yavaş yavaş", Hindi "धीरे धीरे"): in a suite without articles of languages that do not,
    a word is reported if another condition of the item has it once, or other items use it too.

    Bad: region 1 `"the key to the"`, region 2 `"the cabinets"`
    Good: region 1 `"the key to"`, region 2 `"the cabinets"`
    """
    places: dict[str, list[tuple[TextCell, re.Match[str]]]] = {}
    joints = Counter[tuple[int, int]]()
    for cell, match in _doubled_at_joints(view):
        places.setdefault(match[1].casefold(), []).append((cell, match))
        joints[cell.row, cell.region.number] += 1
    for cell, match in _doubled_inside(view):
        places.setdefault(match[1].casefold(), []).append((cell, match))
    for word, found in places.items():
        if word in _REPEATABLE or len({cell.row for cell, _ in found}) > 1:
            continue
        if of_columns(view).issuperset(cell.at for cell, _ in found):
            continue
        for cell, match in found:
            new = _without_the_second(cell, match)
            mistake = flaw(cell, match.span(), f"has {cited(word)} twice in a row", new)
            # The same slip in another condition says nothing about the text that is meant.
            is_one = joints[cell.row, cell.region.number] < 2
            yield as_expected(view, cell, mistake) if is_one else replace(mistake, changes=())


def _doubled_at_joints(view: SuiteFileView) -> Iterator[tuple[TextCell, re.Match[str]]]:
    """Regions whose first word is the last one of the region before."""
    for before, cell in view.joints:
        last, match = before.text.split()[-1].casefold(), _FIRST.match(cell.text)
        if match and match[1].casefold() == last and last.isalpha():
            edges = before.text[-1:] + cell.text[:1]
            if any(map(str.isspace, view.gap(before, cell) or edges)):
                yield cell, match


def _doubled_inside(view: SuiteFileView) -> Iterator[tuple[TextCell, re.Match[str]]]:
    """Words that are written twice in one region, for no reason of the language."""
    if not any(map(_DOUBLED.search, view.contents)):
        return
    for cell in view.filled:
        for match in _DOUBLED.finditer(cell.text):
            if not _is_reduplication(view, cell, match):
                yield cell, match


def _without_the_second(cell: TextCell, match: re.Match[str]) -> str | None:
    """A text with a doubled word once; None if it is not clear that this is meant."""
    kept = match[1] if match.re is _DOUBLED else ""
    new = f"{cell.text[: match.start()]}{kept}{cell.text[match.end() :]}"
    # Of two regions, only the other conditions tell which has the word.
    if not new.strip() or not (kept or _has_elsewhere(cell, new)):
        return None
    # A capital inside a sentence may begin another one.
    near = cell.condition.regions[max(0, cell.index - _NEAR) : cell.index]
    words = " ".join((*(r.content for r in near), cell.text[: match.end()])).split()
    first, *others = words[::-1]
    return new if first == others[0] or len(others) == 1 else None


def _has_elsewhere(cell: TextCell, text: str) -> bool:
    regions = (region for other in cell.item.conditions for region in other.regions)
    return any(
        r.number == cell.region.number and r.content.strip() == text.strip() for r in regions
    )


def _is_reduplication(view: SuiteFileView, cell: TextCell, match: re.Match[str]) -> bool:
    """True if a word may be written twice because the grammar of the language doubles it."""
    if view.has_articles:
        return False
    text = cell.text
    single = f"{text[: match.start()]}{match[1]}{text[match.end() :]}"
    contents = {content for c in cell.item.conditions for content in c.contents}
    others = {r.row for r in view.cells if re.search(rf"\b{match[1]}\b", r.text)} - {cell.row}
    return single not in contents and len(others) < 2


@memo
def letter_case(view: SuiteFileView) -> Iterator[Mistake]:
    """Some sentences of a suite begin with a capital, others with a lowercase letter.

    Not reported: words such as `iPhone`, and names, which are words that the suite always writes
    with a capital.

    Bad: `"the key"` at the beginning of one sentence, capitals in all others
    Good: `"The key"`
    """
    is_dotted = any(not _DOTTED.isdisjoint(text) for text in view.contents if not text.isascii())
    edges = (_first_letter_of(first, first.text) for first, _ in view.edges)
    for edge, others in _unlike_the_others(view, [edge for edge in edges if edge]):
        letter, word = edge.character, _first_word(edge.cell.text)
        small = _DOTTED_CAPITALS.get(letter, letter.lower()) if is_dotted else letter.lower()
        if edge.passes and small + word[1:].lower() not in view.words:
            continue  # a name
        size = "capital" if edge.passes else "lowercase"
        mistake = _edge_mistake(edge, f"begins with a {size} letter, {others}", "letter")
        meant = "".join(view.design.expected(edge.cell) or ())
        yield _cured(mistake, edge, _first_letter_of(edge.cell, meant), meant)


@memo
def final_stop(view: SuiteFileView) -> Iterator[Mistake]:
    """Some sentences of a suite end with a stop, others without one.

    Sentences that end with an ellipsis or an abbreviation are not counted, nor is a question mark
    in a suite without stops, where it is part of the text.

    Bad: one sentence of a suite without its stop
    Good: a stop at the end of all sentences, or of none
    """
    edges = (_last_character_of(last, last.text) for _, last in view.edges)
    for edge, others in _unlike_the_others(view, [edge for edge in edges if edge]):
        if not edge.passes and edge.character not in ",;:":
            problem = "has no stop at the end"
        elif not edge.passes or edge.character in _STOPS:
            problem = f"ends with {cited(edge.character)}"
        else:
            continue
        mistake = _edge_mistake(edge, f"{problem}, {others}", "end")
        meant = "".join(view.design.expected(edge.cell) or ())
        yield _cured(mistake, edge, _last_character_of(edge.cell, meant), meant)


class _Edge(NamedTuple):
    cell: TextCell
    start: int
    character: str
    passes: bool  # it is a capital, or a mark that ends a sentence


def _first_letter_of(cell: TextCell, text: str) -> _Edge | None:
    index = _first_letter(text)
    return None if index is None else _Edge(cell, index, text[index], text[index].isupper())


def _last_character_of(cell: TextCell, text: str) -> _Edge | None:
    index = _last_character(text)
    return None if index is None else _Edge(cell, index, text[index], text[index] in ENDS)


def _edge_mistake(edge: _Edge, problem: str, fold: str) -> Mistake:
    cell, start = edge.cell, edge.start
    name = cell.condition.name
    sentence = f"the sentence of condition `{name}` of item {cell.item.number}"
    return Mistake(f"{sentence} {problem}", At(cell.at, start, start + 1), fold=fold)


def _cured(mistake: Mistake, edge: _Edge, new: _Edge | None, meant: str) -> Mistake:
    """A mistake with the text that is meant, if its own edge is like those of the others."""
    return mistake if new is None or new.passes is edge.passes else with_rewrite(mistake, meant)


def _unlike_the_others(
    view: SuiteFileView, sentences: Sequence[_Edge]
) -> Iterator[tuple[_Edge, str]]:
    """The few edges that alone pass or fail, and in words how many others do not."""
    odd, moved = pointers(view, *LEFTOVERS, similar_items), of_columns(view)
    edges = [e for e in sentences if e.cell.at not in odd and not marks(e.cell.text)]
    counts = Counter(edge.passes for edge in edges)
    usual = counts[True] > counts[False]
    unusual = [edge for edge in edges if edge.passes is not usual]
    is_of_one = len({edge.cell.row for edge in unusual}) == 1
    is_of_one = is_of_one and len({edge.cell.row for edge in edges}) >= LEAST_ITEMS
    is_rare = len(edges) >= _LEAST and 0 < len(unusual) <= len(edges) // 10
    if not (is_of_one or is_rare):
        return
    # A region that is usually not at the edge is there because another one is empty.
    regions_there = Counter((edge.cell.condition.name, edge.cell.index) for edge in edges)
    names = Counter(edge.cell.condition.name for edge in edges)
    for edge in unusual:
        cell, name = edge.cell, edge.cell.condition.name
        if 2 * regions_there[name, cell.index] <= names[name]:
            continue
        if item_number_at(cell.row) in odd or cell.at in moved:
            continue  # an item that is to be rewritten, or a text of another place
        yield edge, f"unlike {counts[usual]} of {len(edges)} sentences"


def _first_word(text: str) -> str:
    return next(iter(re.findall(r"\w+", text)), "")


def _first_letter(text: str) -> int | None:
    index = next((k for k, c in enumerate(text) if c.isalpha()), None)
    if index is None or index != len(text) - len(text.lstrip(_OPENING)):
        return None
    word = "".join(takewhile(str.isalnum, text[index:]))
    # `µ` has the capital of another letter, and is a unit; `ı` has that of `i` in Turkish.
    is_cased = word[0].isupper() or (
        word[0].upper() != word[0] and word[0].upper().lower() in (word[0], "i")
    )
    return index if is_cased and (word[0].isupper() or word[1:] == word[1:].lower()) else None


def _last_character(text: str) -> int | None:
    body = text.rstrip().rstrip(_CLOSING).rstrip()
    return len(body) - 1 if body and not _NOT_A_STOP.search(body) else None


def as_expected(view: SuiteFileView, cell: TextCell, mistake: Mistake) -> Mistake:
    """A mistake with the text to expect from the other conditions, if they say what it is."""
    expected = view.design.expected(cell)
    if expected is None:
        return replace(mistake, changes=())  # the others have another text, and do not say which
    return with_rewrite(mistake, *expected) if expected else mistake


def flaw(
    cell: TextCell,
    span: tuple[int, int] | None,
    problem: str,
    new: str | None = None,
    *,
    fold: str = "",
    helps: tuple[str, ...] = (),
) -> Mistake:
    """A mistake in characters of a text, or in all of it, with the text to write if known."""
    message = f"region {cell.region.number} {problem}"
    mistake = Mistake(message, At(cell.at, *(span or ())), helps=helps, fold=fold or problem)
    new = " ".join((new or "").split())
    return with_rewrite(mistake, new) if new else mistake
