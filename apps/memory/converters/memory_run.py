"""Make a ``Run`` of the tests of a memory run, whichever program ran them."""

from __future__ import annotations

import hashlib
import json
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evalmark.converters.records.run import (
    Answer,
    Dataset,
    Metric,
    Model,
    Producer,
    Result,
    Run,
    Sample,
    Turn,
)
from evalmark.converters.records.uncertainty import mean_uncertainty
from evalmark.converters.sources.placed_values import Node, Piece
from evalmark.converters.sources.supplied import availability, deployment, supplied_text, texts
from evalmark.converters.step import Supplied, as_list, spaced
from evalmark.memory.evaluation.replies import read_line
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.scoring.comparison.compared_run import DEFINITION, OVERALL
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.paths import without_links
from evalmark.validator.reading.reading import read_file

#: Folder of the tests that have no score, in that of an agent.
UNSCORED = "unscored"
#: Keys of a result that somebody edited by hand. One published file misspells one of them.
OVERRIDES = ("auto_score", "auto_reasoning", "auto reasoning", "auto_actual_responses")

_ROLES = {"Test": "user", "Agent": "assistant", "System": "system"}
#: The record's note on the id of a model that a run does not name.
MODEL_ID, CLASS = "model_id", "class of the agent, whose model the run does not name"
#: Facts about an agent that are fields of the model, not details.
_OF_MODELS = ("model", "developer", "platform")
#: The costs and times in ``runstats.json``.
_STATS = ("agent_costs_usd", "managing_costs_usd", "total_tokens", "agent_tokens", "duration")


