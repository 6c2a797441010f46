"""Steps from older dialects of suites to the current one, and the one step back.

The older tools handed a formula to Python: ``&`` bound tighter than ``|``, both tighter than
comparisons, and chains of comparisons were real. Most formulas read the same either way; then only
the brackets change. Where the readings differ, the tree is printed with the parentheses it needs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from evalmark.converters.notes import ConversionNotes
from evalmark.converters.step import Data, Object, Step, Stepped
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, FormulaSyntaxError
from evalmark.validator.formats.suites.condition_names import (
    LEGAL,
    is_condition_name,
    names_of_conditions,
    normal_name,
)
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Dialect,
    Node,
    Reference,
    parse_formula,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.validator.formats.suites.suite import USUAL_METRIC, metrics_of
from evalmark.validator.formats.suites.triples import RELATIONS, TRIPLE, formula_of

_ROUND = str.maketrans("[]", "()")


def legacy_triples(data: Data, supplied: Supplied) -> Stepped:
    """One formula for each legacy comparison, in their order."""
    notes = []
    if "predictions" not in data:
        notes.append("the file has no predictions: an empty list is written")
    predictions = []
    conditions = names_of_conditions(data)
    for prediction in data.get("predictions", []):
        left, right = prediction["l_operand"], prediction["r_operand"]
        for name in (left, right):
            _require_name(name, conditions)
        others = {key: value for key, value in prediction.items() if key not in TRIPLE}
        formula = formula_of(prediction).source
        predictions.append({"type": "formula", "formula": formula, **others})
    meta = {**data["meta"]}
    meta["metric"] = one_metric(meta["metric"], supplied.metric)
    if supplied.metric is not None and len(metrics_of(data["meta"]["metric"])) > 1:
        supplied.use("metric")
        notes.append(kept_metric(data["meta"]["metric"], supplied.metric))
    new = {**data, "meta": meta, "predictions": predictions}
    return Stepped(new, tuple(notes))


def string_predictions(data: Data, _: Supplied) -> Stepped:
    """Formulas in ``meta.string_predictions`` become predictions."""
    strings = data["meta"]["string_predictions"]
    if not isinstance(strings, list) or not all(isinstance(text, str) for text in strings):
        raise ConversionError("meta.string_predictions is not a list of formulas")
    meta = {key: value for key, value in data["meta"].items() if key != "string_predictions"}
    return Stepped({**data, "meta": meta, "predictions": _old_formulas(strings)})


def bare_strings(data: Data, _: Supplied) -> Stepped:
    """Predictions that are bare formulas become objects; a missing metric is ``sum``."""
    predictions = data["predictions"]
    if not all(isinstance(prediction, str) for prediction in predictions):
        raise ConversionError("predictions are partly strings and partly objects")
    notes = () if "metric" in data["meta"] else (ConversionNotes.USUAL_METRIC(USUAL_METRIC),)
    meta = data["meta"] if not notes else {**data["meta"], "metric": USUAL_METRIC}
    return Stepped({**data, "meta": meta, "predictions": _old_formulas(predictions)}, notes)


def bracket_formulas(data: Data, _: Supplied) -> Stepped:
    """Formulas that group with ``[ ]`` group with ``( )``."""
    new: list[Object] = []
    for prediction in data["predictions"]:
        source = prediction["formula"]
        is_old = "[" in source or "]" in source
        formula = _require_current(current_formula(source)) if is_old else source
        new.append({**prediction, "formula": formula})
    return Stepped({**data, "predictions": new})


def to_triples(data: Data, _: Supplied) -> Stepped:
    """Each formula as a legacy comparison, where it is one."""
    spellings = _spellings(data)
    triples = [_triple(prediction["formula"], spellings) for prediction in data["predictions"]]
    for prediction in data["predictions"]:
        extra = prediction.keys() - {"type", "formula"}
        if extra:
            names = ", ".join(sorted(extra))
            raise ConversionError(f"a legacy prediction cannot hold {names}")
    return Stepped({**data, "predictions": triples})


def _spellings(data: Data) -> dict[str, list[str]]:
    """The name of each condition in NFC → the name as items have it, in all its spellings."""
    spellings: dict[str, list[str]] = {}
    for item in data["items"]:
        for condition in item["conditions"]:
            name = condition["condition_name"]
            same = spellings.setdefault(normal_name(name), [])
            if name not in same:
                same.append(name)
    return spellings


def _operand(reference: Reference, spellings: Mapping[str, list[str]]) -> str:
    """The name of a condition as the items have it, since legacy tools compare code points."""
    name = reference.condition
    same = spellings.get(name, [name])
    if len(same) > 1:
        raise ConversionError(
            f"a legacy prediction names condition `{name}` by its code points, and the items write "
            "it in several normal forms of Unicode",
            "rename it",
            needs="renames",
            subject=name,
        )
    return same[0]


def _triple(formula: str, spellings: Mapping[str, list[str]]) -> Object:
    tree = parsed_formula(formula)
    if not isinstance(tree, Comparison):
        raise ConversionError(
            f"a legacy prediction is a single comparison, and `{formula}` is not",
            "split conjunctions first",
            needs="split_conjunctions",
        )
    left, right = (_plain_reference(operand, formula) for operand in (tree.left, tree.right))
    if left.region != right.region:
        raise ConversionError(
            f"a legacy prediction compares two conditions in one region, and `{unparse(tree)}` "
            "does not"
        )
    relation = next(word for word, sign in RELATIONS.items() if sign == tree.operator)
    return {
        "region_number": left.region,
        "l_operand": _operand(left, spellings),
        "relation": relation,
        "r_operand": _operand(right, spellings),
    }


def parsed_formula(formula: str, dialect: Dialect = Dialect.CURRENT) -> Node:
    """The tree of a formula, or the refusal of one that cannot be read."""
    try:
        return parse_formula(formula, dialect).tree
    except FormulaSyntaxError as error:
        reason = f"formula `{formula}` cannot be read: {error.message}"
        raise ConversionError(reason, error.help) from error


def _plain_reference(operand: Node, formula: str) -> Reference:
    if isinstance(operand, Reference) and operand.region is not None:
        return operand
    raise ConversionError(
        f"a legacy prediction cannot express `{unparse(operand)}`, a part of `{formula}`"
    )


def _old_formulas(strings: list[str]) -> list[Data]:
    formulas = [current_formula(string) for string in strings]
    return [{"type": "formula", "formula": _require_current(formula)} for formula in formulas]


def _require_current(formula: str) -> str:
    try:
        parse_formula(formula)
    except FormulaSyntaxError as error:
        raise ConversionError(
            f"formula `{formula}`: {error.message}",
            "rename the condition",
            needs="renames",
            subject="OLD",
        ) from error
    return formula


def _require_name(name: str, conditions: Collection[str]) -> None:
    if not is_condition_name(name):
        if normal_name(name) not in conditions:
            raise ConversionError(
                f"a prediction refers to condition {json.dumps(name)}, which no item has"
            )
        raise ConversionError(
            f"condition `{name}` cannot be named in a formula: names consist of {LEGAL}",
            "rename it",
            needs="renames",
            subject=name,
        )


def one_metric(declared: object, choice: str | None) -> str:
    """The metric of a suite.

    Raises ConversionError if it names several and none is chosen, or not the chosen one.
    """
    offered = metrics_of(declared)
    if choice in offered:
        return str(choice)
    if choice is not None:
        raise ConversionError(f"the suite does not name the metric `{choice}`, only: {declared}")
    if len(offered) == 1:
        return offered[0]
    raise ConversionError(
        f"the suite has several metrics ({'all' if declared == 'all' else ', '.join(offered)}); "
        "a current suite has one",
        "choose one",
        needs="metric",
    )


def kept_metric(declared: object, metric: str) -> str:
    """The note on the metric that is kept of several."""
    return f"of the metrics {json.dumps(declared)}, `{metric}` is kept"


def current_formula(source: str) -> str:
    """The current formula with the meaning of one in an older dialect."""
    old = parsed_formula(source, Dialect.PYTHON)
    problem = next(type_problems(old), None)
    if problem is not None:
        raise ConversionError(
            f"formula `{source}` has no meaning in its dialect: {problem.message}",
            "there `&` and `|` bind tighter than comparisons; put brackets around comparisons",
        )
    return _written(source, old)


def stated_formula(source: str) -> str:
    """The current formula for one of unknown dialect; square brackets mean an older one.

    Raises ConversionError if that is impossible.
    """
    if "[" in source or "]" in source:
        return current_formula(source)
    parsed_formula(source)
    return source


def _written(source: str, old: Node) -> str:
    """The formula with its brackets alone changed, if that is read as the same tree."""
    plain = source.translate(_ROUND)
    try:
        is_same = parse_formula(plain).tree == old
    except FormulaSyntaxError:  # a chain, or a name that must be renamed first
        is_same = False
    return plain if is_same else unparse(old)


SUITE_STEPS = (
    Step("suite-legacy", "suite", legacy_triples, needs="a metric, if it names none or several"),
    Step("suite-strings", "suite", string_predictions),
    Step("suite-bare", "suite", bare_strings),
    Step("suite-brackets", "suite", bracket_formulas),
    Step("suite", "suite-legacy", to_triples, loses="nothing: refused where it is not exact"),
)
