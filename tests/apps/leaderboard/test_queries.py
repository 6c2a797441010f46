"""The queries of docs/running-a-leaderboard.md, against plain loops over the same rows."""

import math
import re
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from conftest import FIXTURES, ROOT
from evalmark.leaderboard import RecordOptions, write_table
from evalmark.leaderboard.result_columns import RESULTS
from evalmark.leaderboard.table_output import read_results, table_content
from hypothesis import given
from hypothesis import strategies as st
from result_rows import results_of
from strategies import examples

duckdb = pytest.importorskip("duckdb")

PAGE = (ROOT / "docs/running-a-leaderboard.md").read_text(encoding="utf-8")
QUERIES = dict(re.findall(r"```sql\n-- ([^\n]+)\n(.*?)```", PAGE, re.DOTALL))
#: The name in the queries of the page.
BENCHMARK = "agreement/agreement | agreement | - | - | higher | 0 to 1"
#: Every example writes a table and asks it.
FEW = examples(8)
SCORES = (
    0.0, 0.5, 0.637, 0.64, 0.6370001, 0.4, 1.0, 1e-05, 63.7, 64.0, -1.0, math.nan, math.inf, None,
)  # fmt: skip
SCALES = ((0.0, 1.0), (0.0, 100.0), (None, None), (0.0, None), (1.0, 5.0))
RESULT = st.fixed_dictionaries(
    {
        "dataset": st.sampled_from(["mmlu", "gsm"]),
        "metric": st.sampled_from(["accuracy", "loss"]),
        "lower_is_better": st.sampled_from([False, True, None]),
        "scale": st.sampled_from(SCALES),
        "score": st.sampled_from(SCORES),
        "score_type": st.sampled_from(["continuous", "binary"]),
        "settings": st.sampled_from(
            ["{}", '{"generation":{"temperature":0}}', '{"metric":{"has_unknown_level":true}}']
        ),
        "relationship": st.sampled_from(["first_party", "third_party"]),
        "evaluated_at": st.sampled_from([None, 1.7e9, 1.75e9, 1.76e9]),
    }
)
#: A record: its model, its id, its results, and whether there is a copy of its file.
RECORD = st.tuples(
    st.sampled_from(["lab/one", "lab/two", "us/three", None]),
    st.sampled_from(["r1", "r2", "r3"]),
    st.lists(RESULT, max_size=4),
    st.booleans(),
)
RECORDS = st.lists(RECORD, max_size=5)


def planted(records):
    """Rows of drawn records: a file holds one of them, and equal records have the same bytes."""
    rows = []
    for number, (model, record, results, is_twice) in enumerate(records):
        digest = str((model, record, results))
        for file in (f"{number}.json", f"copy of {number}.json")[: 1 + is_twice]:
            for place, result in enumerate(results):
                low, high = result["scale"]
                own = {name: value for name, value in result.items() if name != "scale"}
                developer = model and model.partition("/")[0]
                own |= {"model": model, "model_name": None, "developer": developer}
                own |= {"record": record, "min_score": low, "max_score": high}
                own |= {"file": file, "digest": digest, "line": len(rows)}
                rows.append({**own, "pointer": f"/evaluation_results/{place}"})
    return list(results_of(*rows))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tables")


def written(folder, rows, name="results"):
    (folder / f"{name}.csv").write_bytes(b"".join(table_content(".csv", RESULTS, rows)))
    columns = ", ".join(f"'{name}': '{column.sql}'" for name, column in RESULTS.items())
    path = f"{folder}/{name}"
    duckdb.sql(
        f"COPY (FROM read_csv('{path}.csv', columns = {{{columns}}}, header = true, "
        f"quote = '\"', nullstr = '')) TO '{path}.parquet'"
    )


def ask(folder, name, benchmark=BENCHMARK):
    """The answer of a query: rows as dictionaries."""
    query = QUERIES[name].replace("'results.parquet'", f"'{folder}/results.parquet'")
    query = query.replace("'before.parquet'", f"'{folder}/before.parquet'")
    answer = duckdb.sql(query.replace(f"'{BENCHMARK}'", f"'{benchmark}'"))
    return [dict(zip(answer.columns, row, strict=True)) for row in answer.fetchall()]


def counted(rows, *names):
    return Counter(tuple(map(repr, (row[name] for name in names))) for row in rows)


def expected(rows, *names):
    return counted([row._asdict() for row in rows], *names)


def test_the_queries_of_the_page():
    assert list(QUERIES) == ["top", "conflicts", "duplicates", "missing", "what changed"]


@pytest.fixture(scope="module")
def fixture_table(tmp_path_factory):
    """A table of the records of the fixtures."""
    pytest.importorskip("pyarrow")
    folder = tmp_path_factory.mktemp("fixtures")
    for name in ("results", "before"):
        given = [FIXTURES / "good", *([FIXTURES / "versions"] if name == "results" else [])]
        options = RecordOptions(include_errors=True)
        write_table(given, folder / f"{name}.parquet", options=options)
    return folder


