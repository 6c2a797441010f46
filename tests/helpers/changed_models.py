"""A copy of the demo model whose files are changed."""

import json
import shutil

from conftest import ROOT


def model_of(place):
    folder = place.here / "model"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "scoring/demo_model", folder)
    return folder


def changed(path, **values):
    found = json.loads(path.read_text()) if path.exists() else {}
    path.write_text(json.dumps({**found, **values}))
