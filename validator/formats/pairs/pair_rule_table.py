"""The rules of minimal pairs: those on one row, and those on files and calls."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import FileRule, Rule, checked_rules, grouped
from evalmark.validator.formats.pairs.rules import pair_rules as pairs

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

#: Rules of the schema that are checked without it: a row, or a table, has the keys of a set.
PAIR_SHAPES: dict[str, FileRule] = {
    name: FileRule(code, name)
    for code, name in (("MP101", "missing-key"), ("MP115", "too-short"), ("MP117", "wrong-form"))
}

#: Rules on the characters of texts: what one finds in nearly every row is the set's convention.
CHARACTER_RULES: tuple[Rule, ...] = checked_rules(
    ("MP301", "odd-spaces", _WARNING, pairs.odd_spaces),
    ("MP302", "unseen-character", _WARNING, pairs.control_characters),
    ("MP303", "final-punctuation", _WARNING, pairs.final_punctuation),
    ("MP304", "mixed-normalization", _WARNING, pairs.mixed_normalization),
    ("MP305", "initial-capital", _WARNING, pairs.initial_capital),
)
_TEXT_RULES: tuple[Rule, ...] = checked_rules(
    ("MP201", "identical-texts", _ERROR, pairs.identical_texts),
    ("MP202", "repeated-option", _ERROR, pairs.repeated_option),
    ("MP203", "prefix-of-sentence", _WARNING, pairs.prefix_of_sentence),
    ("MP204", "method-without-keys", _WARNING, pairs.method_without_keys),
    ("MP205", "same-words", _WARNING, pairs.same_words),
    ("MP206", "ratio-range", _WARNING, pairs.ratio_range),
    ("MP208", "equal-when-normalized", _WARNING, pairs.equal_when_normalized),
)
PAIR_RULES = (*_TEXT_RULES, *CHARACTER_RULES)
PAIR_GROUPS = grouped(PAIR_RULES)
_NAMED = {rule.name: rule for rule in PAIR_RULES}
#: What a row says of all rows of its paradigm: ``PairRows`` reports it once if nearly all
#: contradict it.
SAME_WORDS = _NAMED["same-words"]
#: Checked in a row; ``PairRows`` checks by the same rule whether the rows of a file mix forms.
MIXED = _NAMED["mixed-normalization"]

#: Pages of the rules that are not functions: what, why, bad, good.
_FILE_PAGES: dict[str, str] = {
    "duplicate-pair": """A file has duplicate pairs.

    A pair that is repeated counts more than the others.

    Bad: two rows with the same two sentences
    Good: each pair once
    """,
    "good-and-bad": """A text is good in one pair of a file and bad in another.

    One of the two pairs has its labels swapped, or the text is both. Texts with a context are not
    compared: what is right depends on the context.

    Bad: "The cats sleep." as `sentence_good` of line 3 and as `sentence_bad` of line 9
    Good: "The cats sleep." always as `sentence_good`
    """,
    "uid-of-file": """The pairs of a file named after a `UID` have another `UID`.

    Scores are averaged by `UID`, and files are named after it. Not reported: a file in a folder
    named after the `UID`, and a file with several UIDs, none of which is its name, unless 95 % of
    its pairs have one of them.

    Bad: `"UID": "passive_2"` in passive_1.jsonl
    Good: `"UID": "passive_1"` in passive_1.jsonl
    """,
    "unlike-the-others": """The texts of a pair differ in another way than those of its paradigm.

    In most paradigms the texts of a pair differ in one place: a word, or a few that follow each
    other. In some they have the same words in another order. A pair that differs otherwise may have
    a second difference, such as a typing mistake, which then decides what a model prefers. Reported
    where at least 95 % of at least 20 pairs of a UID differ in one way; in scripts without spaces,
    characters are compared.

    Bad: "The cats sleep at noon.." and "The cats sleeps at noon." among pairs that differ in a verb
    Good: "The cats sleep at noon." and "The cats sleeps at noon."
    """,
    "swapped-texts": """The right and the wrong text of a pair are swapped.

    In many paradigms some words are only in the right texts, or only in the wrong ones. A pair with
    such words in the other text has its labels swapped, or is of another paradigm. Judged are pairs
    that differ in one place: reported is a word that is in the other text in at least 95 % of at
    least 20 pairs of the UID, if both texts have one, or if nearly all pairs have this word. Where
    the same words are right and wrong, as in agreement, swapped texts cannot be seen.

    Bad: "has ever" in `sentence_good` where `sentence_bad` of the other pairs has "ever"
    Good: "has ever" in `sentence_bad`
    """,
    "labels-of-uid": """The pairs of a `UID` have several fields, linguistic terms or languages.

    Scores are averaged by these as well. A pair with another field than the others of its `UID` may
    be of another `UID`, or its field is wrong. Reported where at least 95 % of at least 20 pairs of
    a `UID` have the same labels.

    Bad: `"UID": "passive_1", "field": "semantics"` among pairs with `"field": "syntax"`
    Good: `"UID": "passive_1", "field": "syntax"`
    """,
    "row-without-partner": """In a file with a sentence in each row, a sentence has no partner.

    Such a file has the right and the wrong sentence of a pair in two rows. A row without a
    partner is not scored; a note says how many there are.

    Bad: a row `True` that another row `True` follows
    Good: rows `True` and `False` by turns, or two rows with the same values in `pair-by`
    """,
}

#: Rules on a whole file, checked by ``check_pairs``.
PAIR_FILE_RULES: dict[str, Rule] = {
    name: Rule(code, name, _WARNING, _FILE_PAGES[name])
    for code, name in (
        ("MP401", "duplicate-pair"),
        ("MP402", "good-and-bad"),
        ("MP403", "uid-of-file"),
        ("MP405", "row-without-partner"),
        ("MP406", "unlike-the-others"),
        ("MP407", "swapped-texts"),
        ("MP408", "labels-of-uid"),
    )
}

#: Checked over all files of a call.
SAME_PAIR = Rule(
    "MP404",
    "pair-in-another-file",
    _WARNING,
    """A pair is in two files of a call.

    A pair that is in two files counts twice. The hook does not check this, because it sees only
    some of the files.

    Bad: `evalmark check passive_1.jsonl copy.jsonl`, where the second repeats a pair of the first
    Good: each pair in one file
    """,
)
