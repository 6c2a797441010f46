"""The list of a folder: what is in it, quickly, and again when it has changed."""

import pytest
from conftest import FIXTURES, data_at, file_at
from evalmark.workbench import folder_listing
from evalmark.workbench.file_opening import open_file
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.page_check import check
from evalmark.workbench.runs.run_results import report, result
from evalmark.workbench.served_folder import ServedFolder
from standin_runs import write_pairs_run
from suites import suite_of


@pytest.fixture
def place(tmp_path):
    return ServedFolder(tmp_path)


def suite(name, tags=()):
    item = {"a": "x|y", "b": "z|w"}
    return suite_of([item], ["(1;%a%) > (1;%b%)"], name=name, tags=list(tags))


def test_suites_are_listed_with_what_they_hold(place):
    file_at(place.root / "suites/one.json", suite("one", ["agreement"]))
    file_at(place.root / "two.json", suite("two"))
    (found, other) = Browser(place).listing(patience=60)["files"]
    assert other["path"] == "suites/one.json"
    assert found["path"] == "two.json"
    assert other["name"] == "one"
    assert other["tags"] == ["agreement"]
    sizes = [other[key] for key in ("items", "conditions", "regions", "predictions")]
    assert sizes == [1, 2, 2, 1]
    assert (other["errors"], other["kind"]) == (0, "suite")


def test_other_files_are_not_listed(place):
    file_at(place.root / "package.json", {"name": "x"})
    file_at(place.root / "notes.txt", "x")
    file_at(place.root / "broken.json", "{")
    file_at(place.root / ".hidden/one.json", suite("one"))
    file_at(place.root / "node_modules/one.json", suite("one"))
    found = Browser(place).listing()
    assert [found[key] for key in ("files", "runs", "records")] == [[], [], []]


def test_records_are_listed_and_tables_of_stores_are_not(place):
    file_at(place.root / "record.json", (FIXTURES / "good/record.json").read_text(encoding="utf-8"))
    file_at(place.root / "boards/one/results.parquet", "x")
    found = Browser(place).listing(patience=60)
    (record,) = found["records"]
    assert record["path"] == "record.json"
    assert record["results"] >= 1
    assert found["files"] == []


def test_records_have_counts_of_their_findings(place):
    data = data_at("good/record.json")
    file_at(place.root / "good.json", data)
    data["evaluation_results"][0]["score_details"]["score"] = 7
    file_at(place.root / "bad.json", data)
    browser = Browser(place)
    found = browser.listing(patience=0)
    assert found["pending"] == 2
    assert {record["errors"] for record in found["records"]} == {None}
    found = browser.listing(patience=60)
    assert found["pending"] == 0
    bad, good = found["records"]
    assert (good["errors"], good["warnings"]) == (0, 0)
    assert bad["errors"] + bad["warnings"] == 1


def test_damaged_suites_are_listed_with_their_errors(place):
    data = suite("one")
    data["items"][0]["conditions"] = "none"
    file_at(place.root / "one.json", data)
    (found,) = Browser(place).listing(patience=60)["files"]
    assert found["errors"] >= 1
    assert found["items"] is None


def test_what_has_not_changed_is_not_read_again(place, monkeypatch):
    for number in range(500):
        file_at(place.root / f"{number % 10}/suite{number}.json", suite(f"s{number}"))
    browser = Browser(place)
    first = browser.listing(patience=600)
    assert len(first["files"]) == 500
    assert first["pending"] == 0
    read = []
    monkeypatch.setattr(folder_listing, "read_whole", lambda path: read.append(path) or b"{}")
    assert browser.listing() == first
    assert read == []
    monkeypatch.undo()
    file_at(place.root / "0/suite0.json", suite("renamed"))
    (place.root / "1/suite1.json").unlink()
    names = [entry["name"] for entry in browser.listing()["files"]]
    assert "renamed" in names
    assert len(names) == 499


def test_a_list_does_not_wait_for_all_checks(place):
    for number in range(5):
        file_at(place.root / f"suite{number}.json", suite(f"s{number}"))
    browser = Browser(place)
    found = browser.listing(patience=0)
    assert found["pending"] == 5
    assert {entry["errors"] for entry in found["files"]} == {None}
    found = browser.listing(patience=600)
    assert found["pending"] == 0
    assert {entry["errors"] for entry in found["files"]} == {0}


def test_tables_have_the_findings_of_their_suites(place):
    text = "item_number,condition_name,region_number,region_name,content\n"
    file_at(place.root / "clean.csv", text + "1,a,1,s,x\n1,b,1,s,y\n")
    file_at(place.root / "space.csv", text + "1,a,1,s,x \n1,b,1,s,y\n")
    file_at(place.root / "broken.csv", text + "1,a,one,s,x\n")
    found = {f["path"]: f for f in Browser(place).listing(patience=600)["files"]}
    assert found["broken.csv"]["errors"] == 1
    assert found["clean.csv"]["errors"] == 0
    assert found["space.csv"]["warnings"] == found["clean.csv"]["warnings"] + 1


def test_the_list_has_the_findings_of_the_page(place):
    """An old format is converted when it is opened: what is wrong with that format is not shown."""
    for name in ("legacy/brackets.old.json", "legacy/triples.old.json", "good/suite.json"):
        file_at(place.root / name.rpartition("/")[2], (FIXTURES / name).read_text(encoding="utf-8"))
    for entry in Browser(place).listing(patience=600)["files"]:
        opened = open_file(place, entry["path"])
        if not opened.needs:
            shown = check(opened.data, entry["path"], place.root)["findings"]
            severities = [finding["severity"] for finding in shown]
            listed = entry["errors"], entry["warnings"]
            assert listed == tuple(map(severities.count, ("error", "warning"))), entry["path"]


def test_rows_that_cannot_be_read_do_not_hide_the_others(place):
    file_at(place.root / "bad.csv", 'sentence_good,sentence_bad\n"a,b\n')
    file_at(
        place.root / "bad.jsonl", '{"sentence_good": "a", "sentence_bad": "b"}\n{"text": "c"}\n'
    )
    assert "row 2" in open_file(place, "bad.jsonl").refused
    file_at(place.root / "one.json", suite("one"))
    assert "one.json" in [entry["path"] for entry in Browser(place).listing(patience=60)["files"]]


def test_the_joining_rule_of_the_settings_is_told(place):
    assert Browser(place).listing()["join"] == "core"
    file_at(place.root / "evalmark.toml", 'join = "hf"\n')
    assert Browser(place).listing()["join"] == "hf"


def test_settings_exclude_files(place):
    file_at(place.root / "old/one.json", suite("one"))
    file_at(place.root / "two.json", suite("two"))
    file_at(place.root / "evalmark.toml", 'exclude = ["old/*"]\n')
    assert [entry["path"] for entry in Browser(place).listing()["files"]] == ["two.json"]


def test_runs_over_pairs_have_their_accuracies_and_what_fails(place):
    for seed, name in enumerate(("one", "two"), 1):
        write_pairs_run(place.root / name, f"us/{name}", seed=seed, uids=2, pairs=40)
    runs = Browser(place).listing()["runs"]
    assert {(run["path"], run["of_pairs"]) for run in runs} == {("one", True), ("two", True)}
    assert result(place, "one")["suites"] == []
    alone, both = report(place, ["one"]), report(place, ["one", "two"])
    assert "Pairs that fail" in alone
    assert "Compared with us/one" in both
