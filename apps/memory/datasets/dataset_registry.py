"""Sources of tests: datasets of evalmark, definition files, classes of users."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evalmark.converters.conversion_formats import DEFINITIONS, conversion_format_of
from evalmark.converters.convert_document import convert_data
from evalmark.memory.datasets.builtin_datasets import (
    Colours,
    DelayedRecall,
    ProspectiveMemory,
    Restaurant,
)
from evalmark.memory.datasets.defined_datasets import DEFINED, Defined
from evalmark.memory.datasets.ltm_configuration import (
    Configuration,
    configuration_beside,
    home_of,
    is_configuration,
    read_configuration,
)
from evalmark.memory.datasets.named_benchmarks import benchmark_names
from evalmark.memory.evaluation.llm_judge import Ask
from evalmark.memory.interface.dataset_files import definition_path
from evalmark.memory.interface.dataset_interface import (
    DatasetInterface,
    DynamicDataset,
    DynamicExample,
    TestExample,
)
from evalmark.memory.interface.user_code import (
    at,
    defined_at,
    named_class,
    place_of,
    require_signature,
    said_of,
    short,
    takes_arguments,
)
from evalmark.schemas.errors import (
    AgentRefused,
    ConversionError,
    NotJudged,
    ScoringError,
    UnknownNameError,
)
from evalmark.validator.checker import Checker
from evalmark.validator.findings.unusable import Failed, broken_by, raising, require_usable
from evalmark.validator.formats.ltm.ltm_run import DATASET_NAMES
from evalmark.validator.reading.reading import read_file


def require_methods(dataset: DatasetInterface) -> None:
    """Accept a dataset only if its methods can be called; a ScoringError says what to write."""
    require_signature(dataset, DatasetInterface.generate_examples, 0, 1)
    for method in (
        DatasetInterface.evaluate_correct,
        DatasetInterface.continual_evaluation_callback,
        DatasetInterface.create_question,
    ):
        require_signature(dataset, method)


def require_tests(dataset: DatasetInterface, tests: Sequence[object]) -> None:
    """Accept what ``generate_examples`` returned only if these are tests, and each is an object.

    A ScoringError says where the method is.
    """
    made = defined_at(dataset.generate_examples)
    title = f"{type(dataset).__name__}.generate_examples"
    places: dict[int, int] = {}
    if not tests:
        raise ScoringError(at(f"{title} returned no examples", made))
    for number, test in enumerate(tests):
        if not isinstance(test, TestExample):
            message = f"{title} returned something other than tests: {short(test)}"
            raise ScoringError(at(message, made))
        first = places.setdefault(id(test), number)
        if first != number:
            message = (
                f"{title} returned one object as tests {first} and {number}; make one for each"
            )
            raise ScoringError(at(message, made))
        require_signature(test, TestExample.action_iter)
        try:
            test.require_texts()
        except ScoringError as error:
            raise ScoringError(at(str(error), made)) from error
        if not (any(test.is_question) or isinstance(test, DynamicExample)):
            raise ScoringError(at(f"{title} returned a test without a question: {number}", made))


def require_writable(test: TestExample) -> None:
    """Accept a test only if its definition can be written; else a ScoringError."""
    definition_path("", test.dataset_name, test.example_id)
    try:
        json.dumps(test.definition())
        if not isinstance(test, DynamicExample):
            list(test.expected_responses or [])
    except (TypeError, ValueError, RecursionError) as error:
        made = defined_at(test.dataset_generator.generate_examples)
        message = f"{test.unique_id} cannot be written as JSON: {said_of(error)}"
        raise ScoringError(at(message, made)) from error


#: Key in configurations → dataset that evalmark makes.
DATASETS: dict[str, type[DatasetInterface]] = {
    "colours": Colours,
    "delayed_recall": DelayedRecall,
    "prospective_memory": ProspectiveMemory,
    "restaurant": Restaurant,
}
#: Keys of the datasets that are made without a judge.
GENERATED = sorted(DATASETS.keys() - {"delayed_recall"})
#: Name of a dataset → its key.
KEYS = {name: key for key, name in DATASET_NAMES.items()}


_CALLBACK = "continual_evaluation_callback"


@dataclass(frozen=True, slots=True)
class Choice:
    """Settings of tests that are made."""

    examples: int = 3  # number of tests of each dataset that is generated
    memory_span: int = 2000  # number of tokens over which a test is spread
    seed: int = 0  # the same seed makes the same tests
    ask: Ask | None = None  # how datasets ask the judge; None: there is no judge
    #: Called with the dollars that a dataset has spent by itself.
    cost: Callable[[float], object] | None = None
    time_only: bool = True  # whether waits only advance the clock; then percentages have no effect
    #: Tokens between two messages of a generated test (least, most, and before a question), in lieu
    #: of a memory span.
    filler: tuple[int, int, int] | None = None


def require_targets(targets: list[str]) -> None:
    """Accept only targets that name something, before anything is made for them.

    Raises UnknownNameError if one names nothing.
    """
    names = ("all", *benchmark_names(), *DATASETS)
    for target in targets:
        if not (target in names or ":" in target or Path(target).exists()):
            raise UnknownNameError("file, module:Class or dataset", target, names)


def may_ask_judge(targets: list[str]) -> bool:
    """True if targets name tests that are not known to be scored by rules."""
    return not {*targets} <= {"all", *GENERATED}


def dataset_names(targets: list[str]) -> list[str]:
    """The names of the datasets that targets name; none if a class is among them, which says it."""
    names: list[str] = []
    for source, _ in _sources(targets, Choice(), []):
        if source not in DATASETS and not Path(source).exists():
            return []
        kind = DATASETS.get(source)
        names += names_of(kind.name if kind else Path(source).parent.name)
    return names


def names_of(dataset: str) -> tuple[str, ...]:
    """The names of a dataset: its own, and its key in configurations."""
    return (dataset, KEYS[dataset]) if dataset in KEYS else (dataset,)


def load_sources(
    targets: list[str],
    choice: Choice,
    failed: Failed = raising,
    only: Collection[str] | None = None,
    taken: Collection[str] = (),
) -> tuple[dict[str, list[TestExample]], list[str]]:
    """The tests of each definition file, dataset and class that targets name, and what was skipped.

    Targets are as in ``converse``. ``failed`` is called with each source that cannot be used, and
    why; the others are loaded. By default, the first such source is an error. ``only`` has the
    sources to load, all if None; ``taken`` has names that tests cannot have.

    Raises:
        UnknownNameError: A target names nothing.
        ScoringError: A definition or a dataset is wrong, or two tests have the same name.
        NotJudged: A judge has to write tests, and there is none.
        OSError: A file cannot be read.
    """
    require_targets(targets)
    sources: dict[str, list[TestExample]] = {}
    notes: list[str] = []
    names = set(taken)
    for source, load in _sources(targets, choice, notes):
        if only is not None and source not in only:
            continue
        try:
            loaded = load()
            new: set[str] = set()
            for test in loaded:
                if test.unique_id in names | new:
                    made = defined_at(test.dataset_generator.generate_examples)
                    raise ScoringError(at(f"two tests have the name {test.unique_id!r}", made))
                new.add(test.unique_id)
            names |= new
            sources.setdefault(source, []).extend(loaded)
        except AgentRefused:
            raise
        except Exception as error:
            failed(source, broken_by(error, source))
    counts = Counter(notes)
    several = {note: f" ({count} tests)" if count > 1 else "" for note, count in counts.items()}
    return sources, [note + count for note, count in several.items()]


def _sources(targets: list[str], choice: Choice, notes: list[str]) -> Iterator[_Source]:
    beside = cache(configuration_beside)
    for target in targets:
        if target == "all":
            yield from ((key, partial(_generated, DATASETS[key], choice)) for key in GENERATED)
        elif is_configuration(target):
            yield from _configured(read_configuration(Path(target)), choice, notes)
        elif target in DATASETS:
            yield target, partial(_generated, DATASETS[target], choice)
        elif Path(target).is_dir():
            paths = sorted(Path(target).rglob("*.def.json"))
            if not paths:
                yield target, partial(_refuse, f"{target} has no definitions (*.def.json)")
            yield from _sources_beside(beside(Path(target)), paths, choice, notes)
        elif Path(target).exists():
            path = Path(target)
            yield from _sources_beside(beside(home_of(path)), [path], choice, notes)
        else:
            yield target, partial(_generated_by_class, target, choice)


def _sources_beside(
    configuration: Configuration | None, paths: Sequence[Path], choice: Choice, notes: list[str]
) -> Iterator[_Source]:
    datasets = configuration.datasets if configuration else ()
    spans = {dataset.name: dataset.memory_span for dataset in datasets}
    for path in paths:
        span = spans.get(path.parent.name) or choice.memory_span
        yield str(path), partial(_defined_tests, path, replace(choice, memory_span=span), notes)


def _configured(
    configuration: Configuration, choice: Choice, notes: list[str]
) -> Iterator[_Source]:
    generated: list[str] = []
    dynamic: list[str] = []
    for dataset in configuration.datasets:
        kind = DATASETS.get(dataset.key)
        dataset_choice = replace(
            choice,  # the dataset's own come first
            examples=dataset.examples or choice.examples,
            memory_span=dataset.memory_span or choice.memory_span,
            seed=choice.seed if dataset.seed is None else dataset.seed,
            filler=configuration.filler,
        )
        is_dynamic = kind is not None and issubclass(kind, DynamicDataset)  # without a script
        if dataset.definitions and not is_dynamic:
            paths = dataset.definitions[: dataset_choice.examples]
            yield from (
                (str(path), partial(_defined_tests, path, dataset_choice, notes)) for path in paths
            )
        elif kind is None:
            why = f"{dataset.key}: evalmark does not make these tests; it runs definitions of them"
            yield (
                dataset.key,
                partial(_refuse, f"{why} next to the configuration ({dataset.name}/)"),
            )
        else:
            (dynamic if is_dynamic else generated).append(dataset.name)
            yield dataset.key, partial(_generated, kind, dataset_choice, dataset.arguments)
    if names := ", ".join(generated + dynamic):
        notes.append(f"evalmark's own tests, not the benchmark's: {names}")
    if generated:
        notes.append("definitions next to the configuration (<dataset>/*.def.json) are run instead")
    if configuration.filler and not choice.time_only:
        span = f"it is taken to be {choice.memory_span} tokens"
        notes.append(f"{configuration.path.name} states no memory span; {span}")


#: The name of a file, dataset or class, and what loads its tests.
_Source = tuple[str, Callable[[], list[TestExample]]]


def _refuse(message: str) -> list[TestExample]:
    raise ScoringError(message)


def _generated_by_class(target: str, choice: Choice) -> list[TestExample]:
    return _generated(_named_class(target), choice)


def _generated(
    kind: type[DatasetInterface],
    choice: Choice,
    arguments: Mapping[str, Any] = MappingProxyType({}),
) -> list[TestExample]:
    if not (kind.implements("evaluate_correct") or kind.implements(_CALLBACK)):
        why = f"{kind.__name__} scores nothing: define `evaluate_correct` or `{_CALLBACK}`"
        raise ScoringError(at(why, defined_at(kind)))
    try:
        dataset = _dataset(kind, choice)
        for key, value in arguments.items():
            setattr(dataset, key, value)
        require_methods(dataset)
        # A class may decide how many tests there are.
        count = [choice.examples] if takes_arguments(dataset.generate_examples, 1) else []
        tests = list(dataset.generate_examples(*count))
    except NotJudged as error:
        raise NotJudged(f"{kind.__name__} needs a judge to write its tests") from error
    except AgentRefused:
        raise
    except ScoringError as error:
        raise ScoringError(at(str(error), place_of(error)), argument=error.argument) from error
    except (Exception, SystemExit) as error:  # code of users
        failed = f"{kind.__name__}.generate_examples failed: {said_of(error)}"
        raise ScoringError(at(failed, "" if place_of(error) else defined_at(kind))) from error
    require_tests(dataset, tests)
    for number, test in enumerate(tests):
        test.example_id = str(test.example_id or number)
        if test.script and choice.filler:
            test.waits = list(_filler_waits(test, *choice.filler))
        elif test.script:
            test.default_waits(choice.memory_span)
        require_writable(test)
    return tests


def _filler_waits(test: TestExample, low: int, high: int, before: int) -> Iterator[dict[str, Any]]:
    """Waits for talk after each message, as benchmarks without memory spans have them."""
    waits = [*test.waits, *[{}] * len(test.is_question)]
    for asks, wait in zip(test.is_question[1:], waits, strict=False):
        tokens = before if asks else test.dataset_generator.random.randint(low, high)
        yield {"tokens": tokens, **{key: wait[key] for key in wait if key == "time"}}
    yield {}


def _dataset(kind: type[DatasetInterface], choice: Choice, **rest: Any) -> DatasetInterface:
    dataset = kind(**rest)
    dataset.seed = dataset.seed or choice.seed
    dataset.memory_span = dataset.memory_span or choice.memory_span
    dataset.ask = choice.ask
    dataset.cost_callback = choice.cost
    return dataset


def _named_class(target: str) -> type[DatasetInterface]:
    kind = named_class(target)
    if not (isinstance(kind, type) and issubclass(kind, DatasetInterface)):
        raise ScoringError(f"{target} is not a class that inherits from DatasetInterface")
    return kind


def _defined_tests(path: Path, choice: Choice, notes: list[str]) -> list[TestExample]:
    """The test of a definition file, if it has one; its folder has the name of the dataset."""
    require_usable(Checker().file(path))
    reading = read_file(path)
    if conversion_format_of(reading.data) not in DEFINITIONS:
        raise ScoringError(f"{path}: not an LTM definition")
    data = _current(reading.data, path, choice, notes)
    name = path.parent.name
    kind = DATASETS.get(KEYS.get(name, "")) or DEFINED.get(name)
    dataset = _dataset(kind, choice) if kind else _dataset(Defined, choice, name=name)
    identity = path.name.removesuffix(".def.json")
    if not data["script"]:
        notes.append(f"skipped: a dynamic test of {name}, whose definition has no script")
        return []
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
    return [test]


def _current(data: dict[str, Any], path: Path, choice: Choice, notes: list[str]) -> dict[str, Any]:
    try:
        current: dict[str, Any] = convert_data(data, to="ltm-definition-3").data
    except ConversionError as error:
        if not choice.time_only or "waits" not in data:
            raise ScoringError(f"{path}: {error}", argument="mode") from error
        notes.append("percentage waits of generation 2 count tests, not tokens; they are ignored")
        kept = [{k: v for k, v in w.items() if v and k == "time"} for w in data["waits"]]
        return {**data, "waits": kept}
    return current
