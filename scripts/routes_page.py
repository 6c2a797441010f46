"""The routes of the workbench's server, as docs/workbench.md lists them: from their docstrings."""

from __future__ import annotations

import inspect
from pathlib import Path

from evalmark.workbench.file_routes import FILE_ROUTES
from evalmark.workbench.routes import ROUTES

PAGE = Path(__file__).resolve().parent.parent / "docs/workbench.md"
BEGIN, END = "<!-- routes: generated -->\n", "<!-- end -->\n"


def routes_page(page: str) -> str:
    """The page with the routes as they are now."""
    before, _, rest = page.partition(BEGIN)
    rows = ["| route | request | response |", "|---|---|---|"]
    for method, path in ROUTES:
        text = inspect.getdoc(FILE_ROUTES.get((method, path)) or ROUTES[method, path]) or ""
        words = " ".join(text.partition("\n\n")[2].split()).replace("|", r"\|")
        request, _, response = words.partition("Response: ")
        cells = (f"{method} {path}", request.removeprefix("Request: ").strip(), response)
        rows.append(f"| {' | '.join(cells)} |")
    table = "\n".join(rows)
    return f"{before}{BEGIN}{table}\n{END}{rest.partition(END)[2]}"
