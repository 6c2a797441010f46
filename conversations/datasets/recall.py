"""Datasets that a language model writes or judges, and two that are only scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evalmark.conversations.datasets.scripted import Scripted
from evalmark.conversations.interface.dataset_interface import EXAMPLES, TestExample
from evalmark.conversations.interface.gpt_generated import GPTGenerated
from evalmark.schemas.errors import ScoringError


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
    """Which of six passages continues a book. The books cannot be distributed."""

    name: str = "ChapterBreak"
    description: str = "Pages of a book are read out; which passage follows is asked for."
