"""The one table of sets of minimal pairs: by what keys each is known, and what its rows compare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from evalmark.validator.reading.pair_columns import PRESETS

#: Ways to read the probability of a text as a score: each set has its own by default.
SUM, MEAN, PER_CHAR = "sum", "mean", "per-char"
ONE_PREFIX, TWO_PREFIX, CONDITIONAL = "one-prefix", "two-prefix", "conditional"
#: Two texts after one context, in a set whose own method is one text after two contexts.
ONE_CONTEXT = "one-context"
METHODS = (SUM, MEAN, PER_CHAR, ONE_PREFIX, TWO_PREFIX, CONDITIONAL, ONE_CONTEXT)
#: How equal scores count: no success, or a success of the text that comes first.
NEVER_RIGHT, FIRST_WINS = "never right", "the first is right"

#: Roles of the texts of a choice; one with several wrong texts has options.
GOOD, BAD, OPTION = "good", "bad", "option"


class Column(NamedTuple):
    """One side of a choice, as keys of a row."""

    role: str  # ``good``, ``bad`` or ``option``
    text: str  # key of the text whose probability counts
    context: str = ""  # key of the text that precedes it; empty if none does


#: A choice among texts, by their keys: a name, and its sides with the right one first.
Columns = tuple[str, tuple[Column, ...]]


class PairSet(NamedTuple):
    """A set of minimal pairs, or the sets that share its keys."""

    name: str  # as in reports and records
    title: str  # its name in its field
    signs: frozenset[str]  # keys that every row has, and by which a row is known to be of this set
    # the comparisons of methods that see whole texts, or a text given its context
    whole: tuple[Columns, ...] = ()
    # method -> its comparisons instead, where a row has the keys for it
    prefixed: Mapping[str, tuple[Columns, ...]] = {}
    one_context: tuple[Columns, ...] = ()  # the comparisons of the method of that name
    joint: str = " "  # the text between a context and the text after it
    options: str = ""  # key of a list of texts that follow one context; the first is right
    # key of two texts with a tab between them, whose ratio is compared with people's
    split: str = ""
    ratio: str = ""  # key of the ratio that people gave
    apart: str = ""  # key whose value tells rows with the same texts apart; empty if none does
    # the method of the set itself; every method for texts without a context is allowed
    method: str = SUM
    # label -> keys that may hold it; the first that a row has counts
    labels: Mapping[str, tuple[str, ...]] = {}
    # of a row that states none: ``{file}`` is its file without the ending, others are keys
    uid: str = "{file}"
    identity: tuple[str, ...] = ()  # keys that may hold the number or name of the row
    claims: Mapping[str, str] = {}  # method -> key that says whether the row is meant for it
    same_words: str = ""  # key that says whether both texts have the same words

    @property
    def listed_signs(self) -> tuple[str, ...]:
        """The keys that every row has, in the order in which a row has them."""
        return tuple(key for key in self.keys if key in self.signs)

    @property
    def keys(self) -> Mapping[str, None]:
        """Every key that has a meaning in this set, in order."""
        return _keys_of(self.name)

    @property
    def has_contexts(self) -> bool:
        """True if a text of a row follows a context."""
        return any(column.context for _, columns in self.whole for column in columns)

    def keys_for(self, method: str) -> tuple[str, ...]:
        """The keys of the contexts and texts that a method on prefixes needs."""
        columns = [c for _, some in self.prefixed.get(method, ()) for c in some]
        return tuple(dict.fromkeys(key for c in columns for key in (c.context, c.text)))

    def fits(self, row: Mapping[str, Any]) -> bool:
        """True if a row is of this set, as far as its keys tell."""
        return self.signs <= row.keys()

    def values_match(self, row: Mapping[str, Any]) -> bool:
        """True if a file with such a row is certainly of this set: other files have its keys too.

        Only a list can be options, and only a text with a tab can be two sentences.
        """
        return (
            self.fits(row)
            and (not self.options or isinstance(row[self.options], list))
            and (not self.split or "\t" in str(row[self.split]))
        )


def _pair(good: str, bad: str, context: tuple[str, str] = ("", "")) -> tuple[Columns, ...]:
    return (("", (Column(GOOD, good, context[0]), Column(BAD, bad, context[1]))),)


_BLIMP_PREFIXES = {
    ONE_PREFIX: _pair(
        "one_prefix_word_good", "one_prefix_word_bad", ("one_prefix_prefix", "one_prefix_prefix")
    ),
    TWO_PREFIX: _pair(
        "two_prefix_word", "two_prefix_word", ("two_prefix_prefix_good", "two_prefix_prefix_bad")
    ),
}

#: Name -> set. The first whose signs a row has is its set.
SETS: dict[str, PairSet] = {
    pairs.name: pairs
    for pairs in (
        PairSet(
            "blimp",
            "BLiMP, and sets with its keys (BabyLM's supplement, ZhoBLiMP, BLiMP-NL)",
            frozenset({"sentence_good", "sentence_bad"}),
            _pair("sentence_good", "sentence_bad"),
            _BLIMP_PREFIXES,
            labels={
                "uid": ("UID", "paradigm"),
                "field": ("field",),
                "term": ("linguistics_term", "phenomenon"),
                "language": ("language", "lang"),
            },
            identity=("pairID", "pair_id", "pair_ID", "item_id", "idx"),
            claims={
                SUM: "simple_LM_method",
                ONE_PREFIX: "one_prefix_method",
                TWO_PREFIX: "two_prefix_method",
            },
            same_words="lexically_identical",
        ),
        PairSet(
            "multiblimp",
            "MultiBLiMP",
            frozenset({"sen", "wrong_sen"}),
            _pair("sen", "wrong_sen"),
            labels={
                "uid": ("UID",),
                "term": ("phenomenon",),
                "language": ("language", "lang", "langcode"),
            },
            identity=("idx",),
        ),
        PairSet(
            "jblimp",
            "JBLiMP",
            frozenset({"good_sentence", "bad_sentence"}),
            _pair("good_sentence", "bad_sentence"),
            labels={"uid": ("paradigm",), "field": ("type",), "term": ("phenomenon",)},
            identity=("ID",),
        ),
        PairSet(
            "ewok",
            "EWoK",
            frozenset({"Context1", "Context2", "Target1", "Target2"}),
            (
                (
                    "Target1",
                    (Column(GOOD, "Target1", "Context1"), Column(BAD, "Target1", "Context2")),
                ),
                (
                    "Target2",
                    (Column(GOOD, "Target2", "Context2"), Column(BAD, "Target2", "Context1")),
                ),
            ),
            one_context=_pair("Target1", "Target2", ("Context1", "Context1")),
            method=CONDITIONAL,
            labels={"uid": ("Domain",), "field": ("ContextType",), "term": ("TargetDiff",)},
            identity=("ItemID", "item_id", "MetaTemplateID"),
        ),
        PairSet(
            "comps",
            "COMPS",
            frozenset({"prefix_acceptable", "prefix_unacceptable", "property_phrase"}),
            _pair(
                "property_phrase", "property_phrase", ("prefix_acceptable", "prefix_unacceptable")
            ),
            apart="negative_sample_type",
            method=CONDITIONAL,
            labels={"uid": ("UID",), "term": ("negative_sample_type",)},
            identity=("id",),
        ),
        PairSet(
            "continuations",
            "two continuations of a prefix (DTFit)",
            frozenset({"prefix", "good_continuation", "bad_continuation"}),
            _pair("good_continuation", "bad_continuation", ("prefix", "prefix")),
            method=CONDITIONAL,
            labels={
                "uid": ("UID", "category", "paradigm", "phenomenon"),
                "field": ("field",),
                "language": ("language", "lang"),
            },
            identity=("pairID", "item_id", "id"),
        ),
        PairSet(
            "entity-tracking",
            "entity tracking",
            frozenset({"input_prefix", "options"}),
            (("", (Column(OPTION, "options", "input_prefix"),)),),
            joint="",
            options="options",
            method=CONDITIONAL,
            labels={"uid": ("UID",), "term": ("numops",)},
            uid="{file}_{numops}_ops",
        ),
        PairSet(
            "wug",
            "wug tests (adjective nominalization, past tense)",
            frozenset({"sentences", "ratio"}),
            split="sentences",
            ratio="ratio",
            labels={"uid": ("UID",)},
        ),
    )
}


@cache
def _keys_of(name: str) -> Mapping[str, None]:
    pair_set = SETS[name]
    choices = (*pair_set.whole, *(part for some in pair_set.prefixed.values() for part in some))
    columns = [column for _, compared in choices for column in compared]
    held = (
        pair_set.split,
        pair_set.ratio,
        pair_set.options,
        pair_set.same_words,
        *pair_set.claims.values(),
    )
    keys = [key for column in columns for key in (column.context, column.text)]
    keys += [*held, *(key for some in pair_set.labels.values() for key in some), *pair_set.identity]
    return dict.fromkeys(key for key in keys if key)


#: The name of a set that has BLiMP's two texts and nothing else of it.
OWN = "pairs"

#: Set -> its language, where its rows need not say it.
_LANGUAGES = {
    "blimp": "eng", "ewok": "eng", "comps": "eng", "entity-tracking": "eng", "zorro": "eng",
    "jblimp": "jpn", "rublimp": "rus", "turblimp": "tur", "qfrblimp": "fra",
    "qfrblimp-release": "fra", "blimp-nl": "nld", "climp": "zho",
}  # fmt: skip


def language_of(name: str) -> str:
    """The language of a set, by its name or title; empty if that does not say it."""
    known = ((set_named(title), language) for title, language in _LANGUAGES.items())
    return next((language for entry, language in known if name in (entry.name, entry.title)), "")


def set_named(name: str) -> PairSet:
    """The set of a name; that of a preset, or of one's own pairs, is BLiMP under its name."""
    if name in SETS:
        return SETS[name]
    title = PRESETS[name].title if name in PRESETS else f"{name} of a good and a bad sentence"
    return SETS["blimp"]._replace(name=name, title=title)


def set_of(row: object) -> PairSet | None:
    """The set that a row belongs to; None if it is not a row of pairs."""
    if not isinstance(row, dict):
        return None
    return next((pair_set for pair_set in SETS.values() if pair_set.fits(row)), None)
