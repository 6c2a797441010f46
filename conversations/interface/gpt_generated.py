"""Tests that a language model writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.conversations.evaluation.judging import generated, generation_prompt
from evalmark.conversations.interface.interface import DatasetInterface, Evaluation, TestExample
from evalmark.schemas.errors import ScoringError
from evalmark.validator.reading.reading import read


@dataclass
class GPTGenerated(DatasetInterface):
    """Tests written by a language model from the three prompts of a generation file.

    Attributes:
        generation_file: JSON with ``content``, ``question`` and ``answer``.
        temperature: Sampling temperature of that model.
        max_attempts: Maximum number of attempts to get a test that can be parsed.
    """

    generation_file: str | Path = ""
    temperature: float = 1.0
    max_attempts: int = 10

    def generate_examples(self, num_examples: int) -> list[TestExample]:
        """Let the run's judge write ``num_examples`` tests.

        Raises:
            NotJudged: The run has no judge.
            ScoringError: The file cannot be read, or no attempt was usable.
        """
        reading = read(Path(self.generation_file).read_bytes(), str(self.generation_file))
        prompts = reading.data if reading.readable else None
        if not isinstance(prompts, dict) or set(prompts) != {"content", "question", "answer"}:
            raise ScoringError(f"{self.generation_file} is not a generation file")
        return [self._written(prompts) for _ in range(num_examples)]

    def _written(self, prompts: dict[str, str]) -> TestExample:
        for _ in range(self.max_attempts):
            text = self.ask_llm(generation_prompt(prompts), self.temperature, 4096)
            try:
                content, pairs = generated(text)
            except (ValueError, KeyError, TypeError):
                continue
            example = TestExample(
                self,
                ["\n".join(content), *(question for question, _ in pairs)],
                [answer for _, answer in pairs],
                is_question=[False, *(True for _ in pairs)],
            )
            example.default_waits(self.memory_span)
            return example
        raise ScoringError(f"{self.name}: none of {self.max_attempts} attempts wrote a usable test")

    def evaluate_correct(
        self, questions: list[str], responses: list[str], expected_answers: list[Any]
    ) -> Evaluation:
        """Let the judge decide about each reply."""
        return self.evaluate_correct_gpt(questions, responses, expected_answers)
