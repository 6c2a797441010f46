"""``evalmark score`` with minimal pairs: tables, records, resuming, several models, comparing."""

import json
import re
import shutil
import statistics
from pathlib import Path

import pytest
from conftest import ROOT
from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.scoring.runs.finished_run import FRAMES, read_run
from evalmark.scoring.surprisals.surprisal_computation import PARTIAL
from evalmark.stats.effect_sizes import effect_size
from evalmark.validator.check import check_file
from evalmark.workbench.pair_view import items_by_uid, suite_of_pairs
from found import codes_of
from killing import files_in, killed_at_pack
from pairs import pair, pairs_at
from recorded_suites import rows_of
from run_data import record_of, score, suites_of, table, view_of
from small_models import our_sentences

pytest.importorskip("torch")


@pytest.fixture
def here(here, epoch):
    (here / "evalmark.toml").write_text(
        '[score]\npack-tokens = 64\n[record]\norganization = "Lab"\nrelationship = "other"\n'
    )
    return here


def our_files(folder):
    """Two paradigms with an impossible pair, and tests of every other set."""
    texts = our_sentences()[::7]
    labels = {"field": "syntax", "linguistics_term": "agreement"}
    pairs = [(texts[n], texts[n + 20]) for n in range(40)]
    rows = [pair(a, b, UID="first", **labels) for a, b in pairs[:20]]
    rows.append(pair("The pilot laughs .", "The pilot laughs .", UID="first", **labels))
    more = [
        pair(b, a, UID="second", field="semantics")
        for a, b in zip(texts[40:], texts[60:], strict=False)
    ]
    pairs_at(folder, [*rows, *more[:10]], "pairs/blimp.jsonl")
    pairs_at(
        folder,
        [{"Context1": a, "Context2": b, "Target1": b, "Target2": a, "Domain": "social"}
         for a, b in zip(texts[:5], texts[5:], strict=False)],
        "pairs/ewok.jsonl",
    )  # fmt: skip
    pairs_at(
        folder,
        [{"input_prefix": a, "options": [" so .", " it .", " the ."], "numops": n % 2}
         for n, a in enumerate(texts[:6])],
        "pairs/regular.jsonl",
    )  # fmt: skip
    pairs_at(
        folder,
        [{"sentences": f"{a}\t{b}", "ratio": n / 9}
         for n, (a, b) in enumerate(zip(texts[10:18], texts[30:], strict=False))],
        "pairs/wug_past.jsonl",
    )  # fmt: skip
    return "pairs"


@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_the_record_passes_our_check_and_the_gate(here, run, version):
    done = score(run, our_files(here), "--out", "r", "--record-version", version)
    assert done.code == 0, done.err
    (record,) = (here / "r").rglob("*-*.json")
    profile = "eee" if version == "0.3.0" else None
    report = check_file(record, profile=profile)
    assert (report.version, report.findings) == (version, ())
    assert report.companions
    run("evalmark", "check", "r", *(("--profile", "eee") if version == "0.3.0" else ()), code=0)
    data = json.loads(record.read_text())
    results = {result["evaluation_name"]: result for result in data["evaluation_results"]}
    assert list(results) == [
        "first", "second", "social", "regular_0_ops", "regular_1_ops", "wug_past",
        "wug_past/share", "blimp/average", "entity-tracking/average",
    ]  # fmt: skip
    first = results["first"]
    details = first["score_details"]["details"]
    assert (details["items"], details["impossible"], details["field"]) == ("21", "1", "syntax")
    assert first["generation_config"]["additional_details"]["method"] == "sum"
    metric = first["metric_config"]
    if version == "0.3.0":
        named = metric["metric_name"], metric["metric_kind"], metric["metric_unit"]
        assert named == ("accuracy", "accuracy", "proportion")
        correlation = results["wug_past"]["metric_config"]
        assert (correlation["metric_name"], correlation["min_score"]) == ("spearman_rho", -1)
    else:
        assert metric["additional_details"]["metric_unit"] == "proportion"
    samples = record.with_name(f"{record.stem}_samples.jsonl").read_text()
    rows = [json.loads(line) for line in samples.splitlines()]
    assert len(rows) == 21 + 10 + 2 * 5 + 6 + 8
    impossible = rows[20]
    assert impossible["evaluation"]["is_correct"] is False
    assert impossible["output"]["raw"] == []
    assert impossible["metadata"]["outcome"] == "impossible"
    assert rows[0]["input"]["choices"] == rows[0]["input"]["raw"].split("\n")
    assert rows[0]["input"]["reference"] == rows[0]["input"]["choices"][:1]
    assert str(here) not in record.read_text()


