"""Suggestions applied to the letter: a few forms of sentences are read, and done.

A suggestion is prose for people, so its forms are few and fixed:

- ``rename `a` to `b``` and ``remove `a```: a key of the object at the pointer, or of one around it
- ``add "key": value, …`` and ``write "key": value, …``: members of such an object
- ``write VALUE`` (JSON): the value at the pointer; ``write one of A, B``: each is tried
- ``write `text``` and ``did you mean `text`?``: the text at the place, even inside a string
- ``name the condition `a```: in every item and in the formulas
- ```evalmark convert … FILE```: the command is run
- ``add {"region_number": 2, …}`` to the array at the pointer, in the order of its numbers
- ``add VALUE at the end`` of the array at the pointer, ``remove the last entry`` of it, ``remove
  this entry`` of the array around it
- ``put region 2 before region 3``
- ``add the line `{…}` after 4``, ``remove this line``: in a file of rows
- ``put `[` and `]` around it``, ``remove the `[` and `]` around it``
- ``keep only the value of `a` ``

What comes before a form ("if it is a percentage, ") and after it is for people. A suggestion that
begins with "or" is another way; those that do not are steps of one. A fix is one more way.
"""

import csv
import json
import re
import shlex
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from evalmark.cli.main import main
from evalmark.validator.findings.finding import Finding, Span, apply_edits
from evalmark.validator.reading.rewrite import rewrite
from evalmark.validator.reading.source import parse_pointer
from ruamel.yaml import YAML

#: Codes whose help says what the fix does, at each of the places that it changes.
OF_FIXES = ("F001", "F003", "SG301", "SG302", "SG422")
#: Suggestions that name no text to write: only a person can do what they ask for.
ADVICE = tuple(
    re.compile(pattern)
    for pattern in (
        r"save the file as UTF-8$",
        r"write both halves of the pair",
        r"write a number",
        r"parsers read it as infinity",
        r" cannot (both|all) hold: change one$",
        r"^exchange the (sentences|texts of region)",
        r" in region \d+ of condition `[^`]*`$",
        r"^give (region \d+ of `[^`]*` a text in item|each part of the sentence)",
        r"^make (the (two )?conditions differ|it a separate item)",
        r"^multiply all percentages by",
        r"^remove (one of them|all|the (?!`|last entry))",
        r"remove the result$",
        r"^(put it in brackets|put the whole text|close it|indent it|decompress it)\b",
        r"`jq ",
        r"names the formats of other programs",
        r"^rename the file",
        r"PREDICTIONS|FORMULAS|--no-predictions",
        r"^replace (the\b|\")",
        r"^use `--",
        r"reads every layout that",  # this file may still lack what none of them lacks
        r"^say (which|what it is|how many)\b",
        r"^(check|move|look|renumber|compare|group|save|join|say|expanding|do the)\b",
        r"move the sample file",
        r"is unused",
        r"to say that lower scores are better",
        r"^(add the region|multiply the other|subtract it|reverse the|use a decimal|use `;` in)\b",
        r"replace the alias",
        r"write it in quotes",
        r"this is a bug in evalmark",
        r"^(score (again|all items)|copy|raise|resume the run:|run the test)\b",
        r"^make the definitions\b",
        r"^nothing to do\b",
        r"^make it a list\b",
        r"^add (the missing|the line of|its (answer|begin)|the message)\b",
        r"^write (a|an|the|one of the|\d+|three) [a-z]",
        r"^remove (one of|the \d+|the entry|all entries)",
        r"^replace the test_id of its",
        r"^or renumber|^list them in the order",
        r"^or (add the values?|rename the folder|write a number)",
        r"^if it is a question, write true; otherwise",
    )
)
_FORM = re.compile(
    r"(?:^(?:or )?|[,;:] )(write one of|write|add|use|rename|remove|did you mean|"
    r'(?=")) ?(?=["`\[{\d-]|true|false|null)'
)
_COMMAND = re.compile("`evalmark convert ([^`]* FILE[^`]*|FILE[^`]*)`")
_AROUND = re.compile(r"(put|remove the) `\[` and `\]` around it|(?:keep only the value of `(\w+)`)")
_AT_END = re.compile(r"^add (.*) at the end\b")
_OF_ARRAY = re.compile(r"^remove (the last|this) entry\b")
_BEFORE = re.compile(r"^put region (\d+) before region (\d+);")
_LINE = re.compile("add the line `(.*)` after ([0-9]+)$|^remove this line")
_QUOTED = re.compile(r"`([^`]*)`")
_DECODER = json.JSONDecoder()


class NoForm(Exception):  # noqa: N818 - it is not a failure of the program
    """A suggestion has none of the forms, and is not advice."""


