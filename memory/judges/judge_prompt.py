"""Prompts for a judge of answers: of evalmark, or of a file of the user.

Those for answers to memory sets, one for each kind of question, were written for evalmark, from
what the sets say about their questions. Scores by them are not the scores that the sets publish,
and have another name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.memory.evaluation.llm_judge import CHECKLIST, MAX_TOKENS, checked, checklist, digest
from evalmark.schemas.errors import NotJudged, UsageError
from evalmark.scoring.models.thoughts import thought_of
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

#: The prompt for all types of questions that have none of their own, and for questions that their
#: history does not answer.
DEFAULT, ABSTENTION = "default", "abstention"
#: The words that accept and reject, which a prompt file can replace.
_WORDS = {"accepts": "yes", "rejects": "no"}
_KEYS = frozenset({"prompts", *_WORDS})
_FIELD = re.compile(r"\{(question|answer|response)\}")
_ANSWERED = ("question", "response")


@dataclass(frozen=True, slots=True)
class ChecklistPrompt:
    """The prompt for tests of memory: three points, one verdict."""

    name: str = "evalmark-checklist-1"
    max_tokens: int = MAX_TOKENS

    def text(self, kind: str, question: str, answer: str, response: str, *, has_none: bool) -> str:
        """The prompt about a response, the same for all questions; see ``JudgePrompt``."""
        del kind, has_none
        return checklist(question, response, answer)

    def verdict(self, reply: str) -> tuple[bool, str]:
        """True if the judge accepts the response, and its reason.

        Raises:
            NotJudged: Its reply does not say so.
        """
        return checked(reply)

    def data(self) -> dict[str, object]:
        """The same as JSON: the text and its SHA-256."""
        return {"text": CHECKLIST, "sha256": digest(CHECKLIST)}


@dataclass(frozen=True, slots=True)
class JudgePrompt:
    """A prompt for each type of question, answered by one of two words.

    Attributes:
        name: Its name.
        prompts: Type of question, ``default`` or ``abstention`` -> text with the fields
            ``{question}``, ``{answer}`` and ``{response}``.
        accepts: The word that accepts an answer.
        rejects: The word that rejects it.
        is_lenient: Whether a reply that has the first word anywhere accepts, and every other one
            rejects.
        max_tokens: Maximum number of tokens in the reply.
    """

    name: str
    prompts: Mapping[str, str]
    accepts: str = "yes"
    rejects: str = "no"
    is_lenient: bool = False
    max_tokens: int = MAX_TOKENS

    def prompt_for(self, kind: str, *, has_none: bool) -> str:
        """The prompt about questions of a type.

        Raises:
            NotJudged: There is none.
        """
        names = (ABSTENTION, kind, DEFAULT) if has_none else (kind, DEFAULT)
        prompt = next((self.prompts[name] for name in names if name in self.prompts), None)
        if prompt is None:
            raise NotJudged(f"{self.name} has no prompt for {kind}, and no {DEFAULT!r}")
        return prompt

    def text(self, kind: str, question: str, answer: str, response: str, *, has_none: bool) -> str:
        """The prompt about a response.

        Args:
            kind: The type of the question.
            question: The question.
            answer: The expected answer.
            response: The answer to judge.
            has_none: Whether the right answer is that there is none.

        Raises:
            NotJudged: There is none for the type.
        """
        values = {"question": question, "answer": answer, "response": response}
        template = self.prompt_for(kind, has_none=has_none)
        return _FIELD.sub(lambda match: values[match[1]], template)

    def verdict(self, reply: str) -> tuple[bool, str]:
        """True if the judge accepts the response, by the first of the two words; and its reply.

        Raises:
            NotJudged: The reply has neither word.
        """
        reply_parts = thought_of(reply)
        if reply_parts.missing:
            raise NotJudged(f"the judge: {reply_parts.missing}")
        reply = reply_parts.answer
        words = re.findall(r"[^\W_]+(?:[-'][^\W_]+)*", reply.casefold())
        right, wrong = self.accepts.casefold(), self.rejects.casefold()
        if self.is_lenient:
            return right in reply.casefold(), reply.strip()
        both = [word for word in words if word in (right, wrong)]
        if not both or (len(set(both)) > 1 and words[0] not in (right, wrong)):
            raise NotJudged(f"the judge's reply has no verdict: {reply[:100]!r}")
        return both[0] == right, reply.strip()

    def data(self) -> dict[str, object]:
        """The same as JSON: the texts and their SHA-256."""
        return {
            "name": self.name,
            "prompts": dict(self.prompts),
            "sha256": digest(json.dumps(self.prompts, sort_keys=True, ensure_ascii=False)),
            "accepts": self.accepts,
            "rejects": self.rejects,
        }

    def as_of(self, digests: Mapping[str, str], max_tokens: int) -> JudgePrompt | None:
        """The prompt with the rules of a set, if its prompts are those of the set; else None.

        Args:
            digests: Type -> digest of the prompt of the set, as ``same_text`` makes it.
            max_tokens: Maximum number of tokens in a reply, as the set's program has it.
        """
        if not digests:
            return None
        for kind, expected_digest in digests.items():
            try:
                text = self.prompt_for(kind, has_none=kind == ABSTENTION)
            except NotJudged:
                return None
            if same_text(text) != expected_digest:
                return None
        return replace(self, is_lenient=True, max_tokens=max_tokens)


def same_text(prompt: str) -> str:
    """A digest of a prompt that does not depend on spaces and on how its fields are written."""
    return digest(" ".join(_FIELD.sub("{}", prompt).split()))


def read_prompt(path: Path) -> JudgePrompt:
    """The prompt of a file: text, or JSON with a prompt for each type of question.

    Raises:
        UsageError: The file cannot be used.
        OSError: It cannot be read.
    """
    raw = read_whole(path)
    if path.suffix != ".json":
        try:
            return _prompt(path, {"prompts": {DEFAULT: raw.decode("utf-8").strip()}})
        except UnicodeDecodeError as error:
            raise UsageError(f"{path} is not UTF-8 text") from error
    reading = read(raw, str(path))
    if not reading.readable:
        raise UsageError(f"{path} cannot be read; `evalmark check` says why")
    return _prompt(path, reading.data)


def _prompt(path: Path, data: Any) -> JudgePrompt:
    if not isinstance(data, dict):
        raise UsageError(f'{path} is not a prompt file: write {{"prompts": {{"{DEFAULT}": TEXT}}}}')
    is_whole = bool(_KEYS & data.keys())
    named = data.get("prompts") if is_whole else data
    named = {DEFAULT: named} if isinstance(named, str) else named
    if not (isinstance(named, dict) and named):
        raise UsageError(f"{path} has no prompts")
    words = {key: data.get(key, word) if is_whole else word for key, word in _WORDS.items()}
    _require_texts(path, named, words)
    prompts = {kind: _with_names(text) for kind, text in named.items()}
    for kind, text in prompts.items():
        lacks = [name for name in _ANSWERED if f"{{{name}}}" not in text]
        if lacks:
            fields = " and ".join(f"{{{name}}}" for name in lacks)
            raise UsageError(f"{path}: the prompt {kind!r} has no {fields}")
    return JudgePrompt(path.name, prompts, words["accepts"], words["rejects"])


def _require_texts(path: Path, prompts: Mapping[str, object], words: Mapping[str, Any]) -> None:
    texts = [*prompts.values(), *words.values()]
    if not all(isinstance(text, str) and text.split() for text in texts):
        raise UsageError(f"{path}: prompts, `accepts` and `rejects` are texts")
    if any(len(word.split()) > 1 for word in words.values()):
        raise UsageError(f"{path}: `accepts` and `rejects` are one word each")


def _with_names(text: str) -> str:
    """A prompt with three fields ``{}`` with their names: question, answer, response."""
    if _FIELD.search(text) or text.count("{}") != 3:
        return text
    names = iter(("question", "answer", "response"))
    return re.sub(r"\{\}", lambda _: f"{{{next(names)}}}", text)


_BEGINNING = """You grade an answer to a question about earlier conversations.

