"""The first pages, README among them: their commands are run, and what they print follows them.

    python -m scripts.start_pages [NAME …]        write the outputs into the pages

A page that speaks of your clone is followed in a copy of the tracked files, another one
in an empty folder; `pip install` looks only for the extras that it names. A block after "Save
this as `FILE`:" is a file; ``sh``, ``python`` and ``r`` are run, each in the folder where the one
before it ended; the ``text`` that follows is what it prints. ``…`` stands for the rest of a line,
and a line of ``…`` for any lines. A test follows the same pages. Without Rscript, R is left as it
is.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    path.stem: path
    for path in (
        ROOT / "README.md",
        ROOT / "docs/index.md",
        *sorted((ROOT / "docs/start").glob("*.md")),
    )
}
#: What a page says that begins in an empty folder, and one that needs a copy.
_EMPTY, _COPY = re.compile(r"in\s+an\s+empty\s+folder"), re.compile(r"your\s+(?:copy|clone)")

_BLOCK = re.compile(
    r"(?:Save\s+this\s+as\s+`(?P<file>[\w./-]+)`:\n\n)?"
    r"^```(?P<language>\w+)\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```\n)?",
    re.DOTALL | re.MULTILINE,
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHELL = ["bash", "-e", "-c"]
_RUN = {"sh": _SHELL, "python": [sys.executable, "-c"], "r": ["Rscript", "-e"]}


def follow(text: str, folder: Path) -> str:
    """The text of a page with the outputs that its blocks have here.

    Args:
        text: The page.
        folder: An empty folder.
    """
    place = folder / "here"
    if _COPY.search(text) and not _EMPTY.search(text):
        copy_tracked_files(place)
    else:
        place.mkdir()
    environment = {
        **os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "COLUMNS": "100",
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        "EVALMARK_FAIL_ON": "", "PYTHONWARNINGS": "ignore", "TRANSFORMERS_OFFLINE": "1",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@lab.example",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@lab.example", "PIP_QUIET": "1",
        "PIP_DRY_RUN": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0",
    }  # fmt: skip
    for name in ("GITHUB_ACTIONS", "PYTHONPATH"):
        environment.pop(name, None)

    def written(match: re.Match[str]) -> str:
        nonlocal place
        language, code, whole = match["language"], match["code"], match[0]
        if match["file"]:
            path = place / match["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(code, encoding="utf-8")
            return whole
        if language not in _RUN or not shutil.which(_RUN[language][0]):
            return whole
        if language == "sh":
            code = f"trap 'pwd >\"$HOME/.place\"' EXIT\n{code}"
        done = subprocess.run(
            [*_RUN[language], code], cwd=place, env=environment, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        printed = re.sub(r" +$", "", done.stdout.decode(), flags=re.MULTILINE)
        printed = _UUID.sub("…", printed)
        if language == "sh":
            place = Path((folder / ".place").read_text(encoding="utf-8").strip())
        if _is_shown(match["shown"] or "", printed):
            return whole
        block = f"\n```text\n{printed.rstrip()}\n```\n" if printed.strip() else ""
        return f"```{language}\n{match['code']}```\n{block}"

    return _BLOCK.sub(written, text)


def copy_tracked_files(folder: Path) -> None:
    """A copy as git makes it, but of the files as they are now."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target)


def _is_shown(shown: str, printed: str) -> bool:
    """True if an output is what the page shows."""
    pattern = ""
    for line in shown.splitlines():
        if line.strip() == "…":
            pattern += r"(?:.*\n)*?"
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split("…"))) + r"\n"
    return re.fullmatch(pattern + r"\s*", printed) is not None


def main() -> None:
    """Write the outputs into the pages that are named, or into all."""
    for name in sys.argv[1:] or PAGES:
        with tempfile.TemporaryDirectory() as folder:
            text = follow(PAGES[name].read_text(encoding="utf-8"), Path(folder))
        PAGES[name].write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