def is_advice(sentence: str) -> bool:
    return any(pattern.search(sentence) for pattern in ADVICE)


def applied(text: str, finding: Finding) -> Iterator[str]:
    """The texts that a finding's suggestions lead to, one for each way; none if all are advice.

    Raises:
        NoForm: A suggestion cannot be read.
    """
    if finding.fix:
        yield apply_edits(text, finding.fix.edits)
        if finding.code in OF_FIXES:
            return
    ways: list[list[str]] = []
    for sentence in finding.helps:
        if is_advice(sentence):
            continue
        if sentence.startswith("or") or not ways:
            ways.append([])
        ways[-1].append(sentence)
    for way in ways:
        texts = [text]
        for sentence in way:
            step = next((do for sign, do in _WHOLE.items() if sign.search(sentence)), _applied)
            texts = [new for old in texts for new in step(old, finding, sentence)]
        yield from texts


def applied_to_row(text: str, finding: Finding) -> Iterator[str]:
    """The same for a file of rows, of which one is changed."""
    assert finding.span
    lines = text.split("\n")
    at = finding.span.line - 1
    if change := next(filter(None, map(_LINE.search, finding.helps)), None):
        line, after = change.groups()
        new = [*lines[: int(after)], line, *lines[int(after) :]] if line else lines[:at]
        yield "\n".join(new if line else [*new, *lines[at + 1 :]])
        return
    span = Span(1, finding.span.column, 1, finding.span.end_column)
    for line in applied(lines[at], replace(finding, span=span)):
        yield "\n".join([*lines[:at], line, *lines[at + 1 :]])


def _applied(text: str, finding: Finding, sentence: str) -> Iterator[str]:
    if moved := _BEFORE.match(sentence):
        data, number, other = json.loads(text), *map(int, moved.groups())
        regions = _at(data, parse_pointer(finding.pointer)[:-2])
        numbers = [region["region_number"] for region in regions]
        regions.insert(numbers.index(other), regions.pop(numbers.index(number)))
        yield rewrite(text, data)
    elif added := _AT_END.match(sentence):
        array = _at(json.loads(text), parse_pointer(finding.pointer))
        yield _with_value(text, finding, [*array, json.loads(added[1])])
    elif removed := _OF_ARRAY.match(sentence):
        path = parse_pointer(finding.pointer)
        above = path if removed[1] == "the last" else path[:-1]
        data = json.loads(text)
        _at(data, above).pop(-1 if above is path else int(path[-1]))
        yield rewrite(text, data)
    elif around := _AROUND.fullmatch(sentence):
        value = _at(json.loads(text), parse_pointer(finding.pointer))
        verb, key = around.groups()
        new = [value] if verb == "put" else value[key] if key else value[0]
        yield _with_value(text, finding, new)
    else:
        yield from _with_form(text, finding, sentence)


def _with_form(text: str, finding: Finding, sentence: str) -> Iterator[str]:
    form = _FORM.search(sentence)
    if form is None:
        raise NoForm(sentence)
    verb, rest = form.group(1), sentence[form.end() :]
    match verb:
        case "rename":
            for new, old in zip(*[iter(reversed(_QUOTED.findall(rest)))] * 2, strict=True):
                text = _with_object(
                    text, finding, (old,), lambda o, a=old, b=new: _renamed(o, a, b)
                )
            yield text
        case "remove":
            keys = _QUOTED.findall(rest)
            yield _with_object(text, finding, keys, lambda node: [node.pop(key) for key in keys])
        case "did you mean":
            word = rest[1 : rest.rindex(rest[0])]
            yield _at_span(text, finding, lambda _: word)
        case "add" if rest.startswith("{"):
            yield _with_regions(text, finding, list(_values(rest)))
        case "write one of":
            yield from (_with_value(text, finding, value) for value in _values(rest))
        case _ if rest.startswith("`"):
            word = _QUOTED.findall(rest)[0]
            yield _at_span(text, finding, lambda _: word)
        case _ if given := _members(rest):
            yield _with_object(text, finding, tuple(given), lambda node: node.update(given))
        case _:
            yield _with_value(text, finding, next(_values(rest)))


def _by_command(text: str, finding: Finding, sentence: str) -> Iterator[str]:
    """The text after ``evalmark convert`` has changed the file."""
    words = shlex.split(_COMMAND.findall(sentence)[0])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, Path(finding.path).name)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        words = [str(path) if word == "FILE" else word for word in words]
        with suppress(SystemExit), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            main(["convert", *words])
        yield path.read_text(encoding="utf-8")


