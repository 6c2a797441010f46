"""Results of the LM evaluation harness: a run for each task, or one for all, with their samples.

The harness takes the first of several equal log-likelihoods, so that a tie counts as a success if
the right answer is the first, as in all tasks of minimal pairs: samples say which ones are ties.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.importers.imported import Header, ImportSource, named_metric
from evalmark.converters.importers.model_names import maker_of
from evalmark.converters.records.run import (
    UNKNOWN,
    Answer,
    Dataset,
    Metric,
    Model,
    Result,
    Run,
    Sample,
)
from evalmark.converters.sources.documents import parsed_lines
from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.converters.sources.supplied import finite, sampling, supplied_text, texts
from evalmark.converters.step import Supplied, as_list, as_text, spaced
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.formats.pairs.pair_items import PairItem, item_of
from evalmark.validator.formats.pairs.pair_sets import SUM
from evalmark.validator.formats.shared.json_values import text

#: The metric that compares log-likelihoods as they are.
ACCURACY = "acc"
#: Names of an item that no model can get right, and of one whose answers are equally likely.
IMPOSSIBLE, EXACT_TIE = "impossible", "exact tie"
#: Keys of the metadata of a sample, as those of scores of ours have them.
OUTCOME, ROUNDED = "outcome", "decided_by_rounding"
#: The same of a minimal pair: its id in its set, if the row has another one.
PAIR_ID = "pair_id"
#: Key of the details of its data.
UID = "uid"
_HASHES = ("doc_hash", "prompt_hash", "target_hash")
_WHY = "the row has no numeric score that enters a result"
#: Members of a row that are lists, and all that a sample has in places of its own.
_LISTS = ("metrics", "resps", "filtered_resps")
_READ = (*_LISTS, "arguments", "target", "filter")
#: The sample files of all tasks, as lists call them.
_KIND = "samples_*.jsonl"


class TaskSamples:
    """The samples of a task, and its results with what the samples say of them."""

    def __init__(
        self,
        task: str,
        results: dict[tuple[str, str], Result],
        file: Path | None,
    ) -> None:
        self.task = task
        self._file = file
        # (metric, filter) -> result, with its ties, and its UID if all rows are pairs of one
        self.results = self._with_samples(results)

    def _with_samples(
        self, results: dict[tuple[str, str], Result]
    ) -> dict[tuple[str, str], Result]:
        ties = {key: Ties() for key in results}
        uids: set[str] = set()
        for node in self._rows(Account()):
            row = node.fields
            if not continuations(row):
                return results
            pair = pair_doc(row)
            uids.add(pair.item.label("uid") if pair else "")
            for metric, score in _scores(row, results):
                key = metric, _filter(row)
                ties[key].add(outcome_of(row, metric), is_right=results[key].metric.is_best(score))
        uid = uids.pop() if len(uids) == 1 else ""
        completed = {}
        for key, result in results.items():
            named = of_uid(result, uid, self.task)
            completed[key] = replace(named, details={**named.details, **ties[key].details()})
        return completed

    def _rows(self, left_out: Account) -> Iterator[Node]:
        if self._file is not None:
            name = self._file.name
            for row in parsed_lines(self._file, name, left_out, kind=_KIND, infinite=True):
                # Refuse a row whose lists are none, or whose requests are not objects.
                for key in _LISTS:
                    entries = list(row.seen(key).entries()) if row.fields.get(key) else []
                    for entry in entries if key == "metrics" else ():
                        if not isinstance(entry.value, str):
                            entry.wrong("a string")
                if row.fields.get("arguments"):
                    for _, request in row.seen("arguments").members():
                        request.names()
                yield row

    def read(self, left_out: Account) -> Iterator[Sample]:
        """A sample for each row and metric with a score; rows without one are listed."""
        for node in self._rows(left_out):
            scored = list(_scores(node.fields, self.results))
            if not scored:
                node.skip_all(why=_WHY)
                continue
            row = _Row(node, [metric for metric, _ in scored])
            for metric, score in scored:
                result = self.results[metric, row.filter]
                yield row.sample(row.doc, result, metric, score)


def _filter(row: Mapping[str, Any]) -> str:
    return str(row.get("filter", "none"))


def _scores(
    row: Mapping[str, Any], results: Mapping[tuple[str, str], Result]
) -> Iterator[tuple[str, float]]:
    for metric in row.get("metrics") or ():
        value = row.get(metric)
        score = finite(float(value) if isinstance(value, bool) else value)
        if (metric, _filter(row)) in results and score is not None:
            yield metric, score


class _Row:
    def __init__(self, node: Node, metrics: list[str]) -> None:
        self.values = row = node.fields
        self.filter = _filter(row)
        self.pair: PairDoc | None = pair_doc(row)
        self.doc = str(node.at("doc_id").value)
        self.pair_id = str(self.pair.item.identity) if self.pair else None
        row_requests = requests(row)
        self.prompt = spaced(row_requests[0].get("arg_0", "")) if row_requests else ""
        self.choices = tuple(continuations(row))
        self.answers = [spaced(answer) for answer in row.get("filtered_resps") or ()]
        self.output = tuple(spaced(p) for resp in row.get("resps") or () for p in _parts(resp))
        for key in (*_READ, *metrics):
            node.plain(key)
        others = [metric for metric in row.get("metrics") or () if metric not in metrics]
        self.metadata = texts(
            {key: node.plain(key) for key in _HASHES},
            filter=self.filter,
            filtered_resps=row.get("filtered_resps") if self._is_filtered() else None,
            doc=node.plain("doc"),
            arguments=self._arguments(row_requests),
            metrics_without_a_score=others,
            **{PAIR_ID: self.pair_id if self.pair_id != self.doc else None},
            **node.left(),
        )

    def _is_filtered(self) -> bool:
        """True if the filtered answers are not the first one of each output."""
        first = [r[0] if isinstance(r, list) and r else r for r in self.values.get("resps") or ()]
        return self.filter != "none" or self.values.get("filtered_resps") != first

    def _arguments(self, row_requests: list[Mapping[str, Any]]) -> Any:
        """The arguments that the prompt and the choices do not show."""
        is_usual = all(request.keys() <= {"arg_0", "arg_1"} for request in row_requests)
        prompts = {spaced(request.get("arg_0", "")) for request in row_requests}
        if not is_usual or len(prompts) > 1:
            return self.values.get("arguments")
        return None if self.choices else [request.get("arg_1") for request in row_requests]

    def sample(self, identity: str, result: Result, metric: str, score: float) -> Sample:
        pair = self.pair
        return Sample(
            result=result.name,
            id=identity,
            raw="\n".join(pair.texts) if pair else self.prompt,
            reference=pair.texts[:1]
            if pair
            else tuple(map(spaced, as_list(self.values.get("target")))),
            output=self.output,
            correct=None,
            score=score,
            choices=pair.texts if pair else self.choices,
            # Without a filter the answer is the whole output, and there is nothing to point at.
            answers=tuple(Answer(0, "output.raw", a, self.filter) for a in self.answers[:1])
            if self.filter != "none" and not self.choices
            else (),
            metadata={**self.metadata, **outcome_of(self.values, metric)},
            turn_count=1,
        )


def _parts(response: object) -> list[Any]:
    if isinstance(response, list):
        if response and isinstance(response[0], list):
            return response
        if all(isinstance(part, str) for part in response):
            return response
    return [response]


class PairDoc(NamedTuple):
    """A row of the harness whose document is a minimal pair, compared as whole texts."""

    item: PairItem  # the row of its set
    #: The texts as they were scored; the right one comes first. The harness's template of BLiMP
    #: puts a space before them.
    texts: tuple[str, ...]


def continuations(row: Mapping[str, Any]) -> list[str]:
    """The answers that a row chooses from; empty if it is not a choice."""
    answers = [request.get("arg_1") for request in requests(row)]
    texts = [answer for answer in answers if isinstance(answer, str)]
    return texts if len(texts) == len(answers) > 1 else []


def requests(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The requests of a row, in order."""
    arguments = row.get("arguments") or {}
    return [arguments[key] for key in sorted(arguments, key=lambda key: (len(key), key))]


