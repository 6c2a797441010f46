"""Stubs for type checkers, and the page of the API, from the tables of public names."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

#: Module of public names -> its stub.
FACES = {
    "evalmark": "library/__init__.pyi",
    "evalmark.converters": "converters/__init__.pyi",
    "evalmark.extending": "library/extending.pyi",
    "evalmark.scoring": "scoring/__init__.pyi",
    "evalmark.memory": "apps/memory/__init__.pyi",
    "evalmark.leaderboard": "apps/leaderboard/__init__.pyi",
}

_TITLE = """# API reference

Generated from the docstrings by `make generate`: do not edit.

These names are stable: see [what stays](stability.md). Everything else in the package is internal
and may change with any release.

| package | what it is | names |
|---|---|---|
"""


def stub(package: str) -> str:
    """The ``.pyi`` of a package with lazy names: type checkers see what ``__getattr__`` loads."""
    homes = import_module(package).HOMES
    head = "# Made from the table of public names by `make generate`: do not edit."
    lines = [f"from {homes[name]} import {name} as {name}" for name in sorted(homes)]
    listed = "".join(f'    "{name}",\n' for name in sorted(homes))
    return "\n".join([head, *lines, "", f"__all__ = [\n{listed}]", ""])


def api_pages() -> dict[str, str]:
    """Path -> text of the page of the API, and of that of each package."""
    pages, rows = {}, []
    for package in FACES:
        module = import_module(package)
        text = markdown(inspect.getdoc(module) or "")
        names = [name for name in module.__all__ if not name.startswith("__")]
        place = f"api/{package.rpartition('.')[2]}.md"
        links = ", ".join(f"[`{name}`]({place}#{name.lower()})" for name in names)
        rows.append(f"| [`{package}`]({place}) | {text.partition(chr(10))[0]} | {links} |\n")
        entries = (_entry(name, getattr(module, name)) for name in names)
        pages[place] = "\n".join([f"# `{package}`\n\n{text}\n", *entries])
    return {"api.md": "".join([_TITLE, *rows]), **pages}


def _entry(name: str, value: Any) -> str:
    """The section of a public name: its signature, its docstring, its methods."""
    lines = [f"## `{name}`", ""]
    if not isinstance(value, type) and not inspect.isfunction(value):
        return "\n".join([*lines, f"A {type(value).__name__} with the keys {_keys(value)}.", ""])
    if isinstance(value, type) and issubclass(value, Enum):
        members = ", ".join(f"`{member.name}`" for member in value)
        return "\n".join([*lines, markdown(value.__doc__ or ""), "", f"Members: {members}.", ""])
    if signature := _signature(value):
        lines += ["```python", _wrapped(name, signature), "```", ""]
    lines += [markdown(_docstring(value)), ""]
    if isinstance(value, type):
        lines += [
            _method(key, member) for key, member in vars(value).items() if _is_shown(key, member)
        ]
        lines.append("")
    return "\n".join(lines)


def _method(key: str, member: Any) -> str:
    call = "" if isinstance(member, property) else _signature(_function(member))
    text = markdown(inspect.getdoc(member) or "").partition("\n\n")[0].replace("\n", " ")
    return f"- `{key}{call}`: {text}"


def _keys(value: Any) -> str:
    return ", ".join(f"`{key}`" for key in value)


def _function(member: Any) -> Any:
    return getattr(member, "__func__", None) or getattr(member, "fget", None) or member


def _is_shown(key: str, member: Any) -> bool:
    inner = _function(member)
    return not key.startswith("_") and inspect.isfunction(inner) and bool(inner.__doc__)


class _Bare(str):
    """An annotation that a signature shows without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return re.sub(r"\b(evalmark|collections|typing)(\.\w+)*\.", "", self)


def _signature(value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    parameters = [
        p.replace(annotation=_bare(p.annotation), default=_default(p.default))
        for parameter in signature.parameters.values()
        for p in _unpacked(parameter, value)
    ]
    shown = signature.replace(
        parameters=parameters, return_annotation=_bare(signature.return_annotation)
    )
    return str(shown).replace(" -> None", "") if isinstance(value, type) else str(shown)


def _unpacked(parameter: inspect.Parameter, function: Any) -> Iterator[inspect.Parameter]:
    """A parameter; ``**arguments`` of a ``TypedDict`` as the keyword arguments that it names."""
    if (arguments := _typed_dict(parameter, function)) is None:
        yield parameter
        return
    for name, annotation in arguments.__annotations__.items():
        kind = inspect.Parameter.KEYWORD_ONLY
        text = getattr(annotation, "__forward_arg__", annotation)
        yield inspect.Parameter(name, kind, default=_Bare("..."), annotation=text)


def _typed_dict(parameter: inspect.Parameter, function: Any) -> Any:
    match = re.fullmatch(r"Unpack\[(\w+)\]", str(parameter.annotation))
    return vars(sys.modules[function.__module__])[match[1]] if match else None


def _docstring(value: Any) -> str:
    """The docstring, with the attributes of a ``TypedDict`` in the place of ``arguments``."""
    text = inspect.getdoc(value) or ""
    if not inspect.isfunction(value):
        return text
    for parameter in inspect.signature(value).parameters.values():
        if (arguments := _typed_dict(parameter, value)) is not None:
            document = inspect.getdoc(arguments) or ""
            attributes = document.partition("Attributes:\n")[2].rstrip()
            line = re.search(rf" +{parameter.name}: See .*\n?", text)
            text = (
                text.replace(line[0], f"{attributes}\n")
                if line
                else f"{text}\n\nArgs:\n{attributes}"
            )
    return text


def _wrapped(name: str, signature: str) -> str:
    """A signature with one parameter a line, where it does not fit one line."""
    if len(name + signature) <= 88:
        return name + signature
    depth, parts = 0, [""]
    for at, letter in enumerate(signature):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 1:
            parts.append("")
        elif depth == 0:  # the closing parenthesis
            listed = "".join(f"    {part.strip()},\n" for part in (parts[0][1:], *parts[1:]))
            return f"{name}(\n{listed}{signature[at:]}"
        else:
            parts[-1] += letter
    return name + signature


def _default(value: Any) -> Any:
    """A default as it is written, if that is short and the same in every process."""
    return _Bare("...") if re.search(r" at 0x|frozenset|<factory>", repr(value)) else value


def _bare(annotation: Any) -> Any:
    text = getattr(annotation, "__forward_arg__", annotation)  # those of a NamedTuple
    return _Bare(text) if isinstance(text, str) else annotation


def markdown(docstring: str) -> str:
    """A docstring in Google's style as Markdown: sections become lists."""
    lines: list[str] = []
    section = False
    for line in docstring.split("\n"):
        if re.fullmatch(r"(Args|Attributes|Returns|Raises|Yields):", line):
            lines += [f"**{line[:-1]}**", ""]
            section = True
        elif section and re.match(r" {4}\S", line):
            name, colon, rest = line.strip().partition(":")
            named = colon and re.fullmatch(r"[\w*]+", name)
            lines.append(f"- `{name}`:{rest}" if named else f"- {line.strip()}")
        elif section and line.startswith("     "):
            lines.append(f"  {line.strip()}")
        else:
            section = section and not line
            lines.append(line)
    return re.sub(r"``(.+?)``", r"`\1`", "\n".join(lines)).strip()
