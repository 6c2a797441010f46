"""Unknown keys that are nearly known ones: in every format, and no words of one's own."""

import json
import re

import pytest
from conftest import FIXTURES, data_at, record_at
from evalmark.schemas.backend import has_unknown_keys
from evalmark.schemas.known_keys import known_keys
from evalmark.validator.check import check_data, check_text
from evalmark.validator.findings.finding import apply_fixes
from evalmark.validator.format import as_document
from evalmark.validator.formats.builtin import format_of
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key
from pointers import objects

KNOWN = (
    "generation_config", "hf_split", "min_score", "comment", "predictions", "lower_is_better",
    "evaluation_timestamp", "hf_repo", "question", "reference", "model", "content", "items",
    "query",
)  # fmt: skip
SLIPS = {
    "generation_confg": "generation_config", "hf_splt": "hf_split", "min_scor": "min_score",
    "coment": "comment", "predictons": "predictions", "minScore": "min_score",
    "MIN-SCORE": "min_score", "lowerIsBeter": "lower_is_better", "commnet": "comment",
    "evaluationtimestmp": "evaluation_timestamp", "itms": "items", "itmes": "items",
    "qury": "query",
}  # fmt: skip
OWN = (
    "question_id",
    "preference",
    "mode",
    "max_score",
    "hf_rep",
    "is_question",
    "note",
    "id",
    "perdcitoins",
)


HOOK = "evalmark-hook"


def test_a_slip_is_near_and_a_word_of_ones_own_is_not():
    assert {key: nearest_key(key, KNOWN, ()) for key in SLIPS} == SLIPS
    assert [key for key in OWN if nearest_key(key, KNOWN, ())] == []
    assert nearest_key("min_scor", KNOWN, ("min_score",)) is None, "the object has it"


def found(data, **options):
    return [f.message for f in check_data(data, **options).findings if f.name == "misspelt-key"]


def test_only_the_unsafe_fix_renames_it():
    name = "EE120_misspelt_key.json"
    text = (FIXTURES / "bad" / name).read_text("utf-8")
    findings = check_text(text, path=name).findings
    assert apply_fixes(text, findings).text == text
    fixed = apply_fixes(text, findings, unsafe=True).text
    assert check_text(fixed, path=name).findings == ()


def test_a_slip_in_the_key_that_tells_a_format_is_answered_everywhere(here, run):
    for name, key, slip in (
        ("suite.json", "items", "itms"),
        ("suite.yaml", "items", "itmes"),
        ("with_samples_samples.jsonl", "interaction_type", "interacton_type"),
        ("ltm/generation.json", "question", "queston"),
    ):
        text = (FIXTURES / "good" / name).read_text("utf-8")
        home = here / slip
        home.mkdir()
        place = home / f"x{name[name.rindex('.') :]}"
        place.write_text(re.sub(rf"\b{key}(?=\"?:)", slip, text), "utf-8")
        for call in (("evalmark", "check", place), ("evalmark", "check", home), (HOOK, place)):
            done = run(*map(str, call))
            assert (done.code, f"rename `{slip}` to `{key}`" in done.out) == (1, True), (name, call)
    for call in (("convert", "itms", "-o", "out"), ("score", "itms", "--model", "demo")):
        done = run("evalmark", *call)
        assert (done.code > 0, "the spelling of `itms`" in done.err) == (True, True)
    (here / "other").mkdir()
    other = {"items": [], "prediction": 1, "total": 3}
    (here / "other/x.json").write_text(json.dumps(other), "utf-8")
    assert "unrecognized file: other/x.json" in run("evalmark", "check", "other", "itms").err


def test_a_key_of_another_version_is_named_as_that_where_no_further_keys_are_allowed_too():
    data = record_at("0.2.0")
    found = check_data({**data, "eval_library": {"name": 1, "version": "1"}}).findings
    assert [(f.code, f.message) for f in found] == [
        ("EE114", "`eval_library` is a key of 0.2.1, 0.2.2 and 0.3.0, not of 0.2.0")
    ]


def test_a_slip_is_found_beside_other_errors_of_the_schema():
    data = data_at("good/record.json")
    (result,) = data["evaluation_results"][:1]
    result["generation_confg"] = {}
    result["metric_config"]["min_scor"] = result["metric_config"].pop("min_score")
    findings = check_data(data).findings
    assert [(f.code, f.subject) for f in findings] == [
        ("EE132", ("min_scor",)),
        ("EE120", ("generation_confg",)),
    ]


@pytest.mark.parametrize("name", ["good/suite.json", "legacy/triples.old.json"])
def test_suites_of_all_dialects_know_the_same_words_of_meta(name):
    data = data_at(name)
    meta = {k: v for k, v in data["meta"].items() if k not in ("author", "comment")}
    slips = {"authr": "x", "coment": "y", "mine": "z"}
    told = found({**data, "meta": {**meta, **slips}})
    assert [text.split("`")[1] for text in told] == ["authr", "coment"]


def test_a_slip_in_a_key_whose_absence_demands_others_is_renamed():
    data = data_at("good/record.json")
    metric = data["evaluation_results"][0]["metric_config"]
    metric["scoretype"] = metric.pop("score_type")
    (finding,) = check_data(data).findings
    assert (finding.code, finding.subject) == ("EE131", ("score_type",))
    assert finding.actions == (("rename", ("scoretype", "score_type")),)


def test_keys_of_the_user_are_left_alone():
    data = data_at("good/record.json")
    data["model_info"]["additional_details"] = {"developr": "us", "additional_detail": {"nam": 1}}
    data["evaluation_results"][0]["score_details"]["details"] = {"scor": 1}
    assert found(data) == []
    data["evaluation_results"][0]["metric_config"]["additional_details"] = {"of": "0.2.1"}
    assert found(data) == []
    data["model_info"]["developr"] = "us"
    assert found(data) == ["`developr` is not read: the key is `developer`"]
    assert found(data, schema_only=True) == []


def test_the_quick_question_agrees_with_the_walk():
    """Over all JSON fixtures, with an unknown key in each object in turn."""
    answers = set()
    for path in sorted((FIXTURES / "good").rglob("*.json")):
        data = json.loads(path.read_text("utf-8"))
        if (form := format_of(data)) is None or isinstance(data, list) or form.schema:
            continue
        name = as_document(data, form).schema
        for holder in objects(data).values():
            for key in ("", "unheard of"):
                holder |= {key: 1} if key else {}
                unknown = any(known_keys(name).unknown(data))
                assert has_unknown_keys(name, data) == unknown, (path, list(holder))
                answers.add(unknown)
                holder.pop(key, None)
    assert answers == {True, False}
