"""``evalmark serve --static``: its files, and that its Python does what the installed one does."""

import io
import json
import random
import re
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import FIXTURES, edited, file_at
from evalmark.cli.main import load
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.site_folder import _NAMES
from evalmark.workbench.page_check import check_text
from evalmark.workbench.static_site import pyodide_package, rpds_stand_in
from evalmark.workbench.static_site.in_browser import BrowserAnswers
from evalmark.workbench.static_site.pyodide_package import FILES, LOCK, TESTED, WASM
from evalmark.workbench.static_site.site_build import MANIFEST, build, python_archive
from evalmark.workbench.static_site.site_suites import suites_of
from hypothesis import given
from hypothesis import strategies as st
from killing import files_in
from run_data import edited_record
from standin_runs import suite, write_run

LOCKED = {"info": {"python": "3.14.0"}, "packages": {"numpy": {"file_name": "https://host/a.whl"}}}


@pytest.fixture
def pyodide(tmp_path, monkeypatch):
    """A folder like that of the npm package, in which Node has nothing to run."""
    monkeypatch.setattr(pyodide_package.shutil, "which", lambda _: None)
    folder = tmp_path / "node_modules" / "pyodide"
    folder.mkdir(parents=True)
    for name in (*FILES, WASM):
        (folder / name).write_bytes(f"content of {name}".encode())
    package = {"name": "pyodide", "version": TESTED}
    (folder / "package.json").write_text(json.dumps(package), encoding="utf-8")
    (folder / LOCK).write_text(json.dumps(LOCKED), encoding="utf-8")
    return folder


# building


def test_the_same_packages_give_the_same_bytes(pyodide, tmp_path):
    build(tmp_path / "one", pyodide)
    build(tmp_path / "two", pyodide)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "two")


def test_the_page_loads_nothing_from_elsewhere(pyodide, tmp_path):
    out = tmp_path / "out"
    build(out, pyodide)
    found = files_in(out)
    page = found["index.html"].decode()
    assert "script-src 'self' 'wasm-unsafe-eval'" in page
    assert page.index("Content-Security-Policy") < page.index("<script")
    assert '<meta name="evalmark-engine" content="browser">' in page
    for address in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert address == "data:," or address in found
    for name in ("app", "browser/engine", "grid/keys"):  # at once, not one after the other
        assert f'<link rel="modulepreload" href="page/{name}.js">' in page
    assert "examples/examples.js" not in page
    assert json.loads(found[f"pyodide/{LOCK}"])["packages"] == {}
    for name, raw in found.items():
        if name.startswith("page/"):
            # The namespace of SVG is not an address to load.
            assert b"://" not in raw.replace(b"http://www.w3.org/2000/svg", b""), name


def test_the_example_is_in_the_page_before_anything_is_loaded(pyodide, tmp_path):
    build(tmp_path / "out", pyodide)
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    picture = page[page.index('<div class="picture">') :]
    for text in ("The banker", "(3;%match%) &lt; (3;%mismatch%)", "no mistakes found"):
        assert text in picture


def test_every_module_that_the_page_imports_is_there(pyodide, tmp_path):
    out = tmp_path / "out"
    build(out, pyodide)
    for path in (out / "page").rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'^(?:import|export) .*?from "([^"]+)"', text, re.MULTILINE):
            assert (path.parent / name).resolve().is_file(), (path, name)


