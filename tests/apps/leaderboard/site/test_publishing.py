"""Publishing is all or nothing: a kill at any step leaves a site that the next call completes."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest
from branch import git
from killing import Killed, files_in

pytest.importorskip("pyarrow")
pytest.importorskip("jinja2")

from conftest import FIXTURES, ROOT, edited, file_at, needs_links
from evalmark.leaderboard.result_columns import RESULTS
from evalmark.leaderboard.site.write_site import MANIFEST, publish
from evalmark.leaderboard.table_output import write_table_file
from evalmark.schemas.errors import FolderInUse, UsageError
from evalmark.validator.io.site_folder import STAGED, require_free, write_folder
from evalmark.validator.io.writing import lock_folder
from result_rows import result, results_of

#: What evalmark did not write, as in a branch of GitHub Pages that somebody has checked out.
FOREIGN = {".git/HEAD": b"ref: x", "CNAME": b"board.lab.example", ".nojekyll": b"", "docs/a": b"1"}
OLD = {
    "site.css": b"old", "data/a.js": b"a", "data/gone.js": b"g",
    "models/gone.html": b'<a href="../data/gone.js">', "models/a.html": b'<a href="../data/a.js">',
    "index.html": b'<a href="models/gone.html"><a href="models/a.html">',
}  # fmt: skip
NEW = {
    "site.css": b"new", "data/a.js": b"A", "data/b.js": b"b",
    "models/a.html": b'<a href="../data/a.js"><a href="b.html">',
    "models/b.html": b'<a href="../data/b.js"><a href="a.html">',
    "index.html": b'<a href="models/a.html"><a href="models/b.html">',
}  # fmt: skip
#: Everything by which a site is written, moved or deleted.
STEPS = (
    (os, "mkdir"), (os, "replace"), (os, "unlink"), (os, "rmdir"), (os, "fsync"), (os, "chmod"),
    (tempfile, "mkstemp"),
)  # fmt: skip


def killed_at(patch, number):
    """Let the step of this number and all later ones fail; what counts the steps."""
    done = []

    def counted(real):
        def step(*arguments, **options):
            if len(done) >= number:
                raise Killed
            done.append(real)
            return real(*arguments, **options)

        return step

    for module, name in STEPS:
        patch.setattr(module, name, counted(getattr(module, name)))
    return done


def put(folder, files):
    for name, raw in files.items():
        file_at(folder / name, raw)


def whole(site, foreign):
    digests = {name: hashlib.sha256(raw).hexdigest() for name, raw in site.items()}
    return {**foreign, **site, MANIFEST: json.dumps({"files": digests}, indent=2).encode() + b"\n"}


def require_links_lead_somewhere(folder):
    for page in folder.rglob("*.html"):
        if STAGED not in page.parts:
            for target in re.findall(r'href="([^"]+)"', page.read_text()):
                assert (page.parent / target).is_file(), (page, target)


@pytest.mark.parametrize("before", [OLD, {}])
def test_a_kill_at_any_step_leaves_a_site_that_the_next_call_completes(tmp_path, before):
    foreign = FOREIGN if before else {}
    for number in range(1000):
        out = tmp_path / str(number)
        if before:
            write_folder(out, MANIFEST, before.items())
            put(out, foreign)
        with pytest.MonkeyPatch.context() as patch:
            done = killed_at(patch, number)
            try:
                write_folder(out, MANIFEST, NEW.items())
            except Killed:
                pass
            else:
                break
        left = files_in(out) if out.exists() else {}
        visible = {name: raw for name, raw in left.items() if not name.startswith(f"{STAGED}/")}
        old, new = whole(before, foreign) if before else {}, whole(NEW, foreign)
        if visible not in (old, new):
            # What the next call completes; nobody meets a page that leads nowhere until then.
            assert f"{STAGED}/{MANIFEST}" in left
        if before:
            require_links_lead_somewhere(out)
        assert visible.keys() <= old.keys() | new.keys()
        assert foreign.items() <= left.items()
        require_free(out, MANIFEST)
        other = {"index.html": b"another site"}
        write_folder(out, MANIFEST, other.items())
        assert files_in(out) == whole(other, foreign)
        assert not (out / STAGED).exists()
    assert number > 30, "the steps are counted"
    assert len(done) == number
    assert files_in(out) == whole(NEW, foreign)


def test_what_is_completed_is_the_site_that_was_interrupted(tmp_path):
    """Before the next site is made, which can fail, the last one is whole."""
    write_folder(tmp_path / "site", MANIFEST, OLD.items())
    with pytest.MonkeyPatch.context() as patch:
        moved = []

        def replace(source, target, real=os.replace):
            if STAGED not in str(target):
                moved.append(target)
                if len(moved) > 3:
                    raise Killed
            real(source, target)

        patch.setattr(os, "replace", replace)
        with pytest.raises(Killed):
            write_folder(tmp_path / "site", MANIFEST, NEW.items())

    def broken():
        yield "index.html", b"x"
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space"):
        write_folder(tmp_path / "site", MANIFEST, broken())
    assert files_in(tmp_path / "site") == whole(NEW, {})


def test_a_site_that_cannot_be_made_leaves_the_old_one(tmp_path):
    write_folder(tmp_path, MANIFEST, OLD.items())

    def broken():
        yield from NEW.items()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_folder(tmp_path, MANIFEST, broken())
    assert files_in(tmp_path) == whole(OLD, {})


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL here")
@pytest.mark.parametrize("step", [3, 12, 20])
def test_publish_that_is_killed_is_completed_by_the_same_command(tmp_path, step):
    results = results_of(result(), result("lab/b"), result("lab/gone"))
    publish(results, tmp_path / "site", record_url="{file}")
    results = results_of(result(score=0.75), result("lab/b"), result("lab/new"))
    publish(results, tmp_path / "other", record_url="{file}")
    write_table_file(tmp_path / "new.csv", RESULTS, results)
    script = f"""
