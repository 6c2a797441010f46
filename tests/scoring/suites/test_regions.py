"""Sentences, regions and tokens: what belongs to what, and which value it has."""

import json
import re

import pytest
from conftest import FIXTURES, edited
from evalmark.schemas.errors import SurprisalFileError, UndefinedValue
from evalmark.scoring.models.tokenizers import decoded_spans
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.prediction_results import judge
from evalmark.scoring.suites.recorded_scores import score_recorded
from evalmark.scoring.suites.regions import (
    METRICS,
    assign_tokens,
    condition_values,
    region_surprisals,
    region_value,
)
from evalmark.scoring.suites.suite_loading import load_suite
from evalmark.scoring.suites.surprisal_files import read_surprisals
from evalmark.validator.formats.suites.suite import Condition, Region, join_regions
from hypothesis import given
from hypothesis import strategies as st
from recorded_suites import surprisals_at

# joining


def reference_join(contents):
    """The reference implementation's rule, written down again."""
    return " ".join(content.lstrip() for content in contents if content.strip() != "")


WORDS = st.lists(
    st.sampled_from(["", " ", "The", " dog", "liked ", ",", ".", "a  b", "ran .", "!", "? no"]),
    max_size=6,
)


@pytest.mark.conforms("S-63")
@given(WORDS)
def test_joins_are_those_of_the_tools(contents):
    core = reference_join(contents)
    assert join_regions(contents).text == core
    assert join_regions(contents, "hf").text == re.sub(r"\s+([.,])", r"\1", core)
    plain = " ".join(content for content in contents if content.strip() != "")
    brainscore = join_regions(contents, "brainscore").text
    assert brainscore == re.sub(r"\s+([.,!?;:])", r"\1", plain)


@given(WORDS)
def test_the_rule_none_puts_nothing_between_regions(contents):
    sentence = join_regions(contents, "none")
    assert sentence.text == "".join(contents)
    assert [sentence.text[start:end] for start, end in sentence.spans] == contents


@given(WORDS, st.sampled_from(["core", "hf", "brainscore"]))
def test_spans_hold_the_regions_and_leave_out_space_only(contents, join):
    sentence = join_regions(contents, join)
    assert len(sentence.spans) == len(contents)
    outside = sentence.text
    for content, (start, end) in zip(contents, sentence.spans, strict=True):
        words, region = content.split(), sentence.text[start:end].split()
        assert region in (words, re.sub(r"\s+([.,!?;:])", r"\1", content).split())
        outside = outside[:start] + " " * (end - start) + outside[end:]
    assert outside.strip() == ""


# tokens


def test_the_joining_space_belongs_to_the_next_region():
    sentence = join_regions(["This", "", "is a", "test"])
    spans = [(0, 4), (4, 7), (7, 9), (9, 14)]  # This| is| a| test
    assert assign_tokens(spans, sentence) == [0, 2, 2, 3]


def test_a_token_of_space_goes_with_what_follows():
    sentence = join_regions(["liked ", "the", "dog"])
    assert sentence.text == "liked  the dog"
    assert assign_tokens([(0, 5), (5, 6), (6, 10), (10, 14)], sentence) == [0, 1, 1, 2]
    sentence = join_regions(["a", "b ", ""])
    assert assign_tokens([(0, 1), (1, 3), (3, 4)], sentence) == [0, 1, 1]


def test_a_token_across_a_border_belongs_where_it_begins():
    sentence = join_regions(["Thi", "sisa"])
    assert assign_tokens([(0, 5), (5, 8)], sentence) == [0, 1]


def test_parts_of_one_character_stay_together():
    sentence = join_regions(["é", "x"])
    assert assign_tokens([(0, 1), (0, 1), (1, 3)], sentence) == [0, 0, 1]


