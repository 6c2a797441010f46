"""Rules on how answers were generated: settings, and what the command and free details repeat."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from evalmark.validator.findings.finding import Action, At, Mistake
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.detail_rules import FAILED, as_number, detail_fault
from evalmark.validator.formats.records.rules.name_matching import is_other_program, plain
from evalmark.validator.formats.records.rules.party_rules import are_two_models
from evalmark.validator.formats.records.rules.text_rules import (
    PRINTED,
    is_unfilled_template,
)
from evalmark.validator.formats.records.rules.topic_rules import are_of_other_benchmarks
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_values import mapping

#: A list of so many single letters was one text.
LETTERS = 4
#: Limits of which one that is unlike the others can be told.
LIKE = 2
#: The name of a tool has fewer words. No sample takes longer, in seconds: seven days.
WORDS, LONGEST, NONE_LONGER = 5, 604_800, 31_536_000
#: A limit that no sample of several messages has; above it, many messages mean no limit.
FEW_TOKENS = 1000
#: Tasks of a group that are run by its name.
MOST_TASKS = 99


class SettingRange(NamedTuple):
    """The values of a setting that mean something: its field, the least and greatest, words."""

    field: str
    least: float
    most: float
    words: str
    is_whole: bool = False


#: The file of a sandbox.
_OF_SANDBOX = r"(?i)\.(ya?ml|toml|json)$|(^|/)(dockerfile|containerfile)$"
#: Temperatures of providers go to 2; a score of 70 in its place is found.
HOTTEST = 5
RANGES: tuple[SettingRange, ...] = (
    SettingRange("temperature", 0, HOTTEST, "a temperature"),
    SettingRange("top_p", 0, 1, "a probability"),
    SettingRange("top_k", -1, math.inf, "a number of tokens, or -1 for all", is_whole=True),
    SettingRange("max_attempts", 1, math.inf, "a number of attempts", is_whole=True),
    SettingRange("time_limit", 1, math.inf, "a number of seconds"),
    SettingRange("message_limit", 1, math.inf, "a number of messages"),
    SettingRange("token_limit", 1, math.inf, "a number of tokens"),
)


def setting_out_of_range(record: RecordView) -> Iterator[Mistake]:
    """A setting has a value that it cannot have.

    A temperature is at least 0, `top_p` is a probability, and limits and attempts are counts. A
    temperature above 5 is another number that has slipped in. One answer has at most as many tokens
    as the whole sample may have, and a sample has fewer messages than tokens. A model has each tool
    once, feedback needs a second attempt, a template is filled in, and the file of a sandbox is its
    `config`.

    Bad: `"top_p": 95`
    Good: `"top_p": 0.95`
    """
    stated = [result for result in record.with_settings if mapping(result.arguments)]
    has_limit = False
    for _, (first, *others) in groupby(stated, attrgetter("arguments")):  # most have the same ones
        has_limit = has_limit or first.has("time_limit")
        for mistake in chain(_odd_settings(first), _no_reasoning(record, first)):
            inside = mistake.at.pointer.removeprefix(first.pointer)
            places = (f"{result.pointer}{inside}" for result in others)
            yield replace(mistake, also=(*mistake.also, *places))
    if has_limit and len(stated) > LIKE:
        yield from _unlike_limits(record)
    for result in record.with_judges:
        for judge in record.judges_of(result):
            if odd := _out_of_range(judge, RANGES[0]):
                yield odd


def _unlike_limits(record: RecordView) -> Iterator[Mistake]:
    """Time limits that are a thousand times, or more, that of all other results."""
    stated = record.with_settings
    limits = [(result, limit) for result in stated if (limit := result.number("time_limit"))]
    counts = Counter(limit for _, limit in limits).most_common(1)
    usual, times = counts[0] if counts else (0.0, 0)
    for result, limit in limits if LIKE <= times == len(limits) - 1 else ():
        if limit in (usual * 1e3, usual * 1e6, usual * 1e9):
            yield Mistake(
                f"`time_limit` is {limit:g}, where others have {usual:g}: it is in seconds",
                At(result.at("time_limit")),
                helps=(Action.WRITE(f"{usual:g}"),),
                fold="limit in milliseconds",
            )


#: Models that always reason, by their names.
_REASONS = (
    r"(?i)(?!.*(?:non?|without|disabled?|off|zero|critical)[- ]?thinking)"
    r"(?:.*-thinking(?:-\d{4})?|.*deepseek-r1(?:-0528)?|qwq-32b)"
)


def _no_reasoning(record: RecordView, result: RecordResult) -> Iterator[Mistake]:
    label = (record.model_id or "").rpartition("/")[2]
    if result.get("reasoning") is False and re.fullmatch(_REASONS, label):
        yield Mistake(
            f"`reasoning` is false, but {cited(record.model_id)} always reasons",
            At(result.at("reasoning")),
            labels=((At(record.at("model_id")), "the model"),),
            fold="no reasoning",
        )


#: Settings that most results have no others than, and the ranges of these.
_USUAL = frozenset({"temperature", "top_p", "top_k", "max_tokens", "reasoning"})
_USUAL_RANGES = tuple(each for each in RANGES if each.field in _USUAL)


def _odd_settings(result: RecordResult) -> Iterator[Mistake]:
    is_usual = mapping(result.arguments).keys() <= _USUAL
    exchanged = _exchanged(result)
    if exchanged:
        yield exchanged
    for setting in _USUAL_RANGES if is_usual else RANGES:
        is_of_exchanged = exchanged is not None and setting.field in ("top_p", "top_k")
        if not is_of_exchanged and (mistake := _out_of_range(result, setting)):
            yield mistake
    if is_usual:
        return
    for mistake_of in (
        _answer_above_limit,
        _feedback_on_one_attempt,
        _file_as_type,
        _printed_template,
        _split_step,
        _repeated_tool,
        _exchanged_tools,
        _messages_above_tokens,
        _limit_in_milliseconds,
    ):
        if mistake := mistake_of(result):
            yield mistake


def _exchanged(result: RecordResult) -> Mistake | None:
    top_p, top_k = result.number("top_p"), result.number("top_k")
    if top_p is None or top_k is None or not 0 < top_k < 1 < top_p == int(top_p):
        return None
    return Mistake(
        f"`top_p` is {top_p:g} and `top_k` is {top_k:g}, which are each other's values",
        At(result.at("top_p")),
        labels=((At(result.at("top_k")), "`top_k`"),),
        helps=(f'write "top_p": {top_k:g}, "top_k": {top_p:g}',),
        fold=f"exchanged {top_p} {top_k}",
    )


def _answer_above_limit(result: RecordResult) -> Mistake | None:
    answer, limit = result.number("max_tokens"), result.number("token_limit")
    if answer is None or limit is None or not 1 <= limit < answer:
        return None
    if (result.number("message_limit") or 0) > limit:
        return None  # reported as that
    return Mistake(
        f"`max_tokens` is {answer:g}, but the limit of the whole sample is {limit:g}",
        At(result.at("max_tokens")),
        labels=((At(result.at("token_limit")), "of the sample"),),
        fold=f"tokens {answer} {limit}",
    )


def _feedback_on_one_attempt(result: RecordResult) -> Mistake | None:
    if not result.text("feedback") or result.number("max_attempts") != 1:
        return None
    return Mistake(
        "there is feedback on a wrong attempt, but only one attempt",
        At(result.at("max_attempts")),
        labels=((At(result.at("feedback")), "the feedback"),),
        fold="feedback",
    )


def _file_as_type(result: RecordResult) -> Mistake | None:
    """A sandbox whose type is a file, and whose file is none."""
    sandbox, config = result.text("sandbox"), result.text("sandbox_config")
    if not sandbox or not config or not re.search(_OF_SANDBOX, sandbox):
        return None
    if re.search(_OF_SANDBOX, config):
        return None
    return Mistake(
        f"the type of the sandbox is {cited(sandbox)}, which is a file",
        At(result.at("sandbox")),
        labels=((At(result.at("sandbox_config")), "the file"),),
        helps=(f'write "type": {quoted(config)}, "config": {quoted(sandbox)}',),
        fold="sandbox",
    )


def _printed_template(result: RecordResult) -> Mistake | None:
    template = result.text("template")
    if template is None:
        return None
    is_printed = re.fullmatch(PRINTED, template.strip()) and template.strip() != "{}"
    if not is_printed and not is_unfilled_template(template):
        return None
    why = "a program printed an object" if is_printed else "it is not filled in"
    return Mistake(
        f"{cited(template)} is not a template: {why}",
        At(result.at("template")),
        fold="template",
    )


def _split_step(result: RecordResult) -> Mistake | None:
    steps = result.entries("steps")
    if len(steps) < LETTERS or not all(isinstance(step, str) and len(step) == 1 for step in steps):
        return None
    return Mistake(
        "a step is split into its letters",
        At(result.at("steps")),
        helps=(Action.WRITE(quoted(["".join(steps)])),),
        fold="steps in letters",
    )


def _exchanged_tools(result: RecordResult) -> Mistake | None:
    """Tools that have sentences as their names, and words as their descriptions."""
    tools = [mapping(tool) for tool in result.entries("tools")]
    texts = [(str(tool.get("name") or ""), str(tool.get("description") or "")) for tool in tools]
    odd = [at for at, (name, text) in enumerate(texts) if text and " " not in text.strip()]
    if not odd or any(len(texts[at][0].split()) < WORDS for at in odd):
        return None
    name, text = texts[odd[0]]
    return Mistake(
        f"a tool has the name {cited(name)} and the description {cited(text)}, which are each "
        "other's",
        At(f"{result.at('tools')}/{odd[0]}/name"),
        labels=((At(f"{result.at('tools')}/{odd[0]}/description"), "the description"),),
        helps=(f'write "name": {quoted(text)}, "description": {quoted(name)}',),
        also=tuple(f"{result.at('tools')}/{at}/name" for at in odd[1:]),
        fold="tools exchanged",
    )


def _messages_above_tokens(result: RecordResult) -> Mistake | None:
    messages, tokens = result.number("message_limit"), result.number("token_limit")
    if messages is None or tokens is None or not 1 <= tokens < min(messages, FEW_TOKENS):
        return None
    return Mistake(
        f"`message_limit` is {messages:g}, more than `token_limit`, {tokens:g}",
        At(result.at("message_limit")),
        labels=((At(result.at("token_limit")), "the tokens"),),
        fold=f"messages {messages} {tokens}",
    )


def _limit_in_milliseconds(result: RecordResult) -> Mistake | None:
    limit = result.number("time_limit")
    if limit is None or limit <= LONGEST or limit % 1000:
        return None
    is_of_days = limit % 86_400 == 0 and limit <= NONE_LONGER
    if is_of_days or f"{limit:.0f}".strip("0") == "1":
        return None  # 30 days, or a number for no limit
    return Mistake(
        f"`time_limit` is {limit:g} seconds, which is {limit / 86_400:.0f} days",
        At(result.at("time_limit")),
        helps=(f"if it is in milliseconds, write {limit / 1000:g}",),
        fold=f"limit {limit}",
    )


def _repeated_tool(result: RecordResult) -> Mistake | None:
    tools = [quoted(tool) for tool in result.entries("tools")]
    twice = next((tool for tool, times in Counter(tools).items() if times > 1), None)
    if twice is None:
        return None
    second = tools.index(twice, tools.index(twice) + 1)
    return Mistake(
        "a tool is listed twice",
        At(f"{result.at('tools')}/{second}"),
        helps=("remove this entry",),
        fold="tool twice",
    )


def _out_of_range(part: Fields, setting: SettingRange) -> Mistake | None:
    value = part.number(setting.field)
    if value is None:
        return None
    is_whole = not setting.is_whole or value == int(value)
    if setting.least <= value <= setting.most and is_whole:
        return None
    most = " or more" if setting.most == math.inf else f" to {setting.most:g}"
    is_percent = setting.field == "top_p" and 1 < value <= 100
    return Mistake(
        f"`{part.key(setting.field)}` is {value:g}, which is not {setting.words}",
        At(part.at(setting.field)),
        caret=f"expected {setting.least:g}{most}",
        helps=(f"if it is a percentage, write {value / 100:g}",) if is_percent else (),
        fold=f"{setting.field} {value}",
    )


# What is said twice

#: Options of a command that name the model, besides ``pretrained=`` among its arguments.
_MODEL_OPTIONS = ("model_name", "model_path", "model")
#: The value of an option that a script was to fill in.
_UNFILLED = (
    r"(?:(?:--(?:tasks?|output_path)[ =](?=\{)|(?:--model[ =]|\bpretrained=)"
    r"(?:(?:vllm|hf|sglang)/)?)(\{[A-Za-z_][\w.]*\}|<(?:model(?:_name|_id)?|your-model|name)>|%s))"
    r"(?![\w./-])"
)
#: The program that a command runs, and what makes it several commands.
_RUNS = r"(?:\S*/)?(lm[_-]eval|inspect(?= eval)|helm(?=-run)|lighteval|opencompass)(?:-run)?(?!\S)"
_SEVERAL = r"[;&\n]|\|(?!\w)"  # tasks of Lighteval have lines in them: leaderboard|mmlu|5
#: What Lighteval runs without Inspect.
_ALONE = r"lighteval (?:accelerate|nanotron|sglang|vllm) "
#: Tasks whose number of examples no option changes, and words for a group.
_FIXED = re.compile(r"(?i)truthful|ifeval|human_?eval|mbpp|cot|zero|chat|gen|leaderboard|openllm")
#: Settings of a plan that are those of the model, if it has no steps that do more than ask.
_OF_PLAN, _ASKING = ("temperature", "top_p"), ("generate", "system_message", "prompt_template")
_HIGH = "high"  # harnesses have others for all models
#: A repository of a hub, but no path of a folder that runs are usually in.
_ON_HUB = r"(?!(?:\.{1,2}|models?|checkpoints?|ckpts?|outputs?|runs?|results|data)/)[\w.-]+/[\w.-]+"
_WITH_ENGINE = rf"(?:hf|vllm|sglang)/({_ON_HUB})"
_IN_ARGUMENTS = (
    r"(?:^|,)(pretrained|model|model_name|temperature|top_p|top_k|max_tokens|max_new_tokens"
    r"|max_gen_toks)=([^,]+)"
)
#: Settings that a command or free details may repeat.
_SETTINGS = ("temperature", "top_p", "top_k", "max_tokens", "max_attempts")
#: What programs call the same settings, besides with hyphens.
_CALLED = {"max_tokens": ("max_new_tokens", "max_gen_toks"), "temperature": ("temp",)}
#: Keys of settings for the number of examples in a prompt, and how a description says it.
_SHOTS = {"num_fewshot", "n_fewshot", "num_shots", "n_shots", "n_shot", "shots", "fewshot"}
_OF_SHOTS = r"(?i)\b(\d+)[- ]?shots?\b"

#: Keys of free settings that may contradict a field.
_REPEATED = frozenset({*_SETTINGS, *_SHOTS, "reasoning_effort"})


def command_contradicts(record: RecordView) -> Iterator[Mistake]:
    """The command of an evaluation contradicts the record of it.

    A command that was pasted from another run names another model or program, sets another
    temperature, or ran fewer samples than the record counts. One that a script made has no
    `{model}` left.

    Bad: `"execution_command": "lm_eval --limit 10 …"`, and `"num_samples": 1000`
    Good: the command that ran
    """
    found: dict[str, list[Mistake]] = {}  # results of one run have one command
    for mistake in _of_commands(record):
        found.setdefault(mistake.fold, []).append(mistake)
    for first, *others in found.values():
        yield replace(first, also=tuple(other.at.pointer for other in others))


def _of_commands(record: RecordView) -> Iterator[Mistake]:
    names = {result.name for result in record.results if result.name is not None}
    parsed: dict[str, Mapping[str, str]] = {}
    for result in record.with_settings:
        command = result.text("command") if result.arguments else None
        if command is None:
            continue
        if command not in parsed:
            parsed[command] = _options(command)
        if place := re.search(_UNFILLED, command):
            yield _commanded(result, f"has {cited(place[1])}, which a script did not fill in")
        program = None if re.search(_SEVERAL, command) else re.match(_RUNS, command)
        if program and _is_other_library(record.library or "", program[1], command):
            yield _commanded(result, f"runs {program[1]}, and the library is {record.library}")
        yield from _command_faults(record, result, parsed[command], names)


def _is_other_library(library: str, program: str, command: str) -> bool:
    """True if a command runs another program than the library, and not from inside of it."""
    is_alone = re.match(_ALONE, command) and plain(library) in ("inspect", "inspectai")
    return bool(is_alone) or is_other_program(library, program)


def _options(command: str) -> Mapping[str, str]:
    """What a command sets: options without their hyphens, and the arguments in them."""
    import shlex  # few records have a command

    try:
        words = shlex.split(command)
    except ValueError:
        return {}
    options: dict[str, str] = {}
    for word, after in pairwise([*words, ""]):
        name, equals, value = word.partition("=")
        if name.startswith("--"):
            options.setdefault(name[2:].replace("-", "_"), value if equals else after)
        for key, text in re.findall(_IN_ARGUMENTS, word if not word.startswith("--") else value):
            options.setdefault("pretrained" if key in ("model", "model_name") else key, text)
    return options


def _command_faults(
    record: RecordView, result: RecordResult, options: Mapping[str, str], names: Collection[str]
) -> Iterator[Mistake]:
    """What a command says otherwise; ``names`` are those of all results."""
    if other := _other_model(record, options):
        yield _commanded(
            result, f"runs {cited(other)}, but the record is of {cited(record.model_id)}"
        )
    for field in _SETTINGS:
        n, stated = _option(options, field, *_CALLED.get(field, ())), result.number(field)
        if stated is not None and n is not None and stated != n:
            yield _commanded(result, f"sets {field} to {n:g}", field, f"{stated:g} here")
    if (n := _option(options, "num_fewshot")) is not None:
        yield from _other_examples(result, options, n)
    limit, scored = _option(options, "limit"), result.number("num_samples")
    if limit is not None and scored is not None and _is_above_limit(scored, limit):
        yield _commanded(result, f"runs {limit:g} samples", "num_samples", f"{scored:g} here")
    task = options.get("tasks", "")
    if are_of_other_benchmarks(record.results, task):
        yield _commanded(result, f"runs {cited(task)}, which is no result of the record")
    if task != result.name and task in names and not re.search("[, ]", task):
        yield _commanded(result, f"runs {cited(task)}, which is a different result")


def _other_examples(
    result: RecordResult, options: Mapping[str, str], n: float
) -> Iterator[Mistake]:
    """A command gives another number of examples than the result says."""
    shots = re.findall(_OF_SHOTS, result.description or "")
    if len(shots) == 1 and float(shots[0]) != n:
        yield _commanded(result, f"gives {n:g} examples", "description", f"{shots[0]} here")
    # LM Eval ignores the option for tasks that are made without examples.
    stated = as_number(mapping(result.more_settings).get("num_fewshot"))
    is_said = re.search(rf"\b{stated:g}\b", result.description or "") if stated else None
    if stated and n != stated and not is_said and _is_own_task(result, options):
        yield _commanded(result, f"gives {n:g} examples", "more_settings", f"{stated:g} here")


def _is_own_task(result: RecordResult, options: Mapping[str, str]) -> bool:
    """True if a command runs the one task of a result, which takes as many examples as it says."""
    task = options.get("tasks", "")
    names = [plain(name) for name in (result.name, result.dataset) if name]
    return plain(task) in names and not _FIXED.search(task)


def _other_model(record: RecordView, options: Mapping[str, str]) -> str:
    """The model of a hub that a command runs and a record does not name; else nothing."""
    models = [options[name] for name in ("pretrained", *_MODEL_OPTIONS) if name in options]
    hub = [name for name in models if re.fullmatch(_ON_HUB, name)]
    if hub or not models or not (local := re.fullmatch(_WITH_ENGINE, models[0])):
        return hub[0] if hub and not any(_is_named(record, name) for name in models) else ""
    # Its engine may have the model in another form: a part of the name, or a quantized one.
    if re.search("(?i)checkpoint|ckpt|run|exp|step", local[1]):
        return ""  # a folder
    is_other = are_two_models(local[1].rpartition("/")[2], record.model_id or "")
    return local[1] if is_other and not _is_named(record, local[1]) else ""


def _commanded(result: RecordResult, problem: str, field: str = "", words: str = "") -> Mistake:
    """The finding for a command that says otherwise, and the field that it contradicts."""
    return Mistake(
        f"the command {problem}",
        At(result.at("command")),
        labels=((At(result.at(field)), words),) if field else (),
        fold=f"{problem} {words}",
    )


def _option(options: Mapping[str, str], *names: str) -> float | None:
    return next((as_number(options[name]) for name in names if name in options), None)


def _is_above_limit(scored: float, limit: float) -> bool:
    """True if more samples were scored than a command runs; its limit is one of each task."""
    is_of_tasks = limit >= 1 and scored % limit == 0 and scored / limit <= MOST_TASKS
    return 1 <= limit < scored and not is_of_tasks


def _is_named(record: RecordView, name: str) -> bool:
    """True if a record names a model, whoever has it and however it is written."""
    tail = plain(name.rpartition("/")[2])
    stated = [record.model_id, record.model_name, *mapping(record.get("about_model")).values()]
    return any(isinstance(text, str) and tail in plain(text) for text in stated)


def details_contradict(record: RecordView) -> Iterator[Mistake]:
    """A free key repeats a field with another value.

    `additional_details` of the settings may have further settings, as may the plan of an
    evaluation, and `details` of a score counts of its answers. One that the format has a field for
    has the value of the field. The number of examples is that of the name or the description, a
    mean, a count or a percentage in the details is that of the score, tokens add up, a run that
    failed has no score, and no time is negative.

    Bad: `"temperature": 0.7`, and `"additional_details": {"temperature": "0.0"}`
    Good: the setting in its field alone
    """
    for result in record.with_settings:
        settings = mapping(result.more_settings)
        if plan := _plan_of_model(result):
            yield from _other_settings(result, "plan", plan, _OF_PLAN)
        if settings.keys().isdisjoint(_REPEATED):
            continue
        yield from _other_settings(result, "more_settings", settings, _SETTINGS)
        effort = str(settings.get("reasoning_effort") or "").casefold()
        if effort == _HIGH and result.get("reasoning") is False:
            yield Mistake(
                f"`reasoning` is false, but `reasoning_effort` is {cited(effort)}",
                At(result.at("reasoning")),
                labels=((At(f"{result.at('more_settings')}/reasoning_effort"), "the effort"),),
                fold="effort",
            )
        if mistake := _other_shots(result, settings):
            yield mistake
    faults = [(fault, result) for result in record.with_details if (fault := detail_fault(result))]
    yield from _of_no_scores(record, [fault for fault, r in faults if _is_on_zero(fault, r)])
    yield from (fault for fault, result in faults if not _is_on_zero(fault, result))


def _is_on_zero(fault: Mistake, result: RecordResult) -> bool:
    is_of_score = result.score == 0 and fault.at.pointer == result.at("score")
    return is_of_score and fault.fold != FAILED


def _of_no_scores(record: RecordView, faults: list[Mistake]) -> Iterator[Mistake]:
    """What is found of scores of 0: once, if all of the record are, as if none was filled in."""
    if len(faults) < 2 or any(result.score != 0 for result in record.results):
        yield from faults
        return
    first, *others = faults
    yield replace(
        first,
        message=f"all {len(record.results)} scores are 0, but the details have others",
        notes=(first.message,),
        helps=(),
        also=tuple(fault.at.pointer for fault in others),
    )


def _plan_of_model(result: RecordResult) -> Mapping[str, Any]:
    """The settings of a plan that only asks the model; that of an agent has its own model."""
    plan = mapping(result.get("plan")) if result.arguments else {}
    steps = result.entries("steps")
    is_one = steps.count("generate") == 1 and all(step in _ASKING for step in steps)
    return plan if is_one else {}


def _other_settings(
    result: RecordResult, place: str, settings: Mapping[str, Any], fields: Collection[str]
) -> Iterator[Mistake]:
    """Settings in the details, or in a plan, that are not those of the fields."""
    words = "plan" if place == "plan" else "details"
    for field in [field for field in fields if field in settings]:
        stated, free = result.number(field), as_number(settings.get(field))
        if stated is not None and free is not None and stated != free:
            yield Mistake(
                f"`{field}` is {free:g} in the {words}, but {stated:g} in the settings",
                At(f"{result.at(place)}/{field}"),
                labels=((At(result.at(field)), "the setting"),),
                fold=f"{field} {free} {stated}",
            )


def _other_shots(result: RecordResult, settings: Mapping[str, Any]) -> Mistake | None:
    keys = [key for key in settings if key in _SHOTS]
    stated_shots = (
        {*re.findall(_OF_SHOTS, f"{result.name} {result.description}")} if keys else set()
    )
    for key in keys if len(stated_shots) == 1 else ():
        (shots,) = stated_shots
        number = as_number(settings[key])
        if number is not None and number != float(shots):
            return Mistake(
                f"`{key}` is {number:g}, and the evaluation is called {shots}-shot",
                At(f"{result.at('more_settings')}/{key}"),
                fold="shots",
            )
    return None