def pair_doc(row: Mapping[str, Any]) -> PairDoc | None:
    """The minimal pair of a row; None if it is another task."""
    doc = row.get("doc")
    if not continuations(row) or not accepts("pairs", doc):
        return None
    item = item_of(doc, row.get("doc_id", 0))
    contests = item.contests(SUM) if item is not None and not item.set.split else ()
    if item is None or len(contests) != 1 or _gold(row) != 0:
        return None
    scored = tuple(continuations(row))
    has_prompt = any(request.get("arg_0") for request in requests(row))
    same = [text.strip() for text in scored] == [side.text.strip() for side in contests[0].sides]
    return PairDoc(item, scored) if same and not has_prompt else None


def outcome_of(row: Mapping[str, Any], metric: str) -> dict[str, str]:
    """The metadata of a choice that tells ties; empty if it cannot be known."""
    answers, gold = continuations(row), _gold(row)
    values = _likelihoods(row, len(answers)) if metric == ACCURACY else None
    if values is None or gold is None or gold not in range(len(answers)):
        return {}
    if answers.count(answers[gold]) > 1:
        return {ROUNDED: "false", OUTCOME: IMPOSSIBLE}
    best = max(values)
    if values[gold] == best and values.count(best) > 1:
        return {ROUNDED: "true", OUTCOME: EXACT_TIE}
    return {ROUNDED: "false"}


