"""The prompts for a judge, and how its answers are parsed."""

from __future__ import annotations

from typing import Any

from evalmark.conversations.evaluation.lenient_json import lenient_json
from evalmark.schemas.errors import NotJudged

#: How a judge is asked about a reply.
TEMPERATURE = 0.0
MAX_TOKENS = 512
#: What a judge is asked about a reply.
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

_GENERATION = """Write material for a memory test, as JSON only:
{{"content": ["fact", ...], "questions": ["question", ...], "answers": ["answer", ...]}}
with an answer for each question, in order.

content: {content}
questions: {question}
answers: {answer}"""


def checklist(question: str, response: str, answer: Any) -> str:
    """The prompt that asks whether a reply is right."""
    return CHECKLIST.format(question=question, response=response, answer=answer)


def checked(text: str) -> tuple[bool, str]:
    """Whether a judge found a reply right, and why.

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


def _yes(answer: Any) -> bool:
    if isinstance(answer, bool):
        return answer
    word = str(answer).strip().lower()
    if word not in ("yes", "no"):
        raise ValueError(word)
    return word == "yes"


def generation_prompt(prompts: dict[str, str]) -> str:
    """The prompt that asks a model to write a test."""
    return _GENERATION.format(**prompts)


def generated(text: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The facts, and pairs of a question and its answer.

    Raises:
        ValueError: There are no questions, or not as many answers as questions.
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
