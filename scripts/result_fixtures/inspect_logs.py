"""A log of Inspect, as ``.eval`` and as JSON: three questions, a tool, a match and a judge.

    python inspect_logs.py FOLDER
    inspect log convert FOLDER/*.eval --to json --output-dir FOLDER

No model is needed: Inspect's mock model gives the answers.
"""

from __future__ import annotations

import sys
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as run
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import match, model_graded_qa
from inspect_ai.solver import generate, system_message, use_tools
from inspect_ai.tool import tool

MODEL = "mockllm/model"


@tool
def add() -> Any:
    async def execute(x: int, y: int) -> str:
        """Add two numbers.

        Args:
            x: First.
            y: Second.
        """
        return str(x + y)

    return execute


def reply(text: str) -> ModelOutput:
    # Without a usage, Inspect would download a tokenizer to count tokens.
    output = ModelOutput.from_content(MODEL, text)
    output.usage = ModelUsage(input_tokens=20, output_tokens=2, total_tokens=22)
    return output


def called() -> ModelOutput:
    output = ModelOutput.for_tool_call(MODEL, "add", {"x": 2, "y": 2})
    output.usage = ModelUsage(input_tokens=30, output_tokens=5, total_tokens=35)
    return output


ANSWERS = {
    "Capital of France?": [reply("Paris")],
    "What is 2 + 2?": [called(), reply("4")],
    "Colour of the sky?": [reply("green")],
}


def answer(messages: Any, *_: Any) -> ModelOutput:
    question = next(message.text for message in messages if message.role == "user")
    return ANSWERS[question][sum(message.role == "assistant" for message in messages)]


def grade(messages: Any, *_: Any) -> ModelOutput:
    is_right = "Paris" in messages[-1].text
    return reply("The answer is right. GRADE: C" if is_right else "GRADE: I")


SAMPLES = MemoryDataset(
    [
        Sample(
            id="capital",
            input="Capital of France?",
            target="Paris",
            metadata={"topic": "places", "level": 2},
        ),
        Sample(id="sum", input="What is 2 + 2?", target=["4", "four"]),
        Sample(id=3, input="Colour of the sky?", choices=["blue", "red"], target="blue"),
    ],
    name="quiz-data",
    location="example/quiz",
)


def main(folder: str) -> None:
    judge = get_model("mockllm/judge", custom_outputs=grade)
    task = Task(
        name="quiz",
        dataset=SAMPLES,
        solver=[system_message("Be brief."), use_tools(add()), generate()],
        scorer=[match(location="any"), model_graded_qa()],
        model_roles={"grader": judge},
        version=2,
        metadata={"note": "made for tests"},
    )
    run(
        task,
        model=get_model(MODEL, custom_outputs=answer),
        log_dir=folder,
        log_format="eval",
        display="none",
        max_samples=1,
        temperature=0.25,
        max_tokens=64,
        message_limit=8,
        tags=["demo"],
    )


if __name__ == "__main__":
    main(sys.argv[1])
