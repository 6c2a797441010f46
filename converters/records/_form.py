"""What a producer hands to the writer: results and samples, free of any record version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: What a record says of its author when nobody has said it.
UNSPECIFIED = "unspecified"


@dataclass(frozen=True, slots=True)
class Model:
    """The model that was evaluated.

    Attributes:
        id: ``organization/model``, as on the hub; never a path.
        name: As people call it.
        engine: Software that ran it, and its version.
        details: Digests, revision, dtype, device; strings.
    """

    id: str
    name: str
    engine: tuple[str, str] | None = None
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """Who stands behind the numbers.

    Attributes:
        organization: None means that nobody has said so.
        relationship: To the maker of the model: a value of ``evaluator_relationship``.
    """

    organization: str | None = None
    relationship: str | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """An accuracy.

    Attributes:
        name: Unique in the record; samples refer to it.
        description: What is measured, in words.
        dataset: Name of the data.
        correct: How many items came out right.
        items: Of how many.
        details: What else is known; strings.
    """

    name: str
    description: str
    dataset: str
    correct: int
    items: int
    details: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sample:
    """What the model made of one item, for one result.

    Attributes:
        result: Name of the result it counts towards.
        id: Which item it is.
        raw: What the model was given.
        reference: What was expected.
        output: What came out.
        correct: Whether it was right.
        metadata: What else is known; strings.
    """

    result: str
    id: str
    raw: str
    reference: tuple[str, ...]
    output: tuple[str, ...]
    correct: bool
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """Everything a record is made from.

    Attributes:
        collection: First part of the evaluation's id.
        time: When the run began, in whole seconds since 1970.
        model: What was evaluated.
        source: Who did it.
        results: In order.
        samples: In order.
        settings: Every choice that the numbers depend on; strings.
    """

    collection: str
    time: int
    model: Model
    source: Source
    results: tuple[Result, ...]
    samples: tuple[Sample, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
