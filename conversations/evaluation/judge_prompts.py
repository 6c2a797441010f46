"""The prompts a judge was given for each dataset: templates of evalmark, and those of datasets."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalmark.conversations.evaluation.judging import CHECKLIST

#: The prompts of evalmark. Where a judge was given another one, a dataset has written it.
TEMPLATES: tuple[str, ...] = (CHECKLIST,)
#: A field of a template.
_FIELD = re.compile(r"(?<!{){\w+}(?!})")


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def template_of(messages: Sequence[Mapping[str, str]]) -> str | None:
    """The template that messages were made from; None for another prompt."""
    if len(messages) != 1:
        return None
    text = messages[0].get("content", "")
    return next((template for template in TEMPLATES if _made_from(text, template)), None)


def _made_from(text: str, template: str) -> bool:
    """Whether a prompt has every fixed part of a template, in order."""
    first, *middle, last = (
        part.replace("{{", "{").replace("}}", "}") for part in _FIELD.split(template)
    )
    if not (text.startswith(first) and text.endswith(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return at <= end


@dataclass(slots=True)
class AskedPrompts:
    """What a judge was asked about the tests of one dataset, and with which settings."""

    templates: set[str] = field(default_factory=set)
    others: set[str] = field(default_factory=set)  # digests of prompts that the dataset wrote
    temperatures: set[float] = field(default_factory=set)
    limits: set[int] = field(default_factory=set)  # maximum numbers of tokens in a reply

    def add(
        self, messages: Sequence[Mapping[str, str]], temperature: float, max_tokens: int
    ) -> None:
        """Note a question to the judge."""
        template = template_of(messages)
        if template is None:
            self.others.add(digest(json.dumps(messages, ensure_ascii=False, sort_keys=True)))
        else:
            self.templates.add(template)
        self.temperatures.add(temperature)
        self.limits.add(max_tokens)

    def data(self) -> dict[str, Any]:
        """The same for ``run.json``; whatever the order of the questions."""
        return dict(self._parts())

    def _parts(self) -> Iterator[tuple[str, Any]]:
        yield "prompts", [{"text": text, "sha256": digest(text)} for text in sorted(self.templates)]
        if self.others:
            together = digest("\n".join(sorted(self.others)))
            yield "prompts_of_the_dataset", {"number": len(self.others), "sha256": together}
        yield "temperature", sorted(self.temperatures)
        yield "max_tokens", sorted(self.limits)
