"""Good files with one mistake each, made by fixed operators from a seed."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from pointers import places

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: From none of these could anybody read what was meant; other operators keep the value.
OTHER_TYPE: tuple[Any, ...] = (None, [], {}, [[]], {"a": 1}, [[], []])


class Mutant(NamedTuple):
    """A file with one mistake: its name, its text, the operator that made it, and where."""

    path: str
    text: str
    operator: str
    place: str


def good_files() -> list[Path]:
    """Small good files of every kind that are JSON, or rows of it."""
    found = [p for folder in ("good", "versions") for p in (FIXTURES / folder).rglob("*.json*")]
    found += (FIXTURES / "legacy").glob("*.json")
    return sorted(found)


def _misspelt(word: str, r: random.Random) -> str:
    """A word with a letter lost, doubled, swapped with the next, or another ending."""
    if len(word) < 2:
        return f"{word}x"
    at = r.randrange(1, len(word))
    return r.choice(
        (
            word[:-1] if word.endswith("s") else f"{word}s",
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :],
            word.replace("_", "-") if "_" in word else word.capitalize(),
        )
    )


def _key(change: Callable[[str, random.Random], str | None]) -> Callable[..., None]:
    """An operator that changes a key, or takes it away."""

    def operator(holder: Any, key: Any, r: random.Random) -> None:
        members = [(change(k, r) if k == key else k, v) for k, v in holder.items()]
        holder.clear()
        holder.update((k, v) for k, v in members if k is not None)

    return operator


def _value(change: Callable[[Any, random.Random], Any]) -> Callable[..., None]:
    """An operator that changes a value."""

    def operator(holder: Any, key: Any, r: random.Random) -> None:
        holder[key] = change(holder[key], r)

    return operator


def _other_type(value: Any, r: random.Random) -> Any:
    return copy.deepcopy(r.choice([v for v in OTHER_TYPE if type(v) is not type(value)]))


def _quoted(value: Any, _: random.Random) -> Any:
    return json.dumps(value) if isinstance(value, int | float | bool) else value


def _unquoted(value: Any, _: random.Random) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _number(change: Callable[[float], Any]) -> Callable[..., None]:
    def changed(value: Any, _: random.Random) -> Any:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return change(value) if is_number else value

    return _value(changed)


def _unlisted(value: Any, _: random.Random) -> Any:
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _text(change: Callable[[str, random.Random], Any]) -> Callable[..., None]:
    return _value(lambda value, r: change(value, r) if isinstance(value, str) else value)


def _time(value: str, _: random.Random) -> str:
    """A Unix timestamp, as an ISO date with an offset."""
    return "2025-10-09T08:53:20+00:00" if value.isdecimal() and len(value) == 10 else value


def _url(value: str, r: random.Random) -> str:
    bare = value.partition("://")[2]
    return r.choice((bare, f"www.{bare}")) if bare else value


#: What is written in a formula, and what people write instead.
SLIPS = (
    (";", ","), (";", "; "), (";", ":"), (";%", ";"), ("%)", ")"), ("%)", "%"), ("%", "%%"),
    ("(", ""), (")", ""), (")", "))"), ("(", "(("), (">", ">="), ("<", "<="), ("=", "=="),
    ("&", "&&"), ("|", "||"), ("&", "and"), ("|", "or"), ("(", "2 * ("), (".", ","), (">", "≥"),
    ("&", "+"),
)  # fmt: skip


def _formula_slip(value: str, r: random.Random) -> str:
    """A formula with a slip, at one of the places for it."""
    slips = [(old, new) for old, new in SLIPS if old in value] if ";%" in value else []
    if not slips:
        return value
    old, new = r.choice(slips)
    at = r.choice([i for i in range(len(value)) if value.startswith(old, i)])
    return value[:at] + new + value[at + len(old) :]


def _spaced(value: str, _: random.Random) -> str:
    return value.replace("_", " ", 1)


def _extra(holder: Any, _: Any, r: random.Random) -> None:
    holder[r.choice(("note", "extra", "comment"))] = r.choice(("x", 1, None))


def _bounds(text: Any) -> Callable[..., None]:
    """An operator on the two bounds of a score."""

    def operator(holder: Any, key: Any, _: random.Random) -> None:
        if key in ("min_score", "max_score"):
            holder[key] = text

    return operator


#: Name -> what changes the member ``key`` of ``holder``; those of keys are for objects only.
OF_KEYS: dict[str, Callable[..., None]] = {
    "missing key": _key(lambda _, __: None),
    "misspelt key": _key(_misspelt),
    "longer key": _key(lambda key, _: f"{key}x"),
    "extra key": _extra,
}
OF_VALUES: dict[str, Callable[..., None]] = {
    "null": _value(lambda _, __: None),
    "another type": _value(_other_type),
    "in a list": _value(lambda value, _: [value]),
    "out of its list": _value(_unlisted),
    "in an object": _value(lambda value, _: {"value": value}),
    "quoted": _value(_quoted),
    "unquoted": _value(_unquoted),
    "misspelt text": _text(_misspelt),
    "capitals": _text(lambda value, _: value.upper()),
    "empty text": _text(lambda _, __: ""),
    "a hundredfold": _number(lambda value: 100 * value),
    "negative": _number(lambda value: -value),
    "minus one": _number(lambda _: -1),
    "fraction": _number(lambda value: value + 0.5),
    "decimal comma": _number(lambda value: str(value).replace(".", ",")),
    "formula slip": _text(_formula_slip),
    "space in a name": _text(_spaced),
    "ISO time": _text(_time),
    "bare URL": _text(_url),
    '"inf" as a bound': _bounds("inf"),
    "null as a bound": _bounds(None),
}
OPERATORS = {**OF_KEYS, **OF_VALUES}


def mutants(path: Path, seed: int, times: int) -> Iterator[Mutant]:
    """Each operator so many times at places of a file, as long as there are places for it."""
    text = path.read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line] if path.suffix == ".jsonl" else [text]
    name = path.relative_to(FIXTURES.parent).as_posix()
    for operator, change in OPERATORS.items():
        r = random.Random(f"{seed} {operator} {name}")
        known = {text}
        for _ in range(times):
            at = r.randrange(len(lines))
            data = json.loads(lines[at])
            found = list(places(data))
            if operator in OF_KEYS:
                found = [place for place in found if isinstance(place[0], dict)]
            else:  # operators that change only some values are tried where they change one
                found = [place for place in found if _changes(change, place, r)]
            if not found:
                break
            holder, key, where = r.choice(found)
            change(holder, key, r)
            if path.suffix == ".jsonl":
                row = json.dumps(data, ensure_ascii=False)
                new = "".join(f"{line}\n" for line in (*lines[:at], row, *lines[at + 1 :]))
            else:
                new = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
            if new not in known:
                known.add(new)
                yield Mutant(name, new, operator, where)


def _changes(change: Callable[..., None], place: tuple[Any, Any, str], r: random.Random) -> bool:
    holder, key, _ = place
    alone = {key: (before := holder[key])}  # operators on values look at nothing else
    change(alone, key, random.Random(r.random()))
    after = alone[key]
    return after is not before and json.dumps(after) != json.dumps(before)
