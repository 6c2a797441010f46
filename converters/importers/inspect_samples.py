"""Samples of a log of Inspect: one for each score that a result was made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from evalmark.converters.records.run import Answer, Sample, Turn
from evalmark.converters.sources.placed_values import Node
from evalmark.converters.sources.supplied import finite, texts
from evalmark.converters.step import as_list
from evalmark.validator.formats.shared.fields import mapping

#: Letters that Inspect's scorers give, and what they are worth.
_VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_TRANSCRIPT = ("events", "events_data")
_ATTACHMENT = "attachment://"
_MORE_TOKENS = ("input_tokens_cache_write", "input_tokens_cache_read", "reasoning_tokens")


@dataclass(frozen=True, slots=True)
class Scored:
    """The result that samples of a scorer count towards, and the method that extracts answers."""

    result: str
    method: str


Results = Mapping[tuple[str, str], Scored]


def read_samples(
    nodes: Iterator[Node], results: Results, model: str, epochs: int
) -> Iterator[Sample]:
    """The samples of each sample of the log: one for each scorer whose score is a number.

    A score that is an object has one for each of its numbers with a result of its own.
    """
    for node in nodes:
        scores = dict(node.at("scores", {}).members())
        values = {scorer: list(_values(score, results, scorer)) for scorer, score in scores.items()}
        if not any(values.values()):
            node.skip_all(why="no score that is a number and counts towards a result")
            continue
        node.skip(*_TRANSCRIPT, why="the transcript of the sample")
        node.skip("attachments", why="long texts of the transcript; those of messages are carried")
        shared = _Shared(node, model, epochs)
        for scorer, score in scores.items():
            for value, about in values[scorer]:
                yield _sample(shared, score, value, about)
            if not values[scorer]:
                score.skip_all(why="its value is not a number that counts towards a result")


def _values(score: Node, results: Results, scorer: str) -> Iterator[tuple[float, Scored]]:
    value = score.plain("value")
    for key, part in value.items() if isinstance(value, dict) else [("", value)]:
        number = _value(part)
        if (scorer, key) in results and number is not None:
            yield number, results[scorer, key]


class _Shared:
    """Values that all scores of a sample share."""

    def __init__(self, node: Node, model: str, epochs: int) -> None:
        self.node = node
        self.stored = mapping(node.fields.get("attachments"))
        messages = list(node.each("messages", []))
        self.turns = tuple(self.turn(message) for message in messages)
        self.talks = sum(turn.role == "assistant" for turn in self.turns) > 1 or any(
            turn.role == "tool" for turn in self.turns
        )
        output = node.at("output", {})
        choices = list(output.each("choices", []))
        message = choices[0].at("message", {}) if choices else None
        content = message.plain("content") if message else None
        self.completion = self.text(content)
        self.reasoning = _reasoning(content)
        stop = choices[0].plain("stop_reason") if choices else None
        self.stopped = {} if stop is None else {"stop_reason": str(stop)}
        self.usage, self.more_usage = _usage(node, model)
        self.seconds = output.number("time", None)
        self.epoch = node.whole("epoch", 1)
        identity = node.at("id")
        self.id = str(identity.value) if epochs <= 1 else f"{identity.value}#{self.epoch}"
        self.raw = self.question(node.plain("input"))
        self.reference = _references(node.plain("target"))
        self.choices = tuple(str(choice.value) for choice in node.each("choices", []))
        error = node.at("error", None)
        self.error = error.text("message", "") if isinstance(error.value, dict) else None
        self.metadata = {
            **texts(node.at("metadata", {}).fields),
            **self.stopped,
            **self._more(messages, output, choices, error, epochs),
        }

    def _more(
        self, messages: list[Node], output: Node, choices: list[Node], error: Node, epochs: int
    ) -> dict[str, str]:
        """Values that a sample has no member for."""
        question = self.node.fields.get("input")
        self._carry_answer(messages, output, choices)
        turns = [m.left() if self.talks else m.value for m in messages]
        return texts(
            input=question if isinstance(question, list) else None,
            messages=turns if any(turns) else None,
            output=output.left(),
            output_choices=[*filter(None, (choice.left() for choice in choices))],
            error=error.left() if isinstance(error.value, dict) else None,
            epoch=self.epoch if epochs > 1 or self.epoch != 1 else None,
            **self.node.left(),
        )

    def _carry_answer(self, messages: list[Node], output: Node, choices: list[Node]) -> None:
        """Ask for the parts of the output that the messages do not have, and for no others."""
        last = messages[-1].value if messages else None
        if choices and choices[0].fields.get("message") != last:
            choices[0].again("message")
        if self.talks:
            output.again("time")
        if choices and output.fields.get("completion") == self.completion:
            output.plain("completion")

    def turn(self, message: Node) -> Turn:
        made = list(message.each("tool_calls", []))
        calls = tuple(self._call(call) for call in made)
        if any(call.left() for call in made):
            message.again("tool_calls")
        content = message.plain("content")
        role = message.text("role")
        if isinstance(content, list):  # parts, of which the text is a turn's content
            message.again("content")
        called = message.text("tool_call_id", None)
        return Turn(role, self.text(content), calls, called, "\n".join(_reasoning(content)) or None)

    def _call(self, call: Node) -> dict[str, Any]:
        return {
            "id": call.text("id"),
            "name": call.text("function"),
            "arguments": call.at("arguments", {}).fields,
        }

    def text(self, content: object) -> str | None:
        """The text of a message: parts joined, attachments followed."""
        if isinstance(content, list):
            parts = [p.get("text") or "" for p in content if isinstance(p, dict)]
            content = "\n".join(str(part) for part in parts if part)
        if isinstance(content, str) and content.startswith(_ATTACHMENT):
            attachment = self.stored.get(content.removeprefix(_ATTACHMENT))
            return attachment if isinstance(attachment, str) else content
        return content if isinstance(content, str) else None

    def question(self, question: object) -> str:
        if isinstance(question, list):
            contents = (m.get("content") for m in question if isinstance(m, dict))
            return "\n".join(self.text(content) or "" for content in contents)
        return self.text(question) or ""


def _reasoning(content: object) -> tuple[str, ...]:
    """The reasoning of the model, where Inspect separates it from the answer."""
    entries = content if isinstance(content, list) else ()
    parts = (entry.get("reasoning") for entry in entries if isinstance(entry, dict))
    return tuple(part for part in parts if isinstance(part, str) and part)


def _usage(node: Node, model: str) -> tuple[tuple[int, int, int] | None, dict[str, int]]:
    """Input, output and total tokens of all requests to the model, and others by their names."""
    usage = mapping(node.fields.get("model_usage")).get(model)
    if not isinstance(usage, dict):
        return None, {}
    counts = [usage.get(f"{kind}_tokens") for kind in ("input", "output", "total")]
    numbers = [count for count in counts if type(count) is int]
    more = {key: usage[key] for key in _MORE_TOKENS if type(usage.get(key)) is int}
    return ((numbers[0], numbers[1], numbers[2]), more) if len(numbers) == 3 else (None, {})


def _sample(shared: _Shared, score: Node, value: float, about: Scored) -> Sample:
    answer = score.plain("answer")
    answers: tuple[Answer, ...] = ()
    if isinstance(answer, str) and answer:
        turns = enumerate(shared.turns)
        turn = max((i for i, t in turns if t.role == "assistant"), default=0)
        place = f"messages[{turn}].content" if shared.talks else "output.raw"
        answers = (Answer(turn if shared.talks else 0, place, answer, about.method),)
    seconds = shared.seconds
    carried = {"explanation", "value", "answer"}
    return Sample(
        result=about.result,
        id=shared.id,
        raw=shared.raw,
        reference=shared.reference,
        output=() if shared.talks else (shared.completion or "",),
        correct=value == 1,
        score=value,
        turns=shared.turns if shared.talks else (),
        answers=answers,
        choices=shared.choices,
        usage=shared.usage,
        milliseconds=None if seconds is None or shared.talks else 1000 * seconds,
        error=shared.error,
        turn_count=None if shared.talks else 1,
        more_usage=shared.more_usage,
        reasoning=() if shared.talks else shared.reasoning,
        metadata={
            **shared.metadata,
            **texts(
                explanation=score.plain("explanation"),
                value=score.plain("value"),
                score={k: v for k, v in score.fields.items() if k not in carried},
            ),
        },
    )


def _references(target: object) -> tuple[str, ...]:
    return () if target in (None, "") else tuple(map(str, as_list(target)))


def _value(value: object) -> float | None:
    if isinstance(value, str):
        return _VALUES.get(value)
    return float(value) if isinstance(value, bool) else finite(value)
