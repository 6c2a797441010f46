"""Rules on who says it: organizations, developers, models and judges against each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import quoted, shown
from evalmark.validator.formats.records.record_view import JUDGE, RecordView
from evalmark.validator.formats.records.rules.identity_rules import (
    are_related,
    is_one_organization,
    is_other_version,
)
from evalmark.validator.formats.records.rules.setting_rules import is_placeholder
from evalmark.validator.formats.shared.fields import mapping, number

_WORD = re.compile(r"(?!\d+\b)[^\W_]{2,}")
#: The number of parameters of a model, as names have it: 8b, 0.5B.
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?b)(?![a-z\d])")
#: Words of a name that many models have.
_COMMON = frozenset(
    [
        "ai",
        "chat",
        "instruct",
        "it",
        "base",
        "model",
        "large",
        "small",
        "mini",
        "pro",
        "preview",
        "hf",
        "the",
    ]
)


def relationship_contradicts_parties(record: RecordView) -> Iterator[Hit]:
    """`evaluator_relationship` contradicts who publishes and who made the model.

    It is "first_party" if the developer of the model publishes the numbers, and "third_party" if
    somebody else does.

    Bad: `"evaluator_relationship": "third_party"` from Meta on `meta-llama/llama-9`
    Good: `"evaluator_relationship": "first_party"`
    """
    relation, publisher = record.get("relationship"), record.text("organization")
    owner, slash, _ = (record.model_id or "").partition("/")
    makers = [name for name in (record.text("developer"), owner if slash else "") if name]
    makers = [name for name in makers if name.strip().casefold() not in ("", "unknown", "local")]
    if publisher is None or not publisher.strip() or not makers:
        return
    if publisher.strip().casefold() in ("unknown", "unspecified"):
        return
    said = ""
    if relation == "third_party" and any(is_one_organization(publisher, name) for name in makers):
        said, right = "the developer of the model publishes the numbers", "first_party"
    elif relation == "first_party" and not any(are_related(publisher, name) for name in makers):
        said, right = (
            f"{shown(makers[0])} made the model, and {shown(publisher)} publishes",
            "third_party",
        )
    if said:
        yield Hit(
            f'`evaluator_relationship` is "{relation}", but {said}',
            At(record.at("relationship")),
            labels=((At(record.at("organization")), "who publishes"),),
            helps=(f'write "{right}", if the names are right',),
            fold="relationship",
        )


def model_name_contradicts_id(record: RecordView) -> Iterator[Hit]:
    """The name of a model and its id are those of two models.

    They share no word, or have two versions or two sizes of one. Names and ids are often copied
    from different records.

    Bad: `"name": "Claude 3", "id": "openai/gpt-4o"`
    Good: `"name": "GPT-4o", "id": "openai/gpt-4o"`
    """
    name, model = record.model_name, record.model_id
    if not name or not model or not name.strip() or not model.strip():
        return
    mine, others = (set(_WORD.findall(text.casefold())) - _COMMON for text in (name, model))
    label = model.rpartition("/")[2]
    shares = any(a.startswith(b) or b.startswith(a) for a in mine for b in others)
    is_initials = "".join(word[0] for word in _WORD.findall(name.casefold())) in label.casefold()
    if not mine or not others or is_initials or is_placeholder(name):
        return
    sizes, named = (set(_SIZE.findall(text.casefold())) for text in (label, name))
    if not shares or is_other_version(label, name) or (sizes and named and not sizes & named):
        yield Hit(
            f"the name of the model, {shown(name)}, is not that of its id, {shown(model)}",
            At(record.at("model_name")),
            labels=((At(record.at("model_id")), "the id"),),
            fold="model name",
        )


def judges_contradict(record: RecordView) -> Iterator[Hit]:
    """A jury has a judge twice, two of one id, or no weight that counts.

    Bad: two judges with the same `id`
    Good: one judge, or two with different settings in `additional_details`
    """
    for result in record.with_judges:
        seen: dict[str, str] = {}
        judges = list(result.each("judges", JUDGE))
        for judge, content in zip(judges, result.entries("judges"), strict=True):
            key = quoted({**mapping(content), "weight": None})
            if key in seen:
                yield Hit(
                    "a judge is listed twice",
                    At(judge.pointer),
                    labels=((At(seen[key]), "first"),),
                    helps=("remove this entry",),
                    fold="judge twice",
                )
            seen.setdefault(key, judge.pointer)
        names: dict[str, str] = {}
        for judge in judges:
            name, identity = judge.text("name"), judge.text("id")
            if name and identity and names.setdefault(identity, name) != name:
                yield Hit(
                    f"{shown(name)} and {shown(names[identity])} have one id, {shown(identity)}",
                    At(judge.at("id")),
                    fold="judges of one id",
                )
                break
        weights = [number(judge.get("weight")) for judge in judges]
        odd = next((i for i, w in enumerate(weights) if w is not None and w < 0), None)
        if odd is None and weights and all(weight == 0 for weight in weights):
            odd = 0
        if odd is not None:
            yield Hit(
                f"the `weight` of a judge is {weights[odd]:g}",
                At(judges[odd].at("weight")),
                caret="expected a number above 0",
                fold="weight",
            )


def deployment_contradicts(record: RecordView) -> Iterator[Hit]:
    """A model whose weights are closed is said to be deployed by somebody else than its developer.

    Only who has the weights can run them.

    Bad: `"self_deployed"` with `"closed_weights"`, by a third party
    Good: `"deployment_type": "externally_managed"`
    """
    is_closed = record.get("availability") == "closed_weights"
    is_by_others = record.get("relationship") == "third_party"
    if is_closed and is_by_others and record.get("deployment") == "self_deployed":
        yield Hit(
            'a third party cannot deploy a model by itself whose weights are "closed_weights"',
            At(record.at("deployment")),
            labels=((At(record.at("availability")), "the weights"),),
            helps=(Action.WRITE('"externally_managed"'),),
        )
