"""Rules on the text of regions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalmark.validator.findings.finding import At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.shared import writing_systems as scripts
from evalmark.validator.formats.suites.rules.leftovers import as_expected
from evalmark.validator.formats.suites.suite import ALL, JOINS, NO_SPACE_BEFORE
from evalmark.validator.formats.suites.suite_view import META, SuiteFileView, memo
from evalmark.validator.formats.suites.table import TextCell

#: Quotes that mean the same: the straight one, and the curly ones.
_QUOTES = (("'", "\u2018\u2019"), ('"', "\u201c\u201d"))
#: How they are found: after a digit they are feet, inches and decades (`5'10"`, `1980's`).
_MARKS = {
    marks: re.compile(rf"(?<![0-9])[{marks}]" + ("" if '"' in pair else r"(?![0-9]{2}s?\b)"))
    for pair in _QUOTES
    for marks in pair
}
#: Characters that joining rules treat in different ways when a region begins with them.
TIGHT = ".,!?;:"
#: Joining rules of public tools.
TOOLS = ("core", "hf", "brainscore")


def trailing_space(view: SuiteFileView) -> Iterator[Mistake]:
    """A region ends with a space.

    Regions are joined with a space. With another one at the end of a region there are two, and the
    model reads a different sentence from the one the author meant. Removing the space changes the
    scores, so the fix is unsafe. Where nothing is put between regions (the joining rule `none`, or
    `no_space_before` in `meta`), spaces in regions are the only ones, and not reported.

    Bad: `"content": "liked "`
    Good: `"content": "liked"`
    """
    for cell in view.cells:
        content, condition = cell.text, cell.condition
        kept = content.rstrip()
        if not kept or kept == content:
            continue
        rest = condition.regions[cell.index + 1 :]
        following = next((region for region in rest if region.content.strip()), None)
        if not (following or cell.region).is_spaced:
            continue
        at = At(cell.at, len(kept), len(content))
        whose = f"item {cell.item.number}, condition `{condition.name}`"
        sentence = cited(view.sentence_of(cell).text)
        yield Mistake(
            f"region {cell.region.number} ends with a space",
            at,
            caret="regions are joined with a space; with this one there are two"
            if following
            else "the sentence ends with it",
            notes=(f"the sentence of {whose} is {sentence}",),
            helps=(
                "remove the space; the model then reads a different sentence, so earlier scores "
                "are not comparable",
            ),
            changes=(Change(at, ""),),
            safety=Safety.UNSAFE,
            fold="trailing",
        )


def leading_space(view: SuiteFileView) -> Iterator[Mistake]:
    """A region begins with a space.

    Most tools strip it when they join regions, but some do not: a published score fell from 0.92 to
    0.83 when a copy of the suite with these spaces was used. The fix is safe for the joining rules
    that strip spaces (`core`, `hf`). With `brainscore` it changes the sentence and is unsafe. Where
    nothing is put before a region, its space is not reported.

    Bad: `"content": " the guitar"`
    Good: `"content": "the guitar"`
    """
    strips = JOINS[view.join].strips
    for cell in view.cells:
        content = cell.text
        kept = content.lstrip()
        if kept == content or not cell.region.is_spaced:
            continue
        at = At(cell.at, 0, len(content) - len(kept))
        yield Mistake(
            f"region {cell.region.number} {'starts with' if kept else 'is only'} a space",
            at,
            caret="stripped by the reference implementation and by hf, but not by every tool"
            if strips
            else "regions are joined with a space; with this one there are two",
            helps=(
                f"remove the space; the sentence stays the same with joining rule `{view.join}`"
                if strips
                else "remove the space; the model then reads a different sentence",
            ),
            changes=(Change(at, ""),),
            safety=Safety.SAFE if strips else Safety.UNSAFE,
            fold="leading",
        )


def unspaced_script(view: SuiteFileView) -> Iterator[Mistake]:
    """Regions of a script without spaces are joined with spaces.

    Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan are written without spaces between
    words. A space between regions is then a character that no text of the language has, and every
    surprisal after it is that of an odd text. `"no_space_before": "all"` in `meta` puts nothing
    between the regions of a suite; so does the setting `join = "none"`, for all suites, or
    `score --join none`. The script is that of most letters of the suite.

    Bad: `"我"`, `"喜欢"`, `"你"` with the joining rule `core`: the model reads "我 喜欢 你"
    Good: the same with `"no_space_before": "all"`: "我喜欢你"
    """
    script = scripts.unspaced_script(cell.text for cell in view.cells)
    if script is None:
        return
    for before, cell in view.joints:
        written = (before.text, cell.text)
        if all(map(scripts.is_unspaced, written)) and view.gap(before, cell):
            text = view.sentence_of(cell).text
            name = f"condition `{cell.condition.name}` of item {cell.item.number}"
            yield Mistake(
                f"regions of {script} script are joined with a space",
                At(cell.at),
                caret="a space is put before this region",
                notes=(
                    f"the sentence of {name} is {cited(text)}",
                    f"without spaces it is {cited(cell.condition.sentence('none').text)}",
                ),
                helps=('say so in `meta` with `"no_space_before": "all"`, or set `join = "none"`',),
                changes=(Change(At(META), quoted({**view.meta, NO_SPACE_BEFORE: ALL})),),
                safety=Safety.UNSAFE,
            )
            return


@memo
def mixed_quotes(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite uses both straight and curly quotes.

    Models read them as different tokens, so sentences meant to differ in one word also differ in
    a quote. Feet, inches and decades (`5'10"`, `the '90s`) are not quotes.

    Bad: `it's` in one sentence, and `it’s` in another
    Good: the same character in both
    """
    for straight, curly in _QUOTES:
        marked: dict[bool, list[tuple[TextCell, int]]] = {True: [], False: []}
        for cell in view.cells:
            text = cell.text
            if straight in text and (match := _MARKS[straight].search(text)):
                marked[False].append((cell, match.start()))
            if not text.isascii() and (match := _MARKS[curly].search(text)):
                marked[True].append((cell, match.start()))
        if marked[True] and marked[False]:
            is_curly = len(marked[True]) <= len(marked[False])
            words = ("curly", "straight") if is_curly else ("straight", "curly")
            example, at = marked[not is_curly][0]
            for cell, start in marked[is_curly]:
                mistake = Mistake(
                    f"{words[0]} quote in a suite that also has {words[1]} quotes",
                    At(cell.at, start, start + 1),
                    labels=((At(example.at, at, at + 1), f"{words[1]} here"),),
                    fold=f"quotes {straight}",
                )
                yield as_expected(view, cell, mistake)


def leading_punctuation(view: SuiteFileView) -> Iterator[Mistake]:
    """A region begins with punctuation.

    Tools join such a region in three ways: `core` keeps the space before it, `hf` removes the space
    before `.` and `,`, and `brainscore` also removes it before `! ? ; :`. The model reads different
    sentences, so scores differ between tools. Nothing needs to be fixed, but name the joining rule
    with each score.

    Bad: nothing is wrong with `", the nurse"`
    Good: a score that names its joining rule
    """
    for cell in view.cells:
        condition, text = cell.condition, cell.text.lstrip()
        before = condition.regions[: cell.index]
        is_joined = cell.region.is_spaced and any(region.content for region in before)
        if text[:1] and text[0] in TIGHT and is_joined:
            texts = {join: condition.sentence(join).text for join in TOOLS}
            yield Mistake(
                f"region {cell.region.number} begins with punctuation; tools differ on the "
                "space before it",
                At(cell.at),
                notes=tuple(f"{join}: {cited(text)}" for join, text in texts.items()),
                fold="punctuation",
            )