@dataclass(slots=True)
class Ties:
    """Counts of the samples of a result: ties, and right ones among the others."""

    samples: int = 0
    exact: int = 0
    impossible: int = 0
    right: int = 0

    def add(self, outcome: Mapping[str, str], *, is_right: bool) -> None:
        """Count a sample with what ``outcome_of`` says of it."""
        kind = outcome.get(OUTCOME)
        self.samples += 1
        self.exact += kind == EXACT_TIE
        self.impossible += kind == IMPOSSIBLE
        self.right += is_right and kind is None

    def details(self) -> dict[str, str]:
        """The details of the result; empty without ties."""
        if not self.exact + self.impossible:
            return {}
        return {
            "ties": str(self.exact),
            "impossible": str(self.impossible),
            "accuracy_without_ties": str(self.right / self.samples),
        }


def of_uid(result: Result, uid: str, task: str) -> Result:
    """A result as one of a UID; as it is if that is "". Datastores call the data by the task."""
    if not uid:
        return result
    dataset = replace(result.dataset, name=task, details={**result.dataset.details, UID: uid})
    method = {"method": SUM} if result.metric.name == ACCURACY else {}
    return replace(result, dataset=dataset, settings={**result.settings, **method})


def _gold(row: Mapping[str, Any]) -> int | None:
    target = row.get("target")
    if isinstance(target, str) and target.isdecimal():
        return int(target)
    return target if isinstance(target, int) and not isinstance(target, bool) else None


def _likelihoods(row: Mapping[str, Any], count: int) -> list[float] | None:
    responses = row.get("filtered_resps") or ()
    values = [v for v in map(_likelihood, responses) if v is not None]
    return values if len(values) == len(responses) == count else None


def _likelihood(response: object) -> float | None:
    """The log-likelihood of an answer; early versions write numbers, later ones texts."""
    if not isinstance(response, list) or len(response) != 2:
        return None
    value = response[0]
    try:
        return finite(float(value)) if isinstance(value, str) else finite(value)
    except ValueError:
        return None


