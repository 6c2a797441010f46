"""On which lines of a file the results of a record begin."""

from __future__ import annotations

from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Members

#: What the results begin with in a file that is laid out with two spaces for each level, and where
#: one of them begins. In such a file nothing else has four spaces before its only brace.
_RESULTS, _RESULT = b'\n  "evaluation_results": [\n', b"\n    {\n"


def result_lines(reading: Reading, count: int) -> list[int | None]:
    """The line, from 1, of each of the ``count`` entries of the list of results."""
    if reading.path.endswith((".yaml", ".yml")):
        return _of_places(reading, count)
    if reading.plain is not None and reading.raw is not None:
        raw = reading.raw
        if b"\n" not in raw[:-1]:
            return [1] * count
        # The parser says so where the text is its own.
        is_laid_out = reading.plain is raw
        if lines := _laid_out(raw, count) if is_laid_out else _as_laid_out(raw, reading, count):
            return lines
    text = reading.text
    return [None] * count if text is None else _in_text(text, count)


def _as_laid_out(raw: bytes, reading: Reading, count: int) -> list[int | None]:
    """The lines of a file that has a line for each value, however it is indented and escaped.

    They are those of the same data with two spaces for each level, if there are as many lines and
    each result begins where it should.
    """
    import orjson

    try:
        laid_out = orjson.dumps(reading.data, option=orjson.OPT_INDENT_2)
    except TypeError:
        return []
    if laid_out.count(b"\n") != raw.rstrip(b"\r\n").count(b"\n"):
        return []
    lines = _laid_out(laid_out, count)
    texts = raw.split(b"\n")
    begins = {texts[line - 1].rstrip(b"\r") for line in lines if line}
    return lines if len(begins) == 1 and begins.pop().strip() == b"{" else []


def _laid_out(raw: bytes, count: int) -> list[int | None]:
    """The lines in such a file; none if an entry is not an object, or is empty."""
    at = raw.find(_RESULTS)
    if at < 0:
        return []
    at += len(_RESULTS) - 1
    line = raw.count(b"\n", 0, at) + 1
    lines: list[int | None] = []
    for _ in range(count):
        found = raw.find(_RESULT, at)
        if found < 0:
            return []
        line += raw.count(b"\n", at, found + 1)
        lines.append(line)
        at = found + 1
    return lines if raw.find(b"\n  ]", at) > at else []


def _in_text(text: str, count: int) -> list[int | None]:
    from evalmark.validator.reading.source import Source

    place = Source("", text).place("/evaluation_results")
    if place is None:
        return [None] * count
    entries = Members(text, place.start)
    line, before = 1, 0
    lines: list[int | None] = []
    while (key := entries.advance()) is not None:
        at = entries.known[key].value
        line += text.count("\n", before, at)
        before = at
        lines.append(line)
    return lines


def _of_places(reading: Reading, count: int) -> list[int | None]:
    source = reading.source
    if source is None:
        return [None] * count
    spans = (source.value_span(f"/evaluation_results/{index}") for index in range(count))
    return [span.line if span else None for span in spans]