def test_tokens_without_offsets_are_found_by_decoding():
    pieces = [b"Caf", b"\xc3", b"\xa9", b" is", b" open"]

    def decode(ids, **_):
        return b"".join(pieces[i] for i in ids).decode("utf-8", "replace")

    spans = decoded_spans(range(5), "Café is open", decode)
    assert spans == ((0, 3), (3, 4), (3, 4), (4, 7), (7, 12))


# values


@pytest.mark.conforms("L-8", "L-9", "L-10", "L-11", "L-12", "L-13", "S-10", "S-11")
def test_values_of_a_region():
    values = {metric: region_value([1.0, 4.0, 1.5], metric) for metric in METRICS}
    assert values == {
        "sum": 6.5,
        "mean": 6.5 / 3,
        "median": 1.5,
        "range": 3.0,
        "max": 4.0,
        "min": 1.0,
    }
    assert region_value([], "sum") == 0
    assert all(region_value([], metric) is None for metric in METRICS if metric != "sum")
    assert all(region_value([None, 1.0], metric) is None for metric in METRICS)


@pytest.mark.conforms("S-31")
def test_a_star_is_the_sum_of_region_values():
    condition = Condition("a", (Region(1, "x"), Region(2, "y z")))
    tokens = [[1.0], [2.0, 4.0]]
    assert condition_values(condition, tokens, "sum")[None] == 7.0
    assert condition_values(condition, tokens, "mean")[None] == 4.0
    assert condition_values(condition, [[1.0], []], "mean")[None] is None


def suite_file(tmp_path, formula="(2;%mismatch%) > (2;%match%)", metric="sum"):
    path = tmp_path / "suite.json"
    with edited(FIXTURES / "good/suite.json", path) as data:
        data["predictions"][0]["formula"] = formula
        data["meta"]["metric"] = metric
    return load_suite(str(path))


def test_undefined_values_refuse_or_fail_and_never_drop_an_item(tmp_path):
    suite = suite_file(tmp_path)
    tokens = [[[None], [1.0], [1.0]], [[None], [2.0], [1.0]]]
    result = judge(suite.suite, suite.trees, [tokens, tokens])
    assert result.predictions[0].outcomes == (True, True)
    undefined = suite_file(tmp_path, "(1;%mismatch%) = (1;%match%)")
    with pytest.raises(UndefinedValue, match=r"sum of \(1;%mismatch%\) is undefined in item 1"):
        judge(undefined.suite, undefined.trees, [tokens, tokens])
    failed = judge(undefined.suite, undefined.trees, [tokens, tokens], undefined="false")
    assert failed.predictions[0].outcomes == (False, False)


def test_ties_are_listed(tmp_path):
    suite = suite_file(tmp_path)
    close = [[[1.0], [1.0], [1.0]], [[1.0], [1.00009], [1.0]]]
    clear = [[[1.0], [1.0], [1.0]], [[1.0], [1.0002], [1.0]]]
    result = judge(suite.suite, suite.trees, [close, clear])
    assert result.predictions[0].outcomes == (True, True)
    assert result.ties == (1,)


def test_a_safe_fix_does_not_change_the_digest(tmp_path):
    clean = suite_file(tmp_path)
    text = (tmp_path / "suite.json").read_text()
    (tmp_path / "spaced.json").write_text(text.replace('"plays"', '" plays"'))
    (tmp_path / "trailing.json").write_text(text.replace('"plays"', '"plays "'))
    assert load_suite(str(tmp_path / "spaced.json")).digest == clean.digest
    assert load_suite(str(tmp_path / "trailing.json")).digest != clean.digest


# recorded surprisals


def tsv(tmp_path, *sentences):
    values = [[(token, f"{i}.5") for i, token in enumerate(row, 1)] for row in sentences]
    return surprisals_at(tmp_path / "surprisals.tsv", values)


GOOD_TOKENS = [
    ["The", "woman", "plays", "the", "guitar", "<eos>"],
    ["the", "woman", "play", "the", "gui", "##tar", "</s>"],  # uncased, word pieces
    ["▁The", "▁boys", "▁sing", "▁a", "▁song"],
    ["The", "Ġboys", "Ġs", "ings", "<unk>", "song"],
]


