"""The first example as HTML: what the page shows before its programs are loaded."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from evalmark.validator.checker import Checker
from evalmark.validator.formats.suites.suite import suite_of
from evalmark.validator.io.opening import read_whole
from evalmark.workbench.static_site.page_files import page_files

NAME = "agreement"


def example() -> dict[str, Any]:
    """The suite of the example, from the module that the page loads."""
    text = read_whole(page_files()["examples/examples.js"]).decode()
    (line,) = re.findall(rf'^"{NAME}": (.*),$', text, re.MULTILINE)
    suite: dict[str, Any] = json.loads(line)["suite"]
    return suite


def picture(data: dict[str, Any]) -> str:
    """Sentences, predictions and findings; the address of the example alone shows it."""
    suite = suite_of(data)
    heads = "".join(_cell("th", f"{n} {name}") for n, name in data["region_meta"].items())
    rows = "".join(
        f"<tr>{_cell('th', str(item.number))}{_cell('th', condition.name)}"
        f"{''.join(_cell('td', region.content) for region in condition.regions)}</tr>\n"
        for item in suite.items
        for condition in item.conditions
    )
    predictions = "".join(
        f"<li><code>{escape(row['formula'])}</code> {escape(row.get('description', ''))}</li>\n"
        for row in data["predictions"]
    )
    findings = Checker().data(data).findings
    found = "".join(f"<li>{escape(finding.message)}</li>" for finding in findings) or (
        "<li>no mistakes found</li>"
    )
    return f"""<div class="picture">
<h1>{escape(suite.name)}</h1>
<div class="wide" tabindex="0" role="region" aria-label="Sentences"><table>
<thead><tr><th>item</th><th>condition</th>{heads}</tr></thead>
<tbody>
{rows}</tbody></table></div>
<h2>Predictions</h2>
<ol>
{predictions}</ol>
<h2>Findings</h2>
<ul>{found}</ul>
</div>
"""


def _cell(tag: str, text: str) -> str:
    return f"<{tag}>{escape(text)}</{tag}>"
