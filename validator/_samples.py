"""Sample files: one pass, row by row, beside the record they belong to.

Memory does not grow with the file but for 8 bytes a row, by which duplicates are found.
"""

from __future__ import annotations

import hashlib
import itertools
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from evalmark import schemas

from ._document import Document, identify
from ._finding import Finding
from ._hit import At, Hit, locate
from ._mistakes import mistakes
from ._read import read
from ._rows import Progress, RowFindings, lines
from ._source import Source
from .rules._record_facts import mapping, number
from .rules.of_samples import FILE_RULES, ROW_RULES
from .rules.rows import RowFacts


@dataclass(slots=True)
class _Sums:
    """What is counted for one result."""

    rows: int = 0
    total: float = 0.0


@dataclass(slots=True)
class SamplePass:
    """A pass over a sample file.

    Attributes:
        path: The file.
        record: The record it belongs to, if there is one.
        record_path: Where that lies.
        gate: Note what the gate of Every Eval Ever would let pass.
        findings: What was found.
    """

    path: str
    record: Mapping[str, Any] | None = None
    record_path: str = ""
    record_source: Source | None = None
    schema_version: str | None = None
    gate: bool = False
    findings: RowFindings = field(default_factory=RowFindings)
    rows: int = 0
    _keys: array[int] = field(default_factory=lambda: array("Q"))
    _lines: array[int] = field(default_factory=lambda: array("Q"))
    _sums: dict[str, _Sums] = field(default_factory=dict)
    _results: dict[str, tuple[int, float | None]] = field(default_factory=dict)
    _record_version: str | None = None

    def __post_init__(self) -> None:
        if self.record is not None:
            self._record_version = identify(self.record, "record").version
            self._results = _results(self.record)

    def run(self, file: BinaryIO, progress: Progress | None = None) -> list[Finding]:
        """Read the file to its end; the findings, those of the record's link included."""
        link = mapping(mapping(self.record).get("detailed_evaluation_results"))
        algorithm = str(link.get("hash_algorithm") or "sha256")
        digest = hashlib.new(algorithm, usedforsecurity=False)
        for line_number, line in lines(file, progress):
            digest.update(line)
            self._line(line_number, line, algorithm)
        self._duplicates()
        if self.record is not None:
            self._link(link, digest.hexdigest())
            self._aggregates()
        return self.findings.close()

    def _line(self, line_number: int, raw: bytes, algorithm: str) -> None:
        body = raw.rstrip(b"\r\n")
        if not body.strip():
            self._say("blank-line", "line is blank", line_number)
            return
        self.rows += 1
        reading = read(body, self.path)
        self.findings.add(reading.findings, line_number)
        if not reading.readable:
            return
        data, source = reading.data, Source(self.path, reading.text or "")
        document = identify(data, "sample", self.schema_version)
        if document.schema is None:
            self._say(
                "row-version",
                f'there is no schema for samples of version "{document.version}"',
                line_number,
                source,
                "/schema_version",
            )
        elif not schemas.accepts(document.schema, data):
            found = mistakes(document, self.path, source)
            if self.gate:
                from ._gate import of_a_row

                found = of_a_row(data, found)
            self.findings.add(found, line_number)
        else:
            self._row(document, source, line_number, algorithm)

    def _row(self, document: Document, source: Source, line: int, algorithm: str) -> None:
        data = document.data
        facts = RowFacts(data, algorithm)
        for rule in ROW_RULES:
            assert rule.check
            self.findings.add(
                [
                    locate(hit, rule, self.path, source)
                    for hit in rule.check(facts)
                    if isinstance(hit, Hit)
                ],
                line,
            )
        result = data.get("evaluation_result_id") or data["evaluation_name"]
        key = (data["evaluation_id"], data["model_id"], result, data["sample_id"])
        key_digest = hashlib.blake2b(repr(key).encode("utf-8", "surrogatepass"), digest_size=8)
        self._keys.append(int.from_bytes(key_digest.digest()))
        self._lines.append(line)
        score = data["evaluation"]["score"]
        sums = self._sums.setdefault(result, _Sums())
        sums.rows += 1
        sums.total += float(score)
        if self.record is not None:
            self._against_record(document, source, line, result)

    def _against_record(self, document: Document, source: Source, line: int, result: str) -> None:
        assert self.record is not None
        data = document.data
        if document.version != self._record_version:
            message = f"row is of version {document.version}, its record of {self._record_version}"
            self._say("row-version", message, line, source, "/schema_version")
        expected = (
            ("row-evaluation-id", "evaluation_id", self.record.get("evaluation_id")),
            ("row-model-id", "model_id", mapping(self.record.get("model_info")).get("id")),
        )
        for rule, key, value in expected:
            if data[key] != value:
                message = f"`{key}` is not that of the record, {value!r}".replace("'", '"')
                self._say(rule, message, line, source, f"/{key}")
        if result not in self._results:
            key = "evaluation_result_id" if data.get("evaluation_result_id") else "evaluation_name"
            message = f'the record has no result "{result}"'
            self._say("row-result", message, line, source, f"/{key}")

    def _duplicates(self) -> None:
        order = sorted(range(len(self._keys)), key=self._keys.__getitem__)
        for one, other in itertools.pairwise(order):
            if self._keys[one] == self._keys[other]:
                first, second = sorted((self._lines[one], self._lines[other]))
                message = f"sample stands for the same result in line {first} already"
                self._say("duplicate-row", message, second, fold="duplicate")

    def _link(self, link: Mapping[str, Any], checksum: str) -> None:
        at = "/detailed_evaluation_results"
        rows = number(link.get("total_rows"))
        if rows is not None and rows != self.rows:
            self._of_record(
                "row-count",
                f"record says {rows:g} rows, the sample file has {self.rows}",
                f"{at}/total_rows",
                f'write "total_rows": {self.rows}, if the file is whole',
            )
        stated = link.get("checksum")
        if isinstance(stated, str) and stated.lower() != checksum:
            self._of_record(
                "checksum",
                "the sample file has another checksum",
                f"{at}/checksum",
                f'if the file is as it should be, write "{checksum}"',
            )

    def _aggregates(self) -> None:
        for name, sums in self._sums.items():
            index, score = self._results.get(name, (0, None))
            if score is None:
                continue
            mean = sums.total / sums.rows
            width = 0.5 * 10 ** -max(2, _decimals(score)) + 1e-12
            if abs(mean - score) > width and abs(100 * mean - score) > width:
                self._of_record(
                    "aggregate-differs",
                    f"score is {score:g}, the mean of its {sums.rows} rows is {mean:.6g}",
                    f"/evaluation_results/{index}/score_details/score",
                    "is the score a mean of the rows?",
                )

    def _of_record(self, rule: str, message: str, pointer: str, help_text: str) -> None:
        hit = Hit(message, At(pointer), helps=(help_text,), notes=(f"sample file: {self.path}",))
        finding = locate(hit, FILE_RULES[rule], self.record_path, self.record_source)
        self.findings.kept.append(finding)

    def _say(self, rule: str, message: str, line: int, *where: Any, **more: Any) -> None:
        """See ``RowFindings.say``."""
        self.findings.say(FILE_RULES[rule], message, self.path, line, *where, **more)


def _results(record: Mapping[str, Any]) -> dict[str, tuple[int, float | None]]:
    """Name or id of each result of a record → its index and score."""
    found: dict[str, tuple[int, float | None]] = {}
    for index, result in enumerate(record.get("evaluation_results") or ()):
        details = mapping(mapping(result).get("score_details"))
        for key in ("evaluation_name", "evaluation_result_id"):
            if isinstance(mapping(result).get(key), str):
                found.setdefault(result[key], (index, number(details.get("score"))))
    return found


def _decimals(value: float) -> int:
    text = repr(value)
    if "e" in text:
        return 12
    return len(text.partition(".")[2])
