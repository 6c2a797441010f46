"""Formulas in other notations: words for operators, HTML, names of regions.

``formula_fixes.py`` corrects slips in a formula that is in our notation.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

from evalmark.validator.formats.suites.condition_names import normal_name
from evalmark.validator.formats.suites.formula.typos import is_prediction

#: Other notations of operators, longest first.
_OPERATORS = (
    (r"(?:is\s+)?(?:greater|larger|higher|more)\s+than|\bgt\b|-+>|=>|→|＞|>>+", ">"),
    (r"(?:is\s+)?(?:less|smaller|lower)\s+than|\blt\b|<-+|←|＜|<<+", "<"),
    (r"(?:is\s+)?equal\s+to|\bequals\b|\beq\b|==+", "="),
    (r"\band\b|&&+|∧", "&"),
    (r"\bor\b|\|\|+|∨", "|"),
)
#: Characters before the first reference of a formula, and after its last one.
_START = re.compile(r"[\s(\[]*(?:[\d.]+\s*[<>=+-]\s*[\s(\[]*)*$")
_END = re.compile(r"[\s)\]]*(?:[<>=+-]\s*[\d.]+(?![\w.])[\s)\]]*)*")
#: Parts that change no formula: a label or mark before it; a mark, comment or brackets after it.
_LABEL = re.compile(r"[\w .-]*[:.)]|[\"'“”`=&|]*")
_COMMENT = re.compile(r"[&|\"'“”`;,.]*(?:\s*(?:#|//|--|/\*|[(\[%\"'“”`]).*)?", re.DOTALL)
#: A reference: a number or a name, a separator, and the name of a condition in any quotes.
_REFERENCE = re.compile(
    r"[(\[]\s*(?:region\s*)?(?P<region>\*|[^\s()\[\]%;,:][^()\[\]%;,:]*?)\s*[;,:]\s*"
    r"(?P<quote>[%\"'`“”]?)\s*(?P<condition>[^\s()\[\]%\"'`“”]+)\s*[%\"'`“”]?\s*[)\]]"
)


def translation(
    source: str, regions: Mapping[str, object], conditions: Sequence[str]
) -> tuple[str, list[str]] | None:
    """The formula that a text means.

    Args:
        source: The text, which is not a valid formula.
        regions: Names of regions, by their numbers; what is not a text is none.
        conditions: The names of the conditions of the suite.

    Returns:
        A valid formula that refers to regions and conditions of the suite, and the parts of the
        text that belong to none; None if the meaning is not clear.
    """
    text = normal_name(html.unescape(source))
    found = list(_REFERENCE.finditer(text))
    if not found:
        return None
    start, end = _START.search(text, 0, found[0].start()), _END.match(text, found[-1].end())
    assert start
    assert end
    label, comment = text[: start.start()].strip(), text[end.end() :].strip()
    if not (_LABEL.fullmatch(label) and _COMMENT.fullmatch(comment)):
        return None
    text = text[start.start() : end.end()].strip()
    called = [(normal_name(n).casefold(), k) for k, n in regions.items() if isinstance(n, str)]
    numbers = {name: number for name, number in called if name.strip()}
    names = {name.casefold(): name for name in conditions}
    if len(numbers) < sum(bool(name.strip()) for name, _ in called):
        numbers = {}  # two regions have one name

    def reference(match: re.Match[str]) -> str:
        region, condition = match["region"], match["condition"]
        if re.fullmatch(r"0*[1-9][0-9]{0,8}(?:\.0+)?", region):
            region = str(int(float(region)))
        region = numbers.get(region.casefold(), region)
        return f"({region};%{names.get(condition.casefold(), condition)}%)"

    parts, at = [], 0
    for match in _REFERENCE.finditer(text):
        parts += [_operators(text[at : match.start()]), reference(match)]
        at = match.end()
    text = "".join((*parts, _operators(text[at:])))
    if not is_prediction(text):
        return None
    known = {*regions, "*"}
    referred = re.findall(r"\((\*|\d+);%([^%]+)%\)", text)
    is_known = all(number in known and name in conditions for number, name in referred)
    rest = [*filter(None, (label, comment))]
    return (text, rest) if referred and is_known else None


def _operators(text: str) -> str:
    for pattern, operator in _OPERATORS:
        text = re.sub(rf"\s*(?:{pattern})\s*", f" {operator} ", text, flags=re.IGNORECASE)
    return text
