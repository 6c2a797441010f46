"""Rules on the text of regions."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Change, Hit
from evalmark.validator.findings.severity import Safety
from evalmark.validator.findings.words import shown
from evalmark.validator.views.sentences import join_regions
from evalmark.validator.views.suite_facts import SuiteFacts


def trailing_space(facts: SuiteFacts) -> Iterator[Hit]:
    """A region does not end with a space.

    Regions are joined with one space. One more at the end of a region makes two, and the model
    reads another sentence than the author wrote. Taking it out changes every score that was
    computed with it, so the fix is unsafe.

    Bad: `"content": "liked "`
    Good: `"content": "liked"`
    """
    for i, item in enumerate(facts.suite.items):
        for j, condition in enumerate(item.conditions):
            for k, region in enumerate(condition.regions):
                content = region.content
                kept = content.rstrip()
                if not kept or kept == content:
                    continue
                at = At(f"/items/{i}/conditions/{j}/regions/{k}/content", len(kept), len(content))
                following = any(r.content.strip() for r in condition.regions[k + 1 :])
                sentence = shown(join_regions(condition.contents, facts.join).text)
                yield Hit(
                    f"region {region.number} ends with a space",
                    at,
                    caret="regions are joined with one space; this one would make two"
                    if following
                    else "the sentence would end with it",
                    notes=(
                        f"the sentence of item {item.number}, condition `{condition.name}` would "
                        f"read {sentence}",
                    ),
                    helps=(
                        "remove the space (`--fix --unsafe-fixes`; the model then reads another "
                        "sentence, so old scores no longer compare)",
                    ),
                    changes=(Change(at, ""),),
                    safety=Safety.UNSAFE,
                    fold="trailing",
                )


def leading_space(facts: SuiteFacts) -> Iterator[Hit]:
    """A region does not begin with a space.

    Most tools strip it when they join regions; some do not, and a published score fell from 0.92
    to 0.83 when a copy of the suite with these spaces came into use. The fix is safe for the
    joining rules that strip (`core`, `hf`); under `brainscore` it changes the sentence, and is
    unsafe.

    Bad: `"content": " the guitar"`
    Good: `"content": "the guitar"`
    """
    strips = facts.join != "brainscore"
    for i, item in enumerate(facts.suite.items):
        for j, condition in enumerate(item.conditions):
            for k, region in enumerate(condition.regions):
                content = region.content
                kept = content.lstrip()
                if kept == content:
                    continue
                at = At(
                    f"/items/{i}/conditions/{j}/regions/{k}/content", 0, len(content) - len(kept)
                )
                yield Hit(
                    f"region {region.number} {'starts with' if kept else 'is only'} a space",
                    at,
                    caret="stripped by the reference implementation and by hf, not by every tool"
                    if strips
                    else "regions are joined with one space; this one would make two",
                    helps=(
                        "remove the space (`--fix`; the sentence stays the same under joining "
                        f"rule `{facts.join}`)"
                        if strips
                        else "remove the space (`--fix --unsafe-fixes`; the model then reads "
                        "another sentence)",
                    ),
                    changes=(Change(at, ""),),
                    safety=Safety.SAFE if strips else Safety.UNSAFE,
                    fold="leading",
                )
