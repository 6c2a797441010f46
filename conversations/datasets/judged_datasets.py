"""Datasets that a language model writes or judges, and one that is only scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.datasets.scripted_datasets import Scripted
from evalmark.conversations.evaluation.llm_judge import Evaluation
from evalmark.conversations.evaluation.reply_json import lenient_json
from evalmark.conversations.evaluation.scorers import walked
from evalmark.conversations.interface.dataset_interface import EXAMPLES, TestExample
from evalmark.conversations.interface.gpt_generated import GPTGenerated
from evalmark.schemas.errors import NotJudged, ScoringError


@dataclass
class DelayedRecall(GPTGenerated):
    """Facts of a fictional world, written by a model, and questions about them."""

    name: str = "Delayed Recall"
    description: str = "Facts of a made-up world are told, and asked for one by one."
    generation_file: str | Path = Path(__file__).parent / "delayed_recall.json"


@dataclass
class Judged(Scripted):
    """A dataset known only by its definitions. Where it has no rules, a judge decides."""

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Not available: the dataset has definitions only."""
        raise ScoringError(f"{self.name} is scored, not generated: name the folder of definitions")


@dataclass
class ChapterBreak(Judged):
    """Six passages, of which one continues a book. The books cannot be distributed."""

    name: str = "ChapterBreak"
    description: str = "Pages of a book are read out; which passage follows is asked for."


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
    """The place that the steps of a judge lead to."""
    try:
        steps = lenient_json(text)
        return walked(" ".join(f"{float(s['kilometres'])} km {s['direction']}" for s in steps))
    except (ValueError, KeyError, TypeError) as error:
        raise NotJudged(f"the judge wrote no steps: {text[:100]!r}") from error
