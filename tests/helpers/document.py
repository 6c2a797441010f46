"""Pages of docs/ that tests follow to the letter: their blocks of code, and what these print."""

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from conftest import ROOT, file_at


class Block(NamedTuple):
    """A block of code: its language, its content, and the file that the text before it names."""

    language: str
    content: str
    file: str


def blocks(text: str) -> list[Block]:
    """The blocks of a page, in order."""
    found: list[Block] = []
    end = 0
    for match in re.finditer(r"^```(\w+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        before = text[end : match.start()].strip().rpartition("\n\n")[2]
        named = re.findall(r"`([\w./-]+)`", before) if before.endswith(":") else []
        files = [name for name in named if re.search(r"\.(toml|jsonl?|csv|yml|py)$|^hooks/", name)]
        found.append(Block(match[1], match[2], files[-1] if files else ""))
        end = match.end()
    return found


def code_in(page: str, language: str) -> list[str]:
    """The blocks of a language in a page of docs/."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [block.content for block in blocks(text) if block.language == language]


def follow(text: str, folder: Path, change: Callable[[str], str] = str) -> int:
    """Write the files of a page and run its commands, each where the one before it ended.

    A command may change before it is run. What follows it is shown, and it fails where that has an
    error. Returns how many blocks were run.
    """
    environment = {
        **os.environ, "HOME": str(folder), "PYTHONUTF8": "1", "EVALMARK_FAIL_ON": "",
        "GITHUB_STEP_SUMMARY": "",
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@lab.example",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@lab.example",
    }  # fmt: skip
    environment.pop("GITHUB_ACTIONS", None)
    here, ran = folder, 0
    for block, after in pairwise([*blocks(text), Block("", "", "")]):
        if block.file:
            file_at(here / block.file, block.content)
            continue
        where = f"trap 'pwd >\"$HOME/where\"' EXIT\n{change(block.content)}"
        command = {
            "sh": ["bash", "-e", "-c", where],
            "python": [sys.executable, "-c", block.content],
        }.get(block.language)
        if command is None:
            continue
        done = subprocess.run(command, cwd=here, env=environment, capture_output=True, check=False)
        output = (done.stdout + done.stderr).decode()
        shown = after.content if after.language in ("text", "markdown") else ""
        assert done.returncode == ("error[" in shown), f"{block.content}\n{output}"
        is_shown(shown, output)
        if block.language == "sh":
            here = Path((folder / "where").read_text().strip())
        ran += 1
    return ran


def is_shown(text: str, output: str) -> None:
    """Each line is in the output, in this order; `…` is anything, and columns have any width."""
    at = 0
    for line in text.splitlines():
        pattern = ".*?".join(map(re.escape, line.strip().split("…"))).replace("\\ ", " ")
        pattern = re.sub(" +", " +", pattern)
        match = re.compile(pattern).search(output, at)
        assert match, f"not shown: {line}\n{output}"
        at = match.end()