def test_the_table_says_what_was_counted(here, run):
    done = score(run, our_files(here))
    assert done.code == 0, done.err
    lines = {line.split("  ")[0]: line for line in done.out.splitlines()}
    assert lines["first"].split()[1:3] == ["sum", "21"]
    assert lines["first"].split()[-1] == "1", "the impossible pair"
    assert lines["social"].split()[1:3] == ["conditional", "10"]
    assert "0.333" in lines["regular_0_ops"]
    assert "field semantics: mean over 1 UID" in lines
    assert "blimp: mean over 2 UIDs" in lines
    assert "blimp: all pairs" in lines
    assert "count, and are never right" in done.out
    assert "  first: 20" in lines.values() or "  first: 20" in done.out


def test_the_run_has_every_pair(here, run):
    assert score(run, our_files(here), "--out", "r").code == 0
    view = view_of("r")
    first, whole = view.uids[0], view.averages
    assert sum(contest.is_right for contest in first.contests) == first.score.right
    assert [(of, value) for of, _, value in whole][:2] == [
        ("blimp", "semantics"),
        ("blimp", "syntax"),
    ]
    rows = table("r", "pairs")
    assert len(rows) == 2 * (21 + 10 + 10 + 8) + 3 * 6
    assert {row["outcome"] for row in rows if row["item"] == "20"} == {"impossible"}
    assert [row["text"] for row in rows if row["uid"] == "regular_0_ops"][:3] == [
        " so .",
        " it .",
        " the .",
    ]


def test_a_killed_run_goes_on_and_ends_in_the_same_bytes(here, run, monkeypatch):
    pairs = our_files(here)
    assert score(run, pairs, "--out", "whole", "-q").code == 0
    with killed_at_pack(7):
        score(run, pairs, "--out", "cut", "-q")
    assert len((here / "cut" / PARTIAL).read_bytes().splitlines()) > 3
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1770000000")  # the time is that of the first start
    assert score(run, pairs, "--out", "cut", "-q").code == 0
    assert files_in(here / "cut") == files_in(here / "whole")


def test_a_plan_and_a_limit(here, run):
    pairs = our_files(here)
    done = run("evalmark", "score", pairs, "--dry-run")
    assert done.out == "4 files with 50 rows of minimal pairs can be scored\n"
    done = score(run, pairs, "--limit", "3", "--dry-run", "--out", "x")
    assert "4 files with 12 rows" in done.out
    assert "distinct prefixes" in done.out
    assert not (here / "x").exists()


def test_a_broken_file_does_not_stop_the_others(here, run):
    pairs = our_files(here)
    pairs_at(here, [pair("a", 1)], "pairs/bad.jsonl")
    (here / "pairs/no.jsonl").write_text('{"sentence_good": "a"\n')
    done = score(run, pairs, "pairs/no.jsonl", "--out", "r")
    assert done.code == 2
    assert "bad.jsonl:1:40: error[MP112]" in done.err.replace("\\", "/"), "as check shows it"
    assert "not scored: pairs/bad.jsonl: MP112 `sentence_bad` must be a string" in done.err
    assert "not scored: pairs/no.jsonl: F" in done.err
    assert "blimp: mean over 2 UIDs" in done.out
    source = record_of(here / "r")["source_metadata"]
    assert len(json.loads(source["additional_details"]["files"])) == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--join", "hf"), "--join does not apply to minimal pairs"),
        (("--boundary", "corrected"), "--boundary does not apply to minimal pairs"),
        (("--metric", "sum"), "--metric does not apply to minimal pairs"),
        (("--method", "conditional"), "no texts for the method conditional"),
        (("--bos", "none"), "`--first-token zero` such tokens as 0 bits"),
        (("--method", "means"), "unknown pair method 'means'"),
    ],
)
def test_what_does_not_apply_is_said(here, run, arguments, said):
    our_files(here)
    done = score(run, "pairs/blimp.jsonl", *arguments)
    assert done.code in (1, 2)
    assert done.out == ""
    assert said in done.err


