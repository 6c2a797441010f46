"""Templates of pages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evalmark.schemas.extras import require


def render(template: str, **values: Any) -> str:
    """Fill a template of this folder. All text is escaped."""
    require("jinja2")
    import jinja2
    from markupsafe import Markup

    here = Path(__file__).parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(here),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["markup"] = Markup  # for charts and the style, which are our own
    style = (here / "page.css").read_text(encoding="utf-8")
    return environment.get_template(template).render(style=style, **values)
