"""The rules of minimal pairs: those on one row, and those on files and calls."""

from __future__ import annotations

from evalmark.validator.findings.file_findings import FileRule
from evalmark.validator.findings.severity import Severity
from evalmark.validator.formats.pairs import pair_rules as pairs
from evalmark.validator.rules.row_pages import ROW_PAGES
from evalmark.validator.rules.rule import Rule, checked_rules

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

#: Rules of the schema that are checked without it: a row, or a table, has the keys of a set.
PAIR_SHAPES: dict[str, FileRule] = {
    name: FileRule(code, name)
    for code, name in (("MP101", "missing-key"), ("MP115", "too-short"), ("MP117", "wrong-form"))
}

PAIR_RULES: tuple[Rule, ...] = checked_rules(
    ("MP201", "identical-texts", _ERROR, pairs.identical_texts),
    ("MP202", "repeated-option", _ERROR, pairs.repeated_option),
    ("MP203", "prefix-of-sentence", _WARNING, pairs.prefix_of_sentence),
    ("MP204", "method-without-keys", _WARNING, pairs.method_without_keys),
    ("MP205", "same-words", _WARNING, pairs.same_words),
    ("MP206", "ratio-range", _WARNING, pairs.ratio_range),
    ("MP207", "misspelt-key", _WARNING, pairs.misspelt_key),
    ("MP301", "odd-spaces", _WARNING, pairs.odd_spaces),
    ("MP302", "unseen-character", _WARNING, pairs.control_characters),
    ("MP303", "final-punctuation", _WARNING, pairs.final_punctuation),
    ("MP304", "mixed-normalization", _WARNING, pairs.mixed_normalization),
)

#: Rules on a whole file, checked by ``pair_rows``.
PAIR_FILE_RULES: dict[str, Rule] = {
    name: Rule(code, name, _WARNING, ROW_PAGES[name])
    for code, name in (
        ("MP401", "duplicate-pair"),
        ("MP402", "good-and-bad"),
        ("MP403", "uid-of-file"),
    )
}
