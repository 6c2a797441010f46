"""Runs: a record and its samples, as every reader has them and every writer takes them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evalmark.schemas.metrics.known_metrics import known_metric

#: The organization of a record if none is given.
UNSPECIFIED = "unspecified"

#: The format's own word for not knowing how a model was run.
UNKNOWN = "unknown"

#: A note for records without an organization or a relationship.
UNSTATED = (
    "the record does not say who publishes it: set `organization` and `relationship` "
    "under `[record]` in evalmark.toml"
)


@dataclass(frozen=True, slots=True)
class Model:
    """The model that was evaluated.

    Attributes:
        id: ``organization/model``, as on the hub; never a path.
        engine: Software that ran it, and its version.
        details: Digests, revision, dtype, device; strings.
        developer: Who made it, if known.
        platform: Who served it, if known.
        deployment: ``self_deployed``, ``externally_managed`` or ``unknown``.
        availability: ``open_weights``, ``closed_weights`` or ``unknown``.
        is_class: Whether the id is the class of an agent, whose model the run does not name.
    """

    id: str
    name: str
    engine: tuple[str, str] | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    developer: str | None = None
    platform: str | None = None
    deployment: str = UNKNOWN
    availability: str = UNKNOWN
    is_class: bool = False


@dataclass(frozen=True, slots=True)
class Producer:
    """The organization and the program that are responsible for the numbers.

    Attributes:
        organization: None if it is not known.
        relationship: To the maker of the model: a value of ``evaluator_relationship``.
        name: Name of the source: the program or benchmark.
        library: Software that evaluated, and its version; evalmark's own if None.
        is_run: Whether the source ran the model; False if it reports numbers.
        details: What is known of the run as a whole; strings.
    """

    organization: str | None = None
    relationship: str | None = None
    name: str = "evalmark"
    library: tuple[str, str] | None = None
    is_run: bool = True
    details: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_stated(self) -> bool:
        """True if the publisher and the relationship to the model's developer are known."""
        return self.organization is not None and self.relationship is not None


@dataclass(frozen=True, slots=True)
class Dataset:
    """The data of a result.

    Attributes:
        repo: Its repository on the Hugging Face hub.
        split: Its split there.
        size: How many samples were used.
        details: What else is known; strings.
        urls: Where it is, if it is not on the hub.
        sample_ids: The samples that were used, if it is on the hub.
    """

    name: str
    repo: str | None = None
    split: str | None = None
    size: int | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    urls: tuple[str, ...] = ()
    sample_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """The metric of a score: its direction, its bounds and its names.

    Attributes:
        name: Name of the metric; written from 0.2.2 on, and so are the next two.
        kind: What kind of metric it is, for example ``accuracy``.
        unit: Unit of the score, for example ``percent``.
        lower_is_better: Whether a smaller score is a better one; None if nobody says so. A record
            cannot hold such a result.
        bounds: Least and greatest possible score; None if unknown.
        judging: ``llm_scoring``, where ``JUDGE_FIELDS`` are, if a model judged.
        details: What else is known; strings.
        id: Its stable name, if it has one.
        parameters: What its name depends on, for example the ``k`` of ``pass@k``.
    """

    description: str
    name: str | None = None
    kind: str | None = None
    unit: str | None = None
    lower_is_better: bool | None = field(kw_only=True)
    bounds: tuple[float, float] | None = field(kw_only=True)
    judging: Mapping[str, Any] | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    id: str | None = None
    parameters: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def share(cls, description: str, name: str | None = None, **others: Any) -> Metric:
        """A share, from 0 to 1; more is better."""
        return cls(description, name, lower_is_better=False, bounds=(0, 1), **others)

    @classmethod
    def of_table(
        cls,
        description: str,
        name: str,
        *also: str | None,
        program: str = "",
        stated: bool | None = None,
        **others: Any,
    ) -> Metric:
        """A metric with what the table of metrics says of its names.

        The direction that the program states comes first.
        """
        entry = known_metric(name, *also, program=program)
        if entry is None:
            return cls(description, name, lower_is_better=stated, bounds=None, **others)
        return cls(
            description,
            name,
            kind=entry.kind,
            unit=entry.unit(program),
            lower_is_better=entry.lower_is_better if stated is None else stated,
            bounds=entry.bounds(program),
            **others,
        )

    def with_details(self, details: Mapping[str, str]) -> Metric:
        """The same metric, with these details."""
        return replace(self, details=details)

    def is_best(self, score: float) -> bool:
        """True if a score is the best possible; without bounds, the best of shares.

        A score on an open scale, such as a probability, cannot be the best possible.
        """
        bounds = self.bounds or (0, 1)
        is_open = any(map(math.isinf, bounds))
        return not is_open and score == bounds[0 if self.lower_is_better else 1]