def from_file(suite, path):
    return score_recorded([suite], Settings(), surprisals=[path])


def test_tokens_of_many_kinds_are_aligned(tmp_path, numpy):
    suite = suite_file(tmp_path)
    scores = from_file(suite, tsv(tmp_path, *GOOD_TOKENS))
    first, second = scores.suites[0].surprisals
    assert first[0] == [[1.5, 2.5], [3.5], [4.5, 5.5, 6.5]]
    assert first[1] == [[1.5, 2.5], [3.5], [4.5, 5.5, 6.5, 7.5]]
    assert second[0] == [[1.5, 2.5], [3.5], [4.5, 5.5]]
    assert second[1] == [[1.5, 2.5], [3.5, 4.5], [5.5, 6.5]]


@pytest.mark.parametrize(
    ("sentence", "tokens", "message"),
    [
        (0, ["The", "man"], r":3: token 'man' does not match the text at 'woman plays"),
        (3, ["The", "boys", "sings"], r":22: the sentence ends early: ' a song'"),
        (3, ["The", "boys", "sings", "a", "song", "x"], r":25: token 'x' does not match"),
    ],
)
def test_the_first_mismatch_is_named(tmp_path, sentence, tokens, message):
    changed = [*GOOD_TOKENS]
    changed[sentence] = tokens
    with pytest.raises(SurprisalFileError, match=message):
        from_file(suite_file(tmp_path), tsv(tmp_path, *changed))


def test_incomplete_files_are_refused(tmp_path):
    with pytest.raises(SurprisalFileError, match="3 sentences, the suite has 4"):
        from_file(suite_file(tmp_path), tsv(tmp_path, *GOOD_TOKENS[:3]))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a\tb\n", ":1: the header"),
        ("sentence_id\ttoken_id\ttoken\tsurprisal\n1\t1\tThe\n", ":2: 3 columns"),
        ("sentence_id\ttoken_id\ttoken\tsurprisal\n1\tx\tThe\t1\n", ":2: ids and surprisal"),
        ("sentence_id\ttoken_id\ttoken\tsurprisal\n2\t1\tThe\t1\n", ":2: sentence 2, token 1"),
    ],
)
def test_bad_lines_are_named(tmp_path, text, message):
    path = tmp_path / "bad.tsv"
    path.write_text(text)
    with pytest.raises(SurprisalFileError, match=re.escape(str(path) + message)):
        read_surprisals(path)


@pytest.mark.conforms("L-8", "L-9", "L-10", "L-11", "L-12", "L-13", "L-27")
@pytest.mark.parametrize("metric", METRICS)
def test_recorded_surprisals_give_the_evaluated_file(shared, metric):
    """The legacy suite's values as its own tool wrote them, for one model and all metrics."""
    folder = shared / "data/suites/legacy-triples"
    suite = load_suite(str(folder / "test_in.json"), metric=metric)
    scores = from_file(suite, folder / "test_surp_grnn.txt")
    evaluated = json.loads((folder / "test_out_grnn.json").read_text(encoding="utf-8"))
    compared = 0
    for item, surprisals in zip(evaluated["items"], scores.suites[0].surprisals, strict=True):
        for condition, regions in zip(item["conditions"], surprisals, strict=True):
            for region, tokens in zip(condition["regions"], regions, strict=True):
                expected = region["metric_value"][metric]
                assert region_value(tokens, metric) == pytest.approx(expected, abs=1e-6)
                compared += 1
    assert compared == 24
    assert scores.suites[0].result.predictions[0].outcomes == (False, False)


def test_region_surprisals_keep_order():
    assert region_surprisals([1.0, 2.0, 3.0], [0, 2, 2], 3) == [[1.0], [], [2.0, 3.0]]
