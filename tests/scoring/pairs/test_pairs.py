"""Minimal pairs: what is scored, what is right, and what is a tie."""

import json
import math
from fractions import Fraction

import pytest
from evalmark.schemas.errors import ScoringError, UndefinedValue, UsageError
from evalmark.scoring.contest_run import score_contests
from evalmark.scoring.models.protocols import ModelInfo, Tokenized
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.score_settings import OF_EACH_SET, Settings
from evalmark.scoring.surprisals.prefix_packs import PackValues
from evalmark.stats.correlations import spearman, spearman_interval
from evalmark.stats.intervals import average_interval, wilson_interval
from pairs import pair, pairs_at


def score_pairs(files, model, settings, **options):
    return score_contests(PairContests(model, settings), files, **options)


class Words:
    """A model of words: the surprisal of each is in a table, whatever precedes it.

    Words beyond it have 1 bit. A word is a token, with the space before it.
    """

    kind = "causal"
    bos = (0,)
    max_tokens = 40
    pack_tokens = 256
    marks_words = True
    around = ((), ())

    def __init__(self, bits=(), dtype="float32", bos=(0,)):
        self.bits = dict(bits)
        self.bos = bos
        self.words = ["<s>"]
        self.read = 0
        self.info = ModelInfo("local/words", "words", ("none", "1"), {"dtype": dtype})

    def tokenize(self, text):
        spans, ids, start = [], [], 0
        for word in text.split(" "):
            end = start + len(word) + bool(ids)
            spans.append((start, end))
            start = end
            if word not in self.words:
                self.words.append(word)
            ids.append(self.words.index(word))
        return Tokenized(tuple(ids), tuple(spans))

    def _of(self, token):
        return float(self.bits.get(self.words[token], 1.0))

    def surprisals(self, rows, places=None, /):
        chosen = places or [range(1, len(row)) for row in rows]
        return [[self._of(row[at]) for at in own] for row, own in zip(rows, chosen, strict=True)]

    def read_pack(self, pack):
        self.read += len(pack.targets)
        return PackValues([self._of(target.token) for target in pack.targets], [])


def scored(folder, rows, bits=(), name="set.jsonl", settings=None, **loading):
    files = load_pairs([pairs_at(folder, rows, name)], **loading)
    chosen = settings or Settings(method=loading.get("method", OF_EACH_SET))
    return score_pairs(files, bits if isinstance(bits, Words) else Words(bits), chosen)


def outcomes(scores):
    return [contest.outcome for uid in scores.uids for contest in uid.contests]


# which texts, and what they are worth

