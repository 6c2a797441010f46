"""Products of two sides, compared: equal but for clock, ids and versions."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.equality.declared import new_text

UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
#: Clocks that SOURCE_DATE_EPOCH does not set: durations, in JSON.
DURATION = re.compile(
    r'("[a-z_]*(?:seconds|latency|latency_ms|_ms|duration)\\?":\s*\\?"?)[0-9.e-]+'
)
#: A line of progress, which is printed when some seconds have passed.
PROGRESS = re.compile(r"^\w[\w ]*: \d+ .*\(\d+/s\)\n", re.MULTILINE)
LINES = 12  # of a difference, shown
WIDTH = 160  # of a line


@dataclass(frozen=True)
class Side:
    """An installation, and the folder in which its calls were run."""

    folder: Path
    version: str

    def products(self, call: str) -> dict[str, Path]:
        """The files of a call by name, ids in names replaced."""
        found: dict[str, Path] = {}
        for path in sorted((self.folder / call).rglob("*")):
            if path.is_file():
                name = UUID.sub("ID", path.relative_to(self.folder / call).as_posix())
                while name in found:
                    name += "+"
                found[name] = path
        return found

    def read(self, path: Path) -> str:
        """What a product says, without what may differ."""
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        text = text.replace(str(self.folder), "FOLDER")
        text = re.sub(rf"(?<![\d.]){re.escape(self.version)}(?![\d.])", "VERSION", text)
        ids: dict[str, str] = {}
        text = UUID.sub(lambda m: ids.setdefault(m[0], f"id {len(ids) + 1}"), text)
        if path.name == "stderr":
            text = PROGRESS.sub("", text)
        return DURATION.sub(r"\1TIME", text)


@dataclass(frozen=True)
class Difference:
    """A product of a call that the sides differ in."""

    call: str
    product: str
    diff: tuple[str, ...]


def compared(old: Side, new: Side, call: str) -> Iterator[Difference]:
    """Every product of a call that differs, or that one side lacks."""
    before, after = old.products(call), new.products(call)
    for name in sorted(before.keys() | after.keys()):
        if name not in after:
            yield Difference(call, name, ("only the old one has it",))
        elif name not in before:
            yield Difference(call, name, ("only the new one has it",))
        elif before[name].read_bytes() != after[name].read_bytes():
            one, other = new_text(old.read(before[name])), new.read(after[name])
            if one != other:
                yield Difference(call, name, tuple(short_diff(one, other)))


def short_diff(one: str, other: str) -> Iterator[str]:
    """The first lines that differ."""
    lines = difflib.unified_diff(laid_out(one), laid_out(other), n=0, lineterm="")
    shown = [line for line in lines if not line.startswith(("---", "+++"))]
    for line in shown[:LINES]:
        yield ascii(line[:WIDTH])[1:-1]
    if len(shown) > LINES:
        yield f"… {len(shown) - LINES} more lines"


def laid_out(text: str) -> list[str]:
    """Lines; those of a JSON document are one for each value."""
    if text.count("\n") < 3 or max(map(len, text.split("\n"))) > 10 * WIDTH:
        with suppress(ValueError):
            text = json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    lines = text.split("\n")
    return [part for line in lines for part in re.findall(r".{1,160}", line) or [""]]
