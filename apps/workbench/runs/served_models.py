"""The models that can be named: the demo model, folders of the folder, names on the hub."""

from __future__ import annotations

import json
import os
import re
from typing import Any

from evalmark.schemas.errors import RequestRefused
from evalmark.scoring.demo_files import DEMO, DEMO_FOLDER
from evalmark.validator.batch.walking import SKIPPED_FOLDERS
from evalmark.validator.io.opening import read_whole
from evalmark.workbench.served_folder import ServedFolder

#: Names on the Hugging Face hub; also those of folders, which come first.
_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?")
LONGEST = 400
#: Files of a folder with a model.
CONFIG = "config.json"
WEIGHTS = ("model.safetensors", "model.safetensors.index.json")
#: How many levels of folders are searched.
DEEP = 4


def known_models(folder: ServedFolder) -> list[dict[str, Any]]:
    """The models at hand, the demo model with its words; others are looked for on the hub."""
    description = "a small model for trying things out; its results mean nothing"
    tokens = json.loads(read_whole(DEMO_FOLDER / "tokenizer.json"))["model"]["vocab"]
    words = sorted({token.removeprefix("Ġ") for token in tokens})  # Ġ: a space before it
    models: list[dict[str, Any]] = [{"id": DEMO, "what": description, "words": words}]
    root = str(folder.root)
    for here, below, files in os.walk(root):
        relative = os.path.relpath(here, root)
        below[:] = sorted(n for n in below if n[0] != "." and n not in SKIPPED_FOLDERS)
        if CONFIG in files and any(name in files for name in WEIGHTS):
            name = relative.replace(os.sep, "/")
            models.append({"id": name, "what": "a folder with weights"})
            below.clear()
        if relative.count(os.sep) >= DEEP:
            below.clear()
    return models


def model_name(folder: ServedFolder, name: Any) -> str:
    """A model as a process in the folder loads it; RequestRefused if it is a folder elsewhere."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST:
        raise RequestRefused("the name of a model is missing or too long")
    if name == DEMO:
        return name
    path = folder.whole(name)
    if _NAME.fullmatch(name) and not path.exists():
        return name
    if not (path / CONFIG).is_file():
        raise RequestRefused(f"{name} is neither a folder with a model nor a name on the hub")
    return name
