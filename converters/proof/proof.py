"""The proof of a conversion: what a document says before and after it, compared.

Nothing here is shared with the steps. ``predictions.py`` reads predictions in every language,
``suites.py`` the rest of a suite; ``leaves.py`` looks for every value of a record.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from evalmark.converters.formats import CONVERTIBLE, SUITE, Syntax, may_be_old
from evalmark.converters.proof.imported_values import Importing
from evalmark.converters.proof.leaves import (
    ADDED,
    CONVERTED,
    KEPT,
    LEFT_OUT,
    MOVED,
    Leaf,
    Tracing,
)
from evalmark.converters.proof.predictions import refuse
from evalmark.converters.proof.suites import same_suite
from evalmark.converters.step import SuiteEdit, Supplied, as_list
from evalmark.converters.syntax import ParsedText
from evalmark.converters.tables.sheets import Sheets
from evalmark.schemas.versions import VERSIONS

#: Numbers of proofs -> their words in a sentence, after those before.
_WORDS = {
    "predictions": "; {} prediction{s} {are} equivalent",
    "tolerant": ", but `=` in {} of them now has a tolerance",
    "exact": ", but `=` in {} of them is exact now",
    "unchanged": "; {} prediction{s} {are} unchanged",
    "sentences": "; {} sentence{s} {are} identical",
    "lost": "; {} prediction{s} {are} left out",
    "texts": "; {} text{s} read{v} back unchanged",
    "values": "; all {} values of the source are accounted for",
    KEPT: ", {} in place",
    MOVED: ", {} moved",
    CONVERTED: ", {} rewritten",
    LEFT_OUT: ", {} left out",
    ADDED: "; {} added",
    "unverified": "; not verified: {} file{s} of more than 32 MiB",
}


@dataclass(frozen=True, slots=True)
class Proof:
    """The comparisons made; if one finds a difference, the document is refused instead.

    Attributes:
        numbers: ``predictions`` that are read as equal trees, how many of them have a ``=`` that is
            ``tolerant`` now, or ``exact``; predictions ``unchanged`` as they are written, and
            ``lost``, for which the new format has no place; ``sentences`` that are the same, in all
            their regions; ``texts`` that are read back equal, if only they are written otherwise.
        traced: What has become of each value of a record or its samples; what is left out of a
            suite, for which the new format has no place.
        imported: The values of results of another program, whose numbers are ``numbers``.
    """

    numbers: Mapping[str, int] = field(default_factory=dict)
    traced: tuple[Leaf, ...] = ()
    imported: Importing | None = field(default=None, compare=False)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """What has become of each value."""
        return self.traced if self.imported is None else tuple(self.imported.leaves())

    @property
    def counts(self) -> Counter[str]:
        """The numbers, also of values with each fate; one that is in several places counts once."""
        fates = {leaf.source or leaf.result: leaf.fate for leaf in self.traced}
        return Counter(self.numbers) + Counter(fates.values())

    def data(self) -> dict[str, Any]:
        """All of it as JSON: numbers, and each value that is not kept in its place."""
        numbers = {name.replace(" ", "_"): count for name, count in self.counts.items()}
        listed = [leaf._asdict() for leaf in self.leaves if leaf.fate != KEPT]
        return {**numbers, **({"values": listed} if listed else {})}

    @staticmethod
    def of_rows(rows: Sequence[Proof | None]) -> Proof:
        """The proof of rows that were converted one by one; pointers begin with their index."""
        leaves = (
            leaf._replace(
                source=leaf.source and f"/{index}{leaf.source}",
                result=leaf.result and f"/{index}{leaf.result}",
            )
            for index, row in enumerate(rows)
            for leaf in (row.traced if row else ())
        )
        numbers = sum((Counter(row.numbers) for row in rows if row), Counter[str]())
        return Proof(numbers, tuple(leaves))


def sentence_of(counts: Mapping[str, int]) -> str:
    """The proofs of files in one sentence; "" if nothing was compared."""
    values = sum(counts.get(fate, 0) for fate in (KEPT, MOVED, CONVERTED, LEFT_OUT))
    text = ""
    for name, words in _WORDS.items():
        if count := values if name == "values" else counts.get(name):
            s, v, are = ("", "s", "is") if count == 1 else ("s", "", "are")
            text += words.format(f"{count:,}", s=s, v=v, are=are)
    return text.removeprefix("; ")


def prove(
    parsed: ParsedText, target: str, data: Any, supplied: Supplied, edits: tuple[SuiteEdit, ...]
) -> Proof | None:
    """Compare a conversion with its source.

    None if nothing was changed, if an edit of a caller was applied, which may change anything, or
    if there is no proof for files of this kind.

    Raises:
        ConversionError: A prediction, a sentence, a name or a key would change or be lost.
    """
    kinds = {CONVERTIBLE[parsed.format or ""].kind, CONVERTIBLE[target].kind}
    are_ours = all(e.__module__.startswith("evalmark.") for e in edits)
    if data is parsed.data and parsed.format != target and kinds == {SUITE}:
        refuse(f"nothing has been converted to {target}")
    is_asked = bool(edits or supplied.renames)
    if not are_ours or (data is parsed.data and not is_asked):
        return None
    if kinds == {SUITE}:
        first: Any = next(iter(as_list(parsed.data)), {})
        is_as_it_is = isinstance(first, dict) and bool(first.keys() & {"items", "conditions"})
        if is_as_it_is and parsed.text and parsed.syntax in (Syntax.JSON, Syntax.JSONL):
            require_read(parsed.data, parsed.text.removeprefix("\ufeff"), parsed.syntax)
        return Proof(*same_suite(parsed.data, data, supplied, edits, is_old=may_be_old(target)))
    if len(kinds) == 1 and kinds <= VERSIONS.keys():
        return Proof(traced=tuple(Tracing(parsed.data, data, supplied.value).leaves()))
    return None


def _yaml(text: str) -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).load(text)


def _rows(text: str, delimiter: str) -> list[Any]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


#: Readers of each syntax that are not ours; a workbook can only be read by what writes it.
_READ: Mapping[Syntax, Callable[[str], Any]] = {
    Syntax.JSON: json.loads,
    Syntax.JSONL: lambda text: [json.loads(line) for line in text.split("\n") if line.strip()],
    Syntax.YAML: _yaml,
    Syntax.TXT: lambda text: text.split("\n")[:-1],
    Syntax.CSV: partial(_rows, delimiter=","),
    Syntax.TSV: partial(_rows, delimiter="\t"),
}


def require_read(
    data: Any, text: str, syntax: Syntax, files: Mapping[str, bytes] | None = None
) -> None:
    """Refuse data if a text, or the files of tables, says something else: a ConversionError."""
    if read := _READ.get(syntax):
        tables = {name: read(content.decode()) for name, content in (files or {}).items()}
        if (Sheets(**tables) if tables else read(text)) != data:
            refuse("the text is read as something else")