#: The harness, as the registry of metrics calls it.
PROGRAM = "lm-evaluation-harness"
#: Aggregation -> how the harness estimates its error.
_METHODS = {
    "mean": "analytic", "acc_all": "analytic", "median": "bootstrap", "nanmean": "bootstrap",
    "matthews_corrcoef": "bootstrap", "f1_score": "bootstrap", "perplexity": "bootstrap",
    "bleu": "bootstrap", "chrf": "bootstrap", "ter": "bootstrap",
}  # fmt: skip
#: Members of the results of a task that are not scores.
_NO_SCORES = frozenset({"alias", "name", "samples", "sample_len", "sample_count", " "})
#: Data sets that are files.
_FILES = frozenset({"json", "csv", "text", "parquet", "arrow", "webdataset"})
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
#: (metric, filter) -> result.
Results = dict[tuple[str, str], Result]
#: Backends that load the weights themselves, and the software that does it.
_ENGINES = {
    "hf": "transformers", "hf-auto": "transformers", "hf-multimodal": "transformers",
    "hf-causal": "transformers", "hf-causal-experimental": "transformers",
    "hf-seq2seq": "transformers", "gpt2": "transformers",
    "steered": "transformers", "vllm": "vllm", "sglang": "sglang", "gguf": "llama.cpp",
    "mamba_ssm": "mamba_ssm", "nemo_lm": "nemo",
}  # fmt: skip
#: Backends of services.
_PLATFORMS = {
    "gpt3": "openai", "openai-completions": "openai", "openai-chat-completions": "openai",
    "anthropic": "anthropic", "anthropic-chat": "anthropic",
    "anthropic-chat-completions": "anthropic", "together": "together",
}  # fmt: skip
#: Arguments that name the model, in the order in which the harness looks for them.
_NAMES = ("pretrained", "model", "engine", "path")
#: Members of ``config`` that are details of the model.
_DETAILS = {
    "model_revision": "revision", "model_sha": "sha", "model_dtype": "dtype",
    "model_num_parameters": "num_parameters",
}  # fmt: skip
#: Members that the numbers may depend on.
_ENVIRONMENT = (
    "git_hash", "transformers_version", "system_instruction", "system_instruction_sha",
    "fewshot_as_multiturn", "chat_template", "chat_template_sha", "max_length",
)  # fmt: skip
#: Members that say something of each task.
_BY_TASK = (
    "results", "configs", "versions", "n-shot", "n-samples", "higher_is_better", "task_hashes",
    "group_subtasks",
)  # fmt: skip


def read_lm_eval(source: ImportSource) -> Iterator[Run]:
    """A run for each task and group; times come from the file, names of samples from its own name.

    Versions 0.2 and 0.3 of the harness wrote neither a date nor ``configs``, and names of metrics
    without a filter; the first ones of 0.4 wrote no date either.
    """
    log = source.document()
    date = finite(log.plain("date"))
    time = None if date is None else int(date)
    config = log.at("config", {})
    members = {key: log.at(key, {}) for key in _BY_TASK}
    with_scores: list[TaskSamples] = []
    for task in members["results"].names():
        if numbers_of(members["results"].at(task)):
            results = results_of_task(task, members, config.fields.get("bootstrap_iters"), time)
            with_scores.append(TaskSamples(task, results, _file(source.path, task)))
    if not with_scores:
        raise ConversionError("the file has no result that is a number")
    model = model_of(log, config, source.supplied)
    settings = {**texts({key: log.plain(key) for key in _ENVIRONMENT}), **config.rest()}
    header = Header(
        PROGRAM,
        time,
        model,
        PROGRAM,
        "lm_eval",
        str(log.plain("lm_eval_version") or UNKNOWN),
        _details(log, members),
        settings,
        is_joined=True,
    )
    read = {_file(source.path, of_task.task) for of_task in with_scores}
    for path in sorted({*_files(source.path)} - read):
        piece = Piece(path.name, left_out=source.left_out)
        piece.holding(path.name).skip_all(why="the results have no score for its task")
    for number, of_task in enumerate(with_scores):
        # What no task has is listed once.
        left_out = Account(source.left_out.pieces) if number else source.left_out
        yield source.run(
            replace(header, collection=of_task.task),
            of_task.results.values(),
            partial(of_task.read, left_out),
            left_out=left_out,
        )


def _files(path: Path) -> Iterator[Path]:
    if path.name.startswith("results_"):
        yield from path.parent.glob(f"samples_*{path.stem.removeprefix('results')}.jsonl")


