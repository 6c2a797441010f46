"""The routes of the server: each is one function of the workbench, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evalmark.workbench.file_routes import FILE_ROUTES
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.request_values import RequestValues
from evalmark.workbench.runs import run_results
from evalmark.workbench.runs.item_surprisals import ModelKeeper
from evalmark.workbench.runs.scoring_runs import ScoringRequest, ScoringRuns
from evalmark.workbench.runs.served_models import known_models
from evalmark.workbench.served_folder import ServedFolder


@dataclass(frozen=True, slots=True)
class Workbench:
    """The served folder, and all that routes need to answer about it."""

    folder: ServedFolder  # the folder that is served
    browser: Browser  # what is in it
    runs: ScoringRuns  # runs of models over suites
    keeper: ModelKeeper  # the model of token surprisals

    @staticmethod
    def of(root: str) -> Workbench:
        """The workbench of a folder."""
        folder = ServedFolder(root)
        return Workbench(folder, Browser(folder), ScoringRuns(folder), ModelKeeper(folder))

    def close(self) -> None:
        """Stop what is running; runs can be resumed."""
        self.keeper.stop()
        self.runs.close()


def _models(bench: Workbench, _: RequestValues) -> Any:
    """Route GET /api/models.

    Response: `id` and `what` of each model at hand
    """
    return known_models(bench.folder)


def _start(bench: Workbench, request: RequestValues) -> Any:
    """Route POST /api/runs.

    Request: `model`, `path`, `join`; `data`, if the suite is not saved
    Response: `id`, `state` (`waiting`, `loading`, `running`, `done`, `stopped`, `failed`,
    `refused`: its file cannot be used, `message` says why), `done`, `total`, `message`, `result`
    """
    content = None
    if "data" in request:
        content = json.dumps(request.object("data"), ensure_ascii=False)
    model, path, join = (request.text(name) for name in ("model", "path", "join"))
    return bench.runs.start(ScoringRequest(model, path, join, content))


def _folder(bench: Workbench, _: RequestValues) -> Any:
    listed = bench.browser.listing()
    return {**listed, "problems": [*listed["problems"], *bench.runs.problems()]}


def _runs(bench: Workbench, _: RequestValues) -> Any:
    """Route GET /api/runs.

    Response: the runs of this server, and those that can be resumed
    """
    return bench.runs.listing()


def _state(bench: Workbench, request: RequestValues) -> Any:
    """Route GET /api/runs/{id}.

    Response: as POST /api/runs
    """
    return bench.runs.state(request.text("id"))


def _stop(bench: Workbench, request: RequestValues) -> Any:
    """Route POST /api/runs/{id}/stop.

    Response: as POST /api/runs
    """
    return bench.runs.stop(request.text("id"))


def _resume(bench: Workbench, request: RequestValues) -> Any:
    """Route POST /api/runs/{id}/resume.

    Response: as POST /api/runs
    """
    return bench.runs.resume(request.text("id"))


def _surprisals(bench: Workbench, request: RequestValues) -> Any:
    """Route POST /api/surprisals.

    Request: `model`, `item` of a suite (with `no_space_before` of its `meta`), `join`
    Response: for each condition its `tokens`: `text`, `region`, `bits`
    """
    return bench.keeper.surprisals(
        request.text("model"), request.object("item"), request.text("join")
    )


def _result(bench: Workbench, request: RequestValues) -> Any:
    """Route GET /api/result.

    Request: `path` of a run
    Response: `model`, and `suites` with `predictions` and `chart`
    """
    return run_results.result(bench.folder, request.text("path"))


def _report(bench: Workbench, request: RequestValues) -> Any:
    """Route GET /api/report.

    Request: `a`, and `b` for two runs
    Response: the page that `evalmark report` writes
    """
    names = [request.text("a"), *([request.text("b")] if "b" in request else [])]
    return run_results.report(bench.folder, names)


def _file_route(
    function: Callable[[Browser, RequestValues], Any],
) -> Callable[[Workbench, RequestValues], Any]:
    return lambda bench, request: function(bench.browser, request)


#: Method and path -> what answers.
ROUTES: dict[tuple[str, str], Callable[[Workbench, RequestValues], Any]] = {
    **{route: _file_route(function) for route, function in FILE_ROUTES.items()},
    ("GET", "/api/folder"): _folder,
    ("GET", "/api/models"): _models,
    ("GET", "/api/runs"): _runs,
    ("POST", "/api/runs"): _start,
    ("GET", "/api/runs/{id}"): _state,
    ("POST", "/api/runs/{id}/stop"): _stop,
    ("POST", "/api/runs/{id}/resume"): _resume,
    ("POST", "/api/surprisals"): _surprisals,
    ("GET", "/api/result"): _result,
    ("GET", "/api/report"): _report,
}