def test_a_page_replaces_an_earlier_one_and_nothing_else(pyodide, tmp_path):
    out = tmp_path / "out"
    build(out, pyodide)
    (out / "CNAME").write_text("lab.example", encoding="utf-8")
    names = files_in(out).keys() - {MANIFEST, "CNAME"}
    assert [name for name in names if not _NAMES.fullmatch(name)] == []
    with edited(out / MANIFEST) as earlier:
        earlier["files"]["page/gone.js"] = (
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        (out / "page/gone.js").write_bytes(b"")
    build(out, pyodide)
    assert (out / "CNAME").is_file()
    assert not (out / "page/gone.js").exists()
    other = tmp_path / "other"
    file_at(other / "notes.txt", "mine")
    with pytest.raises(UsageError, match="choose an empty folder"):
        build(other, pyodide)


def test_without_pyodide_it_says_how_to_get_it(run, pyodide, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / "node_modules")
    done = run("evalmark", "serve", "--static", "out")
    assert done.code == 2
    assert f"npm install pyodide@{TESTED}" in done.err
    assert not Path("out").exists()
    (pyodide / "pyodide.asm.wasm").unlink()
    done = run("evalmark", "serve", "--static", "out", "--pyodide", "pyodide")
    assert done.code == 2
    assert "pyodide is not the npm package pyodide (no pyodide.asm.wasm)" in done.err
    (pyodide / "package.json").write_text('{"name": "left-pad"}', encoding="utf-8")
    assert "left-pad" not in run("evalmark", "serve", "--static", "out", "--pyodide", "pyodide").err


def test_the_command_finds_what_npm_has_installed(run, pyodide, here):
    done = run("evalmark", "serve", "--static", "out")
    assert done.code == 0, done.err
    assert re.search(r"wrote out.index\.html and \d+ more files, [\d.]+ MB", done.err)
    package = {"name": "pyodide", "version": "999.0.0"}
    (pyodide / "package.json").write_text(json.dumps(package), encoding="utf-8")
    assert (
        f"Pyodide 999.0.0 is used; the page was tested with {TESTED}"
        in run("evalmark", "serve", "--static", "out").err
    )


def test_the_help_names_the_version_that_was_tested():
    assert f"npm install pyodide@{TESTED}" in load("serve").epilog


def test_options_of_the_server_and_of_the_static_page_do_not_mix(refused):
    assert "starts no server" in refused("evalmark", "serve", "--static", "x", "--no-browser")
    assert "--static writes" in refused("evalmark", "serve", "--pyodide", "x")


# the Python in it

#: Runs in an interpreter that has the archive and the standard library only.
ALONE = """
import json, sys
sys.path[:0] = sys.argv[1:3]
import rpds
assert "Persistent collections" in rpds.__doc__
from evalmark.workbench.static_site.in_browser import BrowserAnswers
answers = BrowserAnswers(sys.argv[3])
for line in sys.stdin:
    print(answers.answer("text/check", line), flush=True)
for name in ("orjson", "jsonschema_rs", "typer", "starlette", "jinja2", "rich"):
    assert name not in sys.modules, name
"""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("archive")
    with ZipFile(io.BytesIO(python_archive())) as archive:
        archive.extractall(folder)
    return folder


def test_every_bad_file_is_explained_as_by_the_installed_evalmark(unpacked, tmp_path):
    """Also invalid records, which ``jsonschema`` explains with ``referencing`` and ``rpds``."""
    extra = tmp_path / "extra"
    extra.mkdir()
    if sys.version_info < (3, 13):  # `referencing` needs it; Pyodide's Python does not
        source = Path(find_spec("typing_extensions").origin)
        (extra / source.name).write_bytes(source.read_bytes())
    files = [p for p in sorted((FIXTURES / "bad").iterdir()) if p.suffix in (".json", ".yaml")]
    texts = {}
    for path in files:
        try:
            texts[path.name] = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
    asked = "".join(json.dumps({"path": n, "text": t}) + "\n" for n, t in texts.items())
    served = tmp_path / "served"
    served.mkdir()
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", ALONE, str(unpacked), str(extra), str(served)],
        input=asked, capture_output=True, text=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(texts) > 100
    found = set()
    for (name, text), answer in zip(texts.items(), answers, strict=True):
        expected = check_text(text, name, served)
        assert answer["status"] == 200, (name, answer)
        assert answer["answer"] == json.loads(json.dumps(expected)), name
        found |= {finding["code"] for finding in expected["findings"]}
    assert {"EE101", "EE112", "EE113", "EE116", "SG204"} <= found


def test_the_archive_has_licences_and_no_compiled_code(unpacked):
    names = [p.relative_to(unpacked).as_posix() for p in unpacked.rglob("*") if p.is_file()]
    for library in ("attrs", "fastjsonschema", "jsonschema", "referencing", "ruamel"):
        pattern = rf"{library}[\w.]*-[\d.]+\.dist-info/.*(LICENSE|COPYING)|{library}.*LICEN"
        assert any(re.match(pattern, name) for name in names), library
    endings = {sysconfig.get_config_var("EXT_SUFFIX"), ".so", ".pyd", ".pyc"}
    assert not [name for name in names if name.endswith(tuple(endings))]


# the stand-in for rpds

keys = st.integers(0, 5)
map_changes = st.sampled_from(("insert", "remove", "update"))
set_changes = st.sampled_from(("insert", "discard", "update"))
pairs = st.dictionaries(keys, st.integers(), max_size=4)


def require_equal(rpds, step):
    """A step gives the same with the real package and with ours: a value, or the kind of error."""
    outcomes = []
    for module in (rpds, rpds_stand_in):
        try:
            outcomes.append(step(module))
        except Exception as error:
            outcomes.append(type(error))
    real, ours = outcomes
    assert real == ours


@given(start=pairs, steps=st.lists(st.tuples(map_changes, keys, pairs), max_size=6))
def test_maps_are_those_of_rpds(start, steps, rpds):
    def run(module):
        found = module.HashTrieMap(start)
        before = dict(found)
        states = []
        for name, key, entries in steps:
            given = {"insert": (key, key), "update": (entries,)}.get(name, (key,))
            try:
                found = getattr(found, name)(*given)
            except KeyError as error:
                states.append(error.args)
            states.append(dict(found))
            states.append((len(found), key in found, found.get(key), sorted(found.items())))
            same = module.HashTrieMap.convert(dict(found))
            states.append((same == found, hash(same) == hash(found), sorted(found.keys())))
        states.append(
            before == start == dict(module.HashTrieMap.convert(module.HashTrieMap(start)))
        )
        return states

    require_equal(rpds, run)


@given(
    start=st.sets(keys),
    steps=st.lists(st.tuples(set_changes, keys, st.lists(keys, max_size=3)), max_size=6),
)
def test_sets_are_those_of_rpds(start, steps, rpds):
    def run(module):
        found = module.HashTrieSet(start)
        states = []
        for name, key, values in steps:
            found = getattr(found, name)(values if name == "update" else key)
            states.append((sorted(found), len(found), key in found, bool(found)))
            states.append(found == module.HashTrieSet(set(found)))
        return states

    require_equal(rpds, run)


@given(start=st.lists(keys, max_size=4), steps=st.lists(keys, max_size=6))
def test_lists_are_those_of_rpds(start, steps, rpds):
    def run(module):
        found = module.List(start)
        states = []
        for value in steps:
            found = found.push_front(value)
            states.append((list(found), len(found), found == module.List(list(found))))
        return states

    require_equal(rpds, run)


# the suites of a folder


@pytest.fixture
def published(tmp_path):
    """A folder with a suite, a run, and what is not to be published."""
    place = tmp_path / "lab"
    write_run(place / "runs/one", "us/one", suites=1, items=2)
    scored = suite(1, 2, random.Random(1))  # that of the run
    (place / "mine.json").write_text(json.dumps(scored), encoding="utf-8")
    (place / "evalmark.toml").write_text('extensions = ["code.py"]\nignore = ["SG302"]')
    (place / "code.py").write_text("raise SystemExit")
    (place / "notes.json").write_text('{"password": 1}')
    return place


def test_a_site_has_the_suites_and_results_of_a_folder_and_nothing_else(published, tmp_path):
    built = suites_of(published)
    assert (built.files, built.runs) == (2, 1)  # the run has a record, too
    with ZipFile(io.BytesIO(built.archive)) as archive:
        names = [n for n in archive.namelist() if not n.startswith("files/runs/one/")]
        assert names == ["files/mine.json", "recorded.json"]
        archive.extractall(tmp_path / "site")
    answers = BrowserAnswers(str(tmp_path / "site/files"), str(tmp_path / "site"))
    listed = json.loads(answers.answer("folder"))["answer"]
    assert [file["path"] for file in listed["files"]] == ["mine.json"]
    assert {"mine.json", listed["records"][0]["path"]} == {*listed["given"]}
    assert [run["path"] for run in listed["runs"]] == ["runs/one"]
    shown = json.loads(answers.answer("report?a=runs%2Fone"))["answer"]
    assert "<svg" in shown
    assert json.loads(answers.answer("report?a=none"))["status"] == 404


def test_a_suite_that_was_edited_is_not_that_of_the_site(published, tmp_path):
    with ZipFile(io.BytesIO(suites_of(published).archive)) as archive:
        archive.extractall(tmp_path / "site")
    file_at(tmp_path / "here/mine.json", "{}")
    answers = BrowserAnswers(str(tmp_path / "here"), str(tmp_path / "site"))
    assert json.loads(answers.answer("folder"))["answer"]["given"] == []


def test_a_folder_without_suites_is_a_sentence(run, pyodide, tmp_path):
    (tmp_path / "empty").mkdir()
    options = ("--pyodide", str(pyodide), str(tmp_path / "empty"))
    done = run("evalmark", "serve", "--static", str(tmp_path / "out"), *options)
    assert (done.code, "has no suite" in done.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_the_command_publishes_suites(run, pyodide, published, tmp_path):
    out = tmp_path / "out"
    options = ("--pyodide", str(pyodide), str(published))
    assert "files 2, runs 1" in run("evalmark", "serve", "--static", str(out), *options).err
    site = json.loads((out / "site.json").read_bytes())
    assert site["parts"][site["suites"]]["bytes"] == (out / site["suites"]).stat().st_size
    run("evalmark", "serve", "--static", str(out), "--pyodide", str(pyodide))
    assert not (out / site["suites"]).exists()


# its answers


@pytest.fixture
def answers(tmp_path):
    found = BrowserAnswers(str(tmp_path))

    def ask(route, body=None):
        answer = json.loads(found.answer(route, None if body is None else json.dumps(body)))
        return answer["status"], answer["answer"]

    ask.put = lambda name, raw: json.loads(found.put(name, raw))
    return ask


def test_a_suite_is_opened_checked_fixed_and_saved_without_a_server(answers, tmp_path):
    name = "SG302_leading_space.json"
    put = answers.put(name, (FIXTURES / "bad" / name).read_bytes())
    assert put == {"status": 200, "answer": {"path": name}}
    _, listed = answers("folder")
    assert [file["path"] for file in listed["files"]] == [name]
    _, found = answers(f"file?path={name}")
    body = {"path": name, "data": found["data"]}
    _, checked = answers("check", body)
    assert any(finding["fix"] for finding in checked["findings"])
    _, fixed = answers("fix", {**body, "id": "safe"})
    status, saved = answers("save", {**body, "data": fixed["data"], "digest": found["digest"]})
    assert (status, saved["written"]) == (200, True)
    assert json.loads((tmp_path / name).read_bytes()) == fixed["data"]


def test_a_file_that_is_opened_replaces_no_other(answers, tmp_path):
    assert answers.put("a.json", b"1")["answer"]["path"] == "a.json"
    assert answers.put("a.json", memoryview(b"2"))["answer"]["path"] == "a-2.json"
    assert answers.put("a.json", b"2")["answer"]["path"] == "a-2.json"
    assert answers.put("a.json", b"3")["answer"]["path"] == "a-3.json"
    assert (tmp_path / "a.json").read_bytes() == b"1"


@pytest.mark.parametrize("name", ["../a.json", ".hidden", "a\nb.json", ""])
def test_a_name_that_is_none_is_refused(answers, name):
    assert answers.put(name, b"1")["status"] == 400


@pytest.mark.parametrize(
    ("route", "body", "status", "said"),
    [
        ("runs", None, 404, "only `evalmark serve` does this"),
        ("file?path=none.json", None, 404, "does not exist"),
        ("file?path=../none.json", None, 400, "not a path below the folder"),
        ("check", {}, 400, "`data` is missing"),
        ("text/convert", {"path": "a.json", "text": "{"}, 422, "F001 file ends before"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(answers, route, body, status, said):
    found, answer = answers(route, body)
    assert (found, said in answer["error"]) == (status, True), answer


def test_settings_that_are_opened_count(answers):
    name = "SG302_leading_space.json"
    text = (FIXTURES / "bad" / name).read_bytes().decode()
    _, before = answers("text/check", {"path": name, "text": text})
    answers.put("evalmark.toml", b'ignore = ["SG302"]')
    _, after = answers("text/check", {"path": name, "text": text})
    codes = [{finding["code"] for finding in found["findings"]} for found in (before, after)]
    assert codes[0] - codes[1] == {"SG302"}


def test_a_run_in_the_browser_is_a_file_like_others(answers):
    answers.put("scores.json", b'{"suites": []}')
    assert answers("folder")[1]["runs"] == []


def test_a_run_that_cannot_be_shown_is_named_and_the_others_are_published(tmp_path):
    for name in ("good", "bad"):
        write_run(tmp_path / name, f"us/{name}", suites=1, items=3)
    with edited_record(tmp_path / "bad") as record:
        record["evaluation_results"][0]["score_details"]["details"]["tags"] = "["
    site = suites_of(tmp_path)
    assert site.runs == 1
    assert any(problem.startswith("bad") for problem in site.problems)


def test_a_run_whose_samples_cannot_be_shown_is_named_too(tmp_path):
    write_run(tmp_path / "good", "us/good", suites=1, items=3)
    folder = write_run(tmp_path / "bad", "us/bad", suites=1, items=3)
    (samples,) = folder.glob("*_samples.jsonl")
    rows = [json.loads(line) for line in samples.read_text(encoding="utf-8").splitlines()]
    rows[0]["metadata"]["regions"] = "["
    samples.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    site = suites_of(tmp_path)
    assert site.runs == 1
    assert any("bad" in problem for problem in site.problems)
