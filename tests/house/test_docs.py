"""What the documents show is what the program does."""

import re
import shlex
import shutil
import subprocess

import pytest
from conftest import FIXTURES, ROOT, edited
from document import code_in
from evalmark.cli.main import commands
from evalmark.converters.importers.registry import IMPORTERS, importer_named
from evalmark.schemas.package import address
from evalmark.validator.settings.config import SETTINGS, load_config

from scripts.generate import site_pages


def test_links_between_documents_lead_somewhere():
    made = {ROOT / "docs" / name for name in (*site_pages(), "try/index.html")}
    for page in [*(ROOT / "docs").rglob("*.md"), *ROOT.glob("*.md"), ROOT / "tests/README.md"]:
        text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
            path = (page.parent / target).resolve()
            assert "://" in target or path in made or path.exists(), f"{page.name}: {target}"


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="no clone")
def test_nothing_names_an_address_of_evalmark_that_somebody_else_could_take():
    """Only `[project.urls]` says where evalmark is; until it does, texts speak of a clone."""
    guess = re.compile(
        r"""github\.(?:com|io)[/:][^\s"'`]*evalmark  # a repository, a badge, git+https, git@
        | uses:\s*[\w.-]+/evalmark\b           # a GitHub action
        | pip\ install\ (?:-\S+\ )*evalmark\b  # the package index, where the name is not ours
        """,
        re.VERBOSE | re.IGNORECASE,
    )
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    home, named = address() or "/path/to/evalmark", []
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if name and path.is_file() and path.suffix not in (".png", ".safetensors"):
            text = path.read_text(encoding="utf-8", errors="replace")
            named += [f"{name}: {m[0]}" for m in guess.finditer(text.replace(home, ""))]
    assert named == []


def test_the_table_of_settings_is_complete_and_the_example_is_valid(tmp_path):
    known = {f"{table}.{key}".lstrip(".") for table, keys in SETTINGS.items() for key in keys}
    page = (ROOT / "docs/checking-a-suite-repository.md").read_text(encoding="utf-8")
    section = page.partition("## Settings")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([a-z.-]+)` \|", section, re.MULTILINE)) == known
    (example,) = code_in("checking-a-suite-repository.md", "toml")
    (tmp_path / "evalmark.toml").write_text(example, encoding="utf-8")
    config = load_config(str(tmp_path))
    assert (config.organization, config.score) == ("Your lab", {"pack_tokens": 128})


def commands_in(text):
    """Each command of the `sh` blocks of a page, and its options."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            words = r"\bevalmark ([a-z]+)(.*)"
            if found := re.search(words, line.partition("  #")[0]):
                yield found[1], set(re.findall(r"(?<!\S)--[a-z-]+", found[2]))


def test_documents_show_only_options_that_exist(run):
    pages = (ROOT / "docs").rglob("*.md")
    shown = {}
    for page in [*pages, ROOT / "README.md"]:
        for command, options in commands_in(page.read_text(encoding="utf-8")):
            shown.setdefault(command, set()).update(options)
    assert {"check", "convert", "score", "memory", "report"} <= shown.keys()
    for command, options in shown.items():
        if command.split()[0] not in commands():
            continue  # its room is missing
        known = set(re.findall(r"--[a-z-]+", run("evalmark", *command.split(), "--help").out))
        assert options <= known, command


def test_the_migration_of_the_page_on_converting_runs(run, here):
    """Its commands, literally, and its file of defaults."""
    (here / "records").mkdir()
    for version in ("0.0.1", "0.2.0", "0.2.2"):
        record = FIXTURES / f"versions/record-{version}.json"
        with edited(record, here / f"records/{version}.json") as data:
            data.pop("detailed_evaluation_results", None)
    page = (ROOT / "docs/converting.md").read_text("utf-8")
    section = page.partition("\n## Records")[2].partition("\n## ")[0]
    shown = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
    commands = [line for text in shown for line in text.splitlines()]
    assert len(commands) == 3
    for command in commands:
        words, _, target = command.partition(" > ")
        done = run(*words.split(), code=0)
        if target:
            reviewed = done.out.replace("reviewed: false", "reviewed: true")
            (here / target).write_text(reviewed, "utf-8")
    assert len(list((here / "old").iterdir())) == 3
    (example,) = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    (here / "example.yaml").write_text(example, "utf-8")
    done = run("evalmark", "convert", "--defaults", "example.yaml", "records/0.2.0.json", code=0)
    assert '"source_type": "evaluation_run"' in done.out  # it is stated: a default does not count


#: What the page on converting calls results -> the fixture.
SHOWN = {
    "results_2026-01-02T03-04-05.678901.json": "lm_eval/results_2026-01-02T03-04-05.678901.json",
    "log.json": "inspect/log.json",
    "quiz.eval": "inspect_eval/quiz.eval",
    "benchmark_output/runs/v1": "helm",
    "results/example": "lighteval/results/example",
    "scores.csv": "scores/scores.csv",
    "runs/Benchmark 3 - 1k": "../good/ltm",
    "runs/Benchmark 3 - 1k/results/My agent": "../good/ltm/results/Example agent",
}


def test_the_imports_of_the_page_on_converting_run(run, here):
    """Its commands and its mappings, literally; and each importer has an example."""
    for name, fixture in SHOWN.items():
        source, target = FIXTURES / "results" / fixture, here / name
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target)
    page = (ROOT / "docs/converting.md").read_text("utf-8")
    section = page.partition("\n## Results of other programs")[2].partition("\n## ")[0]
    mapping, wide, items = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    (here / "mapping.yaml").write_text(mapping, "utf-8")
    read = set()
    for command in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)[0].splitlines():
        if "runs/Benchmark" in command and not importer_named("ltm-run"):
            continue  # its room is missing
        done = run(*shlex.split(command))
        assert done.code == 0, (command, done.err)
        read |= set(re.findall(r": ([a-z0-9-]+) → record", done.err))
    assert read == {importer.name for importer in IMPORTERS}
    (here / "mapping.yaml").write_text(wide, "utf-8")
    (here / "scores.csv").write_text("Model,Colours,Perplexity\nlab/a,65,9.5\n", "utf-8")
    done = run("evalmark", "convert", "scores.csv", "--mapping", "mapping.yaml", "-o", "wide")
    assert (done.code, len(done.out.splitlines())) == (0, 1), done.err
    (here / "mapping.yaml").write_text(items, "utf-8")
    (here / "scores.csv").write_text("Model,Task,Item,Right\ntiny_seed1,t,1,yes\n", "utf-8")
    done = run("evalmark", "convert", "scores.csv", "--mapping", "mapping.yaml", "-o", "items")
    assert (done.code, "1 sample" in done.err) == (0, True), done.err


def test_the_comparison_of_the_page_on_minimal_pairs_runs(run, here):
    """Its commands, literally."""
    for name, source in (("harness", "one"), ("other", "two")):
        shutil.copytree(FIXTURES / "results/lm_eval_pairs" / source, here / name)
    page = (ROOT / "docs/minimal-pairs.md").read_text("utf-8")
    section = page.partition("\n## Other programs")[2].partition("\n## ")[0]
    for command in "".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL)).splitlines():
        outcome = run(*shlex.split(command))
        assert outcome.code == 0, (command, outcome.err)


def test_every_page_that_is_made_from_the_code_can_be_made():
    for name, text in site_pages().items():
        assert text.startswith("# "), name
