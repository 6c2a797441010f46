"""Minimal pairs: how their files are recognized and checked."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, BinaryIO

from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.pairs.pair_sets import SETS
from evalmark.validator.options.pair_columns import PRESETS, preset_of
from evalmark.validator.reading.reading import Reading


class PairsFormat(Format):
    """Files of minimal pairs: JSON lines, a JSON list, one object, or a table."""

    def holds(self, data: dict[str, Any]) -> bool:
        """True if a row is of a known set of pairs, or of a preset."""
        return any(s.holds(data) for s in SETS.values()) or preset_of(data) is not None

    def recognizes_columns(self, header: Collection[str]) -> bool:
        """True if a table has the columns of a set."""
        return any(signs.issubset(header) for signs in self.signs)

    def nearly_recognizes_columns(self, header: Collection[str]) -> bool:
        """True if the columns of a table are nearly those of a set."""
        from evalmark.validator.formats.pairs.misspelt_keys import nearest

        near = nearest(header)
        return near is not None and not near.missing

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
        from evalmark.validator.formats.pairs.pair_rule_table import PAIR_RULES

        return PAIR_RULES

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a JSON list of pairs, or one pair."""
        from evalmark.validator.formats.pairs.check_pairs import check_list

        checked = check_list(document, reading, context.options)
        checked.findings[:0] = reading.findings
        return checked

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check JSON lines or a table."""
        from evalmark.validator.formats.pairs.check_pairs import check_pairs

        return check_pairs(self, file, path, context)


#: The presets whose columns are the keys of objects too: no header lists them as numbers.
IN_OBJECTS = tuple(
    preset for preset in PRESETS.values() if preset.has_header and not preset.is_long
)

PAIRS = PairsFormat(
    "pairs",
    "an object with two texts, such as `sentence_good` and `sentence_bad`; one per line in "
    ".jsonl, in a list, or in the rows of a .csv or .tsv file",
    "MP",
    (
        *(pairs.signs for pairs in SETS.values()),
        *(frozenset(preset.needed) for preset in IN_OBJECTS),
    ),
    has_rows=True,
    has_tables=True,
    in_lists=True,
)