CASES = {
    "sum": (pair("a b", "a c d"), {"b": 3}, [(4.0, 3.0)]),
    "mean": (pair("a b", "a c d"), {"b": 3}, [(2.0, 1.0)]),
    "per-char": (pair("a b", "a c d"), {"b": 3}, [(4 / 3, 3 / 5)]),
    "one-prefix": (
        pair("a b e", "a c e", one_prefix_prefix="a", one_prefix_word_good="b",
             one_prefix_word_bad="c"),
        {"a": 9, "b": 3, "e": 9},
        [(3.0, 1.0)],
    ),
    "two-prefix": (
        pair("a b e", "c b e", two_prefix_prefix_good="a", two_prefix_prefix_bad="c",
             two_prefix_word="b f"),
        {"a": 9, "b": 3, "e": 9},
        [(4.0, 4.0)],
    ),
    "conditional": (
        {"prefix_acceptable": "x y", "prefix_unacceptable": "z", "property_phrase": "b c"},
        {"x": 9, "b": 3},
        [(4.0, 4.0)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("method", CASES)
def test_each_method_counts_its_own_tokens(tmp_path, method):
    row, bits, expected = CASES[method]
    scores = scored(tmp_path, [row], bits, method=method)
    found = [contest.scores for uid in scores.uids for contest in uid.contests]
    assert [pytest.approx(pair) for pair in expected] == found
    assert {uid.method for uid in scores.uids} == {method}


@pytest.mark.parametrize("word", ["b", " b"])
def test_a_word_that_begins_with_its_space_is_read_after_one_space(tmp_path, word):
    row = pair("a b e", "c b e", two_prefix_prefix_good="a", two_prefix_prefix_bad="c",
               two_prefix_word=word)  # fmt: skip
    (file,) = load_pairs([pairs_at(tmp_path, [row])], method="two-prefix")
    assert file.texts == (("a b", 1), ("c b", 1))


SETS = {
    "jblimp": ({"good_sentence": "a", "bad_sentence": "b"}, "sum", [(1.0, 3.0)]),
    "multiblimp": ({"sen": "a", "wrong_sen": "b"}, "sum", [(1.0, 3.0)]),
    "ewok": (
        {"Context1": "a", "Context2": "b", "Target1": "c b", "Target2": "b b", "Domain": "x"},
        "conditional",
        [(4.0, 4.0), (6.0, 6.0)],
    ),
    "entity-tracking": (
        {"input_prefix": "b", "options": [" a", " b", " c"], "numops": 1},
        "conditional",
        [(1.0, 3.0, 1.0)],
    ),
    "wug": ({"sentences": "a a\tb", "ratio": 0.5}, "sum", [(2.0, 3.0)]),
}


@pytest.mark.parametrize("name", SETS)
def test_each_set_has_its_own_method(tmp_path, name):
    row, method, expected = SETS[name]
    scores = scored(tmp_path, [row], {"b": 3})
    found = [contest.scores for uid in scores.uids for contest in uid.contests]
    assert found == [pytest.approx(sides) for sides in expected]
    assert (scores.uids[0].set, scores.uids[0].method) == (name, method)


def test_a_token_with_characters_on_both_sides_belongs_to_the_text(tmp_path):
    row = {"input_prefix": "ab", "options": ["cd e", "f"], "numops": 1}
    scores = scored(tmp_path, [row], {"abcd": 5, "abf": 7})
    assert scores.uids[0].contests[0].scores == (6.0, 7.0)


def test_a_distinct_text_is_scored_once_over_all_files(tmp_path):
    rows = [pair("a b", "a c"), pair("a c", "a b"), pair("a b", "a b d")]
    paths = [pairs_at(tmp_path, rows, f"{name}.jsonl") for name in "xy"]
    model = Words()
    scores = score_pairs(load_pairs(paths), model, Settings())
    # Once for the largest pack, which is computed before all others.
    assert model.read == 4, "a, a b, a c, a b d"
    assert len(scores.uids) == 2


# outcomes


@pytest.mark.parametrize(
    ("good", "bad", "bits", "outcome"),
    [
        ("a", "b", {"b": 3}, "right"),
        ("b", "a", {"b": 3}, "wrong"),
        ("a", "b", {}, "exact tie"),
        ("a", "b", {"b": 1 + 2e-5}, "tie"),
        ("b", "a", {"b": 1 + 2e-5}, "tie"),
        ("a", "b", {"b": 1 + 3e-5}, "right"),
        ("a", "a", {}, "impossible"),
        ("a", "b", {"a": math.nan}, "undefined"),
        # The common beginning has one value: it cannot move the difference.
        ("e e e e e e e e a", "e e e e e e e e b", {"b": 1 + 3e-5}, "right"),
        ("a e e e e e e e e", "b e e e e e e e e", {"b": 1 + 3e-5}, "tie"),
    ],
)
def test_a_tie_is_never_right(tmp_path, good, bad, bits, outcome):
    settings = Settings(undefined="false")
    assert outcomes(scored(tmp_path, [pair(good, bad)], bits, settings=settings)) == [outcome]


@pytest.mark.parametrize(
    ("bits", "outcome"),
    [
        ({"b": 3, "c": 3}, "right"),
        ({"b": 3}, "exact tie"),  # with c
        ({"b": 3, "c": 1 + 1e-6}, "tie"),
        ({"b": 0.5}, "wrong"),
        ({"a": 3, "b": 3}, "wrong"),
    ],
)
def test_the_right_option_is_better_than_all_others(tmp_path, bits, outcome):
    row = {"input_prefix": "x", "options": [" a", " b", " c"], "numops": 0}
    assert outcomes(scored(tmp_path, [row], bits)) == [outcome]


def test_impossible_pairs_count(tmp_path):
    rows = [pair("a", "b"), pair("a", "a"), pair("b", "c")]
    whole = scored(tmp_path, rows, {"b": 3}).uids[0]
    assert (whole.counts.items, whole.counts.right, whole.counts.impossible) == (3, 1, 1)
    assert whole.counts.chance_share == Fraction(1, 3)
    assert whole.named(("impossible",)) == ["1"]


def test_undefined_surprisals_refuse_a_file(tmp_path):
    with pytest.raises(UndefinedValue, match=r"set.jsonl: the surprisal of a text of item 0"):
        scored(tmp_path, [pair("a", "b")], {"a": math.inf})
    with pytest.raises(UndefinedValue):
        scored(tmp_path, [pair("a b", "a c")], Words(bos=()))
    zero = Settings(first_token="zero")
    scores = scored(tmp_path, [pair("a b", "a c")], Words({"c": 3}, bos=()), settings=zero)
    assert outcomes(scores) == ["right"]


def test_lower_precision_widens_the_margin(tmp_path):
    rows = [pair("a", "b")]
    assert outcomes(scored(tmp_path, rows, Words({"b": 1.1}, "float16"))) == ["right"]
    assert outcomes(scored(tmp_path, rows, Words({"b": 1.1}, "bfloat16"))) == ["tie"]


# averages


def test_uids_have_the_same_weight_and_all_pairs_are_an_average_too(tmp_path):
    rows = [
        *[pair("a", "b", UID="x", field="syntax", linguistics_term="t")] * 3,
        pair("b", "a", UID="x", field="syntax", linguistics_term="u"),
        pair("b", "a", UID="y", field="syntax_semantics", linguistics_term="t"),
    ]
    found = {
        (average.label, average.value): average
        for average in scored(tmp_path, rows, {"b": 3}).averages
    }
    assert {key: average.score for key, average in found.items()} == {
        ("field", "syntax"): 0.75,
        ("field", "syntax/semantics"): 0.0,
        ("term", "t"): 0.5,
        ("term", "u"): 0.0,
        ("", ""): 0.375,
    }
    whole = found["", ""]
    assert (whole.counts.share, whole.averaged) == (0.6, "mean over 2 UIDs")
    assert whole.interval == pytest.approx(average_interval([0.75, 0], [4, 1]))


def test_entity_tracking_is_averaged_over_files_first(tmp_path):
    def row(right, operations):
        options = [" a", " b"] if right else [" b", " a"]
        return {"input_prefix": "x", "options": options, "numops": operations}

    paths = [
        pairs_at(tmp_path, [row(True, 0), row(True, 1)], "regular.jsonl"),
        pairs_at(tmp_path, [row(False, 0)], "ambiref.jsonl"),
    ]
    scores = score_pairs(load_pairs(paths), Words({"b": 3}), Settings())
    assert [uid.label for uid in scores.uids] == ["regular_0_ops", "regular_1_ops", "ambiref_0_ops"]
    (whole,) = (average for average in scores.averages if not average.label)
    assert (whole.score, whole.counts.share) == (0.5, 2 / 3)
    assert whole.averaged == "mean over files of means over 3 UIDs"


def test_weights_of_an_average_add_up():
    assert average_interval([0.25], [24], [1.0]) == pytest.approx(wilson_interval(0.25, 24))
    assert average_interval([0.2, 0.8], [9, 9], [0.5, 0.5]) == average_interval([0.2, 0.8], [9, 9])


def test_files_of_one_name_in_several_folders_are_told_apart(tmp_path):
    rows = [{"sen": "a", "wrong_sen": "b"}]
    paths = [pairs_at(tmp_path, rows, f"{code}/agreement.jsonl") for code in ("eng", "deu")]
    scores = score_pairs(load_pairs(paths), Words({"b": 3}), Settings())
    assert [uid.label for uid in scores.uids] == ["eng/agreement", "deu/agreement"]


def test_rows_of_one_name_have_names_of_their_own(tmp_path):
    rows = [pair("a", "b", UID="x", pairID="7"), pair("a", "c", UID="x", pairID="7")]
    assert scored(tmp_path, rows).uids[0].ids == ("7", "7#2")


# correlations


def test_spearman_of_known_values():
    # IQ and hours of television: a textbook's example.
    iq = [106, 100, 86, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 27, 2, 50, 28, 29, 20, 12, 6, 17]
    assert spearman(iq, hours) == pytest.approx(-29 / 165)
    # With equal values: Pearson's correlation of mid-ranks.
    assert spearman([1, 2, 2, 3], [1, 3, 2, 4]) == pytest.approx(0.9486832980505138)
    assert spearman([1, 2, 3], [5, 6, 9]) == 1
    assert spearman([1, 1, 1], [5, 6, 9]) is None
    low, high = spearman_interval(0.5, 30)
    assert math.atanh(high) - math.atanh(0.5) == pytest.approx(1.959964 * math.sqrt(1.125 / 27))
    assert math.atanh(high) + math.atanh(low) == pytest.approx(2 * math.atanh(0.5))
    assert spearman_interval(1.0, 30) is None


def test_wug_tests_correlate_the_share_of_the_first_text_with_the_ratio(tmp_path):
    bits = {"a": 1, "b": 2, "c": 50, "d": 100}
    rows = [
        {"sentences": "a\tb", "ratio": 0.2},
        {"sentences": "b\ta", "ratio": "0.3"},
        {"sentences": "a\tc", "ratio": 0.8},
        {"sentences": "a\td", "ratio": 0.9},  # the share is 1 in both
    ]
    (uid,) = scored(tmp_path, rows, bits, "wug_adj.jsonl").uids
    assert uid.shares == pytest.approx([2 / 3, 1 / 3, 1, 1])
    assert uid.correlation == pytest.approx(0.8)
    assert uid.score == uid.correlation


# files


def test_files_are_known_by_their_content(tmp_path):
    rows = [pair("a", "b")]
    lines = pairs_at(tmp_path, rows)
    (tmp_path / "list.json").write_text(json.dumps(rows))
    (tmp_path / "table.csv").write_text("sen,wrong_sen\na,b\n")
    (tmp_path / "table.tsv").write_text("sen\twrong_sen\na\tb\n")
    (tmp_path / "list.yaml").write_text("- sen: a\n  wrong_sen: b\n")
    (tmp_path / "one.json").write_text(json.dumps(rows[0]))
    (tmp_path / "notes.json").write_text('{"a": 1}')
    (tmp_path / "other.csv").write_text("x,y\n1,2\n")
    names = ["list.json", "list.yaml", "one.json", "set.jsonl", "table.csv", "table.tsv"]
    assert pair_paths([str(tmp_path)]) == [str(tmp_path / name) for name in names]
    assert {file.rows for file in load_pairs(pair_paths([str(tmp_path)]))} == {1}
    broken = pairs_at(tmp_path, [{"x": 1}], "broken.jsonl")
    assert pair_paths([broken]) == []
    assert pair_paths([lines, broken]) == [lines, broken], "it is named, and so it is missed"
    (tmp_path / "suite.json").write_text('{"items": [], "predictions": [], "region_meta": {}}')
    with pytest.raises(UsageError, match=r"suite.json is a suite: score them in two runs"):
        pair_paths([str(tmp_path)])


@pytest.mark.parametrize(
    ("rows", "method", "said"),
    [
        ([pair("a", 1)], None, "set.jsonl:1:40: MP112 `sentence_bad` must be a string"),
        ([pair("a", "b"), {"sen": "a", "wrong_sen": "b"}], None, "line 2 is of multiblimp"),
        ([pair("a", "b")], "one-prefix", "line 1 has no texts for the method one-prefix"),
        ([pair("a", "b")], "conditional", "it can be scored by sum, mean, per-char"),
        ([], None, "the file has no rows"),
    ],
)
def test_what_cannot_be_scored_is_said(tmp_path, rows, method, said):
    with pytest.raises(ScoringError, match=said):
        load_pairs([pairs_at(tmp_path, rows)], method=method)


def test_a_limit_takes_the_first_rows(tmp_path):
    rows = [pair("a", "b"), pair("a", "c"), pair("a", 1)]
    (file,) = load_pairs([pairs_at(tmp_path, rows)], limit=2)
    assert (file.rows, len(file.contests), len(file.texts)) == (2, 2, 3)


def test_a_text_that_is_too_long_leaves_its_file_out(tmp_path):
    paths = [
        pairs_at(tmp_path, [pair("a " * 50, "b")], "long.jsonl"),
        pairs_at(tmp_path, [pair("a", "b")], "short.jsonl"),
    ]
    scores = score_pairs(load_pairs(paths), Words({"b": 3}), Settings(), keep_going=True)
    assert [uid.label for uid in scores.uids] == ["short"]
    (unused,) = scores.unused
    assert "a text has 52 tokens, the model reads at most 40" in unused.reason
