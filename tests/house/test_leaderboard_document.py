"""docs/running-a-leaderboard.md is followed to the letter, section after section, in one folder."""

from __future__ import annotations

import json
import shutil

import pytest
from conftest import FIXTURES, ROOT, needs_sh
from document import follow

PAGE = (ROOT / "docs/running-a-leaderboard.md").read_text(encoding="utf-8")


def make_data(folder):
    """A record with samples, one of another spelling, and one of another model."""
    folder.mkdir()
    for name in ("with_samples.json", "with_samples_samples.jsonl"):
        shutil.copy(FIXTURES / "good" / name, folder / name)
    data = json.loads((FIXTURES / "versions/record-0.2.0.json").read_text(encoding="utf-8"))
    data["evaluation_id"] = "agreement/Example/Model_1/1760000000"
    data["model_info"]["id"] = "Example/Model_1"
    (folder / "one.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    data["evaluation_id"] = "agreement/example/model-2/1760000000"
    (folder / "two.json").write_text(json.dumps(data, indent=2), encoding="utf-8")


@pytest.mark.slow
@needs_sh
def test_the_page_does_what_it_shows(tmp_path):
    pytest.importorskip("duckdb")
    make_data(tmp_path / "data")
    assert follow(PAGE, tmp_path) == PAGE.count("```sh") + PAGE.count("```python")
