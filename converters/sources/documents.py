"""Small files of results, read whole and strictly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.reading.lines import MAX_LINE, lines
from evalmark.validator.reading.reading import read

#: Strings, which are left as they are, and what Python writes for numbers that JSON does not have.
_INFINITE = re.compile(rb'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')


def document(path: Path, name: str, left_out: Account, *, infinite: bool = False) -> Node:
    """The value of a JSON or YAML file; a ConversionError says where it is damaged.

    With ``infinite``, ``NaN`` and ``Infinity``, which some programs write, are read as texts.
    """
    raw = read_whole(path)
    return parsed(with_texts(raw) if infinite else raw, name, left_out)


def with_texts(raw: bytes) -> bytes:
    """JSON with ``NaN`` and ``Infinity`` as strings."""
    if b"NaN" not in raw and b"Infinity" not in raw:
        return raw
    return _INFINITE.sub(lambda m: m[0] if m[0][:1] == b'"' else b'"%b"' % m[0], raw)


def parsed(
    raw: bytes,
    name: str,
    left_out: Account,
    *,
    syntax: str = "",
    line: int = 1,
    at: str = "",
    kind: str = "",
) -> Node:
    """The value of the bytes of a file, or of a line of it.

    A ConversionError says where it is damaged.
    """
    reading = read(raw, f"x.{syntax or name.rpartition('.')[2]}")
    if reading.findings or not reading.readable:
        first = reading.findings[0]
        at = f":{first.span.line + line - 1}:{first.span.column}" if first.span else ""
        raise ConversionError(f"{name}{at}: {first.code} {first.message}")
    is_yaml = name.endswith((".yaml", ".yml"))
    text, source = ("", reading.source) if is_yaml else (reading.text or "", None)
    piece = Piece(name, text, line, at=at, kind=kind, source=source, left_out=left_out)
    return piece.holding(reading.data)


def parsed_lines(
    path: Path, name: str, left_out: Account, *, kind: str = "", infinite: bool = False
) -> Iterator[Node]:
    """The values of a file of JSON Lines; see ``document`` and ``parsed``."""
    with open_regular(path) as file:
        for number, line, whole in lines(file):
            if not whole:
                raise ConversionError(f"{name}:{number}: longer than {MAX_LINE >> 20} MiB")
            if line.strip():
                raw = with_texts(line) if infinite else line
                yield parsed(
                    raw.rstrip(b"\r\n"), name, left_out,
                    syntax="json", line=number, at=f"/{number - 1}", kind=kind,
                )  # fmt: skip
