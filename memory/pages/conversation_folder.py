"""Folders of runs of conversations: ours, of memory sets, and all generations of LTM."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evalmark.converters.formats import format_of
from evalmark.converters.step import spaced
from evalmark.memory.converters.memory_run import UNSCORED, ResultFile, load_object
from evalmark.memory.datasets.dataset_registry import DATASETS
from evalmark.memory.evaluation.replies import Line, read_line
from evalmark.memory.running.run_folder import agents_of
from evalmark.memory.sets.set_scores import BESIDE, TOTAL
from evalmark.reports.run_names import names_apart
from evalmark.reports.suites.suite_run_folder import NOWHERE, Origin
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.read_run import rows_of_file
from evalmark.stats.proportions import wilson_interval
from evalmark.validator.findings.report import Failed, raising
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.ltm.ltm_run import CONFIGS
from evalmark.validator.formats.records.samples.companions import companion
from evalmark.validator.formats.records.samples.sample_view import sample_view
from evalmark.validator.formats.shared.fields import mapping
from evalmark.validator.io.paths import without_links
from evalmark.validator.reading.reading import read_file


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question, the expected and the actual answer, and the reason for the score."""

    question: str
    expected: str
    actual: str
    reason: str


@dataclass(frozen=True, slots=True)
class TestView:
    """A test and its result."""

    __test__ = False

    id: str
    score: float | None  # from 0 to 1; None if it was not judged or failed with an error
    state: str  # empty, `not judged` or `error`
    automatic: float | None  # the score before it was changed by hand; None if it was not
    tokens: int | None  # of conversation from its start to its end; None if that is unknown
    lines: tuple[Line, ...]
    exchanges: tuple[AskedQuestion, ...]
    generation: int = 3  # of the benchmark, as its definition tells


@dataclass(frozen=True, slots=True)
class SetTotal:
    """A total of a run over memory sets, as its record has it.

    Attributes:
        name: Its name.
        part: ``total``; ``beside``: of questions that are not part of the total; ``recall``.
        score: Its score.
        interval: Its 95 % interval; None if it has none.
    """

    name: str
    part: str
    score: float
    interval: tuple[float, float] | None


def totals_of(path: Path) -> tuple[SetTotal, ...]:
    """The totals of a run, that of the answerable questions first."""
    record = read_file(path).data
    totals = [
        SetTotal(str(result["evaluation_name"]), part, *_scored(result.get("score_details") or {}))
        for result in record.get("evaluation_results", ())
        if (part := _part(result)) is not None
    ]
    return tuple(sorted(totals, key=lambda total: _PARTS.index(total.part)))


_PARTS = (TOTAL, BESIDE, RECALL := "recall")


def _part(result: Mapping[str, Any]) -> str | None:
    """The part of all questions that a result is of; None if it is a type of questions."""
    stated = ((result.get("score_details") or {}).get("details") or {}).get("part")
    if stated is not None:
        return str(stated)
    return RECALL if ": recall@" in str(result.get("evaluation_name")) else None


def _scored(details: Mapping[str, Any]) -> tuple[float, tuple[float, float] | None]:
    bounds = (details.get("uncertainty") or {}).get("confidence_interval")
    return float(details["score"]), (bounds["lower"], bounds["upper"]) if bounds else None


def questions_of(path: Path) -> dict[str, list[TestView]]:
    """Result -> the questions that its samples are, with answers and scores.

    Raises:
        ScoringError: The record or its samples cannot be read.
    """
    record = read_file(path).data
    link = companion(record, str(path)) if isinstance(record, dict) else None
    if link is None or link.problem is not None:
        raise ScoringError(f"{path} names no samples that can be read")
    version = identify(record, "record").version
    views: dict[str, list[TestView]] = {}
    for row in rows_of_file(link.path, link.whole()):
        for result, view in _question(row, version):
            views.setdefault(result, []).append(view)
    return views


def _question(data: Mapping[str, Any], version: str | None) -> Iterator[tuple[str, TestView]]:
    view = sample_view(data, version)
    score = view.number("score")
    if score is None:
        return
    answers = [str(entry.get("extracted_value", "")) for entry in view.entries("attributions")]
    why = json.loads((data.get("metadata") or {}).get("reasoning", "[]"))
    exchange = AskedQuestion(
        str(view.get("raw")),
        ", ".join(map(spaced, view.entries("reference"))),
        "\n".join(answers),
        "\n".join(map(str, why)) if isinstance(why, list) else str(why),
    )
    test = TestView(str(view.get("sample_id")), score, "", None, None, (), (exchange,))
    yield str(view.get("evaluation_name")), test


