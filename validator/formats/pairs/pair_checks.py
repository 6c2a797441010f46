"""Minimal pairs: how their files are checked."""

from __future__ import annotations

from typing import BinaryIO

from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Checks, Document
from evalmark.validator.formats.pairs.pair_rows import check_list, check_pairs
from evalmark.validator.formats.pairs.pair_rule_table import PAIR_RULES
from evalmark.validator.reading.reading import Reading


class PairsChecks(Checks):
    """Files of minimal pairs: JSON lines, a JSON list, one object, or a table."""

    def advice(self) -> Advice:
        """The patterns of the schema in words."""
        texts, number = "two texts with one tab between them", "a number that is not negative"
        return Advice(
            forms={
                r"^[^\t\S]*[^\t\s][^\t]*\t[^\t\S]*[^\t\s][^\t]*$": texts,
                r"^\s*([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE]-?[0-9]+)?\s*$": number,
            }
        )

    def rules(self) -> tuple[Rule, ...]:
        """The rules on one row."""
        return PAIR_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a JSON list of pairs, or one pair."""
        checked = check_list(document, reading, context)
        checked.findings[:0] = reading.findings
        return checked

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check JSON lines or a table."""
        return check_pairs(self.format, file, path, context)
