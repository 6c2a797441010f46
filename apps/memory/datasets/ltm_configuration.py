"""Configurations of the LTM benchmark: what they ask for, and what of it cannot be done.

- Definitions beside the file (``Colours/0.def.json``, as in the ``definitions`` of a published run)
  are run as they are. Other tests are evalmark's own, and their texts are not those of the
  benchmark.
- The mode is ``interleaved``, as in the benchmark, unless it says ``isolated: true``.
- Configurations of generations 1 and 2 state tokens of talk between two messages instead of a
  memory span. Generated tests wait for them.
- Tests that evalmark does not make and that have no definition are named in a sentence. The exit
  code is then 2.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import UsageError
from evalmark.validator.checker import Checker
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.findings.unusable import require_usable
from evalmark.validator.formats.builtin import format_of
from evalmark.validator.formats.ltm.ltm_format import CONFIG
from evalmark.validator.formats.ltm.ltm_run import DATASET_NAMES
from evalmark.validator.io.paths import without_links
from evalmark.validator.reading.reading import read_file

_SUFFIXES = (".yml", ".yaml", ".json")


@dataclass(frozen=True, slots=True)
class ConfiguredDataset:
    """A dataset of a configuration."""

    key: str  # its key
    #: Its definitions beside the configuration; they are run as they are.
    definitions: tuple[Path, ...]
    examples: int | None  # how many tests it is to have, if not as many as the others
    memory_span: int | None  # its memory span, if not that of the others
    seed: int | None  # its seed, if not that of the others
    arguments: Mapping[str, Any]  # other arguments

    @property
    def name(self) -> str:
        """Its name, which is that of its folders."""
        return DATASET_NAMES[self.key]


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration."""

    path: Path  # its file
    mode: str | None  # how tests are run, if it says so
    examples: int  # tests of each dataset
    memory_span: int | None  # tokens over which a test is spread; None before generation 3
    #: Tokens of talk between two messages: least, most, and before a question. None in generation
    #: 3.
    filler: tuple[int, int, int] | None
    seed: int | None  # seed of generated tests, if it says so
    #: Names of datasets whose tests never run at the same time; None if unsaid.
    incompatible: tuple[frozenset[str], ...] | None
    datasets: tuple[ConfiguredDataset, ...] = field(repr=False)  # its datasets


def is_configuration(target: str) -> bool:
    """True if a target is a configuration, by its content."""
    path = Path(target)
    if path.suffix not in _SUFFIXES or not path.is_file():
        return False
    reading = read_file(path)
    if not reading.readable:
        return False
    return format_of(reading.data) is CONFIG


def read_configuration(path: Path) -> Configuration:
    """A configuration of any generation; BrokenFile if ``evalmark check`` finds errors in it."""
    require_usable(Checker().file(path))
    data: dict[str, Any] = read_file(path).data
    run, shared = data["config"], data["datasets"]["args"]
    modes = {True: "isolated", False: "interleaved", None: None}
    apart = run.get("incompatibilities")
    return Configuration(
        path,
        modes[run.get("isolated")],
        shared["dataset_examples"],
        shared.get("memory_span"),
        _filler(shared),
        shared.get("seed"),
        apart and tuple(frozenset(DATASET_NAMES[key] for key in keys) for keys in apart),
        tuple(_dataset(path, entry) for entry in data["datasets"]["datasets"]),
    )


def _filler(shared: Mapping[str, Any]) -> tuple[int, int, int] | None:
    if "pre_question_filler" not in shared:
        return None
    same = shared.get("filler_tokens", 0)
    low, high = shared.get("filler_tokens_low", same), shared.get("filler_tokens_high", same)
    return low, high, shared["pre_question_filler"]


def _dataset(path: Path, entry: Mapping[str, Any]) -> ConfiguredDataset:
    name, arguments = DATASET_NAMES[entry["name"]], dict(entry.get("args") or {})
    folders = path.parent / name, path.parent / "definitions" / name
    paths = next(filter(None, (sorted(folder.glob("*.def.json")) for folder in folders)), [])
    return ConfiguredDataset(
        entry["name"],
        tuple(paths),
        arguments.pop("dataset_examples", None),
        arguments.pop("memory_span", None),
        arguments.pop("seed", None),
        arguments,
    )


def configuration_of(targets: Sequence[str]) -> Configuration | None:
    """The configuration that targets name; None if they name none.

    Raises UsageError if they name something else as well.
    """
    configurations = [target for target in targets if is_configuration(target)]
    if configurations and len(targets) > 1:
        raise UsageError(
            f"{configurations[0]} is a configuration, which describes a whole run: name it alone"
        )
    return read_configuration(Path(configurations[0])) if configurations else None


def configuration_beside(folder: Path) -> Configuration | None:
    """The configuration in a folder of definitions, or around it: it has their memory span."""
    around = without_links(folder).parents
    is_inner = bool(around) and around[0].name == "definitions"
    for place in (folder, *around[: 2 if is_inner else 1]):
        for file in (place / f"config{suffix}" for suffix in _SUFFIXES):
            is_broken = place == folder and file.is_file() and not read_file(file).readable
            if is_broken or is_configuration(str(file)):
                return read_configuration(file)
    return None


def span_beside(targets: Sequence[str]) -> int | None:
    """The memory span that is configured beside the definitions among targets.

    Raises UsageError if there are several.
    """
    folders = dict.fromkeys(map(home_of, map(Path, filter(os.path.exists, targets))))
    found = filter(None, map(configuration_beside, folders))
    spans = {config.memory_span: config.path for config in found if config.memory_span}
    if len(spans) > 1:
        stated = listed(f"{span} ({path})" for span, path in spans.items())
        raise UsageError(f"several memory spans: {stated}; a run has one")
    return next(iter(spans), None)


def home_of(definitions: Path) -> Path:
    """The folder of definitions, or of a single one."""
    return definitions if definitions.is_dir() else definitions.parent