#: Members of a definition that a record needs; they may be null.
_OF_DEFINITIONS = (
    "script", "is_question", "expected_responses", "is_temporal", "uses_callback",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class MemoryTest:
    """One test of a run: its result and its definition, as the files hold them."""

    dataset: str
    id: str
    result: Mapping[str, Any]
    definition: Mapping[str, Any]

    @property
    def score(self) -> float:
        """The score as a share of the maximum."""
        share: float = self.result["score"] / self.result["max_score"]
        return share

    @property
    def by_hand(self) -> bool:
        """True if somebody edited the score by hand."""
        return any(key in self.result for key in OVERRIDES)


@dataclass(frozen=True, slots=True)
class ResultFile:
    """The file of a test's result; ``home`` is the folder of the run."""

    path: Path
    home: Path

    @property
    def dataset(self) -> str:
        """The name of the dataset."""
        return self.path.parent.name

    @property
    def id(self) -> str:
        """The id of the test in its dataset."""
        return self.path.stem.rpartition("_")[0]

    @property
    def defined_in(self) -> Path:
        """The file of the test's definition."""
        return self.home / "definitions" / self.dataset / f"{self.id}.def.json"

    def test(self) -> MemoryTest:
        """The test; its definition is empty if there is none.

        Raises ScoringError if a file cannot be read.
        """
        definition = load_object(self.defined_in)
        return MemoryTest(self.dataset, self.id, load_object(self.path), definition)


def results_in(agent: Path, home: Path) -> list[ResultFile]:
    """The results in the folder of an agent: of tests that have a score."""
    paths = sorted(agent.glob("*/*.json"))
    return [ResultFile(path, home) for path in paths if path.parent.name != UNSCORED]


def load_object(path: Path) -> dict[str, Any]:
    """The content of a JSON or YAML file of a run; empty if the file is missing.

    Raises ScoringError if it cannot be read.
    """
    try:
        reading = read_file(path)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ScoringError(f"{path} cannot be read: {error.strerror}") from error
    if not reading.readable or not isinstance(reading.data, dict):
        raise ScoringError(f"{path} cannot be read; `evalmark check` says why")
    return reading.data


@dataclass(frozen=True, slots=True)
class MemoryRun:
    """The description of a run in its record: all but the scores."""

    collection: str  # first part of the evaluation's id
    model: Model  # the agent that was tested
    producer: Producer  # who ran the tests
    arguments: Mapping[str, Any]  # ``generation_args`` as the format has them
    settings: Mapping[str, str]  # Every choice that the numbers depend on
    stats: Mapping[str, Any]  # the content of ``runstats.json``
    #: ``llm_scoring`` for each dataset that asked a judge.
    judging: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    #: How a dataset was judged, in words, where ``judging`` is not known.
    judges: Mapping[str, str] = field(default_factory=dict)
    #: When the run began, in seconds since 1970; None: as the first line of a test says.
    time: int | None = None


def about_run(
    folder: Path,
    agent: Mapping[str, Any],
    config: Mapping[str, Any],
    stats: Mapping[str, Any],
    supplied: Supplied,
    *,
    evaluator: str | None,
    clock: str,
    settings: Mapping[str, Any],
    collection: str | None = None,
    arguments: Mapping[str, Any] = MappingProxyType({}),
    **others: Any,
) -> MemoryRun:
    """The description of a run, by what every run states; ``others`` are fields of ``MemoryRun``.

    The run is named after its collection, if that is known.
    """
    home = without_links(folder).parents[1]
    stated = Node(config, Piece("the configuration of the run"))
    name = str(stated.at("config", {}).fields.get("run_name") or home.name)
    run_args = stated.at("datasets", {}).at("args", {}).fields
    span = run_args.get("memory_span")
    named = supplied_text(supplied, "model_id")
    # Whoever names the model knows it.
    agent = {key: value for key, value in agent.items() if not (named and key == MODEL_ID)}
    limits = {"eval_limits": {"token_limit": span}} if isinstance(span, int) else {}
    return MemoryRun(
        collection=supplied.values.get("/collection") or collection or name,
        model=Model(
            id=named or agent["model"],
            name=folder.name,
            developer=supplied_text(supplied, "developer", agent.get("developer")),
            platform=agent.get("platform"),
            deployment=deployment(supplied),
            availability=availability(supplied),
            details=texts({key: value for key, value in agent.items() if key not in _OF_MODELS}),
            is_class=agent.get(MODEL_ID) == CLASS,
        ),
        arguments={**limits, **arguments},
        settings=texts(
            {
                "run_name": name,
                "run_folder": home.name,
                "evaluator_version": evaluator,
                "clock": clock,
                **run_args,
                **settings,
            }
        ),
        stats=stats,
        **others,
    )


def require_shape(test: MemoryTest) -> None:
    """Accept what is a result of a conversation, with its definition; else a ConversionError."""
    result = Node(test.result, Piece("the result"))
    definition = Node(test.definition, Piece("the definition"))
    for key in ("score", "max_score"):
        if not isinstance(result.at(key).value, int | float):
            result.at(key).wrong("a number")
    if not result.fields["max_score"]:
        result.at("max_score").wrong("a number that is not 0")
    list(result.each("actual_responses"))
    _require_texts(result.at("task_log"))
    for key in _OF_DEFINITIONS:
        if key not in definition.fields:
            definition.at(key)  # it is missing
    if definition.fields["script"]:
        _require_texts(definition.at("script"))


def _require_texts(listed: Node) -> None:
    for entry in listed.entries():
        if not isinstance(entry.value, str):
            entry.wrong("a string")


def require_usable(test: MemoryTest) -> None:
    """Accept a test that a record can be made from; it has the shape of one.

    Raises ConversionError if its score is not finite, or a line of its log has no speaker.
    """
    try:
        is_finite = math.isfinite(test.score)
    except OverflowError:
        is_finite = False
    if not is_finite:
        raise ConversionError("its score is not a finite number")
    _sample(test)


def run_of_tests(tests: Sequence[MemoryTest], about: MemoryRun) -> Run:
    """Results per dataset, their sum, and the conversations as samples.

    Expected responses are those of the definitions: results keep copies of older ones. A score
    that was edited by hand keeps the automatic one in its metadata.
    """
    if not tests:
        raise ConversionError("the folder has no results")
    names = sorted({test.dataset for test in tests})
    grouped = {name: [test for test in tests if test.dataset == name] for name in names}
    return Run(
        collection=about.collection,
        time=_began(tests) if about.time is None else about.time,
        model=about.model,
        producer=about.producer,
        results=(
            *(
                _dataset_result(name, dataset_tests, about)
                for name, dataset_tests in grouped.items()
            ),
            _overall(grouped, about),
        ),
        samples=tuple(_sample(test) for test in tests),
        settings=about.settings,
    )


def _began(tests: Sequence[MemoryTest]) -> int:
    first_lines = (line for test in tests for line in test.result["task_log"][:1])
    times = [line.when for line in map(read_line, first_lines) if line.when]
    if not times:
        raise ConversionError("no result says when its test was run")
    try:
        return int(datetime.fromisoformat(min(times)).replace(tzinfo=UTC).timestamp())
    except ValueError:
        raise ConversionError(f"the time of a test is {shown(min(times))}, not a date") from None


def _dataset_result(name: str, tests: Sequence[MemoryTest], about: MemoryRun) -> Result:
    scores = [test.score for test in tests]
    return Result(
        name=name,
        dataset=Dataset(name),
        metric=Metric.share(
            f"mean score of the tests of {name}, each as a share of its greatest score",
            name="mean score",
            judging=about.judging.get(name),
            details=texts(judge=about.judges.get(name)),
        ),
        score=statistics.fmean(scores),
        uncertainty=mean_uncertainty(scores),
        details=texts(
            # As the benchmark's report prints it: divided by n, not by n - 1.
            population_deviation=statistics.pstdev(scores),
            scores=scores,
            overridden=sum(test.by_hand for test in tests) or None,
        ),
        arguments=about.arguments,
    )


def _overall(grouped: Mapping[str, Sequence[MemoryTest]], about: MemoryRun) -> Result:
    scores = {name: [test.score for test in tests] for name, tests in grouped.items()}
    means = {name: statistics.fmean(dataset_scores) for name, dataset_scores in scores.items()}
    return Result(
        name=OVERALL,
        dataset=Dataset("GoodAI LTM Benchmark"),
        metric=Metric(
            "sum of the mean scores of all datasets",
            name="overall score",
            lower_is_better=False,
            bounds=(0, len(means)),
        ),
        score=sum(means.values()),
        details=texts(
            {
                "means": means,
                # The benchmark's report adds up the deviations of the datasets.
                "sum_of_population_deviations": sum(map(statistics.pstdev, scores.values())),
                **{key: about.stats.get(key) for key in _STATS},
                "overridden": sum(test.by_hand for tests in grouped.values() for test in tests),
            }
        ),
        arguments=about.arguments,
    )


def _sample(test: MemoryTest) -> Sample:
    result, definition = test.result, test.definition
    expected = definition["expected_responses"]
    turns = tuple(_turns(result["task_log"]))
    keys = ("tokens", "characters", "needles", "score", "max_score", "reasoning")
    return Sample(
        result=test.dataset,
        id=f"{test.dataset}/{test.id}",
        raw="\n".join(_script_of(definition, turns)),
        reference=() if expected is None else tuple(map(spaced, as_list(expected))),
        output=(),
        correct=test.score == 1,
        score=test.score,
        turns=turns,
        answers=tuple(_answers(result["actual_responses"], turns)),
        metadata=texts(
            {key: result.get(key) for key in keys}
            | {key.replace(" ", "_"): result.get(key) for key in OVERRIDES},
            overridden=True if test.by_hand else None,
            is_temporal=definition["is_temporal"],
            uses_callback=definition["uses_callback"],
            dynamic=not definition["script"],
            **({DEFINITION: _digest(definition)} if definition["is_temporal"] else {}),
        ),
    )


def _digest(definition: Mapping[str, Any]) -> str:
    """A digest that identifies a test, however its waits are stated."""
    content = [definition[key] for key in ("script", "is_question", "expected_responses")]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def _script_of(definition: Mapping[str, Any], turns: Sequence[Turn]) -> list[str]:
    script = definition["script"] or [turn.content or "" for turn in turns[:1]]
    if not definition["is_temporal"]:
        return list(script)
    # The question of a temporal test was made at run time: it is the last thing that was asked.
    questions = [turn.content or "" for turn in turns if turn.role == "user"]
    return [*script, *[line for line in questions if line not in script][-1:]]


def _turns(log: Sequence[str]) -> Iterator[Turn]:
    for line in map(read_line, log):
        if not line.when:
            raise ConversionError("a line of task_log has no speaker")
        yield Turn(_ROLES[line.who], line.text)


def _answers(responses: Sequence[str], turns: Sequence[Turn]) -> Iterator[Answer]:
    """The turn of each response. One that was edited by hand is in no turn, and is skipped."""
    at = 0
    for index, response in enumerate(responses):
        turn = Turn("assistant", response)
        place = next((i for i in range(at, len(turns)) if turns[i] == turn), None)
        if place is None:
            continue
        at = place + 1
        terminal = index == len(responses) - 1
        yield Answer(place, f"messages[{place}].content", response, "whole message", terminal)
