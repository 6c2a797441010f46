"""Rules on who says it: organizations, developers, models and judges against each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from evalmark.validator.findings.finding import Action, At, Mistake
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.name_matching import (
    are_other_sizes,
    are_related,
    is_known_maker,
    is_name_of,
    is_one_organization,
    is_other_kind,
    is_other_program,
    is_other_version,
    plain,
    runs_models,
    sizes_in,
    version_after,
    without_accents,
)
from evalmark.validator.formats.records.rules.source_rules import hub_name
from evalmark.validator.formats.records.rules.text_rules import is_placeholder, names_a_model
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_values import mapping, number

#: A word of a name. (`re` compiles these patterns when a record needs one.)
_WORD = r"(?!\d+\b)[^\W_]{2,}"
#: Words of a name that many models have.
_COMMON = frozenset(
    "ai chat instruct it base model large small mini pro preview hf the".split()  # noqa: SIM905
)
#: A scale in a prompt: from 1 to 10.
_SCALE = r"(?i)\b(?:from|between|scale of|scale from) (\d+)(?: to | and | ?[-–] ?)(\d+)"
#: A label with another one behind it; what a form to fill in has; names of places for an answer.
_EMPTY_LABEL = (
    r"(?m)^((?:(?i:model|assistant|candidate) )?(?i:answer|response|output):)[ \t]*\n"
    r"\s*(?:Rating|Score|Verdict|Grade|Judg\w+):\s*\Z"
)
_OF_FORM = (
    r"(?i)format|\bform\b|template|repl|respond|structure|fill|message|line|below|write|%s|\{\d*\}"
)
_OF_ANSWER = (
    "answer|response|output|completion|prediction|generation|reply|text|candidate|message"
    "|submission|solution|essay|hypothesis|translation|summary|code|story"
)
#: Makers of models that are also the owners in their ids, as ``plain`` has them.
_MAKERS = frozenset(
    "openai anthropic google meta metallama mistralai qwen alibaba deepseek cohere".split()  # noqa: SIM905
)
#: Those whose platforms run the models of others.
_PLATFORMS = frozenset(("google", "alibaba"))
#: Families whose models are of one maker.
_FAMILY = (
    r"(?i)(?!.*(?:oss|distill|qwen|llama|alpaca|vicuna|\d+b\b))(?:gpt-(?=3\.5|4o?(?![a-z\d])|5(?![a-z]))|"
    r"chatgpt|claude(?=-\d|-[a-z]+-\d)|gemini(?=-\d|-pro))"
)
_MAKER_OF = {"gpt-": "openai", "chatgpt": "openai", "claude": "anthropic", "gemini": "google"}
#: A judge's weight among shares that is at least this is a percentage.
_PERCENT = 5


def developer_owner(record: RecordView) -> Iterator[Mistake]:
    """The developer of a model is not the owner that its id names.

    One of the two may be an organization's account and the other its name; they then share a word.
    At least one of them must be a known maker: accounts of labs and of people have any name.
    The same holds for judges, if both are makers of models.

    Bad: `"id": "meta-llama/llama-9", "developer": "Mistral AI"`
    Good: `"id": "meta-llama/llama-9", "developer": "Meta"`
    """
    models: list[Fields] = [record]
    for result in record.with_judges:
        models += record.judges_of(result)
    for part in models:
        developer, model = part.text("developer") or "", part.text("model_id") or ""
        owner, where = _owner_of(model, developer)
        # Many families of models are called as their makers are: Cohere, Mistral, DeepSeek.
        is_other = "/" in model and plain(developer) not in ("", plain(owner))
        is_of_version = re.search(r"[-_. ]", developer) and re.search(r"\d", developer)
        if is_other and is_of_version and plain(developer) == plain(model.rpartition("/")[2]):
            yield Mistake(
                f"the developer, {cited(developer)}, is the name of the model",
                At(part.at("developer")),
                labels=((At(part.at("model_id")), "the model"),),
                helps=(f"write {quoted(owner)}, if the id is right",),
                fold="developer",
            )
            continue
        if not developer.strip() or not owner.strip(" .~") or are_related(developer, owner):
            continue
        if "://" in f"{model}{developer}" or hub_name(model):
            continue  # an address, which another rule reports
        if not names_a_model(model) or not names_a_model(developer):
            continue  # so is a placeholder
        parties = plain(developer), plain(owner)
        is_known = _MAKERS.issuperset(parties) and (
            parties[1] not in _PLATFORMS or "/" not in model
        )
        if part is not record and not is_known:
            continue  # the ids of judges are often those of a platform
        if not any(map(is_known_maker, (developer, owner))):
            continue
        yield Mistake(
            f"the developer, {cited(developer)}, is not {where}, {cited(owner)}",
            At(part.at("developer")),
            labels=((At(part.at("model_id")), "the model"),),
            helps=(f"write {quoted(owner)}, if the id is right",),
            fold="developer",
        )


def _owner_of(model: str, developer: str) -> tuple[str, str]:
    """The owner of a model by its id, and what that is in words; "" if it has none."""
    owner, slash, _ = model.partition("/")
    if slash:
        return owner, "the owner in the id of the model"
    family = re.match(_FAMILY, model) if plain(developer) in _MAKERS else None
    # Of these families there are no models of others.
    return _MAKER_OF[family[0].casefold()] if family else "", "the maker of it"


def relationship_contradicts_parties(record: RecordView) -> Iterator[Mistake]:
    """`evaluator_relationship` contradicts who publishes and who made the model.

    It is "first_party" if the developer of the model publishes the numbers, and "third_party" if
    somebody else does.

    Bad: `"evaluator_relationship": "third_party"` from Meta on `meta-llama/llama-9`
    Good: `"evaluator_relationship": "first_party"`
    """
    owner, slash, _ = (record.model_id or "").partition("/")
    problem, right = _wrong_relationship(
        record.relationship, record.organization or "", record.developer, owner if slash else ""
    )
    if problem:
        yield Mistake(
            f'`evaluator_relationship` is "{record.relationship}", but {problem}',
            At(record.at("relationship")),
            labels=((At(record.at("organization")), "who publishes"),),
            helps=(f'write "{right}", if the names are right',),
            fold="relationship",
        )


@lru_cache(8192)  # the records of a call have few parties
def _wrong_relationship(
    relation: str | None, publisher: str, developer: str | None, owner: str
) -> tuple[str, str]:
    nobody = ("", "unknown", "local")
    makers = [name for name in (developer, owner) if name and name.strip().casefold() not in nobody]
    if not makers or publisher.strip().casefold() in ("", "unknown", "unspecified"):
        return "", ""
    if any("://" in name or is_placeholder(name) for name in (publisher, *makers)):
        return "", ""  # which another rule reports
    is_own = any(is_one_organization(publisher, name) for name in makers)
    if relation in ("third_party", "other") and is_own:
        return "the developer of the model publishes the numbers", "first_party"
    if relation == "first_party" and not any(are_related(publisher, name) for name in makers):
        problem = f"{cited(makers[0])} made the model, and {cited(publisher)} publishes"
        return problem, "third_party"
    return "", ""


def model_name_contradicts_id(record: RecordView) -> Iterator[Mistake]:
    """The name of a model and its id, or its size in the details, are those of two models.

    They share no word, have two versions or two sizes of one, or one of them is the base model and
    the other one follows instructions. Names and ids are often copied from different records. Who
    publishes a model of one's own may give it any name.

    Bad: `"name": "Claude 3", "id": "openai/gpt-4o"`
    Good: `"name": "GPT-4o", "id": "openai/gpt-4o"`
    """
    name, model = record.model_name, record.model_id
    if not name or not model:
        return
    label = model.rpartition("/")[2].casefold()
    is_spelt_alike = name.casefold().replace(" ", "-") == label  # most are
    is_own = record.relationship == "first_party"
    if not is_spelt_alike and names_a_model(model) and are_two_models(name, model, is_own):
        yield Mistake(
            f"the model has the name {cited(name)}, but the id {cited(model)}",
            At(record.at("model_name")),
            labels=((At(record.at("model_id")), "the id"),),
            fold="model name",
        )
    details = mapping(record.get("about_model"))
    if not details:
        return
    sizes = sizes_in(model)
    for key, value in details.items():
        stated = _billions(key, value) if _PARAMETERS.get(key) == 1 else None
        if stated is not None and stated > _MOST_BILLIONS:
            yield Mistake(
                f"`{key}` is {cited(value)}, and no model has {stated:g} billion parameters",
                At(f"{record.at('about_model')}/{key}"),
                helps=(f"if it is their number, write {stated / 1e9:g}",),
                fold="model size",
            )
            return
    for key, value in details.items() if len(sizes) == 1 else ():
        (size,), stated = sizes, _billions(key, value)
        # The number in a name is rounded, and counts the active parameters of some models.
        if stated is not None and not size / 3 <= stated <= size * 3:
            yield Mistake(
                f"the model has {size:g} billion parameters in its id, but {stated:g} in `{key}`",
                At(f"{record.at('about_model')}/{key}"),
                labels=((At(record.at("model_id")), "the id"),),
                fold="model size",
            )


@lru_cache(8192)
def are_two_models(name: str, model: str, is_own: bool = False) -> bool:
    """True if a name and an id share no word, or have two versions, sizes or kinds of one.

    A model of one's own may have any name, and so may one of no known maker.
    """
    label = model.rpartition("/")[2]
    if plain(name) == plain(label) or not name.strip() or is_placeholder(name):
        return False
    mine, others = (set(re.findall(_WORD, text.casefold())) - _COMMON for text in (name, model))
    initials = "".join(word[0] for word in re.findall(_WORD, name.casefold()))
    if not mine or not others or initials in label.casefold():
        return False
    # Names in other scripts share no letter with the id.
    shares = not without_accents(name).isascii() or any(
        a in b or b in a for a in mine for b in others
    )
    owner = model.rpartition("/")[0]
    if not shares and not is_own and (re.search(r"\d", name) or is_known_maker(owner)):
        return True
    is_other = is_other_version(label, name) or are_other_sizes(label, name)
    return is_other or is_other_kind(name, model)


#: No model has so many billions of parameters.
_MOST_BILLIONS = 1_000_000
#: Details that give the number of parameters -> how many of them are a billion.
_PARAMETERS = {
    "params_billions": 1, "parameters_billions": 1, "num_parameters": 1e9, "n_parameters": 1e9,
    "num_params": 1e9, "n_params": 1e9, "parameter_count": 1e9, "parameters": 1e9, "params": 1e9,
    "model_size": 1e9, "size": 1e9, "model_num_parameters": 1e9,
}  # fmt: skip


def _billions(key: str, value: object) -> float | None:
    if (factor := _PARAMETERS.get(key.casefold())) is None:
        return None
    text = str(value).strip().casefold().replace(",", "")
    match = re.fullmatch(r"(\d+(?:\.\d+)?) ?(b|bn|billion|m|million)?", text)
    if match is None or float(match[1]) <= 0:
        return None
    if match[2]:
        return float(match[1]) / (1 if match[2].startswith("b") else 1000)
    return float(match[1]) / factor if factor == 1 or float(match[1]) >= 1e6 else None


#: Families of models whose weights are closed.
_API_ONLY = (
    r"openai/(?!.*oss)(?:gpt-(?:3\.5|4|5)|chatgpt|o[134](?=-|$))|anthropic/claude-"
    r"|google(?:-deepmind)?/gemini-"
)
#: Models whose weights are published, by their whole ids: others of a family are not.
_OPEN = (
    r"(?i)meta-llama/(?:meta-)?llama-3(?:\.1)?-(?:8|70)b(?:-instruct)?$"
    r"|meta-llama/llama-3\.3-70b-instruct$|openai/gpt-oss-\d+b$|deepseek-ai/deepseek-(?:v3|r1)$"
)
#: What is said of weights -> of which models it is wrong, what is right, and how that is called.
_WEIGHTS = {
    "open_weights": (_API_ONLY, "closed_weights", "not open"),
    "closed_weights": (_OPEN, "open_weights", "open"),
}
#: Platforms on which a maker runs no such models of others; other spellings are of its protocol.
_OWN_API = {"OpenAI": "openai", "Anthropic": "anthropic"}


def deployment_contradicts(record: RecordView) -> Iterator[Mistake]:
    """A model is not deployed as its weights allow, or its weights are not open.

    Only who has the weights can run them. Those of some families, such as GPT-4, are closed. A
    model on a local platform is not managed by others. OpenAI and Anthropic run no models of each
    other. The weights of a judge are as open as those of a model.

    Bad: `"self_deployed"` with `"closed_weights"`, by a third party
    Good: `"deployment_type": "externally_managed"`
    """
    yield from _wrong_weights(record)
    is_closed = record.availability == "closed_weights"
    is_of_others = record.relationship == "third_party"
    platform, engine = record.platform or "", record.engine or ""
    is_managed = record.deployment == "externally_managed"
    family = re.match(_API_ONLY, record.model_id or "")
    maker = family[0].partition("/")[0] if family else ""
    if _is_of_wrong_party(record):
        problem = 'is "self_deployed" by a third party, but its weights are "closed_weights"'
        yield _deployed(record, problem, "deployment", "availability")
    elif is_managed and plain(platform) in ("local", "localhost") and runs_models(engine):
        problem = 'is "externally_managed", but its platform is local, with an engine'
        yield _deployed(record, problem, "deployment", "platform")
    elif family and is_of_others and is_closed and runs_models(engine):
        problem = f"has closed weights, but the engine {cited(engine)}"
        yield _deployed(record, problem, "engine", "model_id")
    elif family and _OWN_API.get(platform, maker) != maker:
        problem = f"does not run on the platform {cited(platform)}"
        yield _deployed(record, problem, "platform", "model_id")


def _is_of_wrong_party(record: RecordView) -> bool:
    is_closed = record.availability == "closed_weights"
    is_of_others = record.relationship == "third_party"
    return is_closed and is_of_others and record.deployment == "self_deployed"


def _deployed(record: RecordView, problem: str, field: str, other: str) -> Mistake:
    name = cited(record.model_id) if other == "model_id" else "the model"
    words = {"availability": "the weights", "platform": "the platform"}.get(other, "the model")
    label = At(record.at(other)), words
    return Mistake(f"{name} {problem}", At(record.at(field)), labels=(label,))


def _wrong_weights(record: RecordView) -> Iterator[Mistake]:
    """What is said of the weights of a model or a judge that are known to be closed, or open."""
    judges = (judge for result in record.with_judges for judge in record.judges_of(result))
    for part in (record, *judges):
        model, stated = part.text("model_id") or "", part.text("availability")
        models, right, words = _WEIGHTS.get(stated or "", ("", "", ""))
        is_known = stated == "open_weights" or record.relationship == "third_party"
        if not right or not is_known or not re.match(models, model):
            continue
        if part is record and _is_of_wrong_party(record):
            continue  # one of the two is wrong
        yield Mistake(
            f'the weights of {cited(model)} are {words}, but it has "{stated}"',
            At(part.at("availability")),
            labels=((At(part.at("model_id")), "the model"),),
            helps=(Action.WRITE(f'"{right}"'),),
            fold="weights",
        )


#: Where a model runs, as an engine's name has none of.
_PLACES = frozenset(
    ("local", "localhost", "cloud", "aws", "azure", "gcp", "bedrock", "vertexai", "openrouter",
     "together", "togetherai", "fireworks", "fireworksai", "modal", "runpod", "slurm")
)  # fmt: skip


def version_of_other_program(record: RecordView) -> Iterator[Mistake]:
    """The version of a program is not only a version, or it is that of a different program.

    Two entries of a template were filled in from different runs, an engine stands for the library
    or the platform, or the version begins with the name, or is a name itself.

    Bad: `"eval_library": {"name": "lm_eval", "version": "inspect_ai==0.3.75"}`
    Good: `"eval_library": {"name": "inspect_ai", "version": "0.3.75"}`
    """
    for field in ("library", "engine"):
        name, version = record.text(field) or "", record.text(f"{field}_version") or ""
        is_program = version[:1].isalpha() and is_other_program(name, version)
        if is_program or is_name_of(version, name, record.model_id or ""):
            yield Mistake(
                f"the program is {cited(name)}, but its version is {cited(version)}",
                At(record.at(f"{field}_version")),
                labels=((At(record.at(field)), "the program"),),
                fold="program",
            )
        elif field == "library" and (own := version_after(name, version)):
            yield Mistake(
                f"the version, {cited(version)}, repeats the name",
                At(record.at(f"{field}_version")),
                labels=((At(record.at(field)), "the program"),),
                helps=(Action.WRITE(quoted(own)),),
                fold="version with name",
            )
    platform, engine, library = record.platform or "", record.engine or "", record.library or ""
    if runs_models(platform) and plain(engine) in _PLACES:
        yield Mistake(
            f"the platform, {cited(platform)}, is an engine, and the engine is {cited(engine)}",
            At(record.at("platform")),
            labels=((At(record.at("engine")), "the engine"),),
            fold="platform",
        )
    is_same = (library, record.library_version) == (engine, record.engine_version)
    is_known = record.engine_version and not is_placeholder(record.engine_version)
    # Scripts that evaluate with transformers have no other library.
    if is_same and is_known and runs_models(engine) and "transformers" not in plain(engine):
        yield Mistake(
            f"the library, {cited(library)}, is the engine that runs the model",
            At(record.at("library")),
            labels=((At(record.at("engine")), "the engine"),),
            fold="library",
        )


# Judges


def jury_weights(record: RecordView) -> Iterator[Mistake]:
    """A judge has a weight without weighted verdicts, or the reverse.

    Bad: `"aggregation_method": "weighted_average"` with a judge without `weight`
    Good: `"aggregation_method": "weighted_average"` with a `weight` for every judge
    """
    for result in record.with_judges:
        judges = list(record.judges_of(result))
        weighted = [judge.has("weight") for judge in judges]
        method = result.get("aggregation")
        if method == "weighted_average" and not all(weighted):
            yield Mistake(
                f"verdicts are weighted, but {weighted.count(False)} of {len(judges)} judges "
                "have no `weight`",
                At(judges[weighted.index(False)].pointer),
                labels=((At(result.at("aggregation")), "requires weights"),),
            )
        elif method != "weighted_average" and any(weighted):
            weight = 'write "aggregation_method": "weighted_average"'
            yield Mistake(
                "a judge has a `weight`, but the verdicts are not weighted",
                At(judges[weighted.index(True)].at("weight")),
                helps=(weight, "or, if they do not count, remove all weights")
                if all(weighted)
                else ("remove `weight`",)
                if weighted.count(True) == 1
                else ("remove all weights, or add those that are missing",),
            )


def judges_contradict(record: RecordView) -> Iterator[Mistake]:
    """A jury has a judge twice, two of one id, or weights that do not go together.

    Their prompt has a place for the answer. The scale that it asks for is that of the bounds,
    unless these are 0 and 1, or 0 and 100.

    Bad: two judges with the same `id`
    Good: one judge, or two with different settings in `additional_details`
    """
    for result in record.with_judges:
        seen: dict[str, str] = {}
        judges = list(record.judges_of(result))
        for judge, content in zip(judges, result.entries("judges"), strict=True):
            key = quoted({**mapping(content), "weight": None})
            if key in seen:
                yield Mistake(
                    "a judge is listed twice",
                    At(judge.pointer),
                    labels=((At(seen[key]), "first"),),
                    fold="judge twice",
                )
            seen.setdefault(key, judge.pointer)
        asked = {
            tuple(map(float, ends)) for ends in re.findall(_SCALE, result.text("prompt") or "")
        }
        low, high = result.low, result.high
        is_one = len(asked) == 1 and low is not None and high not in (None, 1, 100)
        if is_one and (ends := asked.pop())[0] == low and ends[1] != high:
            yield Mistake(
                f"the judges are asked for {ends[0]:g} to {ends[1]:g}, but the bounds are "
                f"{low:g} to {high:g}",
                At(result.at("high")),
                labels=((At(result.at("prompt")), "the prompt"),),
                fold="scale of the prompt",
            )
        if mistake := _no_place(result):
            yield mistake
        names: dict[str, str] = {}
        for judge in judges:
            name, identity = judge.text("model_name"), judge.text("model_id")
            if name and identity and names.setdefault(identity, name) != name:
                yield Mistake(
                    f"{cited(name)} and {cited(names[identity])} have one id, {cited(identity)}",
                    At(judge.at("model_id")),
                    fold="judges of one id",
                )
                break
        weights = [number(judge.get("weight")) for judge in judges]
        odd, why = _odd_weight(weights)
        if odd is not None:
            yield Mistake(
                f"the `weight` of a judge is {weights[odd]:g}{why}",
                At(judges[odd].at("weight")),
                caret="expected a number above 0",
                fold="weight",
            )


def _no_place(result: RecordResult) -> Mistake | None:
    """A prompt that has a label for the answer, and no place for it."""
    prompt = result.text("prompt") or ""
    slots = {slot.casefold() for slot in re.findall(r"\{\s*([A-Za-z_]\w*)\s*\}", prompt)}
    label = re.search(_EMPTY_LABEL, prompt) if slots and not re.search(_OF_FORM, prompt) else None
    if label and not any(re.search(_OF_ANSWER, slot) for slot in slots):
        return Mistake(
            f"the prompt has no place for the answer behind {cited(label[1])}",
            At(result.at("prompt")),
            fold="no place",
        )
    return None


def _odd_weight(weights: list[float | None]) -> tuple[int | None, str]:
    """The place of a weight that is none, or is a percentage among shares, and why it is odd."""
    known = [weight for weight in weights if weight is not None]
    for at, weight in enumerate(weights):
        others = [*known]
        if weight is None:
            continue
        others.remove(weight)
        if weight < 0 or not any(known):
            return at, ""
        # Two weights may be 50 and 0.5; shares are not, and sum to at most 1.
        is_share = len(others) > 1 and min(others) > 0 and max(others) < 1 and sum(others) <= 1
        if is_share and weight >= _PERCENT:
            return at, f", but the others are {' and '.join(f'{weight:g}' for weight in others)}"
    return None, ""
