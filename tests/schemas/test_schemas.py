"""The schemas: the same verdict as the text we implement, on every path."""

import json
from pathlib import Path

import pytest
from conftest import FIXTURES, data_at
from evalmark.schemas.backend import accepts
from evalmark.schemas.files import FILES, bundle, load, registry
from evalmark.schemas.versions import RECORDS, SAMPLES
from evalmark.validator.check import check_data
from evalmark.validator.formats.builtin import detect
from evalmark.validator.reading.reading import read
from jsonschema import Draft7Validator
from mutation import mutants
from pointers import objects, value_at


def documents(name):
    """Documents of the kind and version of a schema, good ones and bad ones."""
    kind, _, version = name.partition("-0")
    if kind == "sample":
        text = (FIXTURES / f"versions/{name}.jsonl").read_text(encoding="utf-8")
        yield from map(json.loads, text.splitlines())
    elif kind == "record":
        yield data_at(f"versions/{name}.json")
        for path in sorted(FIXTURES.glob("bad/EE1*.json") if version == ".2.0" else ()):
            yield json.loads(path.read_text(encoding="utf-8"))
    else:
        for path in sorted(p for p in FIXTURES.glob("[glv]*/**/*.*") if p.is_file()):
            # A file of rows is as many documents.
            parts = path.read_bytes().splitlines() if path.suffix == ".jsonl" else None
            for raw in parts or [path.read_bytes()]:
                reading = read(raw, path.name)
                if detect(reading.data) == name:
                    yield from reading.data if isinstance(reading.data, list) else [reading.data]


def seed_record_schema(shared: Path) -> dict:
    text = (shared / "seeds/3-eval-record-schema.txt").read_text(encoding="utf-8")
    return json.loads(text[text.index("{") :])


@pytest.mark.conforms("R-1")
@pytest.mark.parametrize("name", FILES)
def test_schema_is_draft_07_and_bundles(name):
    whole = bundle(name)
    for schema in (load(name), whole):
        Draft7Validator.check_schema(schema)
        assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"
    text = json.dumps(whole)
    assert '"$defs"' not in text
    references = [node["$ref"] for node in objects(whole).values() if "$ref" in node]
    assert all(ref.startswith("#/definitions/") for ref in references)


@pytest.mark.parametrize("name", FILES)
def test_every_property_is_described(name):
    def undescribed(node, path):
        if not isinstance(node, dict):
            return
        for key, child in node.get("properties", {}).items():
            plain = isinstance(child, dict) and not {"$ref", "const", "description"} & child.keys()
            if plain and path[-1:] not in (["if"], ["then"]):
                yield [*path, key]
        for key, child in node.items():
            if key not in ("if", "then", "else"):
                yield from undescribed(child, [*path, key])

    assert list(undescribed(load(name), [])) == []


