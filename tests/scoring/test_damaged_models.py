"""Models that are damaged are refused in one sentence, and their own code is never run."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.mark.slow
def test_damaged_models(monkeypatch):
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    models = import_module("benchmarks.torture.models")
    for name in ("main", "scoring.contests", "conversing.converse_targets"):
        import_module(f"evalmark.cli.{name}")
    found = list(models.damaged_models())
    assert [(one.ended.call.shown, one.wrong) for one in found if one.wrong] == []
    assert len(found) == 2 * len(models.DAMAGES) + 6
    assert sum(one.ended.code == 2 for one in found) > 40
