"""Rows of sample files, each with the result of the record that it belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from evalmark.leaderboard.flatten import Ways, clean, value_at, ways, whole_or_none
from evalmark.leaderboard.result_columns import SAMPLES, ResultRow, SampleRow
from evalmark.schemas.backend import native_is_installed
from evalmark.schemas.errors import Rejected
from evalmark.validator.formats.shared.fields import number
from evalmark.validator.io.opening import open_regular
from evalmark.validator.reading.lines import lines
from evalmark.validator.reading.strict_json import decode, parse

#: Where rows of sample files have the columns, in every version.
_WAYS: Ways = ways(
    result="evaluation_result_id",
    subset="evaluation_name",
    sample="sample_id",
    sample_hash="sample_hash",
    sample_score="evaluation/score",
    correct="evaluation/is_correct",
    interaction="interaction_type",
    turns="evaluation/num_turns",
    tool_calls="evaluation/tool_calls_count",
    input_tokens="token_usage/input_tokens",
    output_tokens="token_usage/output_tokens",
    reasoning_tokens="token_usage/reasoning_tokens",
    total_tokens="token_usage/total_tokens",
    latency_ms="performance/latency_ms",
    error="error",
)


def _text(value: Any) -> str | None:
    return clean(value) if type(value) is str else None


def _truth(value: Any) -> bool | None:
    return value if type(value) is bool else None


#: Type of a column -> the value as that type; None if it is of another one.
_FITTING: dict[type, Callable[[Any], Any]] = {
    str: _text, float: number, int: whole_or_none, bool: _truth,
}  # fmt: skip


def sample_rows(path: str, results: Sequence[ResultRow]) -> Iterator[SampleRow]:
    """The rows of a sample file; lines that are not rows are left out.

    Args:
        path: The file.
        results: Those of its record.
    """
    parsed, belongs = _parser(), _Owners(results)
    same: dict[str, Any] = {"record": results[0].record, "file": results[0].file}
    with open_regular(path) as opened:
        for at, line, is_whole in lines(opened):
            data = parsed(line) if is_whole and line.strip() else None
            if type(data) is not dict:
                continue
            row = {
                name: _FITTING[SAMPLES[name].type](value_at(data, ways))
                for name, ways in _WAYS.items()
            }
            pointer = belongs.pointer(row["result"], row["subset"])
            yield SampleRow(**same, **row, sample_line=at, pointer=pointer)


class _Owners:
    """The result that a sample belongs to: it names its id, or else a subset of one result only."""

    def __init__(self, results: Sequence[ResultRow]) -> None:
        self._by_id = _unique((row.result, row.pointer) for row in results)
        self._by_subset = _unique((row.subset, row.pointer) for row in results)
        self._has_ids = any(row.result is not None for row in results)

    def pointer(self, result: str | None, subset: str | None) -> str | None:
        """The pointer of the result; None if that is not clear."""
        if result is not None and self._has_ids:
            return self._by_id.get(result)
        return None if subset is None else self._by_subset.get(subset)


def _unique(pairs: Iterator[tuple[str | None, str]]) -> Mapping[str, str]:
    """Name -> pointer, for names that one result has."""
    every = [(name, pointer) for name, pointer in pairs if name is not None]
    counts = Counter(name for name, _ in every)
    return {name: pointer for name, pointer in every if counts[name] == 1}


def _parser() -> Callable[[bytes], Any]:
    """A parser of lines that gives None for a line that is not JSON."""

    def strictly(line: bytes) -> Any:
        try:
            return parse(decode(line.strip()))
        except Rejected:
            return None

    if not native_is_installed():
        return strictly
    from evalmark.validator.reading.fast_parsing import parse_fast  # needs the extra `fast`

    def fast(line: bytes) -> Any:
        parsed = parse_fast(line)
        return parsed[0] if parsed else strictly(line)

    return fast
