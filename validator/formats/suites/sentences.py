"""From the regions of a condition to the sentence a model reads, and where each region is in it.

Three public tools join regions differently, so a score depends on the joining rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Joining(NamedTuple):
    """A rule that makes a sentence of regions.

    Attributes:
        space: What is put between two regions.
        strips: Whether space at the beginning of a region is removed.
        tight: Characters before which space is removed.
    """

    space: str = " "
    strips: bool = True
    tight: str = ""


#: Joining rule -> how it joins.
#:
#: - ``core``: the reference implementation. Regions without text are dropped, leading space is
#:   stripped, and regions are joined with one space.
#: - ``hf``: the same, but space before ``.`` and ``,`` is removed.
#: - ``brainscore``: nothing is stripped; space before ``. , ! ? ; :`` is removed.
#: - ``none``: regions follow each other as they are, for scripts without spaces.
JOINS: dict[str, Joining] = {
    "core": Joining(),
    "hf": Joining(tight=".,"),
    "brainscore": Joining(strips=False, tight=".,!?;:"),
    "none": Joining(space="", strips=False),
}

_SPACE = " \t\n\r\x0b\x0c"


class Sentence(NamedTuple):
    """A sentence as a model reads it.

    Attributes:
        text: The sentence.
        spans: For each region, in order, where its text is; an empty region has an empty span.
    """

    text: str
    spans: tuple[tuple[int, int], ...]


def join_regions(contents: Sequence[str], join: str = "core") -> Sentence:
    """Join the contents of regions to a sentence.

    A region's span contains only its text; the joining space is before the span of the next one.

    Raises:
        KeyError: There is no such joining rule.
    """
    space, strips, tight = JOINS[join]
    pieces: list[str] = []
    spans: list[tuple[int, int]] = []
    length = 0
    started = False
    for content in contents:
        if not (content.strip() if space else content):
            spans.append((length, length))
            continue
        text = content.lstrip(_SPACE) if strips else content
        if started:
            pieces.append(space)
            length += len(space)
        started = True
        spans.append((length, length + len(text)))
        pieces.append(text)
        length += len(text)
    sentence = Sentence("".join(pieces), tuple(spans))
    return _tighten(sentence, tight) if tight else sentence


def _tighten(sentence: Sentence, tight: str) -> Sentence:
    """Remove the space before tight characters, and adjust the spans."""
    keep = [True] * len(sentence.text)
    for at, character in enumerate(sentence.text):
        if character in tight:
            before = at
            while before > 0 and sentence.text[before - 1].isspace():
                before -= 1
                keep[before] = False
    position = [0]
    for kept in keep:
        position.append(position[-1] + kept)
    text = "".join(c for c, kept in zip(sentence.text, keep, strict=True) if kept)
    return Sentence(text, tuple((position[start], position[end]) for start, end in sentence.spans))
