"""Filling the templates of this folder: escaped, one style, one script, a strict policy."""

from __future__ import annotations

import base64
import hashlib
import os
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evalmark.schemas.errors import require
from evalmark.validator.io.opening import read_whole

HERE = Path(__file__).parent


def render(template: str, **values: Any) -> str:
    """Fill a template of this folder. All text is escaped.

    A browser loads nothing, and runs and applies only the script and the style named by hash.
    """
    (style, script), hashes = _own(), own_hashes()
    policy = (
        f"default-src 'none'; style-src {hashes[0]}; script-src {hashes[1]}; "
        "base-uri 'none'; form-action 'none'"
    )
    shared = {"style": style, "script": script, "policy": policy, "version": version("evalmark")}
    return str(environment().get_template(template).render(**shared, **values))


def _own() -> tuple[str, str]:
    style, script = (read_whole(HERE / name).decode() for name in ("page.css", "page.js"))
    return style, script


def own_hashes() -> list[str]:
    """The hashes of the style and the script of a page, as policies name them."""
    digests = (hashlib.sha256(text.encode()).digest() for text in _own())
    return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]


@cache
def environment() -> Any:
    """The ``jinja2.Environment`` of the templates; what it has compiled is used again."""
    require("jinja2")
    import jinja2
    from markupsafe import Markup

    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["markup"] = Markup  # for charts, tables, style and script: our own
    return made


def link(target: Path | None, page: Path | None) -> str:
    """A relative URL from a page to a file; empty if there is none."""
    if target is None or page is None:
        return ""
    try:
        relative = os.path.relpath(target, page.parent)
    except ValueError:  # another drive
        return ""
    return "./" + quote(relative.replace(os.sep, "/"))
