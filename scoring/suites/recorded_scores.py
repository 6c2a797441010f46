"""Scoring with recorded numbers: the values of evaluated suites, or files of surprisals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from evalmark.schemas.errors import OptionsError, ScoringError
from evalmark.scoring.contest_run import Net
from evalmark.scoring.doubts import Doubts, doubts_of
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.score_settings import (
    SCORE_SETTINGS,
    UNKNOWN,
    Decides,
    Settings,
    settings_that_decide,
)
from evalmark.scoring.suites.chance import chances
from evalmark.scoring.suites.prediction_results import ItemSurprisals, judge
from evalmark.scoring.suites.suite_loading import LoadedSuite
from evalmark.scoring.suites.suite_run import ScoredSuite, Scores, judge_suite
from evalmark.scoring.suites.surprisal_files import END_TOKENS, SurprisalFile, matched
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.validator.findings.phrasing import first_of

#: Settings that cannot be known of values that another program computed.
_UNKNOWN = {
    name: UNKNOWN
    for name in settings_that_decide(Decides.TEXTS, Decides.SURPRISALS)
    if SCORE_SETTINGS[name].of_suites and not SCORE_SETTINGS[name].is_rare
}
#: Names of files that the identity of a run lists.
_NAMED = 3


def score_recorded(
    suites: Sequence[LoadedSuite],
    settings: Settings,
    *,
    surprisals: Sequence[Path] | None = None,
    model_id: str | None = None,
    keep_going: bool = False,
) -> Scores:
    """Score suites with the numbers of one model that another program computed.

    Args:
        suites: The suites. Without ``surprisals``, their regions have a ``metric_value``.
        settings: How texts are joined, and what undefined values do.
        surprisals: Files of surprisals, or folders of them. Each belongs to the suites whose
            sentences its tokens spell; where several do, the one that is named after the suite.
        model_id: The model, as ``organization/model``. By default it is the ``meta.model`` of the
            suites, or the name of the only file.
        keep_going: Whether a suite that cannot be scored is listed in ``unused`` of the result,
            and the others are scored. If not, it is an error.

    Raises:
        ScoringError: A suite has no values, nothing says which model they are of, or the settings
            need a model.
        SurprisalFileError: A file of surprisals belongs to no suite, or it cannot be told to which.
        OSError: A file cannot be read.
    """
    if settings.regions != "all":
        raise OptionsError(
            "{} 'predicted' needs a model: recorded values are there already", "regions"
        )
    for name, value in settings.changed(settings_that_decide(Decides.SURPRISALS)).items():
        shown = repr(value).replace("{", "{{").replace("}", "}}")
        why = "do not include the probability of a word's end"
        why = why if name == "boundary" else "cannot be changed"
        raise OptionsError(f"{{}} {shown} needs a model: recorded values {why}", name)
    if surprisals is None:
        return _from_values(suites, settings, model_id, Net(keep_going))
    return _from_surprisals(suites, surprisals, settings, model_id, Net(keep_going))


def evaluated_among(
    suites: Sequence[LoadedSuite], named: Collection[str]
) -> tuple[list[LoadedSuite], list[str]]:
    """The suites with values or named by the user, and other paths; a ScoringError without one."""
    evaluated = [suite for suite in suites if suite.recorded is not None or suite.path in named]
    if suites and not evaluated:
        raise ScoringError("no suite was evaluated: no region has a `metric_value`")
    kept = {suite.path for suite in evaluated}
    return evaluated, list(dict.fromkeys(s.path for s in suites if s.path not in kept))


def _from_values(
    suites: Sequence[LoadedSuite], settings: Settings, model_id: str | None, net: Net
) -> Scores:
    results = net.kept(suites, partial(_scored_values, settings=settings))
    stated = {suite.path: suite.recorded.model for suite, _ in results if suite.recorded}
    paths = [Path(path) for path in stated]
    info = ModelInfo(
        *_identity(model_id, paths, stated),
        ("recorded metric values", "1"),
        {"values": _listed(paths)},
    )
    scored = tuple(
        replace(result, recorded_in={"values": Path(suite.path).name}) for suite, result in results
    )
    choices = {"unit": UNKNOWN, **_UNKNOWN, "join_of_texts": settings.join}
    return Scores(info, settings, scored, unused=tuple(net.unused), stated=choices)


def _from_surprisals(
    suites: Sequence[LoadedSuite],
    surprisals: Sequence[Path],
    settings: Settings,
    model_id: str | None,
    net: Net,
) -> Scores:
    match = matched(suites, surprisals)

    def judged(suite: LoadedSuite) -> ScoredSuite:
        fit = match.fit_of(suite)
        scored = judge_suite(suite, fit.values, settings, vocabulary=fit.vocabulary)
        return replace(scored, recorded_in={"surprisals": fit.file.path.name}, tokens=fit.tokens)

    results = net.kept(suites, judged)
    unused = match.unused()
    if unused and not net.keeps_going:
        raise unused[0].error
    files = list({(file := match.fit_of(suite).file).path: file for suite, _ in results}.values())
    paths = [file.path for file in files]
    info = ModelInfo(
        *_identity(model_id, paths, {}),
        ("recorded surprisals", "1"),
        {"surprisals": _listed(paths)},
    )
    choices = {**_UNKNOWN, "eos": _ends(files), "join_of_texts": settings.join}
    scored = tuple(result for _, result in results)
    return Scores(info, settings, scored, unused=(*net.unused, *unused), stated=choices)


def _ends(files: Sequence[SurprisalFile]) -> str:
    with_ends = {any(s[-1].token in END_TOKENS for s in file.sentences) for file in files}
    if len(with_ends) > 1:
        return "scored with the last region where a file has it"
    return "scored with the last region" if True in with_ends else "not scored"


def _scored_values(suite: LoadedSuite, settings: Settings) -> ScoredSuite:
    values = tuple(_values(suite))
    # These are values of regions already: the sum of one value is the value.
    result = judge(
        suite.suite, suite.trees, values, metric="sum",
        undefined=settings.undefined, join=settings.join,
        rounding=Rounding(zero_is_exact=suite.suite.metric == "range"),
    )  # fmt: skip
    return ScoredSuite(
        suite, values, result, chances(suite, settings.join), "sum", doubts=_doubts(suite, values)
    )


def _doubts(suite: LoadedSuite, values: tuple[ItemSurprisals, ...]) -> Doubts:
    """The doubts about the values of regions: their tokens are not known, but their words are."""
    a_word = []
    for item, rows in zip(suite.suite.items, values, strict=True):
        for condition, row in zip(item.conditions, rows, strict=True):
            for region, of_region in zip(condition.regions, row, strict=True):
                words = len(region.content.split()) if suite.suite.metric == "sum" else 1
                a_word += [None if v is None else v / max(words, 1) for v in of_region or ()]
    return doubts_of(a_word)


def _values(suite: LoadedSuite) -> Iterator[ItemSurprisals]:
    """For each item, the values of its regions, in the place of token surprisals."""
    if suite.recorded is None:
        raise ScoringError(f"{suite.path}: no region has a `metric_value`: it was not evaluated")
    metric = suite.suite.metric
    for item, stated in zip(suite.suite.items, suite.recorded.values, strict=True):
        rows: list[list[list[float | None]]] = []
        for condition, row in zip(item.conditions, stated, strict=True):
            rows.append([])
            for region, value in zip(condition.regions, row, strict=True):
                if value is None and region.content.strip():
                    raise ScoringError(
                        f"{suite.path}: item {item.number}, {condition.name}, region "
                        f"{region.number} has no `metric_value` of {metric}"
                    )
                rows[-1].append([0.0 if value is None and metric == "sum" else value])
        yield rows


def _identity(
    model_id: str | None, paths: Sequence[Path], stated: Mapping[str, str]
) -> tuple[str, str]:
    models = {model: Path(path).name for path, model in stated.items() if model}
    if len(models) > 1:
        named = ", ".join(f"{model} ({file})" for model, file in models.items())
        raise ScoringError(f"the suites have values of different models: {named}; score each alone")
    if model_id:
        return model_id, model_id.rpartition("/")[2]
    if models and all(stated.values()):
        name = next(iter(models))
    elif len(paths) > 1:
        raise ScoringError(
            f"nothing says which model the values of all {len(paths)} files are of",
            argument="model_id",
        )
    else:
        name = paths[0].stem if paths else "unknown"
    return f"local/{name.rpartition('/')[2]}", name


def _listed(paths: Sequence[Path]) -> str:
    return first_of([path.name for path in paths], _NAMED)
