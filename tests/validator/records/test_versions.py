"""Versions are one table, and no rule falls silent because a version has put a field elsewhere."""

import ast
import copy
import hashlib
import json
import re

import pytest
from conftest import FIXTURES, ROOT, data_at, file_at
from evalmark.converters.conversion_formats import CONVERTIBLE
from evalmark.converters.convert_document import convert_data
from evalmark.converters.supplied import Supplied
from evalmark.schemas import versions
from evalmark.schemas.backend import accepts
from evalmark.schemas.files import FILES
from evalmark.validator.check import check_data, check_file
from evalmark.validator.format import Document
from evalmark.validator.formats.builtin import KINDS, identify
from evalmark.validator.formats.records.record_view import view_of
from evalmark.validator.formats.records.samples.sample_rules import FILE_RULES, ROW_RULES
from looping import loops_over
from pointers import value_at

RECORDS = versions.names("record")
#: Versions of records that can name a sample file.
WITH_SAMPLES = [name for name in RECORDS if versions.find("sample", name)]
#: The version of all fixtures.
WRITTEN = "0.2.0"
PLACE = "data/suite/example/model-1/0b6f1f0e-1111-4a6b-8f00-000000000001_samples.jsonl"
FACTS = Supplied(values={"/detailed_evaluation_results/file_path": PLACE})

#: Rule and version that lacks its field -> why.
LACKING = {
    ("EE228", "0.0.1"): "sources have no `source_type` before 0.2.0",
    ("EE228", "0.1.0"): "sources have no `source_type` before 0.2.0",
    ("EE240", "0.0.1"): "the data are described once, and not as a result's",
    ("EE240", "0.1.0"): "the data are described once, and not as a result's",
    ("EE254", "0.0.1"): "the data are described once, and not as a result's",
    ("EE254", "0.1.0"): "the data are described once, and not as a result's",
    ("EE266", "0.0.1"): "samples are in the record before 0.2.0",
    ("EE266", "0.1.0"): "samples are in the record before 0.2.0",
    ("EE269", "0.0.1"): "the data are described once, and not as a result's",
    ("EE269", "0.1.0"): "the data are described once, and not as a result's",
    ("EE270", "0.0.1"): "an engine has no version before 0.2.0",
    ("EE270", "0.1.0"): "an engine has no version before 0.2.0",
    ("EE271", "0.0.1"): "the data are described once, and not as a result's",
    ("EE271", "0.1.0"): "the data are described once, and not as a result's",
    ("EE322", "0.2.0"): "rows refer to results by name before 0.2.2",
    ("EE322", "0.2.1"): "rows refer to results by name before 0.2.2",
}
#: Rule and version -> where the version has the field, if elsewhere than 0.2.0.
ELSEWHERE = (
    {("EE227", version): "/source_data/0" for version in ("0.0.1", "0.1.0")}
    | {
        # The time of the evaluation is only in the results before 0.2.0.
        ("EE225", version): "/evaluation_results/0/evaluation_timestamp"
        for version in ("0.0.1", "0.1.0")
    }
    | {
        # The data are described once.
        ("EE231", version): "/source_data/hf_split"
        for version in ("0.0.1", "0.1.0")
    }
)


def bad(code):
    return sorted((FIXTURES / "bad").glob(f"{code}_*.json"))


CASES = [
    (rule.code, path, version)
    for rule in KINDS["record"].checks.rules()
    for path in bad(rule.code)
    for version in RECORDS
]
ROW_CASES = [
    (rule.code, path, version)
    for rule in (*ROW_RULES, *FILE_RULES.values())
    for path in bad(rule.code)
    for version in WITH_SAMPLES
    if (rule.code, version) not in LACKING
]


def in_version(record, version):
    """A record of 0.2.0 in another version; nothing but its layout changes."""
    if RECORDS.index(version) >= RECORDS.index(WRITTEN):
        return convert_data(record, to=f"record-{version}", supplied=FACTS).data
    record = {**copy.deepcopy(record), "schema_version": version}
    record.pop("detailed_evaluation_results", None)
    if engine := record["model_info"].get("inference_engine"):
        record["model_info"]["inference_engine"] = engine["name"]
    sources = [result.pop("source_data") for result in record["evaluation_results"]]
    kept = ("dataset_name", "hf_split")
    source = sources[0] if sources else {"dataset_name": "none"}
    dataset = {key: value for key, value in source.items() if key in kept}
    record["source_data"] = source.get("url") or dataset
    if time := record.pop("evaluation_timestamp", None):
        record["evaluation_results"][0]["evaluation_timestamp"] = time
    if version == RECORDS[0]:
        metadata = record["source_metadata"]
        record["evaluation_source"] = {
            "evaluation_source_name": metadata.pop("source_name"),
            "evaluation_source_type": "evaluation_platform",
        }
        del metadata["source_type"]
    return record


def fields(version):
    """Record or result and field -> the pointer of the field in a version."""
    view = view_of(Document({"evaluation_results": [{}] * 9}, KINDS["record"], version))
    parts = (view, *view.results)
    return {(part.pointer, name): part.at(name) for part in parts for name in part.layout}


def placed(pointer, version):
    """A pointer into a record of 0.2.0, as the version has it if it has renamed the field."""
    here = fields(version)
    pairs = [(old, here.get(field, old)) for field, old in fields(WRITTEN).items()]
    for old, new in sorted(pairs, key=lambda pair: -len(pair[0])):
        if f"{pointer}/".startswith(f"{old}/"):
            return new + pointer.removeprefix(old)
    return pointer


