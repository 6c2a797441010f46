"""Findings as Markdown: the summary of a pull request or of a GitHub workflow.

What comes from a file is written as code, which GitHub shows as it is: no HTML, link, image or
mention comes of it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator
from html import escape
from itertools import islice

from evalmark.validator.findings.finding import Finding, Safety, Severity
from evalmark.validator.io.escaping import shown
from evalmark.validator.outputs.difference_text import difference_parts
from evalmark.validator.outputs.report_texts import Look, uri, verdicts_text

#: Findings that are listed.
LISTED = 20
#: Characters of a text, and bytes of the list: GitHub drops a summary of more than 1 MiB.
LONGEST, LARGEST = 2000, 500_000
#: Suggestions of one finding.
HELPS = 8
#: Files that a command names; more are the whole folder.
NAMED = 3


def markdown(findings: Iterable[Finding], look: Look) -> str:
    """A heading, counts, the first findings and what to do next; never empty."""
    findings = list(findings)
    summary = look.summary
    changes, of_call = list(_differences(look)), [code(look.skipped) + "\n"] * bool(look.skipped)
    if not summary.files and not findings:
        nothing = "### evalmark: nothing to check\n\nNo evaluation files were checked.\n"
        return "\n".join((nothing, *changes, *of_call))
    counts, folded = summary.counts, look.folded(findings)
    folded.sort(key=lambda pair: pair[0].severity is not Severity.ERROR)
    items = list(_within(LARGEST, (_item(*pair, look) for pair in islice(folded, LISTED))))
    checked = f"{summary.checked}: {counts}.\n{verdicts_text(look.verdicts)}"
    parts = [f"### evalmark: {counts}\n\n{checked}", *changes]
    heading = "#### Findings\n" * bool(changes)
    parts += ["\n".join((heading, *items)).lstrip() + "\n"] if items else []
    if more := len(folded) - len(items):
        parts.append(f"{more} more {'is' if more == 1 else 'are'} in the log of the check.\n")
    parts += of_call
    if findings:
        parts.append("\n".join(("#### What to do next\n", *_next(findings))) + "\n")
    return "\n".join(parts)


def _differences(look: Look) -> Iterator[str]:
    if look.differences is None or not look.differences.summary:
        return

    yield f"#### What this changes\n\n{look.differences.summary}\n"
    for part in difference_parts(look.differences):
        items = list(_within(LARGEST // 4, (f"- {code(line)}\n" for line in part.lines)))
        if more := len(part.lines) - len(items):
            items.append(f"- {more:,} more are in the log of the check\n")
        text, title = "".join(items), f"{part.title}: {len(part.lines):,}"
        if part.is_harmless:
            yield f"<details><summary>{escape(shown(title))}</summary>\n\n{text}\n</details>\n"
        else:
            yield f"**{title}**\n\n{text}"


def _within(limit: int, items: Iterable[str]) -> Iterator[str]:
    """Items as long as they fit; at least one."""
    size = 0
    for item in items:
        size += len(item.encode())
        if size > limit:
            return
        yield item


def _item(finding: Finding, more: int, look: Look) -> str:
    line = f":{finding.span.line}" if finding.span else ""
    place = code(f"{finding.path}{line}")
    if target := _target(finding, look):
        place = f"[{place}]({target})"
    tail = f" (and {more} more)" if more else ""
    helps = "".join(f"<br>help: {code(text)}" for text in finding.helps[:HELPS])
    return (
        f"- **{finding.severity}** {place} {finding.code} ({finding.name}){tail}<br>"
        f"{code(finding.message)}{helps}"
    )


def _target(finding: Finding, look: Look) -> str:
    name = os.path.normpath(finding.path).replace(os.sep, "/")
    if os.path.isabs(finding.path) or name.startswith("../") or len(name) > LONGEST:
        return ""
    line = f"#L{finding.span.line}" if finding.span else ""
    return f"{look.web}{uri(name)}{line}"


def code(text: str) -> str:
    """A text as code: between more backticks than there are in a row in it."""
    text = shown(text)
    if len(text) > LONGEST:
        text = f"{text[:LONGEST]}…"
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    # Markdown takes one space away from both ends.
    space = " " if text[:1] in ("`", " ") or text[-1:] in ("`", " ") else ""
    return f"{fence}{space}{text}{space}{fence}" if text.strip() else f"` {text} `"


def _next(findings: list[Finding]) -> Iterator[str]:
    for safety, option, effect in (
        (Safety.SAFE, "--fix", "changes no score"),
        (Safety.UNSAFE, "--fix --unsafe-fixes", "may change scores: look at the changes"),
    ):
        fixable = [finding for finding in findings if finding.fix and finding.fix.safety is safety]
        if fixable:
            names = _names(fixable)
            yield f"- {code(f'evalmark check {option} {names}')} fixes {len(fixable)}; it {effect}."
    first = min(findings, key=lambda finding: finding.severity is not Severity.ERROR)
    yield f"- {code(f'evalmark explain {first.code}')} explains a rule."
    if not any(finding.fix for finding in findings):
        yield f"- {code(f'evalmark check {_names(findings)}')} shows the findings with their lines."


def _names(findings: list[Finding]) -> str:
    """The files of findings as arguments of a command; `.` if they are many or named oddly."""
    paths = list(dict.fromkeys(finding.path for finding in findings))
    plain = all(path == shown(path) and not path.startswith("-") for path in paths)
    if len(paths) > NAMED or not plain or sum(map(len, paths)) > LONGEST // 2:
        return "."
    return " ".join(map(shlex.quote, paths))
