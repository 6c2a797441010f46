"""A release: ``python -m scripts.release build DIST``, ``notes``, ``ready TAG`` or ``check``.

``build`` writes the same bytes for the same commit: it packs what git has, sorted, with the time of
the commit, no owner, and plain modes. Another version of Python or setuptools may write others.
``check`` is `make release-check`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
#: What `make pyz` writes.
ONE_FILE = ROOT / "build/evalmark.pyz"


def version() -> str:
    """The version that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["version"])


def build(target: Path, source: Path = ROOT) -> list[Path]:
    """Write sdist, wheel and SHA256SUMS of the last commit; nothing uncommitted gets in."""
    target.mkdir(parents=True, exist_ok=True)
    time = int(_output("git", "log", "-1", "--format=%ct", cwd=source))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        archive = subprocess.run(
            ["git", "archive", "HEAD"], cwd=source, check=True, capture_output=True
        ).stdout
        _unpack(archive, place / "source")
        _backend("sdist", place / "source", place / "sdist", time)
        (packed,) = (place / "sdist").iterdir()
        sdist = target / packed.name
        sdist.write_bytes(_plain(packed.read_bytes(), time))
        # The wheel is made of the sdist: what is missing there is missing in both.
        _unpack(gzip.decompress(sdist.read_bytes()), place / "unpacked")
        (unpacked,) = (place / "unpacked").iterdir()
        _backend("wheel", unpacked, place / "wheel", time)
        (made,) = (place / "wheel").iterdir()
        wheel = target / made.name
        wheel.write_bytes(made.read_bytes())
    files = [sdist, wheel]
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (target / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    return files


def _unpack(archive: bytes, target: Path) -> None:
    """Unpack a tar archive; modes do not depend on the umask."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        for member in packed:
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            packed.extract(member, target, filter="data")


def _backend(kind: str, source: Path, target: Path, time: int) -> None:
    """Run setuptools, in this environment: its version is that of the lock."""
    done = subprocess.run(
        [sys.executable, "-m", "build", f"--{kind}", "--no-isolation", "--outdir", target, source],
        env={**os.environ, "SOURCE_DATE_EPOCH": str(time), "PYTHONHASHSEED": "0"},
        umask=0o022, check=False, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"the {kind} could not be built:\n{done.stdout}{done.stderr}")


def _plain(packed: bytes, time: int) -> bytes:
    """A compressed tar archive without what differs from machine to machine."""
    plain = io.BytesIO()
    with (
        tarfile.open(fileobj=io.BytesIO(packed)) as source,
        tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as target,
    ):
        for member in sorted(source, key=lambda each: each.name):
            content = source.extractfile(member)
            member.mtime, member.uid, member.gid = time, 0, 0
            member.uname = member.gname = ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            target.addfile(member, content)
    return gzip.compress(plain.getvalue(), mtime=time)


def notes() -> str:
    """The part of the changelog on this version."""
    text = CHANGELOG.read_text(encoding="utf-8")
    section = rf"^## {re.escape(version())}\b.*?\n(.*?)(?=^## |\Z)"
    match = re.search(section, text, re.MULTILINE | re.DOTALL)
    if not match:
        raise ValueError(f"CHANGELOG.md has no section {version()}")
    return match[1].strip() + "\n"


def disagreements(tag: str | None = None) -> list[str]:
    """Files that name another version than pyproject.toml, and what a tag still lacks."""
    number = version()
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    extension = json.loads(
        (ROOT / "apps/lsp/editors/vscode/package.json").read_text(encoding="utf-8")
    )
    wrong = []
    if f"\nversion: {number}\n" not in citation:
        wrong.append(f"CITATION.cff does not name version {number}")
    if extension["version"] != number:
        wrong.append(f"apps/lsp/editors/vscode/package.json does not name version {number}")
    headings = re.findall(r"^## .*", CHANGELOG.read_text(encoding="utf-8"), re.MULTILINE)
    if not headings or not headings[0].startswith(f"## {number}"):
        wrong.append(f"the first section of CHANGELOG.md is not {number}")
    if tag is not None:
        if tag != f"v{number}":
            wrong.append(f"the tag is {tag}, the version {number}")
        urls = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"].get("urls")
        if not urls:
            wrong.append("[project.urls] in pyproject.toml is empty: set Repository")
    return wrong


def check() -> int:
    """Build twice, compare, install the wheel in an empty environment, run the hook on a suite."""
    if wrong := disagreements():
        print("\n".join(wrong))
        return 1
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        clone = place / "clone"
        _output("git", "clone", "--quiet", str(ROOT), str(clone))
        ours, theirs = build(place / "one"), build(place / "two", clone)
        for one, two in zip(ours, theirs, strict=True):
            if one.read_bytes() != two.read_bytes():
                print(f"two builds of {one.name} differ")
                return 1
            print(f"equal bytes in two builds: {one.name}")
        venv.create(place / "empty", with_pip=True, symlinks=True)
        python = place / "empty/bin/python"
        # The requirements are pinned with hashes; the wheel is the one that was just built.
        pip = (str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "install")
        pinned = (*pip, "--require-hashes", "--requirement")
        _output(*pinned, str(ROOT / "packaging/requirements/base.txt"))
        _output(*pip, "--no-deps", str(ours[1]))
        _output(str(python), "-m", "pip", "check")
        print(_output(str(python), "-P", "-m", "evalmark", "--version").strip())
        _output(str(python.with_name("evalmark")), "init", str(place / "suites"))
        suite = place / "suites/suites/my_suite.json"
        hook = str(python.with_name("evalmark-hook"))
        _output(hook, str(suite))
        suite.write_text(suite.read_text(encoding="utf-8").replace("(2;", "(7;"), encoding="utf-8")
        bad = subprocess.run([hook, suite], check=False, capture_output=True, text=True)
        if bad.returncode != 1:
            print(f"the hook does not report a mistake:\n{bad.stdout}{bad.stderr}")
            return 1
        print("the hook of the installed wheel accepts a suite and reports a mistake in it")
        # Of the wheel, too; it has the packages for workbooks.
        _output(*pinned, str(ROOT / "packaging/requirements/light.txt"))
        for file in (place / ONE_FILE.name, ONE_FILE):
            _output(str(python), "-m", "scripts.pyz", str(file), cwd=ROOT)
        again = subprocess.run(
            [sys.executable, "-S", "-I", ONE_FILE, "hook", suite],
            env={"XDG_CACHE_HOME": folder}, check=False, capture_output=True, text=True,
        )  # fmt: skip
        is_same = ONE_FILE.read_bytes() == (place / ONE_FILE.name).read_bytes()
        if again.stdout != bad.stdout or not is_same:
            print(f"evalmark.pyz differs from the wheel:\n{again.stdout}{again.stderr}")
            return 1
        print(f"evalmark.pyz ({ONE_FILE.stat().st_size / 1e6:.1f} MB) reports the same")
    page = ROOT / "build/site/try/index.html"
    print("build/site has the page" if page.exists() else "no site with the page: `make docs`")
    tag = f"v{version()}"
    print("\n".join(disagreements(tag)) or "ready", f"({tag})")
    return 0


def _output(*command: str, cwd: Path | None = None) -> str:
    done = subprocess.run(command, cwd=cwd, check=False, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build").add_argument("target", type=Path)
    commands.add_parser("notes")
    commands.add_parser("check")
    commands.add_parser("ready").add_argument("tag")
    options = parser.parse_args()
    if options.command == "build":
        for file in build(options.target):
            print(file)
    elif options.command == "notes":
        print(notes(), end="")
    elif options.command == "ready":
        wrong = disagreements(options.tag)
        print("\n".join(wrong))
        return int(bool(wrong))
    else:
        return check()
    return 0


if __name__ == "__main__":
    sys.exit(main())
