"""Whether a record that its schema rejects has the wrong label, or mistakes.

That it fits another version is not enough: a record of 0.3.0 that lacks what 0.3.0 alone requires
fits 0.2.2, and to relabel it would hide the mistake. So something has to be in the record that only
the other version knows, and nothing that only the declared one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evalmark.schemas.files import bundle
from evalmark.validator.reading.pointer import make_pointer

Schema = Mapping[str, Any]


def is_mislabelled(data: Any, declared: str, other: str, retyped: Iterable[str]) -> bool:
    """Whether a record of the schema ``declared`` is rather one of ``other``, which accepts it.

    Args:
        data: The record.
        declared: The schema that it names and breaks.
        other: The schema that it fits.
        retyped: The pointers of values whose types only the other one allows.
    """
    places = [dict(_known(data, bundle(name))) for name in (declared, other)]
    here, there = ({at for at, is_listed in known.items() if is_listed} for known in places)
    if here - there:
        return False
    return bool(there - here) or any(all(at in known for known in places) for at in retyped)


def _known(data: Any, schema: Schema) -> Iterator[tuple[str, bool]]:
    """The pointers that a schema has a place for, and whether it lists the key by name."""
    stack: list[tuple[str, Any, Schema]] = [("", data, schema)]
    while stack:
        above, node, here = stack.pop()
        for branch in _branches(here, schema):
            if isinstance(node, dict):
                listed, others = branch.get("properties", {}), branch.get("additionalProperties")
                for key, child in node.items():
                    below = listed.get(key, others if isinstance(others, dict) else {})
                    if key in listed or isinstance(others, dict) or not listed:
                        pointer = above + make_pointer((key,))
                        yield pointer, key in listed
                        if isinstance(child, dict | list):
                            stack.append((pointer, child, below))
            elif isinstance(node, list) and isinstance(branch.get("items"), dict):
                for index, child in enumerate(node):
                    pointer = f"{above}/{index}"
                    yield pointer, False
                    stack.append((pointer, child, branch["items"]))


def _branches(schema: Schema, root: Schema) -> Iterator[Schema]:
    """A schema with its alternatives, references followed."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        schema = root["definitions"][reference.rpartition("/")[2]]
    alternatives = (*schema.get("oneOf", ()), *schema.get("anyOf", ()))
    if not alternatives:
        yield schema
    for branch in alternatives:
        yield from _branches(branch, root)