def _file(path: Path, task: str) -> Path | None:
    if not path.name.startswith("results_"):
        return None
    name = path.name.replace("results_", f"samples_{task}_", 1)
    file = path.with_name(name).with_suffix(".jsonl")
    return file if file.is_file() else None


def _details(log: Node, members: Mapping[str, Node]) -> dict[str, str]:
    log.skip("groups", why="the same scores as in /results")
    for member in members.values():
        unread = member.left()
        if unread:
            member.skip(*unread, why="it is about a group, or a task without a score")
    return log.rest()


def model_of(log: Node, config: Node, supplied: Supplied) -> Model:
    """The model, by the name that the harness has resolved or that its arguments give."""
    backend = str(config.fields.get("model") or "")
    argument = _argument(config.fields.get("model_args"))
    name = str(log.plain("model_name") or argument or backend or "unknown")
    is_path = name.startswith(("/", ".", "~")) or "\\" in name
    last = Path(name).name
    identity = supplied_text(supplied, "model_id") or (f"local/{last}" if is_path else name)
    software, engine = _ENGINES.get(backend), None
    if software:
        version = log.fields.get("transformers_version") if software == "transformers" else ""
        engine = software, str(version or "")
    return Model(
        id=identity,
        name=last if is_path else name,
        engine=engine,
        developer=_developer(identity, is_path=is_path),
        platform=_PLATFORMS.get(backend),
        deployment="self_deployed" if software else UNKNOWN,
        details=texts(
            {new: config.plain(old) for old, new in _DETAILS.items()},
            source=log.plain("model_source"),
            stated_name=name if name != identity and not is_path else None,
            # It tells two models apart whose folders have one name; the path itself is nobody's.
            path_sha256=_sha256(name) if is_path else None,
        ),
    )


def _developer(identity: str, *, is_path: bool) -> str | None:
    has_owner = "/" in identity and not is_path
    return identity.partition("/")[0] if has_owner else maker_of(identity)