@pytest.mark.parametrize("name", QUERIES)
def test_each_is_answered_on_the_fixtures(fixture_table, name):
    results = list(read_results(fixture_table / "results.parquet"))
    benchmark = next(row.benchmark_key for row in results if row.is_ranked and row.represents)
    rows = ask(fixture_table, name, benchmark=benchmark)
    counts = {
        "top": sum(row.represents and row.benchmark_key == benchmark for row in results),
        "conflicts": sum(row.conflict is not None for row in results),
    }
    assert len(rows) == counts.get(name, len(rows))
    assert rows or name not in ("top", "what changed")


@FEW
@given(RECORDS)
def test_top_ranks_what_a_plain_count_ranks(folder, drawn):
    rows = planted(drawn)
    written(folder, rows)
    for key in {row.benchmark_key for row in rows}:
        own = [row for row in rows if row.benchmark_key == key and row.represents]
        found = ask(folder, "top", benchmark=key)
        sign = -1 if any(row.lower_is_better for row in own) else 1
        ranked = sorted((sign * row.score for row in own if row.is_ranked), reverse=True)
        plain = {
            row.model_key: 1 + ranked.index(sign * row.score) if row.is_ranked else None
            for row in own
        }
        assert {row["model_key"]: row["rank"] for row in found} == plain
        assert counted(found, "model_key", "score") == expected(own, "model_key", "score")
        ranks = [row["rank"] for row in found]
        assert ranks == sorted(ranks, key=lambda rank: (rank is None, rank))


def decimals(score):
    digits, _, exponent = repr(score).partition("e")
    return len(digits.partition(".")[2].rstrip("0")) - int(exponent or 0)


def disagree(one, other, width):
    """Whether the longer of two numbers, rounded as the shorter one is, is another."""
    places = max(min(decimals(one), decimals(other)), 0, math.ceil(2 - math.log10(width)))
    return abs(one - other) > 0.5000001 * 10 ** -min(places, 12)


@FEW
@given(RECORDS)
def test_conflicts_are_the_pairs_that_disagree(folder, drawn):
    rows = planted(drawn)
    written(folder, rows)
    pairs, widths = defaultdict(list), {}
    for row in rows:
        if row.model_key and row.score is not None and math.isfinite(row.score):
            pairs[row.model_key, row.benchmark_key].append(row)
        if None not in (row.min_score, row.max_score):
            widths.setdefault(row.benchmark_key, row.max_score - row.min_score)
    plain = Counter()
    for (_, benchmark), own in pairs.items():
        scores = {row.score for row in own}
        largest = max(map(abs, scores)) or 1
        width = widths.get(benchmark) or 10.0 ** math.ceil(math.log10(largest))
        if any(disagree(a, b, width) for a, b in combinations(scores, 2)):
            plain += expected(own, "line", "score")
    assert counted(ask(folder, "conflicts"), "line", "score") == plain


@FEW
@given(RECORDS)
def test_duplicates_are_files_records_and_results(folder, drawn):
    rows = planted(drawn)
    written(folder, rows)
    files, records, results = defaultdict(set), defaultdict(set), defaultdict(list)
    for row in rows:
        files[row.digest].add(row.file)
        records[row.record].add((row.digest, row.file))
        if row.model_key and row.score is not None:
            key = row.model_key, row.benchmark_key, repr(row.score), row.settings
            results[key].append(row)
    plain = [("content", d, " ".join(sorted(f))) for d, f in files.items() if len(f) > 1]
    plain += [
        ("record", record, " ".join(sorted({file for _, file in own})))
        for record, own in records.items()
        if len({digest for digest, _ in own}) > 1
    ]
    plain += [
        ("result", key[0], " ".join(sorted(row.file for row in own)))
        for key, own in results.items()
        if len({r.record for r in own}) > 1 or len({r.file for r in own}) < len(own)
    ]
    found = [(row["kind"], row["what"], row["files"]) for row in ask(folder, "duplicates")]
    assert Counter(found) == Counter(plain)


@FEW
@given(RECORDS)
def test_missing_is_every_pair_without_a_number(folder, drawn):
    rows = planted(drawn)
    written(folder, rows)
    filled = {(row.model_key, row.benchmark_key) for row in rows
              if row.model_key and row.score is not None}  # fmt: skip
    models, benchmarks = Counter(m for m, _ in filled), Counter(b for _, b in filled)
    plain = {
        (model, benchmark, models[model], benchmarks[benchmark])
        for model in models for benchmark in benchmarks if (model, benchmark) not in filled
    }  # fmt: skip
    found = [tuple(row.values()) for row in ask(folder, "missing")]
    assert len(found) == len(plain)
    assert {*found} == plain
    assert [row[3] for row in found] == sorted((row[3] for row in found), reverse=True)


@FEW
@given(RECORDS, RECORDS)
def test_what_changed_is_what_only_one_table_has(folder, drawn, before):
    tables = planted(drawn), planted(before)
    for name, rows in zip(("results", "before"), tables, strict=True):
        written(folder, rows, name)
    names = "model_key", "benchmark_key", "score", "settings", "source"
    new, old = (expected(rows, *names) for rows in tables)
    plain = {("'added'", *key): n for key, n in (new - old).items()}
    plain |= {("'removed'", *key): n for key, n in (old - new).items()}
    found = {tuple(map(repr, (row["change"], *(row[name] for name in names)))): row["results"]
             for row in ask(folder, "what changed")}  # fmt: skip
    assert found == plain


def _goodness(row):
    return -row.score if row.lower_is_better else row.score