@loops_over("code,path,version", CASES)
def test_no_record_rule_is_silent_in_a_version_that_has_its_field(code, path, version):
    written = json.loads(path.read_text(encoding="utf-8"))
    (pointer, *_) = (f.pointer for f in check_data(written).findings if f.code == code)
    data = in_version(written, version)
    assert accepts(f"record-{version}", data), "the fixture is valid in every version"
    report = check_data(data)
    assert report.version == version
    found = [finding.pointer for finding in report.findings if finding.code == code]
    if (code, version) in LACKING:
        assert found == []
    else:
        expected = ELSEWHERE.get((code, version), placed(pointer, version))
        assert expected in found
        value_at(data, expected)  # the pointer leads to a value of this version


def sample_files(path, version, folder):
    """A record of 0.2.0 and its samples in another version; the path of the record."""
    code = path.name.partition("_")[0]
    record = in_version(json.loads(path.read_text(encoding="utf-8")), version)
    link = record["detailed_evaluation_results"]
    source = path.with_name(f"{path.stem}_samples.jsonl")
    lines = source.read_text(encoding="utf-8").splitlines() if source.exists() else []
    # The rule on versions of rows wants rows of several.
    of_rows = versions.find("sample", version).name
    rows = lines if code == "EE311" else [_row(line, of_rows) for line in lines]
    samples = folder / link["file_path"]
    if code == "EE321":
        link["file_path"] = f"../{PLACE}"
    elif code != "EE319":
        samples.parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"{row}\n" for row in rows)
        samples.write_text(text, encoding="utf-8", newline="")
        if code != "EE313":
            link["checksum"] = hashlib.sha256(text.encode()).hexdigest()
    return file_at(samples.parent / "record.json", json.dumps(record, indent=1))


def _row(line, version):
    if not line.strip():
        return line
    row = json.loads(line)
    return json.dumps(convert_data(row, to=f"sample-{version}").data)


@loops_over("code,path,version", ROW_CASES)
def test_no_sample_rule_is_silent_in_a_version_that_has_its_field(code, path, version, tmp_path):
    written = {f.pointer for f in check_file(path).findings if f.code == code}
    report = check_file(sample_files(path, version, tmp_path))
    # The schema of a version may refuse the path of samples before the rule does, and what is not
    # there is not beside its record either.
    codes = {code, {"EE321": "EE117", "EE319": "EE402"}.get(code)}
    found = {finding.pointer for finding in report.findings if finding.code in codes}
    turns = "/interactions" if version == WRITTEN else "/messages"
    assert found == {placed(p, version).replace("/interactions", turns) for p in written}
    assert written


def test_every_version_has_a_schema_and_says_what_changed():
    for version in (*versions.RECORDS, *versions.SAMPLES):
        assert FILES[version.schema] == version.file
        assert version.changed
        assert versions.find(version.kind, version.name) is version
        assert versions.named_by(version.kind, version.label) == version.name


def test_the_newest_version_is_written_and_aliases_name_one_version():
    for kind in versions.VERSIONS:
        assert versions.current(kind).is_written
        assert versions.DEFAULT_WRITTEN in versions.written(kind)
        assert versions.named_by(kind, "0.2.3") == "0.3.0"
        assert versions.named_by(kind, "9.9") == "9.9"


def modules(*rooms):
    for room in rooms:
        for path in sorted((ROOT / room).rglob("*.py")):
            if "compiled" not in path.parts:
                yield path, ast.parse(path.read_text(encoding="utf-8"))


def compared(tree):
    """Text constants that a module compares something with."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


@pytest.mark.parametrize("room", ["schemas", "validator", "cli"])
def test_nothing_compares_versions(room):
    found = {
        f"{path.relative_to(ROOT)}: {value}"
        for path, tree in modules(room)
        for value in compared(tree)
        if re.fullmatch(r"\d+\.\d+(\.\d+)?", value)
    }
    assert found == set()


def looked_at(tree):
    """Text constants that a module compares with something or looks for in it."""
    yield from compared(tree)
    methods = {"startswith", "endswith", "removeprefix", "removesuffix", "partition"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in methods:
            for part in (part for given in node.args for part in ast.walk(given)):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value.strip("-")


@pytest.mark.parametrize(
    "room",
    ["validator", "converters", "scoring", "apps", "cli", "library"],
)
def test_nothing_branches_on_the_name_of_a_kind_or_format(room):
    """What depends on a kind or a format is a method of the format, or an entry in a table."""
    names = {*KINDS, *CONVERTIBLE}
    found = {
        f"{path.relative_to(ROOT)}: {value}"
        for path, tree in modules(room)
        for value in looked_at(tree)
        if value in names
    }
    tables = (
        "validator/formats/builtin.py: ",
        "converters/conversion_formats.py: ",
        "converters/graph.py: ",  # which steps there are
        "cli/main.py: table",  # the command
    )
    assert {one for one in found if not one.startswith(tables)} == set()


def test_rules_see_views_only():
    """No raw keys, and nothing of how a file is read."""
    rules = [
        (path, tree)
        for path, tree in modules("validator/formats")
        if "rules" in path.parts or path.stem.endswith("_rules")
    ]
    assert len(rules) > 20
    for path, tree in rules:
        for node in ast.walk(tree):
            assert not (isinstance(node, ast.Attribute) and node.attr == "data"), path
            if isinstance(node, ast.ImportFrom):
                assert "validator.reading" not in str(node.module), path


def test_a_document_is_what_its_reader_says_else_what_it_looks_like():
    suite = data_at("good/suite.json")
    assert identify(suite).kind == "suite"
    assert identify(suite, "record").kind == "record"
    assert identify({}).kind is None
