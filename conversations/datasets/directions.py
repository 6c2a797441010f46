"""Directions through a town."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalmark.conversations.datasets.recall import Judged
from evalmark.conversations.evaluation.llm_judge import Evaluation
from evalmark.conversations.evaluation.reply_json import lenient_json
from evalmark.conversations.evaluation.scorers import walked
from evalmark.schemas.errors import NotJudged

_ASKED = """Write the way that is described below as JSON only: a list of steps in order, each \
{{"kilometres": number, "direction": "north, south, east or west"}}.

{response}"""


@dataclass
class LocationsDirections(Judged):
    """The way to a place, from given distances; a judge writes the answer as steps."""

    name: str = "Locations Directions"
    description: str = "Places are told by distance and direction; the way to one is asked for."

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Follow the steps that a judge finds in the reply, and see where they lead."""
        steps = self.ask_llm(_ASKED.format(response=responses[-1]))
        right = _end(steps) == walked(str(expected_answers[0]))
        return float(right), 1, ["arrives" if right else f"does not arrive: {steps[:200]}"]


def _end(text: str) -> tuple[float, float] | None:
    """Where the steps of a judge lead."""
    try:
        steps = lenient_json(text)
        return walked(" ".join(f"{float(s['kilometres'])} km {s['direction']}" for s in steps))
    except (ValueError, KeyError, TypeError) as error:
        raise NotJudged(f"the judge wrote no steps: {text[:100]!r}") from error
