"""The files of the page, which the server answers with and a site consists of."""

from __future__ import annotations

from pathlib import Path

_PAGE = Path(__file__).parents[1] / "page"
INDEX = _PAGE / "index.html"
#: Keeps a site for visits without a network; it works for its own folder only, that of the site.
SERVICE_WORKER = "browser/service_worker.js"
#: Ending of a file of the page -> its type.
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


def policy(scripts: str = "'self'", *more: str) -> str:
    """The content security policy of the page: what it may run, and further directives.

    A report is in a frame, which has the policy of the page besides the one of its own.
    """
    from evalmark.scoring.reports.render import own_hashes  # the page in a browser has no reports

    style, script = own_hashes()
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src {scripts} {script}",
            f"style-src 'self' {style}",
            "frame-src blob:",
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            *more,
        )
    )


def page_files() -> dict[str, Path]:
    """Path below ``page/`` -> the file."""
    files = {p.relative_to(_PAGE).as_posix(): p for p in _PAGE.rglob("*") if p.suffix in TYPES}
    del files[INDEX.name]
    from evalmark.scoring import reports  # the page in a browser does not have them

    return {**dict(sorted(files.items())), "charts.css": Path(reports.__path__[0], "page.css")}