def test_suites_and_pairs_are_two_runs(here, run):
    pairs = our_files(here)
    suite = ROOT / "fixtures/good/suite.json"
    done = score(run, pairs, suite)
    assert (done.code, done.out) == (2, "")
    assert "is a suite: score them in two runs" in done.err
    done = score(run, suite, "--method", "mean")
    assert "--method does not apply to suites" in done.err


def test_several_models_are_compared_by_set(here, run):
    pairs = our_files(here)
    for name in ("one", "two"):
        shutil.copytree(ROOT / "scoring/demo_model", here / name)
    models = ("--model", "one", "--model", "two", "--device", "cpu")
    done = run("evalmark", "score", pairs, *models, "--out", "r", code=0)
    head, *rows = [line.split() for line in done.out.splitlines()[:5]]
    assert head == ["set", "chance", "local/one", "local/two"]
    assert [row[0] for row in rows] == ["blimp", "ewok", "entity-tracking", "wug"]
    assert all(row[2] == row[3] for row in rows)
    assert "note: the same weights: local/one, local/two" in done.err
    again = run("evalmark", "score", pairs, *models, "--out", "r")
    assert "r/one is finished; --overwrite scores it again" in again.err.replace("\\", "/")
    assert (again.code, again.out) == (0, done.out), "finished runs are in the table"
    uids = run(
        "evalmark", "score", pairs, *models, "--out", "r", "--format=details"
    ).out.splitlines()
    assert uids[0].split() == ["UID", "chance", "local/one", "local/two"]
    assert len(uids) > len(done.out.splitlines())
    pairs_at(here, [pair("The pilot laughs .", "The pilot laugh .")], "pairs/new.jsonl")
    again = run("evalmark", "score", pairs, *models, "--out", "r")
    assert "has no scores for the current content of this file" in again.err


def test_runs_over_pairs_are_compared(here, run):
    our_files(here)
    for method in ("sum", "mean"):
        assert score(run, "pairs/blimp.jsonl", "--method", method, "--out", method, "-q").code == 0
    found = json.loads(run("evalmark", "compare", "sum", "mean", "--format", "json", code=0).out)
    assert [(row["suite"], row["items"]) for row in found["comparisons"]] == [
        ("first", 21),
        ("second", 10),
    ]
    assert {"name": "method", "first": "sum", "second": "mean"} in found["differences"]
    (record,) = (here / "sum").glob("*-*.json")
    same = json.loads(run("evalmark", "compare", "sum", record, "--format", "json").out)
    assert [(row["only_first"], row["only_second"]) for row in same["comparisons"]] == [(0, 0)] * 2
    assert same["differences"] == []


def test_pairs_and_the_suites_that_the_page_shows_have_the_same_outcomes(here, run):
    """Item by item, identical texts included; of EWoK each comparison is a prediction."""
    our_files(here)
    names = ("pairs/blimp.jsonl", "pairs/ewok.jsonl", "pairs/regular.jsonl")
    (here / "suites").mkdir()
    for name in names:
        rows = [json.loads(line) for line in Path(name).read_text("utf-8").splitlines()]
        for uid, items in items_by_uid(rows, Path(name).stem).items():
            suite = json.dumps(suite_of_pairs(items, uid))
            (here / f"suites/{uid}.json").write_text(suite, encoding="utf-8")
    assert score(run, *names, "--out", "as-pairs").code == 0
    ours = {uid.label: [c.is_right for c in uid.contests] for uid in view_of("as-pairs").uids}
    assert score(run, "suites/", "--out", "as-suites").code == 0
    suites = {suite["name"]: suite for suite in suites_of("as-suites")}
    assert ours.keys() == suites.keys()
    for name, outcomes in ours.items():
        columns = [prediction["outcomes"] for prediction in suites[name]["predictions"]]
        rows = list(zip(*columns, strict=True))
        whole = name.startswith("regular")  # an option is better than all others
        found = [all(row) for row in rows] if whole else [held for row in rows for held in row]
        assert found == outcomes, name
        assert suites[name]["predictions"][0]["ties"] == []


