"""A row of a sample file as rules see it: the same fields for every version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evalmark.validator.formats.shared.fields import Fields, Layout, column, layout

#: Where rows have the fields that rules look at.
SAMPLE: Layout = layout(
    evaluation_id="evaluation_id",
    evaluation_name="evaluation_name",
    model_id="model_id",
    sample_id="sample_id",
    identity="evaluation_result_id",
    interaction_type="interaction_type",
    score="evaluation/score",
    is_correct="evaluation/is_correct",
    num_turns="evaluation/num_turns",
    evaluation="evaluation",
    sample_hash="sample_hash",
    raw="input/raw",
    reference="input/reference",
    output="output/raw",
    metadata="metadata",
    turns="messages",
    attributions="answer_attribution",
    total_tokens="token_usage/total_tokens",
    usage="token_usage",
)
TURN: Layout = layout(role="role", index="turn_idx", answers="tool_call_id", calls="tool_calls")
ATTRIBUTION: Layout = layout(turn="turn_idx")
#: Counts of tokens that some programs have outside those of the input and the output.
APART = ("input_tokens_cache_write", "input_tokens_cache_read", "reasoning_tokens")
CALL: Layout = layout(id="id")

#: Version -> where it has fields of the row, if elsewhere than the others.
_SAMPLES: dict[str | None, Layout] = {"0.2.0": {**SAMPLE, **layout(turns="interactions")}}


@dataclass(slots=True)
class SampleView(Fields):
    """A row.

    Attributes:
        turns: The turns of its conversation; none for a single turn.
        algorithm: The digest that its record names for hashes.
    """

    turns: list[Any]
    algorithm: str

    @property
    def result(self) -> tuple[str, str]:
        """The field by which the row names its result, and what it says there."""
        field = "identity" if self.get("identity") else "evaluation_name"
        return field, self.get(field)

    def of_turns(self, field: str) -> list[Any]:
        """The value of a field in each turn; None where it is absent."""
        return column(self.turns, field, TURN)

    def turn_at(self, turn: int, field: str) -> str:
        """The pointer of a field of a turn."""
        return Fields(None, f"{self.at('turns')}/{turn}", TURN).at(field)

    @property
    def attributed(self) -> list[Any]:
        """The turn that each answer is said to come from."""
        return column(self.get("attributions") or (), "turn", ATTRIBUTION)

    @property
    def tokens(self) -> tuple[int, int, list[int]] | None:
        """The total, those of input and output, and those that some programs count apart."""
        usage = self.get("usage")
        if not usage:
            return None
        base = usage["input_tokens"] + usage["output_tokens"]
        return usage["total_tokens"], base, [usage[key] for key in APART if usage.get(key)]

    def calls(self, turn: int) -> list[str]:
        """The ids of the tool calls in a turn."""
        calls = Fields(self.turns[turn], "", TURN).entries("calls")
        return [str(call) for call in column(calls, "id", CALL)]


def sample_view(
    data: Mapping[str, Any], version: str | None, algorithm: str = "sha256"
) -> SampleView:
    """The view of a row that its schema accepts."""
    where = _SAMPLES.get(version, SAMPLE)
    turns = Fields(data, "", where).entries("turns")
    return SampleView(data, "", where, turns, algorithm)
