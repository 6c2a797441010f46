"""Datasets of which evalmark runs and scores definitions, and makes none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from evalmark.memory.evaluation.llm_judge import Evaluation
from evalmark.memory.evaluation.replies import Replies, lenient_json
from evalmark.memory.evaluation.scorers import score_replies, walked
from evalmark.memory.interface.dataset_interface import EXAMPLES, DatasetInterface, TestExample
from evalmark.schemas.errors import NotJudged, ScoringError


@dataclass
class ScoredByRules(DatasetInterface):
    """A dataset that is scored by the rules for its name."""

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Score by rules; ask the judge where they cannot decide."""
        verdict = score_replies(self.name, Replies(questions, responses, expected_answers))
        if verdict is None:
            return self.evaluate_correct_gpt(questions, responses, expected_answers)
        score, reasons = verdict
        return score, 1, reasons


@dataclass
class Defined(ScoredByRules):
    """A dataset known by its definitions."""

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Not available: the dataset has definitions only."""
        raise ScoringError(f"{self.name} is scored, not generated: name the folder of definitions")


@dataclass
class Jokes(Defined):
    """The joke of a certain time; the question is written when it is asked."""

    name: str = "Jokes"

    def create_question(
        self, example: TestExample, statement_times: list[datetime], time_now: datetime
    ) -> str:
        """The question, with the time since the joke in days, hours and minutes."""
        told_at = statement_times[example.script.index(example.expected_responses[0])]
        return f"Which joke did I tell you {spoken(time_now - told_at)} ago? Say it word for word."


def spoken(time: timedelta) -> str:
    """A duration in words, such as ``1 day, 2 hours and 5 minutes``; at least a minute."""
    minutes = max(int(time.total_seconds() // 60), 1)
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [
        f"{count} {unit}{'' if count == 1 else 's'}"
        for count, unit in ((days, "day"), (hours, "hour"), (minutes, "minute"))
        if count
    ]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


_ASKED = """Write the way that is described below as JSON only: a list of steps in order, each \
{{"kilometres": number, "direction": "north, south, east or west"}}.

{response}"""


@dataclass
class LocationsDirections(Defined):
    """The way to a place, from given distances; a judge writes the answer as steps."""

    name: str = "Locations Directions"

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Follow the steps that a judge finds in the reply, and see where they lead."""
        steps = self.ask_llm(_ASKED.format(response=responses[-1]))
        right = _final_place(steps) == walked(str(expected_answers[0]))
        return float(right), 1, ["arrives" if right else f"does not arrive: {steps[:200]}"]


def _final_place(text: str) -> tuple[float, float] | None:
    try:
        steps = lenient_json(text)
        return walked(" ".join(f"{float(s['kilometres'])} km {s['direction']}" for s in steps))
    except (ValueError, KeyError, TypeError) as error:
        raise NotJudged(f"the judge wrote no steps: {text[:100]!r}") from error


#: Name of a dataset -> its class, if rules and a judge are not all that it has.
DEFINED: dict[str, type[Defined]] = {
    "Jokes": Jokes,
    "Locations Directions": LocationsDirections,
}
