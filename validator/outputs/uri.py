"""Paths as references of the web."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import PurePath
from urllib.parse import quote


def uri(path: str) -> str:
    """A relative reference to a file, whose name may be bytes that are not UTF-8."""
    name = PurePath(path).as_posix()
    try:
        return quote(name, errors="surrogateescape")
    except UnicodeEncodeError:
        return quote(name, errors="surrogatepass")


def web_folder(environment: Mapping[str, str]) -> str:
    """Where GitHub shows the files of the current folder, if a workflow says so; else empty."""
    server = environment.get("GITHUB_SERVER_URL", "")
    repository = environment.get("GITHUB_REPOSITORY", "")
    commit = environment.get("GITHUB_SHA", "")
    workspace = environment.get("GITHUB_WORKSPACE", "")
    if not (
        re.fullmatch(r"https?://[\w.:-]+", server, re.ASCII)
        and re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII)
        and re.fullmatch(r"[0-9a-f]{40,64}", commit)
    ):
        return ""
    base = f"{server}/{repository}/blob/{commit}/"
    here = os.path.realpath(os.curdir)
    below = os.path.relpath(here, os.path.realpath(workspace)) if workspace else os.curdir
    if below == os.curdir:
        return base
    return "" if below.startswith(os.pardir) else f"{base}{uri(below)}/"