def _with_condition(text: str, finding: Finding, sentence: str) -> Iterator[str]:
    """A condition renamed in every item and in the formulas."""
    old, new = _at(json.loads(text), parse_pointer(finding.pointer)), _QUOTED.findall(sentence)[0]
    text = text.replace(f'"condition_name": {json.dumps(old)}', f'"condition_name": "{new}"')
    yield text.replace(f"%{old}%", f"%{new}%")


#: Suggestions about the whole file.
_WHOLE = {_COMMAND: _by_command, re.compile("^name the condition `"): _with_condition}


def _values(text: str) -> Iterator[Any]:
    """The JSON values that a text begins with, with commas or words between them."""
    at = 0
    while True:
        value, at = _DECODER.raw_decode(text, at)
        yield value
        between = re.compile(r"(, or |, | or | and )(?=[\"\[{\d-]|true|false|null)").match(text, at)
        if not between:
            return
        at = between.end()


def _members(text: str) -> dict[str, Any]:
    """The members ``"key": value, …`` that a text begins with."""
    found: dict[str, Any] = {}
    key = re.compile(r'(?:, |,? and )?("[^"]*"): ')
    at = 0
    while begin := key.match(text, at):
        found[json.loads(begin.group(1))], at = _DECODER.raw_decode(text, begin.end())
    return found


def _with_value(text: str, finding: Finding, value: Any) -> str:
    if finding.path.endswith((".csv", ".tsv")):
        return _with_cell(text, finding, value)
    try:
        data = json.loads(text)
    except ValueError:  # YAML, in which JSON is a value too
        return _at_span(text, finding, lambda _: json.dumps(value), within=False)
    path = parse_pointer(finding.pointer)
    if not path:
        return json.dumps(value)
    holder = _at(data, path[:-1])
    if isinstance(holder, list):
        holder[int(path[-1])] = value
    else:
        holder[path[-1]] = value
    return rewrite(text, data)


def _with_cell(text: str, finding: Finding, value: str) -> str:
    """A table with another cell."""
    assert finding.span
    delimiter = "\t" if finding.path.endswith(".tsv") else ","
    rows = list(csv.reader(StringIO(text), delimiter=delimiter))
    column = rows[0].index(parse_pointer(finding.pointer)[0])
    rows[finding.span.line - 1][column] = value
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _with_regions(text: str, finding: Finding, regions: list[dict[str, Any]]) -> str:
    data = json.loads(text)
    array = _at(data, parse_pointer(finding.pointer))
    array.extend(regions)
    array.sort(key=lambda region: region["region_number"])
    return rewrite(text, data)


def _with_object(text: str, finding: Finding, keys: Any, change: Any) -> str:
    """Change the nearest object at, around or beside the pointer with a key; else the nearest."""
    is_yaml = finding.path.endswith((".yaml", ".yml"))  # JSON is YAML too
    data = YAML(typ="safe", pure=True).load(text) if is_yaml else json.loads(text)
    path = parse_pointer(finding.pointer)
    around = [_at(data, path[:length]) for length in range(len(path), -1, -1)]
    objects = [node for node in around if isinstance(node, dict)]
    objects += [node for node in _inside((objects or [data])[0]) if isinstance(node, dict)]
    change(next((o for o in objects if any(key in o for key in keys)), objects[0]))
    return json.dumps(data, ensure_ascii=False, indent=None if "\n" not in text else 2)


def _inside(node: Any) -> Iterator[Any]:
    """What is in an object or array, outer values first."""
    children = list(node.values()) if isinstance(node, dict) else node
    yield from children
    for child in children:
        if isinstance(child, dict | list):
            yield from _inside(child)


def _renamed(node: dict[str, Any], old: str, new: str) -> None:
    assert new not in node, f"{new} is there already"
    members = [(new if key == old else key, value) for key, value in node.items()]
    node.clear()
    node.update(members)


def _at(data: Any, path: list[str]) -> Any:
    for token in path:
        if isinstance(data, list):
            data = data[int(token)] if int(token) < len(data) else None
        else:
            data = data.get(token) if isinstance(data, dict) else None
    return data


def _at_span(text: str, finding: Finding, change: Any, *, within: bool = True) -> str:
    """Change the text at the place; within a whole string, which keeps its quotes."""
    assert finding.span
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    span = finding.span
    start = starts[span.line - 1] + span.column - 1
    end = starts[span.end_line - 1] + span.end_column - 1
    here = text[start:end]
    new = ""
    if within and len(here) > 1 and here[0] == here[-1] == '"':
        with suppress(ValueError):  # a string of YAML
            new = json.dumps(change(json.loads(here)), ensure_ascii=False)
    new = new or change(here)
    return text[:start] + new + text[end:]
