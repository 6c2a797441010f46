"""From bytes to data: JSON and YAML, and what is wrong where there is none."""

from __future__ import annotations

from evalmark.validator.reading.strict_json import Rejected, decode, is_fast, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evalmark.validator.findings.finding import Finding
    from evalmark.validator.reading.source import Source


class Reading:
    """What came of reading a file, or one row of a file.

    Attributes:
        path: The name it is reported under.
        data: The parsed value; meaningless if it is not ``readable``.
        readable: Whether there is a value.
        findings: What is wrong with it as JSON or YAML.
        places: What finds places, where parsing has made it already; see ``source``.
        plain: The JSON without needless escapes, where parsing has made it.
    """

    __slots__ = ("_raw", "_text", "data", "findings", "path", "places", "plain", "readable")

    def __init__(
        self,
        path: str,
        text: str | None = None,
        *,
        raw: bytes | None = None,
        data: Any = None,
        readable: bool = False,
    ) -> None:
        self.path = path
        self._raw = raw
        self._text = text
        self.data = data
        self.readable = readable
        self.findings: list[Finding] = []
        self.places: Source | None = None
        self.plain: bytes | None = None

    @property
    def text(self) -> str | None:
        """The text; of bytes that have been parsed already, it is made when it is asked for."""
        if self._text is None and self._raw is not None:
            self._text = self._raw.decode("utf-8")
        return self._text

    @property
    def source(self) -> Source | None:
        """What finds places in the text; made when a finding needs it."""
        if self.places is None and self.text is not None:
            from evalmark.validator.reading.source import Source

            self.places = Source(self.path, self.text)
        return self.places


def read(raw: bytes, path: str) -> Reading:
    """Read the bytes of a document; bad ones are findings, never exceptions."""
    is_yaml = path.endswith((".yaml", ".yml"))
    if is_fast(len(raw)) and not is_yaml:
        from evalmark.validator.reading.native import parse_fast

        if parsed := parse_fast(raw):
            reading = Reading(path, raw=raw, readable=True)
            reading.data, reading.plain = parsed
            return reading
    findings: list[Finding] = []
    text: str | None
    try:
        text = decode(raw)
    except Rejected:
        from evalmark.validator.reading.diagnose import undecodable

        finding, text = undecodable(raw, path)
        findings.append(finding)
    reading = Reading(path, text)
    reading.findings = findings
    if text is None:
        return reading
    if is_yaml:
        return _yaml(reading)
    try:
        reading.data = parse(text)
        reading.readable = True
    except Rejected:
        from evalmark.validator.reading.diagnose import unparsable
        from evalmark.validator.reading.source import Source

        reading.findings += unparsable(Source(path, text))
    return reading


def _yaml(reading: Reading) -> Reading:
    from evalmark.validator.reading.yaml_data import read_yaml

    assert reading.text is not None
    reading.places, reading.data, findings = read_yaml(reading.text, reading.path)
    reading.readable = not findings
    reading.findings += findings
    return reading
