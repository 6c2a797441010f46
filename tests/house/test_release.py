"""What a release is made of: builds with equal bytes, pinned requirements, workflows, versions."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
from conftest import ROOT, needs_sh
from ruamel.yaml import YAML

from packaging.requirements import Requirement
from scripts.locks import ALONE, LEAST, LOCKS
from scripts.release import build, disagreements, notes, version

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
needs_clone = pytest.mark.skipif(
    not (ROOT / ".git").exists() or not shutil.which("git"), reason="no clone"
)


@needs_sh
@needs_clone
@pytest.mark.slow
def test_two_builds_of_a_commit_have_equal_bytes(tmp_path):
    """Of a small package: other times, modes, umask, order of files and place change nothing."""
    source = tmp_path / "source"
    (source / "room").mkdir(parents=True)
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "small"\nversion = "1"\n[tool.setuptools]\npackages = ["room"]\n'
    )
    for name in ("z.py", "__init__.py", "a.py"):
        (source / "room" / name).write_text(f"NAME = {name!r}\n")
    (source / "room/untracked.py").write_text("SECRET = 1\n")
    author = ("-c", "user.name=a", "-c", "user.email=a@lab.example")
    for words in (("init", "-q"), ("add", ".", ":!room/untracked.py"), ("commit", "-qm", "x")):
        subprocess.run(["git", *author, *words], cwd=source, check=True)
    one = build(tmp_path / "one", source)
    copy = tmp_path / "elsewhere" / "copy"
    mask = os.umask(0o077)
    try:
        subprocess.run(["git", "clone", "-q", source, copy], check=True)
        os.utime(copy / "room/a.py", (1, 1))
        two = build(tmp_path / "two", copy)
    finally:
        os.umask(mask)
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in two]
    with tarfile.open(one[0]) as sdist, zipfile.ZipFile(one[1]) as wheel:
        names = {name.rpartition("/")[2] for name in sdist.getnames()} | set(wheel.namelist())
        assert {member.uname for member in sdist} == {""}
    assert "room/a.py" in names
    assert not any("untracked" in name for name in names)


def test_versions_agree_and_the_changelog_has_the_notes():
    assert disagreements() == []
    assert len(notes().split()) > 20
    assert "the tag is v9.9.9" in disagreements("v9.9.9")[0]
    # The workflow asks before anything is installed.
    ready = [sys.executable, "-S", "-m", "scripts.release", "ready", f"v{version()}"]
    answer = subprocess.run(ready, cwd=ROOT, capture_output=True, text=True, check=False)
    assert answer.stdout == "\n".join(disagreements(f"v{version()}")) + "\n", answer.stderr
    if not PROJECT.get("urls"):
        assert "[project.urls]" in disagreements(f"v{version()}")[-1]


@pytest.mark.parametrize("name", LOCKS)
def test_requirements_are_pinned_with_hashes_and_name_no_host(name):
    text = (ROOT / f"packaging/requirements/{name}.txt").read_text(encoding="utf-8")
    assert "//" not in text
    assert not re.search(r"^\s*-(?!-hash)", text, re.MULTILINE)  # no option of pip
    code = re.sub(r"#.*", "", text).replace("\\\n", " ")
    pins = {}
    for line in filter(str.strip, code.splitlines()):
        pin = Requirement(line.partition("--hash")[0])
        assert re.fullmatch(r"(\s*--hash=sha256:[0-9a-f]{64})+\s*", line[line.index("--hash") :])
        assert str(pin.specifier).startswith("==")
        pins[pin.name.replace(".", "-")] = str(pin.specifier).removeprefix("==")
    extras = {"light": ["fast", "xlsx"], "lowest": LEAST, "whole": ["scoring", "test", "dev"]}
    needed = [] if name in ALONE else [*PROJECT["dependencies"]]
    for extra in extras.get(name, []):
        needed += PROJECT["optional-dependencies"][extra]
    for wish in map(Requirement, needed):
        if wish.name != "evalmark":
            pinned = pins[wish.name.replace(".", "-")]
            assert wish.specifier.contains(pinned), f"{wish}: `make locks`"
            if name == "lowest":
                (least,) = (s.version for s in wish.specifier if s.operator == ">=")
                assert pinned.startswith(least), wish
    assert ("torch" in pins) == (name == "whole")
    assert pins.get("torch", "+cpu").endswith("+cpu")


def test_every_action_is_pinned_by_commit_and_every_job_has_its_permissions():
    paths = [*(ROOT / ".github/workflows").glob("*.yml"), ROOT / "action.yml"]
    assert {"release.yml", "audit.yml", "nightly.yml", "tests.yml"} <= {p.name for p in paths}
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for used in re.findall(r"uses: (.*)", text):
            assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", used), used
        data = YAML(typ="safe", pure=True).load(text)
        for job in data.get("jobs", {}).values():
            assert job["permissions"], path.name
            for step in job["steps"]:
                assert "github.event" not in step.get("run", "")
        for lock in re.findall(r"packaging/requirements/(\w+)\.txt", text):
            assert lock in LOCKS


@pytest.mark.skipif(not shutil.which("zizmor"), reason="needs zizmor")
def test_zizmor_finds_nothing_in_the_workflows():
    command = ["zizmor", "--offline", "--quiet", ".github", "action.yml"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