def _sha256(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _argument(arguments: object) -> str | None:
    """The name of the model among its arguments: an object, or ``pretrained=lab/model,…``."""
    if isinstance(arguments, str):
        pairs = (part.partition("=") for part in arguments.split(","))
        arguments = {key.strip(): value.strip("'\" ") for key, sign, value in pairs if sign}
    if not isinstance(arguments, dict):
        return None
    return next((str(arguments[name]) for name in _NAMES if arguments.get(name)), None)


def numbers_of(scores: Node) -> dict[str, float]:
    """``metric,filter`` and value of each score that is a number."""
    names = (n for n in scores.names() if n not in _NO_SCORES and "_stderr" not in n)
    values = {name: finite(scores.fields[name]) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def results_of_task(
    task: str, members: Mapping[str, Node], iterations: object, time: int | None
) -> Results:
    """The results of a task; what else the file says of it is in the settings of each.

    ``members`` are the parts of the file that have something for each task.
    """
    scores, config = members["results"].at(task), members["configs"].at(task, {})
    counts, higher = members["n-samples"].at(task, {}), members["higher_is_better"].at(task, {})
    values = numbers_of(scores)
    for name in values:
        scores.plain(name)
    parts = {name: name.partition(",") for name in values}
    errors = {
        name: scores.plain(f"{metric}_stderr{comma}{chosen}")
        for name, (metric, comma, chosen) in parts.items()
    }
    directions = {name: higher.plain(metric) for name, (metric, _, _) in parts.items()}
    effective = counts.plain("effective")
    count = effective if type(effective) is int else scores.fields.get("sample_len")
    dataset = _dataset(task, config, effective, counts.plain("original"))
    arguments = _arguments(config)
    entries = _metric_list(config)
    settings = {
        **_settings(task, config, members),
        **scores.rest("results."),
        **counts.rest("n-samples."),
        **higher.rest("higher_is_better."),
    }
    results = {}
    for name, score in values.items():
        metric, _, chosen = parts[name]
        filtered = "" if chosen == "none" else chosen
        entry, error = entries.get(metric) or {}, errors[name]
        is_known = error is None or finite(error) is not None
        results[metric, chosen or "none"] = Result(
            name=f"{task}/{metric}" + (f",{filtered}" if filtered else ""),
            dataset=dataset,
            metric=_metric(metric, chosen, task, entry, directions[name]),
            score=score,
            uncertainty=_uncertainty(
                finite(error), text(entry.get("aggregation")), count, iterations
            ),
            details={} if is_known else {"standard_error": as_text(error)},
            arguments=arguments,
            settings=settings,
            time=time,
            evaluation=f"{task}/{filtered}" if filtered else task,
            key=f"{metric}:{filtered}" if filtered else metric,
        )
    return results


def _metric_list(config: Node) -> dict[str | None, dict[str, Any]]:
    listed = config.seen("metric_list", [])
    entries = listed.entries() if listed.value else ()
    return {e.text("metric", None): e.fields for e in entries if isinstance(e.value, dict)}


def _metric(
    name: str, chosen: str, task: str, entry: Mapping[str, Any], direction: object
) -> Metric:
    higher = direction if isinstance(direction, bool) else entry.get("higher_is_better")
    metric = named_metric(
        name,
        PROGRAM,
        f"{name} on {task}",
        stated=not higher if isinstance(higher, bool) else None,
        details=texts(filter=chosen or None, aggregation=entry.get("aggregation")),
    )
    # Some tasks write percent where others write a share.
    of_task = known_metric(f"{task}_{name}", program=PROGRAM)
    if of_task is None:
        return metric
    return replace(metric, bounds=of_task.bounds(PROGRAM), unit=of_task.unit(PROGRAM))


def _dataset(task: str, config: Node, effective: object, original: object) -> Dataset:
    place = config.plain("dataset_path")
    on_hub = isinstance(place, str) and _HUB.fullmatch(place) and place not in _FILES
    return Dataset(
        name=task,
        repo=place if on_hub else None,
        split=text(config.fields.get("test_split") or config.fields.get("validation_split")),
        size=effective if type(effective) is int else None,
        details=texts(
            dataset_name=config.plain("dataset_name"),
            original_size=original,
            dataset_path=None if on_hub else place,
        ),
    )


def _uncertainty(
    error: float | None, aggregation: str | None, count: object, iterations: object
) -> dict[str, Any] | None:
    uncertainty: dict[str, Any] = {}
    method = _METHODS.get(aggregation or "")
    if error is not None:
        uncertainty["standard_error"] = {"value": error, **texts(method=method)}
    if type(count) is int:
        uncertainty["num_samples"] = count
    if error is not None and method == "bootstrap" and type(iterations) is int:
        # The harness takes at most 100 for the slow ones.
        slow = aggregation in ("bleu", "chrf", "ter")
        uncertainty["num_bootstrap_samples"] = min(iterations, 100) if slow else iterations
    return uncertainty or None


def _arguments(config: Node) -> dict[str, Any]:
    generation = config.at("generation_kwargs", {}).fields
    arguments = sampling(generation, "max_gen_toks", "max_tokens", "max_new_tokens")
    if isinstance(config.fields.get("doc_to_text"), str):
        arguments["prompt_template"] = config.plain("doc_to_text")
    return arguments


def _settings(task: str, config: Node, members: Mapping[str, Node]) -> dict[str, str]:
    config.again("generation_kwargs")  # not all of them have a place of their own
    if config.fields.get("task") == task:
        config.plain("task")
    stated = {}
    if (shots := members["n-shot"].plain(task)) is not None:
        configured = config.plain("num_fewshot")
        stated = {
            "num_fewshot": shots,
            "num_fewshot_configured": None if configured == shots else configured,
        }
    return {
        **config.rest(),
        **texts(
            stated,
            task_version=members["versions"].plain(task),
            task_hash=members["task_hashes"].plain(task),
            subtasks=members["group_subtasks"].plain(task),
        ),
    }
