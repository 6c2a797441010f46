"""Formulas of the older dialects keep their truth values when they are converted.

The judge is Python itself, which is what evaluated them then.
"""

import random
import re

import pytest
from evalmark.converters.proof.predictions import compared_predictions
from evalmark.converters.suites.suite_dialects import current_formula
from evalmark.schemas.errors import ConversionError, FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import parse_formula
from evalmark.validator.formats.suites.formula.meaning import evaluate

NAMES = ("a", "b", "c")


def old_truth(source: str, values: dict[tuple[int, str], float]) -> object:
    """What the tools of 2020 computed: brackets become parentheses, `=` becomes `==`, then eval."""
    text = source.replace("[", "(").replace("]", ")").replace("=", "==")
    text = re.sub(r"\((\d+);%(\w+)%\)", lambda match: repr(values[int(match[1]), match[2]]), text)
    return eval(text)


class Writer:
    """Writes formulas as their authors did: with brackets, more or less of them, and chains."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)

    def reference(self) -> str:
        return f"({self.r.randint(1, 3)};%{self.r.choice(NAMES)}%)"

    def sum(self) -> str:
        terms = [
            self.reference() if self.r.random() < 0.8 else str(self.r.randint(0, 3))
            for _ in range(self.r.choice((1, 1, 2, 3)))
        ]
        text = terms[0]
        for term in terms[1:]:
            text += f" {self.r.choice('+-')} {term}"
        return f"[{text}]" if self.r.random() < 0.3 else text

    def comparison(self) -> str:
        operators = "<>" if self.r.random() < 0.9 else "<>="
        text = self.sum()
        for _ in range(self.r.choice((1, 1, 1, 1, 2))):
            text += f" {self.r.choice(operators)} {self.sum()}"
        return text

    def logic(self, depth: int = 0) -> str:
        parts = []
        for _ in range(self.r.choice((1, 2, 2, 3, 4))):
            deeper = depth < 2 and self.r.random() < 0.25
            inner = self.logic(depth + 1) if deeper else self.comparison()
            # An author who forgets the brackets gets something else than he meant.
            parts.append(f"[{inner}]" if self.r.random() < 0.95 else inner)
        text = parts[0]
        for part in parts[1:]:
            text += f" {self.r.choice('&|')} {part}"
        return text


@pytest.mark.parametrize("seed", range(8))
def test_truth_is_kept(seed):
    writer = Writer(seed)
    kept = refused = different = 0
    for _ in range(400):
        source = writer.logic()
        values = {
            (region, name): float(writer.r.randint(0, 4)) for region in (1, 2, 3) for name in NAMES
        }
        try:
            old = old_truth(source, values)
        except TypeError:
            old = None  # Python knows no `&` of floats
        try:
            text = current_formula(source)
        except ConversionError:
            refused += 1
            continue
        assert old is not None
        new = evaluate(
            parse_formula(text).tree, lambda r, known=values: known[r.region, r.condition]
        )
        # Values are whole numbers, so `=` is as exact as it was.
        assert new == bool(old), (source, text)
        kept += 1
        different += text != source.replace("[", "(").replace("]", ")")
    assert kept > 200
    assert refused > 3
    assert different > 20


#: Changes of a formula in one place.
CHANGES = {"<": ">", ">": "<", "=": "<", "&": "|", "|": "&", "+": "-", "-": "+", "1": "2", "2": "3",
           "3": "1", "a": "b", "b": "c", "c": "a", "(": "", ")": ""}  # fmt: skip


def truths(text: str, seed: int) -> list[bool] | None:
    """The truth values of a current formula, many of them at ties; None if it has none."""
    draw = random.Random(seed)
    values = [
        {(n, c): draw.choice([0.0, 1.0, 1.0005, 2.0, 3.0]) for n in (1, 2, 3) for c in NAMES}
        for _ in range(50)
    ]
    try:
        tree = parse_formula(text).tree
        return [evaluate(tree, lambda r, known=v: known[r.region, r.condition]) for v in values]
    except (FormulaSyntaxError, TypeError):
        return None


@pytest.mark.parametrize("seed", range(2))
def test_what_changes_a_truth_value_is_refused_by_the_proof(seed):
    """The judge is random; the proof reads what is written."""
    writer, refused = Writer(seed), 0
    for _ in range(8):
        source = writer.logic()
        try:
            text = current_formula(source)
        except ConversionError:
            continue
        compared_predictions([source], [{"formula": text}], {}, are_split=False)
        right = truths(text, seed)
        for at, character in enumerate(text):
            changed = text[:at] + CHANGES.get(character, character) + text[at + 1 :]
            if truths(changed, seed) != right:
                with pytest.raises(ConversionError, match="prediction 1"):
                    compared_predictions([source], [{"formula": changed}], {}, are_split=False)
                refused += 1
    assert refused > 50


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[(2;%a%) > (2;%b%)] & [(3;%a%) < 1]", "((2;%a%) > (2;%b%)) & ((3;%a%) < 1)"),
        # Only the brackets change, where the two readings agree.
        ("[[(1;%a%)+(2;%a%)]- 1]>0", "(((1;%a%)+(2;%a%))- 1)>0"),
        # & bound tighter than |
        (
            "[(1;%a%) > 1] | [(2;%a%) > 1] & [(3;%a%) > 1]",
            "((1;%a%) > 1) | (((2;%a%) > 1) & ((3;%a%) > 1))",
        ),
        # chains were real
        ("[(1;%a%) < (2;%a%) < (3;%a%)]", "((1;%a%) < (2;%a%)) & ((2;%a%) < (3;%a%))"),
    ],
)
def test_what_is_written(old, new):
    assert current_formula(old) == new


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("(1;%a%) > 1 & (2;%a%) > 1", "has no meaning in its dialect"),
        ("[(1;%a%) > 1] + 1 > 0", "has no meaning in its dialect"),
        ("abs((1;%a%)) > 3", "there is no `abs`"),
        ("(1;%a%)/2 > 3", "there is no division"),
        ("~[(1;%a%) > 3]", "there is no negation"),
        ("(1;%a%) >", "unexpected end of formula"),
    ],
)
def test_what_is_refused(source, reason):
    with pytest.raises(ConversionError, match=re.escape(reason)):
        current_formula(source)
