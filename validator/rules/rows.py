"""Rules on one row of a sample file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from json.encoder import encode_basestring_ascii
from typing import Any

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.views.record import mapping, number


class RowFacts:
    """A row that its schema accepts, as the rules see it.

    Attributes:
        data: The parsed row.
        algorithm: The digest that its record names for hashes.
    """

    def __init__(self, data: Mapping[str, Any], algorithm: str = "sha256") -> None:
        self.data = data
        self.algorithm = algorithm

    @cached_property
    def turns(self) -> tuple[str, list[Any]]:
        """The key of the conversation, and its turns."""
        for key in ("messages", "interactions"):
            if isinstance(self.data.get(key), list):
                return key, self.data[key]
        return "", []


def correct_against_score(facts: RowFacts) -> Iterator[Hit]:
    """A full score is correct, a score of 0 is not.

    Scores between may be either.

    Bad: `"score": 0.0, "is_correct": true`
    Good: `"score": 1.0, "is_correct": true`
    """
    evaluation = mapping(facts.data.get("evaluation"))
    score, correct = evaluation.get("score"), evaluation.get("is_correct")
    value = float(score) if isinstance(score, bool) else number(score)
    if value in (0.0, 1.0) and isinstance(correct, bool) and correct is not bool(value):
        yield Hit(
            f"score is {shown(score)} but `is_correct` is {shown(correct)}",
            At("/evaluation/is_correct"),
            labels=((At("/evaluation/score"), "the score"),),
            fold="correct",
        )


def number_of_turns(facts: RowFacts) -> Iterator[Hit]:
    """A conversation says how many turns it has, and has as many.

    The released schemas ask for `num_turns` under a key that rows do not have, so that the demand
    was never made; this rule makes it.

    Bad: `"interaction_type": "multi_turn"` without `"num_turns"`
    Good: `"evaluation": {…, "num_turns": 2}` beside two turns of the model
    """
    if facts.data.get("interaction_type") == "single_turn" or not facts.turns[1]:
        return
    key, turns = facts.turns
    evaluation = mapping(facts.data.get("evaluation"))
    counted = {len(turns)} | {
        sum(mapping(turn).get("role") == role for turn in turns) for role in ("assistant", "user")
    }
    stated = evaluation.get("num_turns")
    if stated is None:
        yield Hit(
            "a conversation without `num_turns`",
            At("/evaluation"),
            helps=(f'add "num_turns": {sum(_is_answer(turn) for turn in turns)}',),
            fold="missing",
        )
    elif stated not in counted:
        yield Hit(
            f"`num_turns` is {shown(stated)}, but {len(turns)} turns follow",
            At("/evaluation/num_turns"),
            labels=((At(f"/{key}"), "the turns"),),
            fold="count",
        )


def _is_answer(turn: Any) -> bool:
    return mapping(turn).get("role") == "assistant"


def turn_indices(facts: RowFacts) -> Iterator[Hit]:
    """Turns are numbered 0, 1, 2, … in their order.

    Bad: turns 0, 2, 1
    Good: turns 0, 1, 2
    """
    key, turns = facts.turns
    indices = [mapping(turn).get("turn_idx") for turn in turns]
    for place, index in enumerate(indices):
        if index != place:
            yield Hit(
                f"turn {place} is numbered {shown(index)}",
                At(f"/{key}/{place}/turn_idx"),
                caret=f"expected {place}",
                fold="index",
            )
            return


def tool_call_references(facts: RowFacts) -> Iterator[Hit]:
    """A turn that answers a tool call names one that was made before it.

    Bad: `"tool_call_id": ["call_2"]` where only `call_1` was made
    Good: `"tool_call_id": ["call_1"]`
    """
    key, turns = facts.turns
    made: list[str] = []
    for place, turn in enumerate(map(mapping, turns)):
        answered = turn.get("tool_call_id")
        for identity in [answered] if isinstance(answered, str) else answered or ():
            if identity not in made:
                yield Hit(
                    f"tool call {shown(identity)} was never made",
                    At(f"/{key}/{place}/tool_call_id"),
                    notes=(f"made before: {listed(made) or 'none'}",),
                    fold="tool",
                )
        made += [str(mapping(call).get("id")) for call in turn.get("tool_calls") or ()]


def sample_hash(facts: RowFacts) -> Iterator[Hit]:
    """A sample's hash is the digest of its input and of what was expected.

    It is the hash of the compact JSON text `{"raw":…,"reference":[…]}` with sorted keys. Harnesses
    have used other recipes; samples hashed with different ones never match each other.

    Bad: a hash of anything else
    Good: sha256 of `{"raw":"2+2?","reference":["4"]}`
    """
    stated = facts.data.get("sample_hash")
    question = mapping(facts.data.get("input"))
    raw, reference = question.get("raw"), question.get("reference")
    if not isinstance(stated, str) or not isinstance(raw, str):
        return
    texts = [reference] if isinstance(reference, str) else list(reference or ())
    right = _digest(_compact(raw, texts), facts.algorithm)
    if right == stated.lower():
        return
    recipes = {
        "the one of lm-evaluation-harness converters": json.dumps(
            {"raw": raw, "reference": texts[0] if len(texts) == 1 else texts}, sort_keys=True
        ),
        "the plain concatenation of Inspect converters": raw + "".join(texts),
    }
    for name, text in recipes.items():
        if _digest(text, facts.algorithm) == stated.lower():
            yield Hit(
                f"`sample_hash` follows another recipe: {name}",
                At("/sample_hash"),
                helps=(f'write "{right}"',),
                fold=name,
            )
            return
    yield Hit(
        "`sample_hash` is not the digest of this input",
        At("/sample_hash"),
        helps=(f'write "{right}"',),
        fold="hash",
    )


def _compact(raw: str, reference: list[str]) -> str:
    # As json.dumps has it, without its set-up.
    texts = ",".join(map(encode_basestring_ascii, reference))
    return f'{{"raw":{encode_basestring_ascii(raw)},"reference":[{texts}]}}'


def _digest(text: str, algorithm: str) -> str:
    raw = text.encode("utf-8", "surrogatepass")
    if algorithm == "sha256":  # nearly always; new() takes twice as long
        return hashlib.sha256(raw, usedforsecurity=False).hexdigest()
    return hashlib.new(algorithm, raw, usedforsecurity=False).hexdigest()
