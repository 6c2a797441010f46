"""The documentation as a site: ``python scripts/docs_site.py`` (``make docs``).

Copies the pages of docs/ and of build/reference (``scripts.generate``) to build/docs, with links to
files of the repository pointing to its address (or removed while there is none), builds build/site
with Zensical, and checks that every link and anchor of the site leads somewhere. Needs no network,
and no package but Zensical.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "build/docs"
#: Pages that are made from the code.
REFERENCE = ROOT / "build/reference"
SITE = ROOT / "build/site"
#: The page of ``evalmark serve --static``, which becomes ``try/`` of the site.
WORKBENCH = ROOT / "build/try"
#: Pages of the site that are elsewhere in the repository.
ELSEWHERE = {"CHANGELOG.md": "changelog.md", "benchmarks/README.md": "benchmarks.md"}
#: Links to the page that GitHub shows first lead to the first page of the site.
FRONT = {"README.md": "index.md"}
#: Generated pages with a folder of parts, which the navigation lists below them.
PARTS = ("api", "commands")
#: Finds a question by its words; it takes the place of the theme's, and speaks with its page alike.
SEARCH = ROOT / "scripts/search_worker.js"

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)")
_CODE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def address() -> str:
    """The address of the repository in ``[project.urls]``; empty as long as there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    urls = {key.lower(): value for key, value in project.get("urls", {}).items()}
    return next((urls[k] for k in ("repository", "source", "homepage") if k in urls), "")


def page(path: Path, place: str, home: str, beside: Path | None = None) -> str:
    """The text of a page for the site, at another place than in the repository.

    Args:
        path: The page in the repository.
        place: Its place in the site's sources, as ``start/suite.md``.
        home: Address of the repository, or empty.
        beside: The file that its links are relative to; the page itself by default.
    """
    folder = (beside or path).parent
    up = "../" * place.count("/")

    def moved(match: re.Match[str]) -> str:
        label, (target, hash_, anchor) = match[1], match[2].partition("#")
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        full = (folder / target).resolve()
        name = full.relative_to(ROOT).as_posix()
        if full.is_relative_to(ROOT / "docs"):
            return f"[{label}]({up}{full.relative_to(ROOT / 'docs')}{hash_}{anchor})"
        if name in {**ELSEWHERE, **FRONT}:
            return f"[{label}]({up}{ {**ELSEWHERE, **FRONT}[name] }{hash_}{anchor})"
        return f"[{label}]({home}/blob/main/{name}{hash_}{anchor})" if home else label

    parts = _CODE.split(path.read_text(encoding="utf-8"))
    return "".join(p if p.startswith("```") else _LINK.sub(moved, p) for p in parts)


def prepare() -> None:
    """Fill build/docs with the pages of the repository, and write what Zensical reads."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(ROOT / "docs", SOURCE)
    home = address()
    pages = {p: p.relative_to(ROOT / "docs").as_posix() for p in (ROOT / "docs").rglob("*.md")}
    pages |= {ROOT / name: place for name, place in ELSEWHERE.items()}
    for path, place in pages.items():
        (SOURCE / place).write_text(page(path, place, home), encoding="utf-8")
    for path in REFERENCE.rglob("*.md"):
        made = path.relative_to(REFERENCE)
        text = page(path, made.as_posix(), home, beside=ROOT / "docs" / made.name)
        (SOURCE / made).parent.mkdir(exist_ok=True)
        (SOURCE / made).write_text(text, encoding="utf-8")
    config = (ROOT / "docs/zensical.toml").read_text(encoding="utf-8")
    for name in PARTS:
        parts = sorted(path.relative_to(SOURCE).as_posix() for path in (SOURCE / name).iterdir())
        config = config.replace(f'"{name}.md"', str([f"{name}.md", *parts]))
    (SOURCE.parent / "zensical.toml").write_text(config, encoding="utf-8")


def replace_search() -> None:
    """Put our search into the place of the theme's."""
    (theirs,) = (SITE / "assets/javascripts/workers").glob("search.*.min.js")
    shutil.copy(SEARCH, theirs)


class _Links(HTMLParser):
    """The ids of an HTML page, and what it refers to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = {"", "__top"}
        self.targets: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids |= {values.get("id") or "", (values.get("name") or "") if tag == "a" else ""}
        if target := values.get("href" if tag in ("a", "link") else "src"):
            self.targets.append(target)
            if tag != "a" and values.get("rel") != "canonical" and urlsplit(target).netloc:
                self.loads.append(target)


def dead_links(site: Path) -> list[str]:
    """Links inside a site that lead nowhere, as ``page: target``; other hosts are not asked.

    What a page loads from another host is a mistake too: the site is read offline.
    """
    pages = {p: _Links(p.read_text(encoding="utf-8")) for p in sorted(site.rglob("*.html"))}
    dead = []
    for path, links in pages.items():
        dead += [f"{path.relative_to(site)}: {target}" for target in links.loads]
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for target in links.targets:
            url = urlsplit(target)
            if url.scheme or url.netloc:
                continue
            file = path if not url.path else (path.parent / unquote(url.path)).resolve()
            if file.is_dir():
                file /= "index.html"
            ids = pages[file].ids if file in pages else {unquote(url.fragment)}
            is_route = url.fragment.startswith("/")  # a view of the workbench
            if not file.exists() or not (is_route or unquote(url.fragment) in ids):
                dead.append(f"{path.relative_to(site)}: {target}")
    return dead


def main() -> int:
    """Build the site and check its links; 1 if one is dead."""
    prepare()
    shutil.rmtree(SITE, ignore_errors=True)
    building = [sys.executable, "-m", "zensical", "build", "--clean"]
    subprocess.run(building, cwd=SOURCE.parent, check=True)
    shutil.copytree(WORKBENCH, SITE / "try")
    replace_search()
    dead = dead_links(SITE)
    print(*(f"dead link: {line}" for line in dead), sep="\n")
    print(f"{len(list(SITE.rglob('*.html')))} pages in {SITE.relative_to(ROOT)}, "
          f"{len(dead)} dead links")  # fmt: skip
    return bool(dead)


if __name__ == "__main__":
    sys.exit(main())
