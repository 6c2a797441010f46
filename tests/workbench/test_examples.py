"""The examples of the start page: what is recorded is what the demo model says today."""

import json
import re

import pytest
from conftest import FIXTURES

from scripts.examples import MODULE, results, suites, tokens

pytest.importorskip("torch")


@pytest.fixture(scope="module")
def recorded():
    found = re.findall(r'^"([a-z-]+)": (.*),$', MODULE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: json.loads(text) for name, text in found}


def test_the_suites_are_those_of_the_script_and_check_clean(recorded, run, tmp_path):
    assert {name: example["suite"] for name, example in recorded.items()} == suites()
    for name, example in recorded.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(example["suite"]), encoding="utf-8")
    assert run("evalmark", "check", tmp_path).code == 0


@pytest.mark.slow
def test_the_results_are_computed_again(recorded):
    fresh = results(suites())
    for name, example in recorded.items():
        for key in ("items", "predictions", "conjunction"):
            assert example["result"][key] == fresh[name][key], name


@pytest.mark.slow
def test_the_surprisals_are_computed_again_to_a_hundredth_of_a_bit(recorded):
    loaded = {}
    for name, suite in suites().items():
        old, new = (_bits(lines) for lines in (recorded[name]["tokens"], tokens(suite, loaded)))
        assert [text for text, _ in old] == [text for text, _ in new]
        assert [bits for _, bits in old] == pytest.approx([bits for _, bits in new], abs=0.01)


def _bits(lines):
    pairs = [token for item in lines for line in item for token in line["tokens"]]
    return [(token["text"], token["bits"]) for token in pairs]


def test_the_items_are_held_out_from_the_training_of_the_demo_model():
    texts = json.dumps([json.loads(p.read_bytes())["items"] for p in FIXTURES.glob("suites/*")])
    for suite in suites().values():
        for item in suite["items"]:
            assert json.dumps(item["conditions"][0]["regions"]) in texts
