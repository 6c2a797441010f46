"""The keys at the top of a text, also of one that cannot be parsed."""

from __future__ import annotations

import re
from typing import NamedTuple

#: Characters that are looked at, and objects of a list or of lines.
_ENOUGH, _OBJECTS = 4_000_000, 20
_TOKEN = re.compile(
    r"""(?://|\#)[^\n]*|/\*.*?(?:\*/|\Z)
    | (?: "(?P<double>(?:[^"\\\n]|\\.)*)"? | '(?P<single>(?:[^'\\\n]|\\.)*)'?
      | (?P<word>[A-Za-z_]\w*) ) ["“”‘’]?\s*(?P<key>:|(?(word)(?!)|(?=[\[{])))?
    | (?P<open>[{\[]) | (?P<close>[}\]])""",
    re.VERBOSE | re.DOTALL,
)
#: The first line of YAML that says anything: its indentation, and the dash of a list.
_FIRST = re.compile(r"^(?![ \t]*(?:#|---|%|$))( *)(- +)?", re.MULTILINE)
#: The name of a column.
_COLUMN = re.compile(r"[^\W\d][\w .()/%-]*")


class TopKeys(NamedTuple):
    """The keys at the top of a text."""

    # of the object, or of the first ones of a list or of lines; with the keys one level below
    objects: list[tuple[set[str], set[str]]]
    is_open: bool  # something is not closed, so the text may have been cut off


def top_keys(raw: bytes, path: str) -> TopKeys:
    """The keys at the top of a text: of JSON, JSON Lines, YAML, or the columns of a table."""
    # Without NUL, what UTF-16 has of keys is ASCII.
    text = raw[:_ENOUGH].replace(b"\0", b"").decode("utf-8", "replace")
    if path.endswith((".yaml", ".yml")) and not text.lstrip().startswith(("{", "[")):
        return TopKeys([(_of_yaml(text), set())], True)
    found = _of_json(text)
    if not found.objects or path.endswith((".csv", ".tsv", ".txt")):
        header = re.split("[,;\t]", text.lstrip("\ufeff\ufffd").partition("\n")[0])
        columns = {cell.strip().strip('"') for cell in header}
        if len(columns) > 1 and all(map(_COLUMN.fullmatch, columns)):
            return TopKeys([(columns, set())], False)
    return found


def _of_json(text: str) -> TopKeys:
    """The keys up to a mistake, and beyond it as far as brackets tell where the top is."""
    objects: list[tuple[set[str], set[str]]] = []
    depth, top = 0, 1
    for match in _TOKEN.finditer(text):
        if bracket := match["open"]:
            if depth == 0:
                top = 1 if bracket == "{" else 2
            depth += 1
            if depth == top and bracket == "{":
                if len(objects) == _OBJECTS:
                    return TopKeys(objects, False)
                objects.append((set(), set()))
        elif match["close"]:
            depth = max(depth - 1, 0)
        elif match["key"] is not None and depth <= top + 1:
            if depth == 0:  # its bracket is missing, or one was closed too early
                depth = top = 1
                objects.append((set(), set()))
            if objects:
                objects[-1][depth > top].add(match["double"] or match["single"] or match["word"])
    return TopKeys(objects, depth > 0)


def _of_yaml(text: str) -> set[str]:
    """The keys at the indentation of the first line; of a list, those of all its objects."""
    first = _FIRST.search(text)
    indent, dash = (first[1], first[2] or "") if first else ("", "")
    start = f"(?:{indent}{dash}|{indent}{' ' * len(dash)})" if dash else indent
    key = rf"""^{start}["']?([^\s"'#:-][^:"'\n]*)["']?[ \t]*:(?=\s|$)"""
    return set(re.findall(key, text, re.MULTILINE))
