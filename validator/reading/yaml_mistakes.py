"""Why a text is not YAML: mostly text that needs quotes, and lines at the wrong indentation."""

from __future__ import annotations

import json
import re

from evalmark.validator.findings.finding import Finding
from evalmark.validator.reading.other_formats import stand_in
from evalmark.validator.reading.source import Source
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

#: Characters of a file that is read again to see whether a suggestion helps.
MAX_LENGTH = 200_000

#: What precedes the value of a line: its indentation, dashes, and a key.
_BEFORE = re.compile(r"""\s*(?:- +)*(?:(?:[a-z_]+|"[^"]*"|'[^']*'|[0-9]+): +)?""")
_BEFORE_ITEM = re.compile(r"\s*(?:- +)+")
#: A bracket that is closed before the end of a text.
_ENDED = re.compile(r"\{[^{}\[\]]*\}.+|\[[^{}\[\]]*\].+")
_COMMENT = re.compile(r"\s+#.*$|\s+$")
#: A member of a mapping, or an element of a sequence, in braces or brackets.
_IN_FLOW = re.compile(r"""(?<=[{\[,])(\s*(?:[a-z_]+: +)?)([^{}\[\],"']+)(?=[}\],])""")


def syntax_finding(source: Source, error: MarkedYAMLError) -> Finding:
    """The finding for a text that cannot be composed."""
    if finding := stand_in(source):
        return finding
    mark = error.problem_mark or error.context_mark
    if mark is not None and error.context_mark is not None and mark.index >= len(source.text):
        mark = error.context_mark  # the file ends: report what is not closed
    at = min(mark.index, len(source.text)) if mark is not None else 0
    if "\t" in source.text[at : at + 1]:
        return source.finding(
            "F014",
            "YAML does not allow tabs for indentation",
            at,
            at + 1,
            helps=("replace the tab with spaces",),
        )
    if "expected a single document" in str(error):
        message = "file has more than one YAML document"
        return source.finding("F014", message, at, at, helps=("write one document per file",))
    if len(source.text) <= MAX_LENGTH:
        if found := _unquoted(source, error, at):
            return found
        if found := _misplaced(source, at):
            return found
    problem = str(error.problem or "")
    if problem.startswith("mapping values are not allowed"):
        message = "`: ` in unquoted text; YAML reads it as a key and a value"
        helps = ("put the whole text in double quotes",)
        return source.finding("F014", message, at, at + 1, helps=helps)
    opened = error.context_mark.index if error.context_mark is not None else at
    before = source.text[:at].rstrip()
    opened = len(before) - 1 if before.endswith(("{", "[")) else opened
    if "parsing a flow" in str(error.context) and source.text[opened : opened + 1] in tuple("{["):
        sign = source.text[opened]
        ways = [f"close it with `{'}' if sign == '{' else ']'}`"]
        if len(source.text) <= MAX_LENGTH and (text := _unquoted(source, error, opened, flow=True)):
            ways += [f"or {help_text}" for help_text in text.helps]
        message = f"`{sign}` is not closed, or a value inside it needs quotes"
        return source.finding("F014", message, opened, opened + 1, helps=tuple(ways))
    message = " ".join(part for part in (error.problem, error.context) if part)
    return source.finding("F014", message or "cannot be read as YAML", at, at + 1)


def _unquoted(
    source: Source, error: MarkedYAMLError, at: int, *, flow: bool = False
) -> Finding | None:
    """The finding for a text that needs quotes; with ``flow``, also for one of a bracket alone."""
    for start, end in _texts(source.text, at):
        text = source.text[start:end]
        if text[0] in "{[" and not (flow or _ENDED.fullmatch(text)):
            continue  # what is not closed yet
        begun = text[1:] if text[0] in "\"'" else text
        inner = begun.removesuffix(text[0]) if begun != text else text
        quoted = json.dumps(inner, ensure_ascii=False)
        if quoted != text and _reads_on(source.text, start, end, quoted):
            return source.finding(
                "F014", _reason(text, error), start, end, helps=(f"write `{quoted}`",)
            )
    return None


def _reason(text: str, error: MarkedYAMLError) -> str:
    if text[0] in "\"'":
        if text[-1] != text[0]:
            return "missing closing quote"
        escape = "escape" in str(error.problem)
        return "unknown escape in quoted text" if escape else "quotes within quoted text"
    if text[0] in "-?:,[]{}#&*!|>%@`":
        return f"text that begins with `{text[0]}` needs quotes"
    return "text that contains `: ` needs quotes; YAML reads it as a key and a value"


def _texts(text: str, at: int) -> list[tuple[int, int]]:
    """Where the text that needs quotes may be: a member in braces, a value, a list's element."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[start : end if end >= 0 else len(text)]
    places = [m.span(2) for m in _IN_FLOW.finditer(line) if m.start() <= at - start <= m.end()]
    starts = [match.end() for match in (_BEFORE.match(line), _BEFORE_ITEM.match(line)) if match]
    places += [(left, len(_COMMENT.sub("", line))) for left in starts]
    return [(start + left, start + right) for left, right in places if left < right]


def _misplaced(source: Source, at: int) -> Finding | None:
    """The finding for a line whose indentation fits no line above."""
    text = source.text
    start = text.rfind("\n", 0, at) + 1
    indent = text[start:at]
    if indent.strip() or not start:
        return None
    above = [line for line in text[:start].split("\n") if line.strip()]
    widths = {len(line) - len(line.lstrip(" ")) for line in above}
    widths |= {line.index("- ") + 2 for line in above if line.lstrip().startswith("- ")}
    for width in sorted(widths, key=lambda width: (abs(width - len(indent)), width)):
        if width != len(indent) and _reads_on(text, start, at, " " * width):
            message = f"indentation of {_spaces(len(indent))} matches no line above"
            helps = (f"indent it by {_spaces(width)}",)
            return source.finding("F014", message, start, at, helps=helps)
    return None


def _spaces(count: int) -> str:
    return "1 space" if count == 1 else f"{count} spaces"


def _reads_on(text: str, start: int, end: int, new: str) -> bool:
    """Whether a text with a replacement can be composed at least beyond it."""
    changed = text[:start] + new + text[end:]
    try:
        YAML(typ="safe", pure=True).compose(changed)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return (
            mark is not None and mark.index > start + len(new) + 1 and "block end" not in str(error)
        )
    except (YAMLError, ValueError, AttributeError, IndexError, TypeError, RecursionError):
        return False
    return True
