"""Thoughts of models: the block before an answer, in the forms of models and servers.

The forms are those of reasoning models (DeepSeek, Qwen, Seed, Mistral, gpt-oss, Gemma, Cohere,
Kimi): ``<think>…</think>`` and ``<thinking>``, ``<thought>``, ``<thoughts>``, ``<reasoning>``,
``<seed:think>``; ``[THINK]…[/THINK]``; ``◁think▷…◁/think▷``;
``<|START_THINKING|>…<|END_THINKING|>``; the channel ``analysis`` of harmony;
``<|channel>thought…<channel|>``; and what an endpoint sends beside the answer
(``reasoning_content``, ``reasoning``, ``thinking``). Where a chat template writes the opening, the
closing is enough. If a form occurs in the expected answer, it belongs to the answer. A block that
never ends, or after which nothing comes, is an error of the reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ThoughtForm:
    """A notation of thoughts."""

    opening: str  # the text that begins them
    closing: str  # the text that ends them
    #: Whether chat templates write the opening, so that a reply has only the closing.
    is_begun: bool = False


FORMS = (
    *(
        ThoughtForm(f"<{tag}>", f"</{tag}>", is_begun=tag in ("think", "seed:think"))
        for tag in ("think", "thinking", "thought", "thoughts", "reasoning", "seed:think")
    ),
    ThoughtForm("[THINK]", "[/THINK]", is_begun=True),
    ThoughtForm("◁think▷", "◁/think▷", is_begun=True),
    ThoughtForm("<|START_THINKING|>", "<|END_THINKING|>", is_begun=True),
    ThoughtForm("<|channel|>analysis<|message|>", "<|end|>"),
    ThoughtForm("<|channel>thought", "<channel|>"),
)
#: The marks around an answer where there are channels; ``<|start|>`` is written by the template.
_AROUND = re.compile(
    r"^(?:<\|start\|>assistant)?<\|channel\|>final(?:\s*<\|constrain\|>\w+)?<\|message\|>"
    r"|<\|(?:return|end)\|>$"
    r"|^<\|START_RESPONSE\|>|<\|END_RESPONSE\|>$"
)
_SPEAKER = "<|start|>assistant"
#: The tokens that separate thoughts from the answer.
MARKS = frozenset(
    (
        *(mark for form in FORMS for mark in (form.opening, form.closing)),
        *("<|channel|>", "<|channel>", "<|START_RESPONSE|>"),
    )
)
#: Harmony whose special tokens were left out.
_BARE = re.compile(r"analysis(?P<thoughts>.+?)assistantfinal", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Thought:
    """A reply in parts."""

    thoughts: str  # the model's thoughts, as it wrote them; empty if the reply has none
    answer: str  # the rest
    missing: str = ""  # why there is no answer; empty if there is one


def thought_of(text: str, literal: Iterable[str] = ()) -> Thought:
    """The leading thoughts of a reply, and its answer. A reply without thoughts is its answer.

    Args:
        text: The reply.
        literal: Texts that an answer may have to contain: a form that occurs in them is not used.
    """
    expected = "\n".join(literal)
    forms = [f for f in FORMS if f.opening not in expected and f.closing not in expected]
    answer, end = text, 0
    while (length := _leading(answer, forms, is_first=not end)) is not None:
        if not length:
            missing = "the reply is only thoughts, which never end"
            return Thought(text[end:].strip(), "", missing)
        end += length
        answer = text[end:]
    if bare := _BARE.match(text.lstrip()):
        end = len(text) - len(text.lstrip()) + bare.end()
        answer = text[end:]
    if not end and not _AROUND.match(text.lstrip()):
        return Thought("", text)
    answer = _AROUND.sub("", _AROUND.sub("", answer.strip())).strip()
    missing = "" if answer else "the reply has thoughts, and no answer after them"
    return Thought(text[:end].strip(), answer, missing)


def _leading(text: str, forms: Iterable[ThoughtForm], *, is_first: bool) -> int | None:
    """The length of the leading thoughts of a text: 0 if they never end, None if there are none."""
    start = len(text) - len(text.lstrip())
    if text.startswith(_SPEAKER, start):
        start += len(_SPEAKER)
    for form in forms:
        if text.startswith(form.opening, start):
            return _end_of_thoughts(text, start, form)
    for form in forms:
        end = text.find(form.closing)
        if is_first and form.is_begun and end >= 0 and form.opening not in text[:end]:
            return end + len(form.closing)
    return None


def _end_of_thoughts(text: str, start: int, form: ThoughtForm) -> int:
    """The end of thoughts: at the closing that belongs to the opening, else at the first; or 0."""
    depth = 0
    marks = f"{re.escape(form.opening)}|{re.escape(form.closing)}"
    for mark in re.finditer(marks, text[start:]):
        depth += 1 if mark[0] == form.opening else -1
        if depth == 0:
            return start + mark.end()
    first = text.find(form.closing, start)
    return 0 if first < 0 else first + len(form.closing)


def opening_of(prompt: str) -> str:
    """The opening with which a prompt ends, if it makes the model think; empty if it does not."""
    text = prompt.rstrip()
    return next((form.opening for form in FORMS if text.endswith(form.opening)), "")


def with_thoughts(thoughts: str, answer: str) -> str:
    """Thoughts that came apart from the answer, as one text."""
    return f"{FORMS[0].opening}\n{thoughts}\n{FORMS[0].closing}\n\n{answer}"
