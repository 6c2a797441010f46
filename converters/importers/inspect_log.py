"""Logs of Inspect (UK AISI), written as JSON or as ``.eval``: a run with its results and samples.

There is a sample for each score that a result was made of.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from evalmark.converters.importers.imported import Header, ImportSource, named_metric
from evalmark.converters.importers.model_names import maker_of
from evalmark.converters.records.builders import axes_of, model_info
from evalmark.converters.records.run import (
    UNKNOWN,
    Answer,
    Dataset,
    Model,
    Result,
    Run,
    Sample,
    Turn,
)
from evalmark.converters.sources.archive import Archive, open_archive
from evalmark.converters.sources.documents import parsed
from evalmark.converters.sources.elements import elements
from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.converters.sources.supplied import finite, sampling, texts
from evalmark.converters.step import as_list
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.formats.shared.json_values import mapping

#: Letters that Inspect's scorers give, and what they are worth.
_VALUES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_TRANSCRIPT = ("events", "events_data")
_ATTACHMENT = "attachment://"
_MORE_TOKENS = ("input_tokens_cache_write", "input_tokens_cache_read", "reasoning_tokens")


@dataclass(frozen=True, slots=True)
class Scored:
    """The result that samples of a scorer count towards, and the method that extracts answers."""

    result: str
    method: str


Results = Mapping[tuple[str, str], Scored]


def read_samples(
    nodes: Iterator[Node], results: Results, model: str, epochs: int
) -> Iterator[Sample]:
    """The samples of each sample of the log: one for each scorer whose score is a number.

    A score that is an object has one for each of its numbers with a result of its own.
    """
    for node in nodes:
        scores = dict(node.at("scores", {}).members())
        values = {scorer: list(_values(score, results, scorer)) for scorer, score in scores.items()}
        if not any(values.values()):
            node.skip_all(why="the sample has no numeric score that enters a result")
            continue
        node.skip(*_TRANSCRIPT, why="the transcript of the sample")
        node.skip("attachments", why="long texts of the transcript; those of messages are carried")
        shared = _Shared(node, model, epochs)
        for scorer, score in scores.items():
            for value, about in values[scorer]:
                yield _sample(shared, score, value, about)
            if not values[scorer]:
                score.skip_all(why="its value is not a number that counts towards a result")


def _values(score: Node, results: Results, scorer: str) -> Iterator[tuple[float, Scored]]:
    value = score.plain("value")
    for key, part in value.items() if isinstance(value, dict) else [("", value)]:
        number = _value(part)
        if (scorer, key) in results and number is not None:
            yield number, results[scorer, key]


class _Shared:
    def __init__(self, node: Node, model: str, epochs: int) -> None:
        self.node = node
        self.stored = mapping(node.fields.get("attachments"))
        messages = list(node.each("messages", []))
        self.turns = tuple(self.turn(message) for message in messages)
        self.talks = sum(turn.role == "assistant" for turn in self.turns) > 1 or any(
            turn.role == "tool" for turn in self.turns
        )
        output = node.at("output", {})
        choices = list(output.each("choices", []))
        message = choices[0].at("message", {}) if choices else None
        content = message.plain("content") if message else None
        self.completion = self.text(content)
        self.reasoning = _reasoning(content)
        stop = choices[0].plain("stop_reason") if choices else None
        self.stopped = {} if stop is None else {"stop_reason": str(stop)}
        self.usage, self.more_usage = _usage(node, model)
        self.seconds = output.number("time", None)
        self.epoch = node.whole("epoch", 1)
        identity = node.at("id")
        self.id = str(identity.value) if epochs <= 1 else f"{identity.value}#{self.epoch}"
        self.raw = self.question(node.plain("input"))
        self.reference = _references(node.plain("target"))
        self.choices = tuple(str(choice.value) for choice in node.each("choices", []))
        error = node.at("error", None)
        self.error = error.text("message", "") if isinstance(error.value, dict) else None
        self.metadata = {
            **texts(node.at("metadata", {}).fields),
            **self.stopped,
            **self._more(messages, output, choices, error, epochs),
        }

    def _more(
        self, messages: list[Node], output: Node, choices: list[Node], error: Node, epochs: int
    ) -> dict[str, str]:
        question = self.node.fields.get("input")
        self._carry_answer(messages, output, choices)
        turns = [m.left() if self.talks else m.value for m in messages]
        return texts(
            input=question if isinstance(question, list) else None,
            messages=turns if any(turns) else None,
            output=output.left(),
            output_choices=[*filter(None, (choice.left() for choice in choices))],
            error=error.left() if isinstance(error.value, dict) else None,
            epoch=self.epoch if epochs > 1 or self.epoch != 1 else None,
            **self.node.left(),
        )

    def _carry_answer(self, messages: list[Node], output: Node, choices: list[Node]) -> None:
        """Ask for the parts of the output that the messages do not have, and for no others."""
        last = messages[-1].value if messages else None
        if choices and choices[0].fields.get("message") != last:
            choices[0].again("message")
        if self.talks:
            output.again("time")
        if choices and output.fields.get("completion") == self.completion:
            output.plain("completion")

    def turn(self, message: Node) -> Turn:
        made = list(message.each("tool_calls", []))
        calls = tuple(self._call(call) for call in made)
        if any(call.left() for call in made):
            message.again("tool_calls")
        content = message.plain("content")
        role = message.text("role")
        if isinstance(content, list):  # parts, of which the text is a turn's content
            message.again("content")
        called = message.text("tool_call_id", None)
        return Turn(role, self.text(content), calls, called, "\n".join(_reasoning(content)) or None)

    def _call(self, call: Node) -> dict[str, Any]:
        return {
            "id": call.text("id"),
            "name": call.text("function"),
            "arguments": call.at("arguments", {}).fields,
        }

    def text(self, content: object) -> str | None:
        if isinstance(content, list):
            parts = [p.get("text") or "" for p in content if isinstance(p, dict)]
            content = "\n".join(str(part) for part in parts if part)
        if isinstance(content, str) and content.startswith(_ATTACHMENT):
            attachment = self.stored.get(content.removeprefix(_ATTACHMENT))
            return attachment if isinstance(attachment, str) else content
        return content if isinstance(content, str) else None

    def question(self, question: object) -> str:
        if isinstance(question, list):
            contents = (m.get("content") for m in question if isinstance(m, dict))
            return "\n".join(self.text(content) or "" for content in contents)
        return self.text(question) or ""


def _reasoning(content: object) -> tuple[str, ...]:
    entries = content if isinstance(content, list) else ()
    parts = (entry.get("reasoning") for entry in entries if isinstance(entry, dict))
    return tuple(part for part in parts if isinstance(part, str) and part)


def _usage(node: Node, model: str) -> tuple[tuple[int, int, int] | None, dict[str, int]]:
    """Input, output and total tokens of all requests to the model, and others by their names."""
    usage = mapping(node.fields.get("model_usage")).get(model)
    if not isinstance(usage, dict):
        return None, {}
    counts = [usage.get(f"{kind}_tokens") for kind in ("input", "output", "total")]
    numbers = [count for count in counts if type(count) is int]
    more = {key: usage[key] for key in _MORE_TOKENS if type(usage.get(key)) is int}
    return ((numbers[0], numbers[1], numbers[2]), more) if len(numbers) == 3 else (None, {})


def _sample(shared: _Shared, score: Node, value: float, about: Scored) -> Sample:
    answer = score.plain("answer")
    answers: tuple[Answer, ...] = ()
    if isinstance(answer, str) and answer:
        turns = enumerate(shared.turns)
        turn = max((i for i, t in turns if t.role == "assistant"), default=0)
        place = f"messages[{turn}].content" if shared.talks else "output.raw"
        answers = (Answer(turn if shared.talks else 0, place, answer, about.method),)
    seconds = shared.seconds
    carried = {"explanation", "value", "answer"}
    return Sample(
        result=about.result,
        id=shared.id,
        raw=shared.raw,
        reference=shared.reference,
        output=() if shared.talks else (shared.completion or "",),
        correct=value == 1,
        score=value,
        turns=shared.turns if shared.talks else (),
        answers=answers,
        choices=shared.choices,
        usage=shared.usage,
        milliseconds=None if seconds is None or shared.talks else 1000 * seconds,
        error=shared.error,
        turn_count=None if shared.talks else 1,
        more_usage=shared.more_usage,
        reasoning=() if shared.talks else shared.reasoning,
        metadata={
            **shared.metadata,
            **texts(
                explanation=score.plain("explanation"),
                value=score.plain("value"),
                score={k: v for k, v in score.fields.items() if k not in carried},
            ),
        },
    )


def _references(target: object) -> tuple[str, ...]:
    return () if target in (None, "") else tuple(map(str, as_list(target)))


def _value(value: object) -> float | None:
    if isinstance(value, str):
        return _VALUES.get(value)
    return float(value) if isinstance(value, bool) else finite(value)


#: Inspect, as datastores call it.
PROGRAM = "inspect_ai"
LIMITS = ("time_limit", "message_limit", "token_limit")
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
_SPREAD = frozenset({"stderr", "std", "var", "bootstrap_stderr", "bootstrap_std"})
#: Metrics that say how the values of a scorer are put together, not what they measure.
_AGGREGATES = frozenset({"mean", "median", "min", "max", "nanmean"})
#: Steps of a plan whose template is the prompt.
_PROMPTING = frozenset({"prompt_template", "multiple_choice"})
#: Scorers, and scores within them, whose samples count towards a result.
Keys = tuple[tuple[str, str], ...]
#: Providers that serve the models of their own makers, and what datastores call the makers.
_MAKERS = {
    "openai": "openai", "anthropic": "anthropic", "google": "google", "mistral": "mistralai",
    "grok": "xai-org", "perplexity": "perplexity",
}  # fmt: skip
#: Providers that run weights where the evaluation runs, and the software that does it.
_ENGINES = {
    "hf": "transformers", "vllm": "vllm", "sglang": "sglang", "ollama": "ollama",
    "llama-cpp-python": "llama.cpp", "transformer_lens": "transformer_lens",
}  # fmt: skip
#: Ways to a maker's models that are not part of a model's name.
_SERVICES = frozenset({"azure", "bedrock", "vertex"})
#: Fields that identify a run or describe it.
_ABOUT = (
    "eval_id", "eval_set_id", "run_id", "task_id", "created", "task_display_name", "task_file",
    "task_registry_name", "tags", "metadata",
)  # fmt: skip
#: Fields whose values together identify one run.
_IDS = ("run_id", "task_id", "model", "created")
_JOURNAL = "_journal/"
_REDUCTIONS = "reductions.json"
_SUMMARIES = "summaries.json"
_REDUCED = "they follow from the scores of the samples"
_SUMMED = "the header and the samples say it"


def read_inspect(source: ImportSource) -> Iterator[Run]:
    """Yield the run of a JSON log; a large log (``source.data`` is None) is read in pieces."""
    if source.data is None:
        yield _read_large(source)
        return
    log = source.document()
    samples = log.plain("samples") or []

    def read() -> Iterator[Node]:
        origin = Piece(source.path.name, at="/samples", left_out=source.left_out)
        return Node(samples, origin).entries()

    yield _run(source, log, read)


def _read_large(source: ImportSource) -> Run:
    """The run of a log whose samples are read one by one, twice: what follows them is needed."""
    path, left_out = source.path, source.left_out
    others: dict[str, Node] = {}
    for _ in elements(path, "samples", Account(), others):
        pass
    members = {key: node.value for key, node in others.items()}
    log = Node(members, Piece(path.name, left_out=left_out))
    return _run(source, log, lambda: elements(path, "samples", left_out, {}))


def read_inspect_archive(source: ImportSource) -> Iterator[Run]:
    """The run of a log that is written as a zip file: ``.eval``."""
    path, left_out = source.path, source.left_out
    with open_archive(path) as archive:
        if "header.json" not in archive.names:
            raise ConversionError(f"{path.name}: no header.json: the evaluation has not ended")
        log = parsed(archive.read("header.json"), "header.json", left_out)
        ordered = _sample_members(archive)
        for member in archive.names:
            is_journal = member.startswith(_JOURNAL) and member.endswith(".json")
            if is_journal or member in (_REDUCTIONS, _SUMMARIES):
                read = parsed(archive.read(member), member, left_out)
                file = f"{_JOURNAL}*" if is_journal else member
                read.skip_all(why=_REDUCED if member == _REDUCTIONS else _SUMMED, file=file)

    def read_all() -> Iterator[Node]:
        with open_archive(path) as archive:
            for member in ordered:
                yield parsed(archive.read(member), member, left_out, kind="samples/*.json")

    yield _run(source, log, read_all)


def _sample_members(archive: Archive) -> list[str]:
    """The members that are samples, in the order that they have when Inspect writes JSON."""
    members = [n for n in archive.names if n.startswith("samples/") and n.endswith(".json")]
    places: dict[str, tuple[int, str]] = {}
    if _SUMMARIES in archive.names:
        for entry in parsed(archive.read(_SUMMARIES), _SUMMARIES, Account()).entries():
            identity, epoch = entry.at("id").value, entry.whole("epoch", 1)
            key = identity if isinstance(identity, str) else str(identity).zfill(20)
            places[f"samples/{identity}_epoch_{epoch}.json"] = (epoch, key)
    return sorted(members, key=lambda name: places.get(name, (1 << 60, "")))


def _run(source: ImportSource, log: Node, samples: Callable[[], Iterator[Node]]) -> Run:
    """The run of a log; all times come from it."""
    status = log.text("status")
    if status != "success":
        raise ConversionError(f"the evaluation ended as {status}: its scores are incomplete")
    header = log.at("eval")
    time = _time(log, header)
    results = list(results_of_log(log, time))
    if not results:
        raise ConversionError("the log has no score")
    # Samples count towards the first result of their scorer, or of the score within it.
    scored = {
        key: Scored(r.name, r.key.rpartition(":")[0])
        for keys, r in reversed(results)
        for key in keys
    }
    packages = header.at("packages", {}).fields
    model = header.text("model")
    log.skip("reductions", why=_REDUCED)
    ids = [header.fields.get(key) for key in _IDS]
    about = _about(log, header)
    epochs = header.at("config", {}).whole("epochs", 1)
    return source.run(
        Header(
            results[0][1].dataset.name,
            time,
            model_of(model, _answering_model(samples())),
            PROGRAM,
            PROGRAM,
            str(packages.get("inspect_ai") or UNKNOWN),
            about,
            _settings(log, header),
            is_joined=True,
            identity=" ".join(map(str, ids)) if all(ids) else "",
        ),
        (result for _, result in results),
        lambda: read_samples(samples(), scored, model, epochs),
    )


def _time(log: Node, header: Node) -> int:
    """The start of the evaluation, else the creation of the log."""
    created = header.at("created")
    started = log.at("stats", {}).at("started_at", None)
    stated = started if started.value else created
    try:
        return int(datetime.fromisoformat(stated.value).timestamp())
    except (TypeError, ValueError):
        stated.wrong("a time as ISO 8601 writes it")


def _answering_model(samples: Iterator[Node]) -> str | None:
    """The model that has answered first: a name may stand for the newest of several."""
    for sample in samples:
        model = sample.at("output", {}).at("model", None).value
        return model if isinstance(model, str) else None
    return None


def _about(log: Node, header: Node) -> dict[str, str]:
    """Ids and costs of the run: the numbers do not depend on them."""
    results = log.at("results", {})
    results.plain("scores")
    named = {f"eval.{key}": header.plain(key) for key in _ABOUT}
    for key in ("eval", "plan", "samples", "reductions", "status"):
        log.plain(key)
    return {
        **texts(named),
        **log.at("stats", {}).rest("stats."),
        **results.rest("results."),
        **log.rest("log."),
    }


def _settings(log: Node, header: Node) -> dict[str, str]:
    config = header.at("config", {})
    for key in LIMITS:
        if type(config.fields.get(key)) is int:
            config.plain(key)  # is in eval_limits
    plan = log.at("plan", {})
    for key in ("name", "steps", "config"):
        plan.plain(key)
    packages = header.plain("packages")
    header.plain("dataset")  # is in the source data
    return {**header.rest(), **config.rest(), **texts(packages=packages), **plan.rest("plan.")}


class _About(NamedTuple):
    task: str  # its name, without that of its package
    evaluation: str  # what datastores call it
    stated: dict[str, str]  # what the log says of the data
    repo: str | None  # its repository on the hub, if it is one, and the samples that were used
    ids: tuple[str, ...]
    arguments: dict[str, Any]
    time: int


def results_of_log(log: Node, time: int) -> Iterator[tuple[Keys, Result]]:
    """Each result, with the scorers and scores within them whose samples count towards it."""
    header, results = log.at("eval"), log.at("results", {})
    completed = results.plain("completed_samples")
    dataset = header.at("dataset", {})
    place = dataset.fields.get("location") or dataset.fields.get("name")
    repo = place if isinstance(place, str) and _HUB.fullmatch(place) else None
    ids = dataset.fields.get("sample_ids") if repo else None
    if isinstance(ids, list):
        dataset.plain("sample_ids")
    task = header.text("task").rpartition("/")[2]
    about = _About(
        task=task,
        evaluation=str(header.fields.get("task_display_name") or task),
        stated=dataset.rest(),
        repo=repo,
        ids=tuple(map(str, ids)) if isinstance(ids, list) else (),
        arguments=_arguments(log, header),
        time=time,
    )
    for score in results.each("scores", []):
        yield from _of_scorer(score, completed, header, about)


def _of_scorer(
    score: Node, completed: object, header: Node, about: _About
) -> Iterator[tuple[Keys, Result]]:
    name = score.text("name")
    scorer = score.text("scorer", name)
    count = score.plain("scored_samples") or completed
    unscored = score.plain("unscored_samples")
    params = score.plain("params")
    metrics = dict(score.at("metrics", {}).members())
    values = _scores_of(metrics)
    spread = {key: metrics[key] for key in metrics.keys() & _SPREAD - values.keys()}
    shared = {
        **score.rest(),
        **texts(scorer=score.plain("scorer"), params=params, unscored_samples=unscored or None),
    }
    for key, value in values.items():
        more = {k: v for k, v in metrics[key].fields.items() if k != "value"}
        yield (
            ((scorer, ""), (scorer, name)),
            Result(
                name=f"{about.task}/{name}/{key}",
                dataset=_dataset(about, count),
                metric=named_metric(
                    key,
                    PROGRAM,
                    f"{key} of the scorer {name} on {about.task}",
                    also=_metric_in_name(name, scorer) if key in _AGGREGATES else None,
                    judging=judging_of(scorer, params, header),
                    details=texts(shared, metric=more),
                ),
                score=value,
                uncertainty=_uncertainty(spread, count),
                details=texts({k: node.value for k, node in sorted(spread.items())}),
                arguments=about.arguments,
                time=about.time,
                evaluation=about.evaluation,
                key=f"{name}:{key}",
            ),
        )


def _metric_in_name(*names: str) -> str | None:
    """The metric that a score or its scorer is named for, without a package; None if neither is."""
    own = (name.rpartition("/")[2] for name in names)
    return next((name for name in own if known_metric(name, program=PROGRAM)), None)


def _scores_of(metrics: Mapping[str, Node]) -> dict[str, float]:
    """The metrics that are scores; one that tells the spread is a score if there is no other."""
    numbers = {key: finite(node.plain("value")) for key, node in metrics.items()}
    values = {key: value for key, value in numbers.items() if value is not None}
    return {key: values[key] for key in values if key not in _SPREAD} or values


def _uncertainty(spread: Mapping[str, Node], count: object) -> dict[str, Any] | None:
    """The analytic error of the mean, or else that by bootstrap; and the deviation."""
    values = {key: finite(node.plain("value")) for key, node in spread.items()}
    uncertainty: dict[str, Any] = {}
    for key, method in (("stderr", "analytic"), ("bootstrap_stderr", "bootstrap")):
        if values.get(key) is not None and not uncertainty:
            uncertainty["standard_error"] = {"value": values[key], "method": method}
    if values.get("std") is not None:
        uncertainty["standard_deviation"] = values["std"]
    if isinstance(count, int) and count:
        uncertainty["num_samples"] = count
    return uncertainty or None


def _dataset(about: _About, count: object) -> Dataset:
    stated, repo = about.stated, about.repo
    # Names of files say little: such a task is known by its own.
    is_a_file = bool(stated.get("location")) and not repo
    name = None if is_a_file else stated.get("name", "").rpartition("/")[2]
    carried = {"location", "samples"}
    if stated.get("name") in (name, repo):
        carried.add("name")
    return Dataset(
        name=name or about.task,
        repo=repo,
        size=count if isinstance(count, int) else None,
        details=texts(
            {key: value for key, value in stated.items() if key not in carried},
            samples_in_all=stated.get("samples"),
            location=None if repo else stated.get("location") or stated.get("name"),
        ),
        sample_ids=about.ids,
    )


def _arguments(log: Node, header: Node) -> dict[str, Any]:
    plan = log.seen("plan", {})
    stated = plan.seen("config", {}).fields
    generation = {**header.seen("model_generate_config", {}).fields, **stated}
    arguments = sampling(generation, "max_tokens")
    if generation.get("reasoning_effort") not in (None, "", "none") or generation.get(
        "reasoning_tokens"
    ):
        arguments["reasoning"] = True
    entries = list(plan.each("steps", []))
    steps = [step for step in entries if isinstance(step.value, dict)]
    templates = (_param(step, "template", _PROMPTING) for step in steps)
    if template := next((text for text in templates if text and isinstance(text, str)), None):
        arguments["prompt_template"] = template
    if tools := [tool for step in steps for tool in _tools(step)]:
        arguments["agentic_eval_config"] = {"available_tools": tools}
    if entries:
        arguments["eval_plan"] = {
            "name": str(plan.fields.get("name", "plan")),
            "steps": [json.dumps(step.value, ensure_ascii=False) for step in entries],
            "config": texts(stated),
        }
    config = header.seen("config", {}).fields
    limits = {key: config[key] for key in LIMITS if type(config.get(key)) is int}
    if limits:
        arguments["eval_limits"] = limits
    return arguments


def _param(step: Node, name: str, solvers: Collection[str]) -> Any:
    is_one = step.text("solver", None) in solvers
    return mapping(step.plain("params")).get(name) if is_one else None


def _tools(step: Node) -> Iterator[dict[str, Any]]:
    waiting = [_param(step, "tools", {"use_tools"})]
    while waiting:
        entry = waiting.pop(0)
        if isinstance(entry, list):
            waiting = [*entry, *waiting]
        elif isinstance(entry, dict) and isinstance(entry.get("name"), str):
            tool: dict[str, Any] = {"name": entry["name"]}
            if isinstance(entry.get("description"), str):
                tool["description"] = entry["description"]
            if isinstance(entry.get("params"), dict) and entry["params"]:
                tool["parameters"] = texts(entry["params"])
            yield tool


def model_of(name: str, resolved: str | None = None) -> Model:
    """The model that Inspect calls so: ``provider/model``, or ``provider/service/model``.

    ``resolved`` is the model that has answered: ``gpt-4o-mini`` stands for the newest of several.
    """
    provider, service, parts = _parts_of(name)
    parts = _answering(parts, resolved, provider)
    maker = _MAKERS.get(provider) or (parts[0] if len(parts) > 1 else maker_of(parts[-1]))
    parts = parts if maker is None else [maker, *parts[-1:]]
    return Model(
        id="/".join(parts),
        name=parts[-1],
        engine=(_ENGINES[provider], "") if provider in _ENGINES else None,
        developer=maker,
        platform=service or (provider if provider and provider not in _ENGINES else None),
        deployment="self_deployed"
        if provider in _ENGINES
        else "externally_managed"
        if provider in _MAKERS
        else UNKNOWN,
        details={"inspect_model": name},
    )


def _parts_of(name: str) -> tuple[str, str | None, list[str]]:
    provider, _, rest = name.partition("/")
    if not rest:
        return "", None, [name]
    parts = rest.split("/")
    service = next((part for part in parts if part in _SERVICES), None)
    return provider, service, [part for part in parts if part not in _SERVICES]


def _answering(parts: list[str], resolved: str | None, provider: str) -> list[str]:
    if not resolved or resolved.startswith(("/", ".", "~")):
        return parts
    names = resolved.removeprefix(f"{provider}/").split("/")
    return names if len(names) >= len(parts) else [*parts[: len(parts) - len(names)], *names]


def judging_of(scorer: str, params: object, header: Node) -> dict[str, Any] | None:
    """``llm_scoring`` of a scorer that lets a model grade; None for others.

    Scorers of Inspect have a ``model`` and a ``template``, many others a ``grader_model``.
    """
    params = mapping(params)
    role = mapping(header.fields.get("model_roles")).get("grader")
    grades = scorer.startswith("model_graded")
    stated = (params.get("model") if grades else None) or params.get("grader_model")
    if not grades and stated is None:
        return None
    # Without a grader of its own, Inspect lets the evaluated model grade itself.
    stated = stated or role or header.text("model")
    judges = [_judge(entry) for entry in as_list(stated)]
    default = "the default template of inspect_ai" if grades else "not stated by the log"
    prompt = params.get("template") or params.get("grader_template") or default
    judging: dict[str, Any] = {"judges": judges, "input_prompt": str(prompt)}
    if len(judges) > 1:
        judging["aggregation_method"] = "majority_vote"
    return judging


def _judge(stated: object) -> dict[str, Any]:
    """A judge, which is stated as a name, or as an object with its configuration."""
    entry = stated if isinstance(stated, dict) else {"model": stated}
    model = model_of(str(entry.get("model") or "unknown"))
    judge: dict[str, Any] = {"model_info": model_info(model, axes_of(model))}
    temperature = mapping(entry.get("config")).get("temperature")
    if type(temperature) in (int, float):
        judge["temperature"] = temperature
    return judge
