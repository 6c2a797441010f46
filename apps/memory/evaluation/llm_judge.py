"""Asking a judge: its prompts, how its replies are parsed, and how datasets ask it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalmark.memory.evaluation.replies import lenient_json
from evalmark.schemas.errors import NotJudged, ScoringError

#: The model that judges replies where the run names none, as in the LTM benchmark.
GRADER = "gpt-4-turbo"
#: The most tokens of a judge's reply about a reply.
MAX_TOKENS = 512
#: The prompt of a judge about a reply.
CHECKLIST = """You grade the reply of an assistant.

Question: {question}
Expected answer: {answer}
Reply: {response}

Answer three points with yes or no:
1. Does the reply contain what the expected answer says, in whatever words?
2. Does the reply contradict the expected answer anywhere?
3. Is that contradiction about something the question does not ask for?

Answer with JSON only: {{"contains": "yes or no", "contradicts": "yes or no", \
"beside_the_point": "yes or no", "why": "one sentence"}}"""

#: The prompt of a model that writes a test.
GENERATION = """Write material for a memory test, as JSON only:
{{"content": ["fact", ...], "questions": ["question", ...], "answers": ["answer", ...]}}
with an answer for each question, in order.

content: {content}
questions: {question}
answers: {answer}"""


def checklist(question: str, response: str, answer: object) -> str:
    """The prompt that asks whether a reply is right."""
    return CHECKLIST.format(question=question, response=response, answer=answer)


def checked(text: str) -> tuple[bool, str]:
    """A judge's verdict on a reply, and its reason.

    A reply is right if it contains the answer and does not contradict it where it matters.

    Raises:
        NotJudged: The judge's answer cannot be parsed.
    """
    try:
        data = lenient_json(text)
        points = [_yes(data[key]) for key in ("contains", "contradicts", "beside_the_point")]
        why = data.get("why", "")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise NotJudged(f"the judge's answer cannot be parsed: {text[:100]!r}") from error
    contains, contradicts, beside = points
    return contains and not (contradicts and not beside), str(why)


def _yes(answer: object) -> bool:
    if isinstance(answer, bool):
        return answer
    word = str(answer).strip().lower()
    if word not in ("yes", "no"):
        raise ValueError(word)
    return word == "yes"


def generated(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The facts, and pairs of a question and its answer.

    Raises ValueError if a text is missing or the numbers differ.
    """
    data = lenient_json(text)
    content = data["content"] if isinstance(data["content"], list) else [data["content"]]
    # The benchmark asks for `question` and `answer`.
    questions = data["questions"] if "questions" in data else data["question"]
    answers = data["answers"] if "answers" in data else data["answer"]
    texts = [*content, *questions, *answers]
    if not questions or not all(isinstance(entry, str) and entry.strip() for entry in texts):
        raise ValueError(text)
    return content, list(zip(questions, answers, strict=True))


#: A prompt that was made from ours. Where a judge was given another one, a dataset has written it.
_CHECKLIST = re.compile(re.escape(checklist("\0", "\0", "\0")).replace("\0", "(?s:.*)"))


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_checklist(messages: Sequence[Mapping[str, str]]) -> bool:
    """True if messages are the prompt of evalmark about a reply."""
    return len(messages) == 1 and bool(_CHECKLIST.fullmatch(messages[0].get("content", "")))


@dataclass(slots=True)
class AskedPrompts:
    """The prompts to a judge about the tests of one dataset, and their settings."""

    has_ours: bool = False  # whether the prompt of evalmark is among them
    others: set[str] = field(default_factory=set)  # digests of prompts that the dataset wrote
    temperatures: set[float] = field(default_factory=set)
    limits: set[int] = field(default_factory=set)  # maximum numbers of tokens in a reply

    def add(
        self, messages: Sequence[Mapping[str, str]], temperature: float, max_tokens: int
    ) -> None:
        """Note a question to the judge."""
        if is_checklist(messages):
            self.has_ours = True
        else:
            self.others.add(digest(json.dumps(messages, ensure_ascii=False, sort_keys=True)))
        self.temperatures.add(temperature)
        self.limits.add(max_tokens)

    def data(self) -> dict[str, object]:
        """The same for ``run.json``; whatever the order of the questions."""
        ours = {"text": CHECKLIST, "sha256": digest(CHECKLIST)}
        together = digest("\n".join(sorted(self.others)))
        others = {"number": len(self.others), "sha256": together}
        return {
            "prompts": [ours] if self.has_ours else [],
            **({"prompts_of_the_dataset": others} if self.others else {}),
            "temperature": sorted(self.temperatures),
            "max_tokens": sorted(self.limits),
        }


#: Score, maximum score (deprecated: leave it at 1), and a reason for each question.
Evaluation = tuple[float, float, list[str]]
#: Messages, temperature, maximum number of tokens, and the model if the dataset names one → the
#: judge's reply.
Ask = Callable[[list[dict[str, str]], float, int, str | None], str]


class AsksJudge:
    """The function that asks the judge."""

    name: str  # its name, for errors
    ask: Ask | None  # how the judge is asked; None: there is no judge

    def evaluate_correct_gpt(
        self, questions: list[str], provided_answer: list[str], expected_answer: Any
    ) -> Evaluation:
        """The number of replies that a judge accepts, of how many, and its reasons.

        At an endpoint for which the run names no judge, it is ``GRADER``.

        Raises:
            NotJudged: There is no judge, or its answer cannot be parsed.
            ScoringError: The numbers of questions, replies and expected answers differ.
        """
        expected = [expected_answer] if isinstance(expected_answer, str) else expected_answer
        if not len(questions) == len(provided_answer) == len(expected):
            raise ScoringError(
                f"{self.name}: {len(questions)} questions, {len(provided_answer)} replies, "
                f"{len(expected)} expected"
            )
        right, reasons = 0, []
        for question, response, answer in zip(questions, provided_answer, expected, strict=True):
            holds, reason = checked(
                self.ask_llm(checklist(question, response, answer), GRADER, max_tokens=MAX_TOKENS)
            )
            right += holds
            reasons.append(reason)
        return right, len(questions), reasons

    def ask_llm(
        self,
        context: str | Sequence[dict[str, str]],
        model: str | None = None,
        temperature: float = 0,
        max_tokens: int = 256,
        *,
        timeout: float | None = None,
        max_overall_tokens: int | None = None,
    ) -> str:
        """The judge's reply to a prompt or to messages; the run pays for it.

        Args:
            context: The prompt, or messages with ``role`` and ``content``.
            model: The model to ask, at an endpoint for which the run names no judge. By default
                ``DEFAULT_JUDGE``.
            temperature: Sampling temperature.
            max_tokens: Maximum number of tokens in the reply.
            timeout: Accepted, but not used: endpoints have their own.
            max_overall_tokens: Accepted, but not used.

        Raises:
            NotJudged: The run has no judge.
        """
        del timeout, max_overall_tokens
        if self.ask is None:
            raise NotJudged(f"{self.name} needs a judge")
        messages = [{"role": "user", "content": context}] if isinstance(context, str) else context
        return self.ask(list(messages), temperature, max_tokens, model)
