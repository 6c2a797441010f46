"""The repository of a file of the Hub, as far as its path shows it."""

from __future__ import annotations

import os
import re

#: The folder of results in the repository of a model.
RESULTS = ".eval_results"
#: The description of a benchmark in the repository of its data.
DESCRIPTION = "eval.yaml"

# Patterns of few files are compiled when one needs them.
_ID = r"(?a)[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*"
#: The folder of a repository in the cache of the Hub's client.
_CACHED = r"(?:models|datasets)--([^/]+?)--([^/]+)"


def is_id(text: str) -> bool:
    """True if a text is ``owner/name``."""
    return re.fullmatch(_ID, text) is not None


def is_in_results(path: str) -> bool:
    """True if a path is that of a file of results in a model's repository."""
    return RESULTS in path.replace("\\", "/").split("/")[:-1]


def model_folder(path: str) -> str | None:
    """The folder of the model's repository that a file of results is in."""
    parts = os.path.abspath(path).replace("\\", "/").split("/")
    return "/".join(parts[: parts.index(RESULTS)]) if RESULTS in parts[:-1] else None


def cached_id(folder: str) -> str | None:
    """``owner/name`` of a folder in the cache of the Hub's client; it cannot be another one."""
    matches = (re.fullmatch(_CACHED, part) for part in reversed(folder.split("/")))
    return next((f"{match[1]}/{match[2]}" for match in matches if match), None)


def likely_id(folder: str) -> str | None:
    """``owner/name`` of a repository, as the last two folders of its path have it."""
    last = "/".join(folder.rsplit("/", 2)[-2:])
    return cached_id(folder) or (last if is_id(last) else None)
