"""Implausible values and unknown texts are noted in one line each, and in the record."""

import json
import math

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import ModelFailed
from evalmark.scoring.doubts import Doubts, Vocabulary, doubts_of, notes_of, vocabulary_of
from evalmark.scoring.models.protocols import Tokenized
from recorded_suites import suite_data, surprisals_of
from run_data import record_of, table

SUITES = FIXTURES / "suites"


def details_of(folder):
    return record_of(folder)["evaluation_results"][0]["score_details"]["details"]


def lines_of(outcome):
    return [line for line in outcome.err.splitlines() if "implausible" in line or "knows" in line]


# values


def test_what_is_implausible():
    values = [None, 0.0, -0.0, -0.0005, 17.0, 100.0, -0.01, 100.1, math.nan, math.inf, -math.inf]
    assert doubts_of(values) == Doubts(negative=1, high=1, not_finite=3)
    assert doubts_of(values, can_be_negative=True).negative == 0
    assert doubts_of(values).implausible == "1 below 0, 1 above 100 bits, 3 NaN or infinite"
    assert doubts_of([0.0, None]).details() == {}


def test_a_run_has_one_line_for_all_its_suites():
    doubts = {f"s{n}": Doubts(negative=n).details() for n in range(6)}
    assert notes_of(doubts) == (
        "implausible surprisals: s1 (1 below 0), s2 (2 below 0), s3 (3 below 0) and 2 more",
    )
    assert notes_of({"s": {"metric": "sum"}}) == ()


def change(data, value, *, at=(0, 0, 0)):
    item, condition, region = at
    data["items"][item]["conditions"][condition]["regions"][region]["metric_value"]["sum"] = value


def test_recorded_values_that_are_implausible_are_noted(run, here):
    data = suite_data("odd", ("The small cat", "sleeps"))
    change(data, -3.5)
    change(data, 299.0, at=(0, 1, 0))  # below 100 bits for each of its three words
    change(data, 100.5, at=(1, 1, 1))
    (here / "odd.json").write_text(json.dumps(data))
    done = run("evalmark", "score", "odd.json", "--surprisals=recorded", "--out", "out", code=0)
    assert lines_of(done) == ["note: implausible surprisals: odd (1 below 0, 1 above 100 bits)"]
    assert details_of(here / "out")["implausible_values"] == "1 below 0, 1 above 100 bits"
    assert run("evalmark", "check", "out").code == 0


@pytest.mark.parametrize("value", ["nan", "inf"])
def test_surprisals_that_are_no_numbers_are_undefined(run, here, value):
    (here / "s.json").write_text(json.dumps(suite_data("s", values=False)))
    path = surprisals_of(here / "s.tsv", "s.json")
    lines = path.read_text().splitlines()
    lines[3] = "\t".join([*lines[3].split("\t")[:3], value])  # "sleeps", which is predicted
    path.write_text("\n".join(lines) + "\n")
    refused = run("evalmark", "score", "s.json", "--surprisals", "s.tsv", "--out", "out", code=1)
    assert "(2;%a%) is undefined in item 1: a value is NaN or infinite" in refused.err
    done = run("evalmark", "score", "s.json", "--surprisals", "s.tsv", "--undefined", "false",
               "--out", "out", code=0)  # fmt: skip
    assert lines_of(done) == ["note: implausible surprisals: s (1 NaN or infinite)"]
    values = {row["value"] for row in table(here / "out", "regions")}
    assert "" in values
    assert not {"nan", "inf"} & values
    assert run("evalmark", "check", "out").code == 0


def test_a_model_whose_values_are_not_finite_is_noted(torch):
    from evalmark.scoring.models.load_models import load_model
    from evalmark.scoring.score_settings import Settings
    from evalmark.scoring.suites.suite_loading import load_suite
    from evalmark.scoring.suites.suite_run import score_suites

    model = load_model("demo", device="cpu")
    suite = load_suite(str(SUITES / "garden_path.json"), limit=2)
    sound = score_suites([suite], model, Settings())
    assert sound.suites[0].doubts == Doubts()
    whole = model.head.after
    object.__setattr__(model.head, "after", lambda logits: whole(logits) * math.nan)  # overflows
    scores = score_suites([suite], model, Settings(undefined="false"))
    tokens = sum(len(model.tokenize(s.text).ids) for row in suite.sentences for s in row)
    assert scores.suites[0].doubts.not_finite == tokens
    assert not any(scores.suites[0].result.conjunction)
    model = load_model("demo", device="cpu")
    with torch.no_grad():
        model.model.transformer.h[0].mlp.c_fc.bias[3] = math.nan
    with pytest.raises(ModelFailed, match=r"not numbers: 1 of 512 values of .*c_fc.bias are NaN"):
        score_suites([suite], model, Settings(undefined="false"), keep_going=True)


