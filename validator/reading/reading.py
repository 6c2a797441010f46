"""From bytes to data: JSON and YAML, or findings where they cannot be parsed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

from evalmark.schemas.backend import Backend
from evalmark.schemas.errors import ParseRejected
from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import decode, parse


@dataclass(slots=True)
class Reading:
    """The result of reading a file, or one row of a file."""

    path: str  # the name it is reported under
    _text: str | None = None
    raw: bytes | None = None  # the bytes, where parsing needed no text
    data: Any = None  # meaningless if it is not ``readable``
    readable: bool = False
    findings: list[Finding] = field(default_factory=list)  # what is wrong with it as JSON or YAML
    places: Source | None = None  # the finder of positions, if parsing created it; see ``source``
    plain: bytes | None = None  # the JSON without needless escapes, if parsing created it
    backend: Backend = Backend.PURE

    @property
    def text(self) -> str | None:
        """The text; decoded on first use where the bytes were parsed directly."""
        if self._text is None and self.raw is not None:
            self._text = self.raw.decode("utf-8")
        return self._text

    @property
    def source(self) -> Source | None:
        """The text with its positions; created when a finding needs it."""
        if self.places is None and self.text is not None:
            self.places = Source(self.path, self.text)
        return self.places


def read_file(path: str | os.PathLike[str]) -> Reading:
    """Read a regular file; see ``read``. Anything else is an OSError."""
    return read(read_whole(path), os.fspath(path))


def read(raw: bytes, path: str, backend: Backend = Backend.PURE) -> Reading:
    """Read the bytes of a document; bad ones are findings, never exceptions."""
    is_yaml = path.endswith((".yaml", ".yml"))
    if backend is Backend.NATIVE and not is_yaml:
        from evalmark.validator.reading.fast_parsing import parse_fast  # loads orjson

        if parsed := parse_fast(raw):
            data, plain = parsed
            return Reading(path, raw=raw, data=data, readable=True, plain=plain, backend=backend)
    text, findings = _decoded(raw, path)
    reading = Reading(path, text, findings=findings, backend=backend)
    if text is None:
        return reading
    if is_yaml:
        from evalmark.validator.reading.yaml_data import read_yaml  # loads ruamel.yaml

        reading.places, reading.data, mistakes = read_yaml(text, path)
        reading.readable = not mistakes
        reading.findings += mistakes
        return reading
    try:
        reading.data = parse(text)
        reading.readable = True
    except ParseRejected:
        from evalmark.validator.reading.diagnose import unparsable  # for bad files only

        reading.findings += unparsable(Source(path, text))
    return reading


def _decoded(raw: bytes, path: str) -> tuple[str | None, list[Finding]]:
    try:
        return decode(raw), []
    except ParseRejected:
        from evalmark.validator.reading.diagnose import undecodable  # for bad files only

        finding, text = undecodable(raw, path)
        return text, [finding]
