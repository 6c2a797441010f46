"""Keys and passwords in files: what prints, stores or publishes a record shows none of them."""

import gzip
import json
import re

import pytest
from conftest import FIXTURES, data_at, edited, needs_apps
from evalmark import check_text
from evalmark.validator.formats.records.rules.text_rules import LIKELY
from evalmark.validator.io.escaping import in_markdown
from evalmark.validator.io.redaction import masked, may_hold_secret, redacted
from evalmark.validator.outputs.rendering import REPORTS
from found import codes_of

KEY = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
#: Form -> text with a secret, the secret, and what is shown.
FORMS = {
    "openai": (f"sk-{KEY}", f"{KEY}", "sk-…"),
    "anthropic": (f"sk-ant-{KEY}", KEY, "sk-ant-…"),
    "hub": (f"run --key hf_{KEY}", KEY, "run --key hf_…"),
    "github": (f"ghp_{KEY}", KEY, "ghp_…"),
    "fine-grained": (f"github_pat_{KEY}", KEY, "github_pat_…"),
    "aws": ("AKIAABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOP", "AKIA…"),
    "google": (f"AIza{KEY}xyz", KEY, "AIza…"),
    "slack": (f"xoxb-{KEY}", KEY, "xoxb-…"),
    "jwt": (f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.{KEY}", KEY, "eyJ…"),
    "pem": (f"-----BEGIN PRIVATE KEY-----\n{KEY}\n", KEY, "-----BEGIN PRIVATE KEY-----…"),
    "header": ("Authorization: Bearer s3cr3t.word", "s3cr3t.word", "Authorization: Bearer …"),
    "bearer": (f"-H 'Bearer {KEY}'", KEY, "-H 'Bearer …'"),
    "url": ("https://me:hunt%40er@b@lab.example/x", "hunt%40er@b", "https://me:…@lab.example/x"),
    "query": ("https://a.org/?x=1&api_key=qwertz", "qwertz", "https://a.org/?x=1&api_key=…"),
    "groq": (f"gsk_{KEY}", KEY, "gsk_…"),
    "nvidia": (f"nvapi-{KEY}-{KEY}", KEY, "nvapi-…"),
    "stripe": (f"sk_live_{KEY}", KEY, "sk_live_…"),
    "aws session": ("ASIAABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOP", "ASIA…"),
    "web hook": (
        f"https://hooks.slack.com/services/T0/B0/{KEY}",
        KEY,
        "https://hooks.slack.com/services/…",
    ),
    "plain header": (f"Authorization: {KEY}", KEY, "Authorization: …"),
    "other header": ("x-api-key: s3cr3tvalue99", "s3cr3tvalue99", "x-api-key: …"),
    "json": ('{"api_key": "s3cr3tvalue99"}', "s3cr3tvalue99", '{"api_key": "…"}'),
    "code": (f"client(secret_access_key = '{KEY}')", KEY, "client(secret_access_key = '…')"),
    "password": ('"password": "hunter2hunter2"', "hunter2hunter2", '"password": "…"'),
    "option": ("run --api-key s3cr3tvalue99", "s3cr3tvalue99", "run --api-key …"),
    "token in a url": (f"https://{KEY}@lab.example/x.git", KEY, "https://…@lab.example/x.git"),
    "host alone": ("me:hunter2@lab.example/x", "hunter2", "me:…@lab.example/x"),
    "port": ("me:hunter2@db:5432", "hunter2", "me:…@db:5432"),
    "variable": ("OPENAI_API_KEY=qwertz99 run", "qwertz99", "OPENAI_API_KEY=… run"),
}
#: Texts that only look like secrets.
HARMLESS = (
    "--key $API_KEY", "Authorization: Bearer $TOKEN", "Authorization: Bearer YOUR_API_KEY",
    "https://user:<password>@host", "client(api_key=api_key)", 'api_key=os.environ["KEY"]',
    "?token=None", "max_tokens=100000", "disk-aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA", "sk-learn",
    "mailto:jane99@lab.example", "humaneval:v2pass@1", "python:3.11.2-slim@sha256:0123456789",
    "aws s3 --key dir/images1.tar", "--next-token 9f4d9f69275a", 'config["api_key"] = "EMPTY"',
    "secret_key = s3_connection.secret_key", "the password: hunter2hunter2",
    '"token_usage": 123456',
    "https://lab.example:8080/@me", "the bearer of the authorization",
)  # fmt: skip


def test_of_each_form_of_secret_only_the_kind_is_shown():
    for text, secret, shown in FORMS.values():
        assert redacted(text) == redacted(shown) == shown
        assert secret not in in_markdown(text).replace("\\", "")
        assert (len(masked(text)), secret in masked(text)) == (len(text), False)
        for raw in (text, json.dumps(text), json.dumps(f"é\n{text}"), json.dumps([text] * 2)):
            assert may_hold_secret(raw)
            assert re.search("|".join(LIKELY), raw), raw
            assert secret not in redacted(raw)
            assert isinstance(json.loads(redacted(raw)) if raw != text else "", str | list)
        escaped = "".join(f"\\u{ord(c):04x}" if c.isalpha() else json.dumps(c)[1:-1] for c in text)
        assert json.loads(f'"{escaped}"') == text
        assert secret not in json.loads(f'"{redacted(escaped)}"')
    assert [redacted(text) for text in HARMLESS] == [*HARMLESS]


def test_a_text_that_almost_is_a_secret_again_and_again_is_read_once():
    for word in ("api_key=", "client_secret=", "password=", "-eyJ", "bearer ", "://:", "?a-"):
        text = word * 100_000  # an hour, if each of them is looked at to the end of the text
        assert redacted(text) == text


def test_each_form_in_a_record_is_a_finding():
    record = data_at("good/record.json")
    named = {"named": ({"api_key": "s3cr3tvalue99"}, "", "")}
    for name, (text, _, _) in (FORMS | named).items():
        record["model_info"]["additional_details"] = text if name == "named" else {"x": text}
        for indent in (None, 2):
            report = check_text(json.dumps(record, indent=indent))
            assert "EE229" in codes_of(report), name


@pytest.fixture
def planted(here):
    """A folder with a record that has a secret in each of ten places, and its secrets."""
    (here / "data").mkdir()
    secrets = [f"{number:02}{KEY}" for number in range(12)]
    each = iter(f"sk-{secret}" for secret in secrets)
    good = FIXTURES / "good"
    data = json.loads((good / "with_samples.json").read_bytes())
    link = data["detailed_evaluation_results"]
    del link["checksum"], link["hash_algorithm"]
    link["file_path"] = "rows.jsonl"
    data["evaluation_id"] += f"/{next(each)}"
    data["model_info"]["name"] = next(each)
    data["model_info"]["additional_details"] = {next(each): next(each)}
    data["source_metadata"]["source_name"] = next(each)
    (result,) = data["evaluation_results"]
    result["source_data"] = {
        "dataset_name": next(each), "source_type": "url", "url": [f"https://a:{secrets[5]}@b.org/"],
    }  # fmt: skip
    result["evaluation_name"] = next(each)
    result["score_details"]["details"] = {"log": f"Authorization: Bearer {secrets[6]}"}
    result["generation_config"] = {"generation_args": {"execution_command": f"a\n{next(each)}"}}
    result["metric_config"]["evaluation_description"] = f"?api_key={secrets[9]}"
    result["metric_config"]["score_type"] = next(each)  # which the schema's finding quotes
    row = json.loads((good / "with_samples_samples.jsonl").read_text().splitlines()[0])
    row |= {"error": next(each), "sample_id": next(each), "metadata": {"x": next(each)}}
    row["input"]["raw"] = row["sample_hash"] = f"sk-{secrets[0]}"
    (here / "data/rows.jsonl").write_text(f"{json.dumps(row)}\n")
    text = json.dumps(data, indent=2).replace("sk-02", "\\u0073k-02")
    (here / "data/record.json").write_text(text)
    (here / f"data/sk-{secrets[10]}.json").write_text("{}")
    return secrets


def none_in(content, secrets, where):
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    for secret in secrets:
        assert secret[:12] not in text, (where, text[max(0, text.find(secret[:12]) - 80) :][:160])


def test_no_output_of_check_has_a_secret_in_any_format(run, planted):
    for form in REPORTS:
        done = run("evalmark", "check", "--format", form, "-v", "data", "data/record.json", code=1)
        none_in(done.out + done.err, planted, form)
    for options in (("--fix", "--diff"), ("--select", "ALL"), ("--profile", "eee")):
        done = run("evalmark", "check", *options, "data/record.json")
        none_in(done.out + done.err, planted, options)
    done = run("evalmark", "convert", "--to", "record-0.3.0", "data/record.json", "--diff")
    none_in(done.out + done.err, planted, "convert")


@needs_apps
def test_no_table_and_no_file_of_a_site_has_a_secret(run, planted, tmp_path, jinja2, duckdb):
    for ending in ("csv", "parquet"):
        words = ("-o", f"r.{ending}", "--samples", f"s.{ending}", "--include-errors")
        done = run("evalmark", "table", "data", *words, code=1)
        assert "sk-….json: left out: its name holds a secret" in done.err
        none_in(done.out + done.err, planted, words)
    for given in ("data", "r.csv"):
        done = run("evalmark", "publish", given, "-o", f"site-{given}", "--include-errors")
        none_in(done.out + done.err, planted, given)
    files = [path for path in tmp_path.rglob("*") if "data" not in path.parts[-2:-1]]
    files = [path for path in files if path.is_file()]
    assert {".html", ".js", ".json", ".csv", ".parquet"} <= {path.suffix for path in files}
    assert any(path.parent.name == "records" for path in files)
    for path in files:
        raw = path.read_bytes()
        none_in(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw, planted, path)
        if path.suffix == ".parquet":
            rows = duckdb.sql(f"FROM '{path}'").fetchall()
            assert rows
            none_in(f"{rows}", planted, path)


@needs_apps
def test_pages_mark_the_numbers_of_records_with_errors(run, here, pyarrow, jinja2):
    (here / "data").mkdir()
    for model, score in (("a", 0.25), ("b", 7)):  # beyond its scale
        with edited(FIXTURES / "good/record.json", here / f"data/{model}.json") as data:
            data["evaluation_id"] = f"agreement/example/{model}/1760000000"
            data["model_info"] = {"name": model, "id": f"example/{model}"}
            data["evaluation_results"][0]["score_details"] = {"score": score}
    run("evalmark", "publish", "data", "-o", "site", code=1)
    assert not any("example/b" in path.read_text() for path in here.glob("site/*/*.html"))
    run("evalmark", "publish", "data", "-o", "site", "--include-errors", code=0)
    pages = {path.parent.name: path.read_text() for path in here.glob("site/*/*.html")}
    for folder in ("benchmarks", "collections"):
        assert "(errors)" in pages[folder]
