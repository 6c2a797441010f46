"""What to add to a metric that lacks what its type of score demands, or the type itself."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from evalmark.validator.reading.pointer import parse_pointer

#: Key of a bound -> which score it is.
BOUNDS = {"min_score": "lowest possible", "max_score": "highest possible"}
_LEVELS = ("level_names", "has_unknown_level")


def score_beside(data: Any, pointer: str) -> float:
    """The score that the metric at a pointer is about; 0 if it has none."""
    node = data
    for token in parse_pointer(pointer)[:-1]:
        node = node[int(token)] if isinstance(node, list) else node[token]
    details = node.get("score_details") if isinstance(node, Mapping) else None
    score = details.get("score") if isinstance(details, Mapping) else None
    if not isinstance(score, int | float) or isinstance(score, bool):
        return 0
    return score if abs(score) < 1e15 else 0


def demanded(metric: Mapping[str, Any], keys: list[str], score: float) -> tuple[str, ...]:
    """What to add for keys that the type of a score demands; nothing for other keys."""
    if set(keys) <= BOUNDS.keys():
        which = f"that is the {BOUNDS[keys[0]]} score"
        which = "those are the lowest and highest possible scores" if len(keys) > 1 else which
        return (f"add {_members(keys, score)}, if {which}",)
    if not set(keys) <= set(_LEVELS):
        return ()
    if (score < 0 and score != -1) or score != int(score) or score > 20:
        absent = [key for key in BOUNDS if key not in metric]
        more = f", {_members(absent, score)}" if absent else ""
        return (f'the score is not a level number; write "score_type": "continuous"{more}',)
    names = json.dumps([f"level {number}" for number in range(max(2, int(score) + 1))])
    members = {"level_names": names, "has_unknown_level": json.dumps(score == -1)}
    text = ", ".join(f'"{key}": {members[key]}' for key in keys)
    why = ", with the names of the levels from lowest to highest" if "level_names" in keys else ""
    return (f"add {text}{why}",)


def type_of_score(metric: Mapping[str, Any], score: float) -> str:
    """The type to add to a metric that has none: the one that its other keys belong to."""
    if "level_names" in metric:
        text = '"levels"'
        text += "" if "has_unknown_level" in metric else ', "has_unknown_level": false'
    elif BOUNDS.keys() & metric.keys() or score not in (0, 1):
        absent = [key for key in BOUNDS if key not in metric]
        text = f'"continuous"{f", {_members(absent, score)}" if absent else ""}'
    else:
        return 'add "score_type": "binary", if each answer is either right or wrong'
    return f'add "score_type": {text}'


def bounds(keys: list[str], score: float) -> dict[str, int]:
    """The usual bounds around a score: 0, and 1 or the next power of ten."""
    size = int(10 ** math.ceil(math.log10(abs(score)))) if abs(score) > 1 else 1
    usual = (
        {"min_score": -size, "max_score": 1} if score < 0 else {"min_score": 0, "max_score": size}
    )
    return {key: usual[key] for key in keys}


def _members(keys: list[str], score: float) -> str:
    """The usual bounds as members of an object."""
    return ", ".join(f'"{key}": {value}' for key, value in bounds(keys, score).items())