#: Keys of ``run.json`` that are not settings, or that the results show.
ELSEWHERE = frozenset({"why", "judging", "files", "not_judged", "errors", "descriptions", "costs"})
#: Formats of definitions -> the generation of the benchmark.
GENERATIONS = {f"ltm-definition-{number}": number for number in (1, 2, 3)}
#: Name of a dataset of ours -> what its tests are.
_DESCRIPTIONS = {kind.name: kind.description for kind in DATASETS.values()}
#: Totals of a run over memory sets -> their names in ``runstats.json``.
_TOTALS = {
    "output_tokens": "agent_tokens",
    "agent_cost": "agent_costs_usd",
    "judge_cost": "managing_costs_usd",
    "seconds": "duration",
}
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class DatasetView:
    """A dataset and its tests."""

    name: str
    tests: tuple[TestView, ...]
    description: str = ""  # empty if it is unknown

    @property
    def scores(self) -> list[float]:
        """The scores of its tests that have one."""
        return [test.score for test in self.tests if test.score is not None]

    @property
    def mean(self) -> float | None:
        """The score of the dataset; None if no test has one."""
        return statistics.fmean(self.scores) if self.scores else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the mean.

        No scores between 0 and 1 vary more than zeros and ones of the same mean, so that it is
        conservative for them.
        """
        mean = self.mean
        return None if mean is None else wilson_interval(within(mean), len(self.scores))

    @property
    def holds(self) -> bool:
        """True if every test has the full score."""
        return all(test.score == 1 for test in self.tests)


@dataclass(frozen=True, slots=True)
class ConversationView:
    """The results of an agent."""

    agent: str
    details: Mapping[str, str]
    datasets: tuple[DatasetView, ...]
    origin: Origin = NOWHERE
    run: str = ""  # the name of the run
    span: int | None = None  # the memory span that was asked for, in tokens
    stats: Mapping[str, Any] = field(default_factory=dict)  # `runstats.json`
    label: str = ""  # what the run is called beside other runs
    totals: tuple[SetTotal, ...] = ()  # of a run over memory sets
    costs: Mapping[str, Any] = field(default_factory=dict)  # of one, as its `run.json` has them

    @property
    def model(self) -> str:
        """The name of the run on a page."""
        return self.label or self.agent

    @property
    def scored(self) -> list[DatasetView]:
        """The datasets that have a score."""
        return [dataset for dataset in self.datasets if dataset.mean is not None]

    @property
    def tests(self) -> list[TestView]:
        """All tests."""
        return [test for dataset in self.datasets for test in dataset.tests]

    @property
    def placed(self) -> list[tuple[int, float]]:
        """The distance and the score of each test that has both."""
        return [
            (test.tokens, test.score)
            for test in self.tests
            if test.tokens is not None and test.score is not None
        ]

    @property
    def total(self) -> float:
        """The sum of the means of all datasets."""
        return sum(dataset.mean or 0.0 for dataset in self.datasets)


def within(score: float) -> float:
    """A score between 0 and 1: those of older generations can be larger."""
    return min(max(score, 0.0), 1.0)


def told_apart(views: Sequence[ConversationView]) -> list[ConversationView]:
    """Runs with labels that differ: the agent, and what tells runs of one agent apart."""
    spans = {view.span for view in views}
    labels = [
        f"{view.agent}, memory span {view.span}" if len(spans) > 1 and view.span else view.agent
        for view in views
    ]
    facts = [{"run": view.run, "data": view.origin.data} for view in views]
    labels = names_apart(labels, facts, [""] * len(views), {"run": "", "data": ""})
    return [replace(view, label=label) for view, label in zip(views, labels, strict=True)]


def is_conversation(folder: Path) -> bool:
    """True if a folder holds a run of conversations, or one agent of such a run."""
    if (folder / "results").is_dir():
        return (folder / "definitions").is_dir() or not any(folder.glob("results/**/scores.json"))
    # Suites are often scored into a folder of this name, too.
    return without_links(folder).parent.name == "results" and not any(folder.glob("**/scores.json"))


def read_conversations(folder: Path, failed: Failed = raising) -> list[ConversationView]:
    """The agents of a run; only one if the folder is that of one agent.

    ``failed`` is called with each agent or result that cannot be read, and the error.
    """
    agents = []
    for agent in agents_of(folder):
        try:
            agents.append(_view(agent, failed))
        except Exception as error:
            failed(agent, error)
    agents = [view for view in agents if view.datasets]
    if not agents:
        raise ScoringError(f"{folder} has no results of conversations")
    return agents


def _view(agent: Path, failed: Failed) -> ConversationView:
    run = without_links(agent).parents[1]
    run_data = load_object(agent / "run.json")
    configs = (load_object(run / "definitions" / name) for name in CONFIGS)
    config = next(filter(None, configs), {})
    arguments = mapping(mapping(config.get("datasets")).get("args"))
    span = run_data.get("memory_span") or arguments.get("memory_span")
    span = span if isinstance(span, int) else None
    tests = _tests(agent, run, failed)
    record = _record(run, run_data)
    totals: tuple[SetTotal, ...] = ()
    if not tests and "sets" in run_data and record is not None:
        tests = questions_of(record)
        totals = totals_of(record)
    stats, totals_stated = load_object(agent / "runstats.json"), mapping(run_data.get("totals"))
    stats.pop("rnd_state", None)
    details = dict(_details({**run_data, **stats}))
    descriptions = {**_DESCRIPTIONS, **mapping(run_data.get("descriptions"))}
    datasets = tuple(
        DatasetView(
            name, tuple(sorted(members, key=lambda test: test.id)), str(descriptions.get(name, ""))
        )
        for name, members in sorted(tests.items())
    )
    return ConversationView(
        agent.name,
        details,
        datasets,
        _origin(agent, run, run_data, datasets),
        run=str(mapping(config.get("config")).get("run_name") or run.name),
        span=span,
        # The totals of a run over memory sets have other names.
        stats=stats
        or {name: totals_stated[key] for key, name in _TOTALS.items() if key in totals_stated},
        totals=totals,
        costs=mapping(run_data.get("costs")),
    )


def _tests(agent: Path, run: Path, failed: Failed) -> dict[str, list[TestView]]:
    """The tests of each dataset."""
    tests: dict[str, list[TestView]] = {}
    for path in sorted([*agent.glob("*/*.json"), *agent.glob(f"{UNSCORED}/*/*.json")]):
        try:
            test = _test(ResultFile(path, run))
            tests.setdefault(path.parent.name, []).append(test)
        except Exception as error:
            failed(path, error)
    return tests


def _details(data: Mapping[str, object], named: str = "") -> Iterator[tuple[str, str]]:
    """Names and values of what a run says about itself, but for what the page has elsewhere."""
    for key, value in data.items():
        if key in ELSEWHERE or value is None or value == []:
            continue
        name = f"{named}{key}"
        if isinstance(value, dict):
            yield from _details(value, f"{name} ")
        elif isinstance(value, list):
            yield name, ", ".join(map(spaced, value))
        else:
            yield name, f"{value:.6g}" if isinstance(value, float) else spaced(value)


def _origin(
    agent: Path, run: Path, run_data: Mapping[str, object], datasets: Iterable[DatasetView]
) -> Origin:
    """The origin of the results. The date is that of the first message."""
    days = (line.when[:10] for each in datasets for t in each.tests for line in t.lines[:1])
    return Origin(
        agent,
        _record(run, run_data),
        run.name,
        min(filter(_DAY.fullmatch, days), default=""),
        spaced(run_data.get("evalmark", "")),
    )


def _record(run: Path, run_data: Mapping[str, object]) -> Path | None:
    """The record of a run; its files are listed below the folder of the run."""
    names = [name for name in mapping(run_data.get("files")) if name.endswith(".json")]
    path = run / names[0] if names and ".." not in Path(names[0]).parts else None
    return path if path is not None and path.is_file() else None


def _test(file: ResultFile) -> TestView:
    test = file.test()
    data, definition = test.result, test.definition
    with file.understood():
        lines = tuple(map(read_line, data.get("task_log", data.get("lines", []))))
        scored = "score" in data
        stored = test.score if scored else None
        return TestView(
            id=file.id,
            score=stored,
            state="" if scored else str(data.get("state", "error")),
            automatic=float(data.get("auto_score", stored)) if test.by_hand else None,
            tokens=int(data.get("tokens", 0)),
            lines=lines,
            exchanges=tuple(_exchanges(data, definition, lines)),
            generation=GENERATIONS.get(str(format_of(definition)), 3),
        )


def _exchanges(
    data: Mapping[str, Any], definition: Mapping[str, Any], lines: tuple[Line, ...]
) -> Iterator[AskedQuestion]:
    """Questions and answers. A question is the line before the reply that was stored."""
    responses = data.get("actual_responses", data.get("responses", []))
    expected = definition.get("expected_responses") or data.get(
        "expected_responses", data.get("expected", [])
    )
    reasons = data.get("reasoning", data.get("why", []))
    at = 0
    for index, response in enumerate(responses):
        places = (i for i in range(at, len(lines)) if lines[i].who == "Agent")
        place = next((i for i in places if lines[i].text == response), None)
        question = lines[place - 1].text if place else ""
        at = place + 1 if place is not None else at
        last = index == len(responses) - 1
        answers = expected if len(responses) == 1 else expected[index : index + 1]
        why = reasons[index:] if last else reasons[index : index + 1]
        yield AskedQuestion(
            question, ", ".join(map(spaced, answers)), response, "\n".join(map(spaced, why))
        )