@pytest.mark.conforms("R-3")
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_accept_and_explain_paths_agree_on_mutants(name):
    judge = Draft7Validator(bundle(name))
    unbundled = Draft7Validator(load(name), registry=registry())
    kind, _, version = name.partition("-0")
    seen = {True: 0, False: 0}
    every = list(documents(name))
    for number, data in enumerate(every):
        assert number or judge.is_valid(data)
        for mutant in mutants(data, number, max(20, 150 // len(every))):
            verdict = judge.is_valid(mutant)
            assert accepts(name, mutant) is verdict
            assert unbundled.is_valid(mutant) is verdict
            if not verdict:
                report = check_data(
                    mutant, kind=kind, schema_version=f"0{version}" if version else None
                )
                assert report.findings, "an invalid document is explained"
            seen[verdict] += 1
    assert min(seen.values()) > 5


@pytest.mark.conforms("R-3")
def test_record_verdicts_equal_the_seed(shared):
    ours = Draft7Validator(bundle("record-0.2.0"))
    seed = Draft7Validator(seed_record_schema(shared))
    probes = [
        json.loads(line)["0.2.0"]
        for line in (shared / "data/probes/record-probes.jsonl").read_text("utf-8").splitlines()
    ]
    for probe in probes:
        verdict = probe["draft7_valid"]
        assert seed.is_valid(probe["doc"]) is verdict
        assert ours.is_valid(probe["doc"]) is verdict
        assert accepts("record-0.2.0", probe["doc"]) is verdict
    seen = {True: 0, False: 0}
    for number, probe in enumerate(probes):
        for mutant in mutants(probe["doc"], number, 50):
            verdict = seed.is_valid(mutant)
            assert ours.is_valid(mutant) is verdict
            assert accepts("record-0.2.0", mutant) is verdict
            seen[verdict] += 1
    assert sum(seen.values()) >= 3000
    assert min(seen.values()) > 200


def test_real_records_are_judged_like_the_seed(shared):
    seed = Draft7Validator(seed_record_schema(shared))
    paths = sorted((shared / "data/records").rglob("*.json"))
    assert len(paths) > 200
    for path in paths:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert accepts("record-0.2.0", data) is seed.is_valid(data), path.name


VERSIONED = [name for name in FILES if name.startswith(("record", "sample"))]


@pytest.mark.parametrize("name", VERSIONED)
def test_versions_equal_the_released_constraints(shared, name):
    constraints = shared / f"reference/record-constraints/{name}.json"
    if not constraints.exists():
        pytest.skip(f"no released constraints of {name}")
    released = Draft7Validator(json.loads(constraints.read_text(encoding="utf-8")))
    kind, version = name.split("-")
    probes = (shared / f"data/probes/{kind}-probes.jsonl").read_text(encoding="utf-8")
    entries = [json.loads(line) for line in probes.splitlines()]
    found = [(e[v]["doc"], v, e[v]["draft7_valid"]) for e in entries for v in e if v[:1] == "0"]
    for number, (document, of, valid) in enumerate(found):
        verdict = released.is_valid(document)
        assert of != version or verdict is valid
        assert accepts(name, document) is verdict
        for mutant in mutants(document, number, 5):
            assert accepts(name, mutant) is released.is_valid(mutant)


@pytest.mark.parametrize("version", ["0.0.1", "0.1.0", "0.2.1", "0.2.2", "0.3.0"])
def test_real_records_under_every_version(shared, version):
    constraints = shared / f"reference/record-constraints/record-{version}.json"
    released = Draft7Validator(json.loads(constraints.read_text(encoding="utf-8")))
    for path in sorted((shared / "data/records").rglob("*.json"))[::3]:
        data = json.loads(path.read_text(encoding="utf-8"))
        assert accepts(f"record-{version}", data) is released.is_valid(data), path.name


@pytest.mark.conforms("S-1")
def test_suite_schema_takes_the_example_of_its_seed(shared):
    text = (shared / "seeds/0-syntaxgym-suite-json.txt").read_text(encoding="utf-8")
    data, _ = json.JSONDecoder().raw_decode(text[text.index("{") :])
    assert check_data(data).findings == ()


def test_a_mistake_is_one_finding():
    """One change to a good record or suite gives one finding, with a place in the schema."""
    cases = 0
    for path in sorted((FIXTURES / "bad").glob("EE1[01]*.json")):
        report = check_data(json.loads(path.read_text(encoding="utf-8")))
        assert all(finding.schema_location for finding in report.findings)
        cases += 1
    assert cases > 8


def test_schema_location_points_into_the_printed_schema():
    data = data_at("bad/EE112_wrong_type.json")
    (finding,) = check_data(data).findings
    assert value_at(bundle("record-0.2.0"), finding.schema_location) == "array"


@pytest.mark.parametrize("name", FILES)
def test_a_printed_schema_says_whose_words_it_has(name, run):
    printed = json.loads(run("evalmark", "schema", name).out)
    assert list(printed)[:2] == ["$schema", "$comment"]
    assert "descriptions are evalmark's words" in printed["$comment"]
    assert {**printed, "$comment": None} == {**bundle(name), "$comment": None}


def test_what_the_released_schemas_say_beside_their_constraints_is_kept():
    for version in (*RECORDS, *SAMPLES):
        assert load(version.schema)["version"] == version.label
    attempts = json.dumps(bundle("record-0.2.0"))
    assert '"type": "integer", "default": 1' in attempts
    assert bundle("suite")["properties"]["predictions"]["default"] == []
