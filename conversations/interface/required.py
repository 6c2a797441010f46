"""What evalmark requires of the datasets and tests of users before anything is paid for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from evalmark.conversations.interface.dataset_files import definition_path
from evalmark.conversations.interface.dataset_interface import (
    DatasetInterface,
    DynamicExample,
    TestExample,
)
from evalmark.conversations.interface.user_code import (
    at,
    defined_at,
    require_signature,
    said_of,
    short,
)
from evalmark.schemas.errors import ScoringError


def require_methods(dataset: DatasetInterface) -> None:
    """Accept a dataset only if its methods can be called.

    Raises:
        ScoringError: One cannot; the message says what to write.
    """
    require_signature(dataset, DatasetInterface.generate_examples, 0, 1)
    for method in (
        DatasetInterface.evaluate_correct,
        DatasetInterface.continual_evaluation_callback,
        DatasetInterface.create_question,
    ):
        require_signature(dataset, method)


def require_tests(dataset: DatasetInterface, tests: Sequence[Any]) -> None:
    """Accept what ``generate_examples`` returned only if these are tests, and each is an object.

    Raises:
        ScoringError: They are not. The message says where the method is.
    """
    made = defined_at(dataset.generate_examples)
    title = f"{type(dataset).__name__}.generate_examples"
    places: dict[int, int] = {}
    for number, test in enumerate(tests):
        if not isinstance(test, TestExample):
            said = f"{title} returned something other than tests: {short(test)}"
            raise ScoringError(at(said, made))
        first = places.setdefault(id(test), number)
        if first != number:
            said = f"{title} returned one object as tests {first} and {number}; make one for each"
            raise ScoringError(at(said, made))
        require_signature(test, TestExample.action_iter)


def require_writable(test: TestExample) -> None:
    """Accept a test only if its definition can be written.

    Raises:
        ScoringError: It cannot.
    """
    definition_path("", test.dataset_name, test.example_id)
    try:
        json.dumps(test.definition())
        if not isinstance(test, DynamicExample):
            list(test.expected_responses or [])
    except (TypeError, ValueError, RecursionError) as error:
        made = defined_at(test.dataset_generator.generate_examples)
        said = f"{test.unique_id} cannot be written as JSON: {said_of(error)}"
        raise ScoringError(at(said, made)) from error
