"""Published results of others become records and a table with the averages that they published."""

import json

import pytest

#: Averages of Hu et al. (2020) over the suites but for three, by the id of the model here.
PUBLISHED = {
    "openai-community/gpt2": 0.7842,
    "openai-community/gpt2-xl": 0.8424,
    "transfo-xl/transfo-xl-wt103": 0.5957,
    "facebookresearch/grnn": 0.5514,
    "google/jrnn": 0.5627,
}
MAPPING = {
    "collection": "syntaxgym-2020",
    "source": "A Systematic Assessment of Syntactic Generalization",
    "organization": "Hu et al. (2020)",
    "relationship": "third_party",
    "columns": {
        "model": "model", "benchmark": "suite", "name": "suite", "sample_id": "item",
        "score": "correct",
    },
    "constants": {
        "metric": "accuracy", "time": "2020-07-05",
        "url": "https://github.com/cpllab/syntactic-generalization",
    },
    "values": {
        "model": {
            "gpt-2-pretrained__0": "openai-community/gpt2",
            "gpt-2-xl-pretrained__0": "openai-community/gpt2-xl",
            "transformer-xl__0": "transfo-xl/transfo-xl-wt103",
            "grnn__0": "facebookresearch/grnn",
            "jrnn__0": "google/jrnn",
        }
    },
}  # fmt: skip
AVERAGES = """
SELECT model_key, avg(score) FROM 'results.parquet'
WHERE dataset NOT IN ('fgd-embed3', 'fgd-embed4', 'nn-nv-rpl') GROUP BY ALL
"""


@pytest.mark.slow
def test_the_published_averages_come_out(shared, here, run, duckdb):
    (here / "mapping.json").write_text(json.dumps(MAPPING))
    files = sorted((shared / "data/syntaxgym-results").glob("*.csv"))
    options = ("--mapping", "mapping.json", "--to", "record-0.3.0", "-o", "records")
    run("evalmark", "convert", *files, *options, code=0)
    run("evalmark", "check", "records", code=0)
    run("evalmark", "table", "records", "-o", "results.parquet", code=0)
    averages = dict(duckdb.sql(AVERAGES).fetchall())
    assert {name: round(averages[name], 4) for name in PUBLISHED} == PUBLISHED