@dataclass(frozen=True, slots=True)
class Result:
    """A score.

    Attributes:
        name: Unique in the record; samples refer to it.
        dataset: What was evaluated on.
        metric: How to read the score.
        uncertainty: As the format has it; None if nothing is known.
        details: What else is known; strings.
        arguments: ``generation_args`` as the format has them.
        settings: Choices that are none of these; strings.
        time: When it was computed, if that is known apart from the run: a Unix timestamp.
        evaluation: What versions with ids of results call the evaluation, which several results
            may share; the name if "".
        key: Its id in these versions; the name if "".
    """

    name: str
    dataset: Dataset
    metric: Metric
    score: float
    uncertainty: Mapping[str, Any] | None = None
    details: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    time: int | None = None
    evaluation: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    role: str
    content: str | None
    tool_calls: tuple[Mapping[str, Any], ...] = ()
    tool_call_id: str | None = None
    reasoning: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its place in a conversation."""

    turn: int  # index of the message; 0 for the only output
    source: str  # for example ``messages[3].content`` or ``output.raw``
    value: str
    method: str  # how it was found
    terminal: bool = True  # whether it is the last one


@dataclass(slots=True)  # frozen, it would take ten times as long to make, and there are many
class Sample:
    """The sample of one item, for one result.

    Attributes:
        result: Name of the result it counts towards.
        id: Which item it is.
        raw: What the model was given.
        reference: What was expected.
        output: What came out, where it was one turn.
        correct: Whether it was right; None if it is if its score is the best possible.
        metadata: What else is known; strings.
        score: Its score; 1 or 0, as it is correct, if None.
        turns: The conversation, if there was one; then there is no output.
        answers: Where the answers are.
        choices: What could be chosen from.
        usage: Input, output and total tokens.
        milliseconds: How long the answer took.
        turn_count: How many turns there were, where the turns themselves are not told apart.
        more_usage: Other tokens, by the names of the format.
        reasoning: What the model thought before its output.
    """

    result: str
    id: str
    raw: str
    reference: tuple[str, ...]
    output: tuple[str, ...]
    correct: bool | None
    metadata: Mapping[str, str] = field(default_factory=dict)
    score: float | None = None
    turns: tuple[Turn, ...] = ()
    answers: tuple[Answer, ...] = ()
    choices: tuple[str, ...] = ()
    usage: tuple[int, int, int] | None = None
    milliseconds: float | None = None
    error: str | None = None
    turn_count: int | None = None
    more_usage: Mapping[str, int] = field(default_factory=dict)
    reasoning: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SampleStream:
    """Samples that are read from a file while they are written.

    Each iteration reads the file from the beginning.
    """

    read: Callable[[], Iterator[Sample]]

    def __iter__(self) -> Iterator[Sample]:
        return self.read()


@dataclass(frozen=True, slots=True)
class Run:
    """Everything a record is made from.

    Attributes:
        collection: First part of the evaluation's id.
        time: When the run began: a Unix timestamp.
        model: What was evaluated.
        producer: Who did it.
        samples: A tuple, or a ``SampleStream`` of a large file.
        settings: Every choice that the numbers depend on; strings.
        left_out: What the source has and the record does not: place and reason, with how many
            values it is. A stream of samples adds to it.
        unusable: Results that are left out because of their files, and why.
        is_joined: Whether names are those of a datastore, which other records have too.
        retrieved: Where ``time`` is from, if it is not that of the evaluation; "" if it is.
        identity: What its program calls this run alone, in every file that it is in; "" if nothing.
        path: The record that it was read from, or the results of another program; None if it was
            made here.
        lacks: Why there are no samples; "" if there are.
    """

    collection: str
    time: int
    model: Model
    producer: Producer
    results: tuple[Result, ...]
    samples: Iterable[Sample]
    settings: Mapping[str, str] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    unusable: Mapping[str, str] = field(default_factory=dict)
    is_joined: bool = False
    retrieved: str = ""
    identity: str = ""
    path: Path | None = None
    lacks: str = ""
    _by_name: Mapping[str, Result] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Know results by name: each sample asks for its own."""
        object.__setattr__(self, "_by_name", {result.name: result for result in self.results})

    @property
    def id(self) -> str:
        """``<collection>/<model id>/<time>``; datastores have ``_`` for the slash of the model."""
        model = self.model.id.replace("/", "_") if self.is_joined else self.model.id
        return f"{self.collection}/{model}/{self.time}"

    def result_of(self, sample: Sample) -> Result:
        """The result that a sample counts towards."""
        return self._by_name[sample.result]

    def score_of(self, sample: Sample) -> float:
        """The score of a sample: 1 or 0, as it is correct, if it states none."""
        return float(self.is_correct(sample) if sample.score is None else sample.score)

    def settings_of(self, result: Result) -> Mapping[str, str]:
        """The choices that a result depends on: its own before those of the run."""
        return {**self.settings, **result.settings}

    def is_correct(self, sample: Sample) -> bool:
        """True if a sample was right, by its own word or by its score."""
        if sample.correct is not None or sample.score is None:
            return bool(sample.correct)
        return self.result_of(sample).metric.is_best(sample.score)
