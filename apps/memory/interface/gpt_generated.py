"""Tests that a language model writes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.memory.evaluation.llm_judge import GENERATION, Evaluation, generated
from evalmark.memory.interface.dataset_interface import EXAMPLES, DatasetInterface, TestExample
from evalmark.schemas.errors import ScoringError
from evalmark.validator.reading.reading import read_file


@dataclass
class GPTGenerated(DatasetInterface):
    """Tests written by a language model from the three prompts of a generation file.

    Attributes:
        generation_file: JSON with ``content``, ``question`` and ``answer``. A relative path is that
            of a file next to the module of the class, in a folder ``data`` there, or in the
            current folder.
        temperature: Sampling temperature of that model.
        generation_model: The model that writes the tests, at an endpoint for which the run names no
            judge.
        max_attempts: Maximum number of attempts to get a test that can be parsed.
    """

    generation_file: str | Path = ""
    temperature: float = 1.0
    generation_model: str = "gpt-3.5-turbo"
    max_attempts: int = 10

    def generate_examples(self, num_examples: int = EXAMPLES) -> list[TestExample]:
        """Let the run's judge write ``num_examples`` tests.

        Raises:
            NotJudged: The run has no judge.
            ScoringError: The file cannot be read, or no attempt was usable.
        """
        prompts = self._prompts()
        return [self._written(prompts) for _ in range(num_examples)]

    def _prompts(self) -> dict[str, str]:
        """The three prompts of the generation file."""
        if not str(self.generation_file):
            raise ScoringError(f"{self.name} has no `generation_file`")
        path = self._file(Path(self.generation_file))
        reading = read_file(path)
        prompts = reading.data if reading.readable else None
        if not isinstance(prompts, dict) or set(prompts) != {"content", "question", "answer"}:
            raise ScoringError(f"{path} is not a generation file")
        return prompts

    def _written(self, prompts: dict[str, str]) -> TestExample:
        for _ in range(self.max_attempts):
            prompt = GENERATION.format(**prompts)
            text = self.ask_llm(prompt, self.generation_model, self.temperature, 4096)
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