def test_correlations_are_not_compared(here, run):
    our_files(here)
    assert score(run, "pairs/wug_past.jsonl", "pairs/blimp.jsonl", "--out", "r", "-q").code == 0
    (record,) = (here / "r").glob("*-*.json")
    for path in ("r", record):
        done = run("evalmark", "compare", path, path, code=0)
        assert "wug_past (no samples)" in done.err
        assert "wug_past" not in done.out


def test_a_page_has_every_set(here, run, jinja2):
    assert score(run, our_files(here), "--out", "r", "-q").code == 0
    done = run("evalmark", "report", "r")
    assert (done.code, done.err) == (0, f"wrote {Path('r/report.html')}\n")
    page = (here / "r/report.html").read_text()
    for name in ("first", "second", "social", "regular_0_ops", "regular_1_ops", "wug_past"):
        assert f">{name}</a>" in page
    assert "<td>impossible\n" in page
    assert "wug: correlation with people" in page


@pytest.mark.parametrize("name", FRAMES)
def test_the_frames_of_a_run(here, run, name):
    pytest.importorskip(name)
    assert score(run, our_files(here), "--out", "r", "-q").code == 0
    found = read_run("r", frame=name)
    uids, pairs = rows_of(found.uids), rows_of(found.pairs)
    assert [row["score"] for row in uids] == [uid.score.score for uid in view_of("r").uids]
    assert [row["impossible"] for row in uids][:2] == [1, 0]
    listed = [float(row["surprisal"]) for row in table(here / "r", "pairs")]
    assert [row["surprisal"] for row in pairs] == listed
    assert "<td>first</td>" in found._repr_html_()
    with pytest.raises(UnknownNameError, match="unknown table 'regions'"):
        _ = found.regions


def test_the_page_on_minimal_pairs_shows_what_the_commands_print(here, run):
    page = (ROOT / "docs/minimal-pairs.md").read_text("utf-8")
    section = page.partition("\n## Score")[2].partition("\n## ")[0]
    (rows,) = re.findall(r"```jsonl\n(.*?)```", section, re.DOTALL)
    (table,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    (here / "score.jsonl").write_text(rows)
    commands = "".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL)).splitlines()
    done = [run(*command.split()) for command in commands]
    assert [one.code for one in done] == [0, 0, 0], [one.err for one in done]
    shown = [line.rstrip() for line in done[0].out.splitlines()]
    assert shown[: table.count("\n")] == table.splitlines()
    assert "method sum / mean" in done[2].out


@pytest.mark.slow
def test_real_pairs_are_scored(shared, here, run):
    """Six files of BLiMP, one with an impossible pair, and JBLiMP as lines and as a table."""
    folder = shared / "data/pairs"
    for path, limit, impossible in (("", "40", []), ("passive_1.jsonl", "330", ["324"])):
        done = score(run, folder / "blimp" / path, "--limit", limit, "--out", limit, "-q")
        assert done.code == 0, done.err
        uids = view_of(here / limit).uids
        files = (folder / "blimp").glob(path or "*")
        assert [uid.label for uid in uids] == sorted(file.stem for file in files)
        assert [number for uid in uids for number in uid.named("impossible")] == impossible
        (record,) = (here / limit).glob("*-*.json")
        assert set(codes_of(record)) == {"EE212"}  # of a part
    for name in ("pairs.csv", "pairs.jsonl"):
        done = score(run, folder / "jblimp" / name, "--limit", "20", "--format", "json")
        assert done.code == 0, done.err
        (scored,) = json.loads(done.out)["runs"]
        details = [r["score_details"]["details"] for r in scored["record"]["evaluation_results"]]
        assert sum(int(of["items"]) for of in details if "right" in of) == 20