Question: {question}
Expected: {answer}
Answer: {response}

"""
_END = "\n\nReply with one word: yes if the answer is right, no if it is not."

_SAME = """The answer is right if it says what the expected answer says, in whatever words. More \
details do no harm unless they contradict it. The answer is wrong if it gives only a part of what \
is expected, gives something else, leaves open which of several things is true, or says that it \
does not know."""
_TIME = """ A date may be written in another way. Where the question asks for a number of days, \
weeks, months or years, a number that is one too high or one too low is still right."""
_UPDATE = """ What is asked for has changed in the course of the conversations, and the expected \
answer is the latest. The answer may also tell what was true before, as long as it is clear that \
the expected answer is true now."""
_PREFERENCE = """The expected text is not an answer: it describes what a good answer makes use of. \
The answer is right if it makes use of what the user has told about themselves, as the text \
describes. It need not cover every point. It is wrong if it could have been given to anybody, or \
if it goes against what the user has told."""
_NONE = """The conversations do not answer this question; the expected text may say why. The \
answer is right if it says that this was not mentioned, is not known, or cannot be answered. It \
may add what was said about something similar. It is wrong if it answers the question as if \
the answer were known."""

#: The prompts; category 2 of LoCoMo is about time.
SET_PROMPT = JudgePrompt(
    "evalmark-sets-1",
    {
        kind: _BEGINNING + text + _END
        for kind, text in {
            DEFAULT: _SAME,
            "temporal-reasoning": _SAME + _TIME,
            "category 2": _SAME + _TIME,
            "knowledge-update": _SAME + _UPDATE,
            "single-session-preference": _PREFERENCE,
            ABSTENTION: _NONE,
        }.items()
    },
)
