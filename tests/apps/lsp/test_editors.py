"""The configuration of docs/editors.md in a real editor, where one is installed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT

HERE = Path(__file__).parent


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")
def test_a_session_of_neovim(tmp_path):
    """Open, an error appears, fix, hover, complete, rename a condition, save."""
    suite, log = tmp_path / "suite.json", tmp_path / "session.txt"
    text = (FIXTURES / "good/suite.json").read_text(encoding="utf-8")
    suite.write_text(text.replace('"The woman"', '" The woman"', 1))
    environment = {
        **os.environ,
        "EVALMARK": str(Path(sys.executable).with_name("evalmark")),
        "CONFIGURATION": str(ROOT / "apps/lsp/editors/neovim/evalmark.lua"),
        "SUITE": str(suite),
        "SESSION": str(log),
        "XDG_STATE_HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
    }
    script = f"luafile {HERE / 'session.lua'}"
    command = ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=600, check=False)
    steps = log.read_text(encoding="utf-8").splitlines()
    assert steps[0].startswith("diagnostic SG302 "), done.stderr
    assert steps[-5:] == [
        "fixed", "hover **Region 2 (Verb) of mismatch**", "completion match%)",
        "after renaming 0", "saved",
    ]  # fmt: skip
    assert suite.read_text(encoding="utf-8") == text.replace("mismatch", "wrong")
