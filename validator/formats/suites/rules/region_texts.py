"""Rules on the text of regions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from evalmark.validator import writing_systems as scripts
from evalmark.validator.findings.hit import At, Change, Hit
from evalmark.validator.findings.severity import Safety
from evalmark.validator.findings.words import shown
from evalmark.validator.formats.suites.sentences import JOINS, join_regions
from evalmark.validator.formats.suites.suite_view import SuiteFileView


def trailing_space(view: SuiteFileView) -> Iterator[Hit]:
    """A region does not end with a space.

    Regions are joined with a space. With another one at the end of a region there are two, and the
    model reads a different sentence from the one the author meant. Removing the space changes the
    scores, so the fix is unsafe. With the joining rule `none`, spaces in regions are the only ones,
    and not reported.

    Bad: `"content": "liked "`
    Good: `"content": "liked"`
    """
    for placed in view.regions if JOINS[view.join].space else ():
        content, condition = placed.region.content, placed.condition
        kept = content.rstrip()
        if not kept or kept == content:
            continue
        at = At(placed.content_at, len(kept), len(content))
        following = any(region.content.strip() for region in condition.regions[placed.index + 1 :])
        whose = f"item {placed.item.number}, condition `{condition.name}`"
        sentence = shown(join_regions(condition.contents, view.join).text)
        yield Hit(
            f"region {placed.region.number} ends with a space",
            at,
            caret="regions are joined with a space; with this one there are two"
            if following
            else "the sentence ends with it",
            notes=(f"the sentence of {whose} is {sentence}",),
            helps=(
                "remove the space (`--fix --unsafe-fixes`; the model then reads a different "
                "sentence, so earlier scores are not comparable)",
            ),
            changes=(Change(at, ""),),
            safety=Safety.UNSAFE,
            fold="trailing",
        )


def leading_space(view: SuiteFileView) -> Iterator[Hit]:
    """A region does not begin with a space.

    Most tools strip it when they join regions, but some do not: a published score fell from 0.92 to
    0.83 when a copy of the suite with these spaces was used. The fix is safe for the joining rules
    that strip spaces (`core`, `hf`). With `brainscore` it changes the sentence and is unsafe; with
    `none` nothing is reported.

    Bad: `"content": " the guitar"`
    Good: `"content": "the guitar"`
    """
    strips = JOINS[view.join].strips
    for placed in view.regions if JOINS[view.join].space else ():
        content = placed.region.content
        kept = content.lstrip()
        if kept == content:
            continue
        at = At(placed.content_at, 0, len(content) - len(kept))
        yield Hit(
            f"region {placed.region.number} {'starts with' if kept else 'is only'} a space",
            at,
            caret="stripped by the reference implementation and by hf, but not by every tool"
            if strips
            else "regions are joined with a space; with this one there are two",
            helps=(
                "remove the space (`--fix`; the sentence stays the same with joining "
                f"rule `{view.join}`)"
                if strips
                else "remove the space (`--fix --unsafe-fixes`; the model then reads "
                "a different sentence)",
            ),
            changes=(Change(at, ""),),
            safety=Safety.SAFE if strips else Safety.UNSAFE,
            fold="leading",
        )


def unspaced_script(view: SuiteFileView) -> Iterator[Hit]:
    """Regions of a script without spaces are not joined with spaces.

    Chinese, Japanese, Thai, Lao, Khmer, Burmese and Tibetan are written without spaces between
    words. A space between regions is then a character that no text of the language has, and every
    surprisal after it is that of an odd text. The joining rule `none` puts nothing between regions:
    `join = "none"` in `evalmark.toml`, or `--join none`. The script is that of most letters of the
    suite.

    Bad: `"我"`, `"喜欢"`, `"你"` with the joining rule `core`: the model reads "我 喜欢 你"
    Good: the same with `none`: "我喜欢你"
    """
    if not JOINS[view.join].space:
        return
    script = scripts.unspaced_script(placed.region.content for placed in view.regions)
    if script is None:
        return
    for one, other in pairwise(r for r in view.regions if r.region.content.strip()):
        written = (one.region.content, other.region.content)
        if one.path[:2] == other.path[:2] and all(map(scripts.is_unspaced, written)):
            text = view.sentence_of(other).text
            name = f"condition `{other.condition.name}` of item {other.item.number}"
            yield Hit(
                f"regions of {script} script are joined with a space",
                At(other.content_at),
                caret="a space is put before this region",
                notes=(f"the sentence of {name} is {shown(text)}",),
                helps=('use `--join none`, or write `join = "none"` in evalmark.toml',),
            )
            return
