"""An object of a file whose fields have names of their own, wherever a version has put them."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evalmark.validator.formats.shared.json_values import mapping, number, text

#: Field -> the keys that lead to it from the object. A version without the field has no entry.
Layout = Mapping[str, tuple[str, ...]]


def layout(**paths: str) -> dict[str, tuple[str, ...]]:
    """Layout written as ``field="key/key"``."""
    return {field: tuple(path.split("/")) for field, path in paths.items()}


@dataclass(slots=True, eq=False, repr=False)
class Fields:
    """An object of a file. Not frozen, since thousands are made for a file."""

    data: Any
    pointer: str  # where it is in the file
    layout: Layout  # where its fields are in the object

    def get(self, field: str) -> Any:
        """The value of a field; None if it is absent."""
        path = self.layout.get(field)
        if path is None:
            return None
        node = self.data
        for key in path:
            node = node.get(key) if type(node) is dict else None
        return node

    def has(self, field: str) -> bool:
        """True if a field is there, even if it is null."""
        node = self.data
        for key in self.layout.get(field, ("",)):
            if type(node) is not dict or key not in node:
                return False
            node = node[key]
        return True

    def around(self, field: str) -> Mapping[str, Any]:
        """The object that has a field, or lacks it."""
        node = self.data
        for key in self.layout[field][:-1]:
            node = mapping(node).get(key)
        return mapping(node)

    def number(self, field: str) -> float | None:
        """The value of a field, if it is a number."""
        return number(self.get(field))

    def text(self, field: str) -> str | None:
        """The value of a field, if it is a text."""
        return text(self.get(field))

    def entries(self, field: str) -> list[Any]:
        """The value of a field, if it is a list; else an empty one."""
        value = self.get(field)
        return value if isinstance(value, list) else []

    def at(self, field: str) -> str:
        """The pointer of a field; raises KeyError if the version of the file has no such field."""
        return f"{self.pointer}/{'/'.join(self.layout[field])}"

    def key(self, field: str) -> str:
        """The last key of a field, for messages; see ``at``."""
        return self.layout[field][-1]

    def each(self, field: str, layout: Layout) -> Iterator[Fields]:
        """The objects in a list, with the layout of their own fields."""
        entries = self.entries(field)
        above = self.at(field) if entries else ""
        for index, child in enumerate(entries):
            yield Fields(child, f"{above}/{index}", layout)


#: Type of a field -> how its value is read; of others, as it is. Most need no call.
_OF_TYPES = {
    "float | None": "value if type(value := {}) is float else number(value)",
    "str | None": "value if type(value := {}) is str else None",
}


def reader(layout: Layout, types: Mapping[str, str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that reads fields of an object; their types say how, and their order is kept.

    It is compiled from the layout, for thousands of objects: each object that holds some of the
    fields is looked up once, and a loop over the paths would take three times as long.
    """
    lines, values = _lookups(layout, types)
    return _compiled("data", [*lines, f"return {', '.join(values)}"])


def filler(layout: Layout, types: Mapping[str, str]) -> Callable[[Any, Any], None]:
    """A function that reads the same fields into the attributes of a view, its first argument."""
    lines, values = _lookups(layout, types)
    texts = (f"view.{name} = {value}" for name, value in zip(types, values, strict=True))
    return _compiled("view, data", [*lines, *texts])


def _lookups(layout: Layout, types: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The lines that look up the objects of fields, and what gives the value of each field."""
    lines = ["get = data.get if type(data) is dict else nothing"]
    getters: dict[tuple[str, ...], str] = {
        (): "get"
    }  # the path of an object -> the variable that looks up its keys

    def looked_up(path: tuple[str, ...]) -> str:
        above = path[:-1]
        if above not in getters:
            lines.append(f"node = {looked_up(above)}")
            getters[above] = f"get_{len(getters)}"
            lines.append(f"{getters[above]} = node.get if type(node) is dict else nothing")
        return f"{getters[above]}({path[-1]!r})"

    values = [
        _OF_TYPES.get(kind, "{}").format(looked_up(layout[name])) if name in layout else "None"
        for name, kind in types.items()
    ]
    return lines, values


def _compiled(arguments: str, lines: list[str]) -> Callable[..., Any]:
    code = "\n    ".join([f"def read({arguments}):", *lines])
    names: dict[str, Any] = {"number": number, "nothing": {}.get}
    exec(code, names)  # noqa: S102 - of our own layouts
    read: Callable[..., Any] = names["read"]
    return read


def replaced(holder: Mapping[str, Any], path: Sequence[str], value: object) -> dict[str, Any]:
    """A copy of an object with a value where a path leads to."""
    key, *rest = path
    return {**holder, key: replaced(mapping(holder.get(key)), rest, value) if rest else value}


def relaid(data: Mapping[str, Any], before: Layout, after: Layout) -> Mapping[str, Any]:
    """An object with its fields where another layout has them; other keys stay."""
    if before is after:
        return data
    new, fields = copy.deepcopy(dict(data)), Fields(data, "", before)
    moving = [name for name in before if before[name] != after.get(name) and fields.has(name)]
    values: dict[str, Any] = {}
    for name in sorted(moving, key=lambda name: -len(before[name])):  # first what others hold
        if (value := _taken(new, before[name])) is not None:
            values[name] = value[0]
    kept = [name for name in values if name in after]
    for name in sorted(kept, key=lambda name: len(after[name])):
        new = replaced(new, after[name], values[name])
    return new


def _taken(holder: dict[str, Any], path: Sequence[str]) -> tuple[Any] | None:
    """The value at a path, taken out with the objects that are empty then; None if it is gone."""
    key, *rest = path
    if key not in holder:
        return None
    if not rest:
        return (holder.pop(key),)
    taken = _taken(holder[key], rest)
    if not holder[key]:
        del holder[key]
    return taken


def with_fields(layout: Layout, **values: object) -> dict[str, Any]:
    """An object that has these values of its fields."""
    data: dict[str, Any] = {}
    for field, value in values.items():
        data = replaced(data, layout[field], value)
    return data


def column(objects: Sequence[Any], field: str, layout: Layout) -> list[Any]:
    """The value of a field in each of many objects with the same layout, fast; None if absent."""
    values: Sequence[Any] = objects if field in layout else [None] * len(objects)
    for key in layout.get(field, ()):
        values = [value.get(key) if type(value) is dict else None for value in values]
    return list(values)
