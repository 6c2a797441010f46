"""The places of documents that depend on where the project lives: ``[project.urls]`` decides.

In a page, such a place is between ``<!-- address: NAME -->`` and ``<!-- end -->`` (in YAML, ``#
address: NAME`` and ``# end``); ``make generate`` writes it. Moving it to another page is fine.
A line ``pip install '/path/to/evalmark[EXTRA]'`` needs no marks.
"""

from __future__ import annotations

import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EXTENSION = ROOT / "editors/vscode/package.json"
_PLACE = re.compile(r"((?:<!--|#) address: (\w+)(?: -->)?\n)(.*?)((?:<!--|#) end)", re.DOTALL)

#: A line that installs extras; it needs no marks.
_EXTRAS = re.compile(r"'(?:/path/to/evalmark(\[[\w,-]+\])|evalmark(\[[\w,-]+\]) @ git\+\S+)'")

#: Name -> the text without an address, and the one with it.
TEXTS = {
    "citation": ("", 'repository-code: "{address}"\n'),
    "hook": (
        """`evalmark init` writes a `.pre-commit-config.yaml` with the hook `evalmark`. Its path must be
that of your clone of evalmark; `pre-commit autoupdate` then pins the clone's current commit:

```yaml
repos:
  - repo: /path/to/evalmark
    rev: HEAD
    hooks:
      - id: evalmark
```
""",
        """`evalmark init` writes a `.pre-commit-config.yaml` with the hook `evalmark`; `pre-commit autoupdate`
brings its version up to date:

```yaml
repos:
  - repo: {address}
    rev: v{version}
    hooks:
      - id: evalmark
```
""",
    ),
    "install": (
        """evalmark has not been published. Install it from a clone, with Python 3.11 or later:

```sh
pip install .              # check and convert; light enough for a commit hook
pip install '.[scoring]'   # score and test memory with models (torch, transformers)
pip install '.[report]'    # HTML reports
pip install '.[serve]'     # the page where suites are written
pip install '.[store]'     # a table over many records, and a site of it
```
""",
        """With Python 3.11 or later:

```sh
pip install 'evalmark @ git+{address}@v{version}'            # check and convert; light enough for a commit hook
pip install 'evalmark[scoring] @ git+{address}@v{version}'   # score and test memory with models (torch, transformers)
```

The extra `report` adds HTML reports, `serve` the page where suites are written, and `store` a table
over many records and a site of it. Without installing:

```sh
pipx run --spec 'git+{address}@v{version}' evalmark check suites/
uvx --from 'git+{address}@v{version}' evalmark check suites/
```
""",
    ),
    "reporting": (
        """evalmark has no public repository yet. Until it has one, report a vulnerability privately to whoever
gave you evalmark; do not open a public issue. Please send the command, the file that causes the
problem, and what you expected. Only the latest version gets fixes.
""",
        """Report a vulnerability privately, [on this form]({address}/security/advisories/new); do not open a
public issue. Please send the command, the file that causes the problem, and what you expected. Only
the latest version gets fixes.
""",
    ),
    "submodule": (
        """The workflow needs evalmark as a submodule. Replace `/path/to/evalmark` by the URL of a clone that
GitHub can read:

```sh
git submodule --quiet add /path/to/evalmark .evalmark
```
""",
        """The workflow has evalmark as a submodule, so that a commit of yours decides which version runs:

```sh
git submodule --quiet add {address} .evalmark
```
""",
    ),
}


def project() -> tuple[str | None, str]:
    """The URL of the repository and the version, from ``pyproject.toml``."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    urls = {label.casefold(): url for label, url in table.get("urls", {}).items()}
    return urls.get("repository", "").rstrip("/") or None, table["version"]


def pages() -> dict[Path, str]:
    """All documents that have such a place, as they are now."""
    paths = chain(ROOT.glob("*.md"), ROOT.glob("*.cff"), (ROOT / "docs").rglob("*.md"))
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    return {
        path: text for path, text in texts.items() if _PLACE.search(text) or _EXTRAS.search(text)
    }


def addressed(text: str, address: str | None, version: str) -> str:
    """A document with the texts for an address, or for none."""

    def place(match: re.Match[str]) -> str:
        without, with_address = TEXTS[match[2]]
        if address is None:
            return match[1] + without + match[4]
        return match[1] + with_address.format(address=address, version=version) + match[4]

    def extras(match: re.Match[str]) -> str:
        names = match[1] or match[2]
        if address is None:
            return f"'/path/to/evalmark{names}'"
        return f"'evalmark{names} @ git+{address}@v{version}'"

    return _PLACE.sub(place, _EXTRAS.sub(extras, text))


def extension(text: str, address: str | None) -> str:
    """``package.json`` of the extension of VS Code, with its repository."""
    text = re.sub(r'  "repository": .*\n', "", text)
    if address is None:
        return text
    entry = f'  "repository": {{ "type": "git", "url": "{address}" }},\n'
    return text.replace('  "private": true,\n', f'{entry}  "private": true,\n')