def test_the_terms_of_word_boundaries_may_be_negative(torch):
    from evalmark.scoring.models.load_models import load_model
    from evalmark.scoring.score_settings import Settings
    from evalmark.scoring.suites.suite_loading import load_suites
    from evalmark.scoring.suites.suite_run import score_suites

    suites = load_suites([str(SUITES)], limit=4)
    scores = score_suites(suites, load_model("demo", device="cpu"), Settings(boundary="corrected"))
    assert {scored.doubts for scored in scores.suites} == {Doubts()}


# vocabulary


def tokens(text, *pieces, unknown=()):
    """A text as tokens: pieces of it, in order; equal neighbours share a character."""
    spans, at = [], 0
    for piece in pieces:
        start = text.index(piece, at)
        spans.append((start, start + len(piece)))
        at = start if piece == "é" else start + len(piece)
    return {text: Tokenized(tuple(range(len(spans))), tuple(spans), unknown=frozenset(unknown))}


@pytest.mark.parametrize(
    ("tokenized", "doubt"),
    [
        (tokens("the cats laugh", "the", " cats", " laugh"), ""),
        # A third token a word, but pieces of words that have a meaning.
        (tokens("unbelievable stories", "un", "believ", "able", " stor", "ies"), ""),
        (
            tokens("cat dogs", "c", "a", "t", " d", "o", "gs"),
            "3.0 tokens a word, of 1.2 characters",
        ),
        (tokens("the blah laughs", "the", " blah", " laughs", unknown=[1]), "31% of the"),
        (tokens("a é", "a", "é", "é"), "50% of the characters are unknown"),
        # Metaspace marks the first word by a token that has its first character, too.
        ({"I am": Tokenized((0, 1, 2), ((0, 1), (0, 1), (1, 4)))}, ""),
        # A model of characters has no longer tokens; a script without spaces has no words.
        (tokens("cat", "c", "a", "t"), ""),
        (tokens("abcdefghijklmnopqr", *"abcdefghijklmnop", "qr"), ""),
        ({}, ""),
        ({"": Tokenized((), ())}, ""),
    ],
)
def test_what_a_vocabulary_knows(tokenized, doubt):
    found = vocabulary_of(tokenized).doubt
    assert found.startswith(doubt)
    assert bool(found) == bool(doubt)


def test_words_of_many_tokens_are_known_if_the_tokens_are_long():
    # A language of long words, with tokens of its own: as Finnish in a multilingual vocabulary.
    assert Vocabulary(100, 720, 250, 0, 9).doubt == ""
    # Short words of a script with few characters: as Korean in a Korean vocabulary.
    assert Vocabulary(100, 330, 190, 0, 4).doubt == ""


def test_the_demo_model_knows_its_own_suites_and_little_else(run, here, torch):
    known = run("evalmark", "score", SUITES, "--model", "demo", "--limit", "4", "-q")
    assert (known.code, lines_of(known)) == (0, [])
    data = suite_data("zoology", ("The platypus", "hibernates"), values=False)
    (here / "zoology.json").write_text(json.dumps(data))
    other = run("evalmark", "score", "zoology.json", "--model", "demo", "--out", "out", code=0)
    (line,) = lines_of(other)
    said = details_of(here / "out")["vocabulary"]
    assert "tokens a word, of 1." in said
    assert line == (
        f"note: the model's vocabulary knows little of these texts: zoology ({said}); their "
        "surprisals may say little"
    )
    assert run("evalmark", "check", "out").code == 0


def test_unknown_tokens_of_a_surprisal_file_are_noted(run, here):
    (here / "s.json").write_text(json.dumps(suite_data("s", values=False)))
    path = surprisals_of(here / "s.tsv", "s.json")
    path.write_text(path.read_text().replace("sleepss", "<unk>"))
    done = run("evalmark", "score", "s.json", "--surprisals", "s.tsv", "--out", "out", code=0)
    assert len(lines_of(done)) == 1
    assert "of the characters are unknown" in details_of(here / "out")["vocabulary"]


def test_published_suites_are_little_known_to_the_demo_model_only(shared, torch):
    """Real English is spelled by its small vocabulary; the file of a real model is not doubted."""
    from evalmark.scoring.models.load_models import load_model
    from evalmark.scoring.score_settings import Settings
    from evalmark.scoring.suites.recorded_scores import score_recorded
    from evalmark.scoring.suites.suite_loading import load_suite, load_suites

    model = load_model("demo", device="cpu")
    for suite in load_suites([str(shared / "data/suites/published-json")]):
        texts = {s.text: model.tokenize(s.text) for row in suite.sentences for s in row}
        assert "tokens a word" in vocabulary_of(texts).doubt, suite.path
    folder = shared / "data/suites/legacy-triples"
    real = load_suite(str(folder / "test_in.json"), metric="sum")
    scores = score_recorded([real], Settings(), surprisals=[folder / "test_surp_grnn.txt"])
    assert scores.suites[0].doubts == Doubts()
    evaluated = load_suites([str(shared / "data/suites/string-predictions")])
    assert {s.doubts for s in score_recorded(evaluated, Settings(), model_id="a/b").suites} == {
        Doubts()
    }