def test_tokens_are_written_on_request_only(here, run):
    path = here / "one.jsonl"
    path.write_text('{"sentence_good": "The cat sleeps .", "sentence_bad": "The cat sleep ."}')
    assert score(run, path, "--out", "plain", "-q").code == 0
    assert not [*(here / "plain").glob("*.csv")]
    with pytest.raises(ScoringError, match="the run has no tokens: `--also tokens` adds those"):
        _ = read_run(here / "plain").tokens
    assert "also tokens writes tables into a folder" in score(run, path, "--also=tokens").err


def test_effects_and_tokens_are_those_of_the_texts(here, run):
    """Of every set: contexts, several options, identical texts, and sets without a right text."""
    assert (
        score(
            run,
            our_files(here),
            "--out",
            "r",
            "-q",
            *(f"--also={name}" for name in ("parquet", "pairs", "effects", "tokens")),
        ).code
        == 0
    )
    contests = {}
    for row in table(here / "r", "pairs"):
        contests.setdefault((row["set"], row["uid"], row["item"]), []).append(row)
    effects = table(here / "r", "effects")
    assert [(row["set"], row["uid"], row["item"]) for row in effects] == list(contests)
    for row in effects:
        right, *wrong = contests[row["set"], row["uid"], row["item"]]
        best = min(wrong, key=lambda text: float(text["score"]))
        assert (row["outcome"], row["method"]) == (right["outcome"], right["method"])
        assert row["right_surprisal"] == right["surprisal"]
        assert row["wrong_surprisal"] == best["surprisal"]
        difference = float(best["surprisal"]) - float(right["surprisal"])
        assert float(row["difference"]) == difference
        assert float(row["margin"]) == float(best["score"]) - float(right["score"])
    first = effects[0]
    assert (first["file"], first["field"], first["term"], first["language"]) == (
        "pairs/blimp.jsonl", "syntax", "agreement", "",
    )  # fmt: skip

    tokens = {}
    for row in table(here / "r", "tokens"):
        key = row["set"], row["uid"], row["item"], row["side"]
        tokens.setdefault(key, []).append(row)
    texts = {(*key, row["side"]): row for key, rows in contests.items() for row in rows}
    assert tokens.keys() == texts.keys()
    for key, rows in tokens.items():
        text, counted = texts[key], [row for row in rows if row["surprisal"]]
        assert "".join(row["token"] for row in rows) == text["context"] + text["text"]
        assert [row["position"] for row in rows] == [str(n) for n, _ in enumerate(rows, 1)]
        assert len(counted) == int(text["tokens"])
        assert sum(float(row["surprisal"]) for row in counted) == pytest.approx(
            float(text["surprisal"]), rel=1e-12
        )
        assert rows[len(rows) - len(counted) :] == counted  # those of the context come first
    assert {file.name for file in (here / "r").glob("*.parquet")} == {
        "pairs.parquet", "effects.parquet", "tokens.parquet",
    }  # fmt: skip


def test_sizes_of_effects_of_pairs_are_by_uid(here, run, pyarrow):
    assert score(run, our_files(here), "--out", "r", "-q").code == 0
    sizes = rows_of(read_run("r", frame="pyarrow").effect_sizes)
    counted = [
        float(row["difference"])
        for row in table(here / "r", "effects")
        if row["uid"] == "first" and row["outcome"] != "impossible"
    ]
    assert sizes[0] == {
        "set": "blimp", "uid": "first", "items": 20,
        "mean": pytest.approx(statistics.fmean(counted)),
        **{name: sizes[0][name] for name in ("lower", "upper", "t", "p_t", "p_sign_flip")},
    }  # fmt: skip
    assert sizes[0]["t"] == effect_size(counted).t
    without_right = {uid.label for uid in view_of("r").uids if uid.is_correlated}
    assert without_right
    assert not without_right & {row["uid"] for row in sizes}
