"""Small files of results, read whole and strictly."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from evalmark.converters.sources.node import Node, Piece
from evalmark.schemas.errors import ConversionError
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.reading.reading import read


def document(path: Path, name: str, left_out: Counter[str]) -> Node:
    """The value of a JSON or YAML file.

    Raises:
        ConversionError: The file is damaged; the message says where.
        OSError: The file cannot be read.
    """
    return parsed(read_whole(path), name, left_out)


def parsed(
    raw: bytes,
    name: str,
    left_out: Counter[str],
    *,
    syntax: str = "",
    line: int = 1,
    kind: str = "",
) -> Node:
    """The value of the bytes of a file, or of the part of it that begins at a line.

    Raises:
        ConversionError: It is damaged; the message says where.
    """
    reading = read(raw, f"x.{syntax or name.rpartition('.')[2]}")
    if reading.findings or not reading.readable:
        first = reading.findings[0]
        at = f":{first.span.line + line - 1}:{first.span.column}" if first.span else ""
        raise ConversionError(f"{name}{at}: {first.code} {first.message}")
    text = reading.text or ""
    is_json = not name.endswith((".yaml", ".yml")) and syntax not in ("yaml", "yml")
    return Node(
        reading.data, Piece(name, text if is_json else "", line, kind=kind, left_out=left_out)
    )
