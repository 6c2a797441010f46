"""Checkpoints of one training: folders that a trainer saved, or revisions on the hub.

A checkpoint is a model of its own with a name that every part of the program takes: the path of its
folder (``runs/gpt/checkpoint-500``), or the name on the hub with a revision
(``lab/model@step1000``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.paths import without_links

_WORDS = "checkpoint|chck|ckpt|step|epoch|iter"
#: The name of a folder with a checkpoint.
_FOLDER = re.compile(rf"(?:global_)?(?:{_WORDS})[-_]?\d[\w.-]*", re.ASCII)
#: A number of steps in the name of a checkpoint; ``chck_10M`` is after ten million words.
_STEP = re.compile(rf"(?:^|(?<![a-z])(?:{_WORDS})[-_]?)(\d+)([KMB]?)(?![A-Za-z0-9])", re.ASCII)
_NUMBER = re.compile(r"(\D*)(\d+)(?:([KMB])(?![A-Za-z0-9]))?", re.ASCII)
_TIMES = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9}
#: Between the name of a model on the hub and a revision.
AT = "@"
#: A file that a folder with a model or an adapter has.
MODEL_FILES = ("config.json", "adapter_config.json")
#: Checkpoints that a message names.
_NAMED = 4


def step_of(name: str) -> int | None:
    """The number of steps in the name of a checkpoint, None if there is none.

    The unit is that of whoever named it: steps of an optimizer, words or epochs.
    """
    match = _STEP.search(name)
    return int(match[1]) * _TIMES[match[2]] if match else None


def in_order(names: Iterable[str]) -> list[str]:
    """Distinct names of checkpoints in the order of their numbers; those without a step are last.

    >>> in_order(["main", "chck_1B", "chck_20M", "chck_3M"])
    ['chck_3M', 'chck_20M', 'chck_1B', 'main']
    """
    return sorted(set(names), key=_place)


def _place(name: str) -> tuple[bool, list[tuple[str, int]], str]:
    parts = [(text, int(digits) * _TIMES[unit]) for text, digits, unit in _NUMBER.findall(name)]
    return step_of(name) is None, parts, name


def is_checkpoint(folder: Path) -> bool:
    """True for a folder that has the name of a checkpoint, inside a folder with a name."""
    real = without_links(folder)
    return bool(_FOLDER.fullmatch(real.name) and real.parent.name)


def checkpoints_in(folder: Path) -> list[str]:
    """The names of the checkpoints in a folder, in order. Links out of the folder do not count."""
    if not folder.is_dir():
        return []
    home = without_links(folder)
    return in_order(
        path.name
        for path in folder.iterdir()
        if _FOLDER.fullmatch(path.name)
        and without_links(path).is_relative_to(home)
        and any((path / name).is_file() for name in MODEL_FILES)
    )


def has_model(folder: Path) -> bool:
    """True for a folder that has a model or an adapter itself."""
    return any((folder / name).is_file() for name in MODEL_FILES)


def first_and_last(names: Sequence[str]) -> str:
    """Some names, or the first and the last of many."""
    return ", ".join(names) if len(names) <= _NAMED else f"{names[0]} … {names[-1]}"


def with_checkpoints(models: Iterable[str], revision: str | None) -> list[str]:
    """The models of a call: each of them, or its checkpoints in order.

    A folder that only has checkpoints is all of them. ``revision`` has names with commas between
    them, in which ``*`` and ``?`` are wildcards: of revisions on the hub, or of checkpoints in a
    folder.

    Raises:
        ScoringError: A model has no such checkpoint.
    """
    patterns = [name for name in map(str.strip, (revision or "").split(",")) if name]
    if revision is not None and not patterns:
        raise ScoringError(f"{revision!r} names no revision")
    return [name for model in models for name in _expanded(model, patterns)]


def _expanded(model: str, patterns: Sequence[str]) -> Iterator[str]:
    folder = Path(model)
    if not folder.is_dir():
        yield from _on_the_hub(model, patterns) if patterns else [model]
        return
    names = checkpoints_in(folder)
    if not patterns and (has_model(folder) or not names):
        yield model
        return
    if patterns and not names:
        raise ScoringError(
            f"revision {patterns[0]!r} is of a model on the hub; {model!r} is a folder without "
            "checkpoints",
            argument="revision",
        )
    chosen = _matching(model, names, patterns) if patterns else names
    yield from (str(folder / name) for name in chosen)


def _on_the_hub(model: str, patterns: Sequence[str]) -> list[str]:
    names: Sequence[str] = ()
    if any(map(_has_wildcard, patterns)):
        from huggingface_hub import list_repo_refs

        try:
            refs = list_repo_refs(model)
        except Exception as error:  # whatever the library and its client raise
            first = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise ScoringError(f"the revisions of {model!r} cannot be listed: {first}") from error
        names = [ref.name for ref in (*refs.branches, *refs.tags)]
    return [f"{model}{AT}{name}" for name in _matching(model, names, patterns)]


def _matching(model: str, names: Sequence[str], patterns: Sequence[str]) -> list[str]:
    """The names that fit a pattern. One without wildcards stands for itself on the hub."""
    chosen: list[str] = []
    is_folder = Path(model).is_dir()
    for pattern in patterns:
        literal = not is_folder and not _has_wildcard(pattern)
        fitting = [pattern] if literal else [n for n in names if fnmatchcase(n, pattern)]
        if not fitting:
            kind = "checkpoint" if is_folder else "revision"
            raise ScoringError(f"{model!r} has no {kind} {pattern!r}, but {first_and_last(names)}")
        chosen += fitting
    return in_order(chosen)


def _has_wildcard(pattern: str) -> bool:
    return any(character in pattern for character in "*?[")


def notes_on(models: Iterable[str], revision: str | None) -> Iterator[str]:
    """Notes on the folders of a call that have checkpoints, if none were chosen."""
    for model in models if revision is None else ():
        if names := checkpoints_in(Path(model)):
            count = f"{len(names)} checkpoint{'s'[: len(names) - 1]}"
            if has_model(Path(model)):
                yield f"{model} also has {count}; revision '*' scores them instead"
            else:
                yield f"{model} is a folder of {count}: {first_and_last(names)}"
