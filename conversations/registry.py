"""Where tests come from: datasets of evalmark, definition files, classes of users."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from evalmark.conversations.datasets.directions import LocationsDirections
from evalmark.conversations.datasets.facts import Colours, KeyValue, NameList, Names
from evalmark.conversations.datasets.prospective import ProspectiveMemory
from evalmark.conversations.datasets.recall import ChapterBreak, DelayedRecall, Judged
from evalmark.conversations.datasets.restaurant import Restaurant
from evalmark.conversations.datasets.shopping import Shopping
from evalmark.conversations.datasets.spies import SpyMeeting
from evalmark.conversations.datasets.stories import Jokes, SallyAnne
from evalmark.conversations.datasets.triggers import TriggerResponse
from evalmark.conversations.interface.dynamic import DynamicDataset
from evalmark.conversations.interface.interface import Ask, DatasetInterface, TestExample
from evalmark.converters.convert import convert_data
from evalmark.converters.formats import DEFINITIONS, format_of
from evalmark.schemas.errors import (
    PLEASE_REPORT,
    ConversionError,
    EvalmarkError,
    NotJudged,
    ScoringError,
    UnknownNameError,
    failure,
)
from evalmark.validator.check import check_data
from evalmark.validator.findings.severity import Severity
from evalmark.validator.reading.reading import read_file

#: Key in configurations → dataset.
DATASETS: dict[str, type[DatasetInterface]] = {
    "names": Names,
    "colours": Colours,
    "shopping": Shopping,
    "locations_directions": LocationsDirections,
    "sallyanne": SallyAnne,
    "name_list": NameList,
    "jokes": Jokes,
    "kv": KeyValue,
    "chapterbreak": ChapterBreak,
    "delayed_recall": DelayedRecall,
    "prospective_memory": ProspectiveMemory,
    "trigger_response": TriggerResponse,
    "restaurant": Restaurant,
    "spy_meeting": SpyMeeting,
}
#: Keys of the datasets that are generated without a judge.
GENERATED = sorted(DATASETS.keys() - {"chapterbreak", "delayed_recall", "locations_directions"})


_CALLBACK = "continual_evaluation_callback"


@dataclass(frozen=True, slots=True)
class Choice:
    """How tests are made.

    Attributes:
        examples: Number of tests of each dataset that is generated.
        memory_span: Number of tokens over which a test is spread.
        seed: The same seed makes the same tests.
        ask: How datasets ask the judge; None: there is no judge.
        time_only: Whether waits only advance the clock; then percentages have no effect.
    """

    examples: int = 3
    memory_span: int = 2000
    seed: int = 0
    ask: Ask | None = None
    time_only: bool = True


def require_targets(targets: list[str]) -> None:
    """Accept only targets that name something, before anything is made for them.

    Raises:
        UnknownNameError: A target names nothing.
    """
    known = ("all", *DATASETS)
    for target in targets:
        if not (target in known or ":" in target or Path(target).exists()):
            raise UnknownNameError("file, module:Class or dataset", target, known)


def load_tests(targets: list[str], choice: Choice) -> tuple[list[TestExample], list[str]]:
    """The tests that targets name, and notes on what was skipped.

    Args:
        targets: Keys of datasets, ``all``, ``module:Class``, definition files, or folders of them.
        choice: How tests are made.

    Raises:
        UnknownNameError: A target names nothing.
        ScoringError: A definition or a dataset is wrong.
        NotJudged: A judge has to write tests, and there is none.
        OSError: A file cannot be read.
    """
    require_targets(targets)
    tests: list[TestExample] = []
    notes: list[str] = []
    for target in targets:
        if target == "all":
            for key in GENERATED:
                tests += _generated(DATASETS[key], choice)
        elif target in DATASETS:
            tests += _generated(DATASETS[target], choice)
        elif Path(target).exists():
            for path in _definitions(Path(target)):
                tests += _defined_in(path, choice, notes)
        else:
            tests += _generated(_named_class(target), choice)
    seen: set[str] = set()
    for test in tests:
        if test.unique_id in seen:
            raise ScoringError(f"two tests have the name {test.unique_id!r}")
        seen.add(test.unique_id)
    return tests, list(dict.fromkeys(notes))


def _generated(kind: type[DatasetInterface], choice: Choice) -> list[TestExample]:
    if not (kind.implements("evaluate_correct") or kind.implements(_CALLBACK)):
        raise ScoringError(
            f"{kind.__name__} scores nothing: define `evaluate_correct` or `{_CALLBACK}`"
        )
    try:
        dataset = _dataset(kind, choice)
        tests = _made(dataset, choice.examples)
    except ScoringError:
        raise
    except NotJudged as error:
        raise NotJudged(f"{kind.__name__} needs a judge to write its tests") from error
    except Exception as error:  # code of users
        raise ScoringError(f"{kind.__name__}.generate_examples failed: {error!r}") from error
    if not all(isinstance(test, TestExample) for test in tests):
        raise ScoringError(f"{kind.__name__}.generate_examples returned something other than tests")
    for number, test in enumerate(tests):
        test.example_id = test.example_id or str(number)
        if test.script:
            test.default_waits(choice.memory_span)
    return tests


def _made(dataset: DatasetInterface, count: int) -> list[TestExample]:
    """The tests of a dataset, whose class may decide how many there are."""
    try:
        inspect.signature(dataset.generate_examples).bind(count)
    except TypeError:
        return list(dataset.generate_examples())
    return list(dataset.generate_examples(count))


def _dataset(kind: type[DatasetInterface], choice: Choice, **rest: Any) -> DatasetInterface:
    dataset = kind(**rest)
    dataset.seed = dataset.seed or choice.seed
    dataset.memory_span = dataset.memory_span or choice.memory_span
    dataset.ask = choice.ask
    return dataset


def _named_class(target: str) -> type[DatasetInterface]:
    """A class of a user."""
    module, _, name = target.partition(":")
    try:
        found = getattr(import_module(module), name)
    except Exception as error:  # code of users
        raise ScoringError(f"{target}: {type(error).__name__}: {error}") from error
    if not (isinstance(found, type) and issubclass(found, DatasetInterface)):
        raise ScoringError(f"{target} is not a class that inherits from DatasetInterface")
    return found


def _definitions(target: Path) -> list[Path]:
    found = [target] if target.is_file() else sorted(target.rglob("*.def.json"))
    if not found:
        raise ScoringError(f"{target} has no definitions (*.def.json)")
    return found


def _defined_in(path: Path, choice: Choice, notes: list[str]) -> list[TestExample]:
    """The test of a definition file, if it has one; a bug of ours names the file."""
    try:
        test = _defined(path, choice, notes)
    except (EvalmarkError, OSError):
        raise
    except Exception as error:
        raise ScoringError(f"{path}: F099 {failure(error)}; {PLEASE_REPORT}") from error
    return [test] if test else []


def _defined(path: Path, choice: Choice, notes: list[str]) -> TestExample | None:
    """The test of a definition file; its folder has the name of the dataset."""
    reading = read_file(path)
    form, findings = None, tuple(reading.findings)
    if reading.readable:
        form = format_of(reading.data)
        findings = check_data(reading.data, path=str(path)).findings
    wrong = [finding for finding in findings if finding.severity is Severity.ERROR]
    if wrong or form not in DEFINITIONS:
        what = f"{wrong[0].code} {wrong[0].message}" if wrong else "not an LTM definition"
        raise ScoringError(f"{path}: {what}")
    data = _current(reading.data, path, choice, notes)
    name = path.parent.name
    kind = next((entry for entry in DATASETS.values() if entry.name == name), None)
    dataset = _dataset(kind, choice) if kind else _dataset(Judged, choice, name=name)
    identity = path.name.removesuffix(".def.json")
    if not data["script"]:
        notes.append("dynamic tests of published runs have no script; they are skipped")
        return None
    if isinstance(dataset, DynamicDataset):
        raise ScoringError(f"{path}: {name} is dynamic, but the definition has a script")
    test = TestExample(
        dataset,
        list(data["script"]),
        data["expected_responses"],
        can_be_interleaved=data["can_be_interleaved"],
        uses_callback=data["uses_callback"],
        is_temporal=data["is_temporal"],
        example_id=identity,
        is_question=list(data["is_question"]),
        waits=[dict(wait) for wait in data["waits"]],
    )
    test.default_waits(choice.memory_span)
    return test


def _current(data: dict[str, Any], path: Path, choice: Choice, notes: list[str]) -> dict[str, Any]:
    """A definition of any generation, in the form of the third."""
    try:
        current: dict[str, Any] = convert_data(data, to="ltm-definition-3").data
    except ConversionError as error:
        if not choice.time_only or "waits" not in data:
            raise ScoringError(f"{path}: {error}") from error
        notes.append("percentage waits of generation 2 count tests, not tokens; they are ignored")
        kept = [{k: v for k, v in w.items() if v and k == "time"} for w in data["waits"]]
        return {**data, "waits": kept}
    return current