import os, signal
real, left = os.replace, [{step}]
def replace(*arguments, **options):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments, **options)
os.replace = replace
from evalmark.cli.main import main
main()
"""
    call = ["publish", tmp_path / "new.csv", "-o", tmp_path / "site", "--record-url"]
    killed = subprocess.run(
        [sys.executable, "-c", script, *call, "{file}"], cwd=ROOT, capture_output=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert (tmp_path / "site" / STAGED).exists()
    publish(results, tmp_path / "site", record_url="{file}")
    assert files_in(tmp_path / "site") == files_in(tmp_path / "other")


def test_temporary_files_of_a_kill_go_in_subfolders_too(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    write_folder(tmp_path, MANIFEST, OLD.items())
    left = tmp_path / f"models/.evalmark-{ended.pid}-abcd1234"
    left.write_text("half a page")
    write_folder(tmp_path, MANIFEST, NEW.items())
    assert not left.exists()


@pytest.mark.parametrize("name", ["index.html", "models", "models/a.html"])
def test_a_file_of_somebody_else_is_not_replaced(tmp_path, name):
    write_folder(tmp_path, MANIFEST, {"a.css": b"x"}.items())
    put(tmp_path, {name: b"mine"})
    before = files_in(tmp_path)
    with pytest.raises(UsageError, match=rf"{name} is in the way and not of the last site"):
        write_folder(tmp_path, MANIFEST, NEW.items())
    assert files_in(tmp_path) == before
    assert not (tmp_path / STAGED).exists()


@needs_links
def test_a_site_is_not_written_to_where_a_link_leads(tmp_path):
    write_folder(tmp_path / "site", MANIFEST, {"a.css": b"x"}.items())
    (tmp_path / "outside").mkdir()
    (tmp_path / "site/models").symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError, match="models is a symbolic link out of"):
        write_folder(tmp_path / "site", MANIFEST, NEW.items())
    assert files_in(tmp_path / "outside") == {}
    (tmp_path / "site/models").unlink()
    (tmp_path / "site" / STAGED).symlink_to(tmp_path / "outside")
    with pytest.raises(UsageError, match=f"{STAGED} is a symbolic link"):
        write_folder(tmp_path / "site", MANIFEST, NEW.items())


@pytest.mark.parametrize(
    "name",
    [".git/config", "../mine", "a/../../mine", "/mine", "a\\..\\b", "CNAME", "models/notes.txt",
     "docs/index.html", "models/up/x.html"],
)  # fmt: skip
def test_a_manifest_names_no_other_files(tmp_path, name):
    """The folder may come from anyone: its lists move and delete only what a site can have."""
    out = tmp_path / "site"
    mine = dict.fromkeys(
        (".git/config", "../mine", "a/b", "CNAME", "models/notes.txt", "docs/index.html",
         "models/up/x.html"), b"x",
    )  # fmt: skip
    put(out, mine)
    digest = hashlib.sha256(b"x").hexdigest()
    listed = json.dumps({"files": {name: digest}}).encode()
    put(out, {MANIFEST: listed, f"{STAGED}/{MANIFEST}": listed, f"{STAGED}/.git/config": b"evil"})
    write_folder(out, MANIFEST, NEW.items())
    assert {path: (out / path).read_bytes() for path in mine} == mine


def test_two_calls_do_not_write_to_one_folder(tmp_path):
    write_folder(tmp_path, MANIFEST, OLD.items())
    with lock_folder(tmp_path), pytest.raises(FolderInUse):
        write_folder(tmp_path, MANIFEST, NEW.items())
    assert files_in(tmp_path) == whole(OLD, {})


@pytest.mark.skipif(sys.platform == "win32", reason="a mode is read-only or not there")
def test_a_page_keeps_its_mode(tmp_path):
    write_folder(tmp_path, MANIFEST, OLD.items())
    (tmp_path / "index.html").chmod(0o664)
    write_folder(tmp_path, MANIFEST, NEW.items())
    assert (tmp_path / "index.html").stat().st_mode & 0o777 == 0o664


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_records_are_linked_in_their_repository(here):
    """Once its commit is in a branch of a host that shows files; what is not there is copied."""
    from evalmark.leaderboard import RecordOptions, results_of

    git("init", "-q", "-b", "main")
    for name in ("a", "b"):
        with edited(FIXTURES / "versions/record-0.2.0.json", here / f"{name} 1.json") as data:
            data["model_info"]["id"] = f"example/{name}"
            data["evaluation_id"] = f"agreement/example/{name}/{data['retrieved_timestamp']}"
    git("add", "a 1.json")
    git("commit", "-qm", "one")
    git("remote", "add", "origin", "https://me:secret@github.com/lab/records.git")

    def links():
        publish(results_of(["a 1.json", "b 1.json"], RecordOptions())[0], here / "site")
        text = "".join(p.read_text("utf-8") for p in (here / "site").rglob("*.html"))
        assert "secret" not in text
        return "https://github.com/lab/records/blob/HEAD/a%201.json" in text, len(
            list((here / "site/records").glob("*"))
        )

    assert links() == (False, 2), "nothing is pushed yet"
    git("update-ref", "refs/remotes/origin/main", "HEAD")
    assert links() == (True, 1)
