"""The texts that findings are shown in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalmark.validator.edge.opening import read_whole
from evalmark.validator.findings.finding import Finding
from evalmark.validator.reading.source import RowFile, Source


def sources(
    findings: Sequence[Finding], stdin: tuple[str, bytes] | None = None
) -> Callable[[str], Source | None]:
    """The text behind a path, for frames; one text is kept, since findings come file by file.

    Args:
        findings: What is shown.
        stdin: Name and content of standard input, if it was checked.
    """
    known: dict[str, Source] = {}
    # What could not or must not be read, or is not text, is not read for its frame either.
    unread = {f.path for f in findings if f.code in ("F004", "F011")}

    def source_of(path: str) -> Source | None:
        if path in unread:
            return None
        if path not in known:
            known.clear()
            if path.endswith(".jsonl"):
                known[path] = RowFile(path, "rows")
                return known[path]
            try:
                raw = stdin[1] if stdin and stdin[0] == path else read_whole(path)
            except OSError:
                return None
            known[path] = Source(path, decoded(raw))
        return known[path]

    return source_of


def decoded(raw: bytes) -> str:
    """Bytes as text, without a byte order mark."""
    return raw.decode("utf-8", "replace").removeprefix("\ufeff")
