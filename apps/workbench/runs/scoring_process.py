"""The process that scores: what ``evalmark score`` does, with progress as lines of JSON."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import PLEASE_REPORT, EvalmarkError, failure
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.jobs import ModelJob, run_models
from evalmark.scoring.runs.run_files import own_folder, run_time
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_output import write_output
from evalmark.scoring.suites.suite_run import Scores, SuiteContests
from evalmark.validator.settings.config import load_config
from evalmark.workbench.page_check import refusal
from evalmark.workbench.runs.json_child import end_with_parent, questions, tell_parent

#: Seconds between two lines of progress.
PAUSE = 0.1


def main() -> None:
    """Score what one line asks for."""
    job = next(questions())
    end_with_parent()
    try:
        tell_parent(_scored(job))
    except (EvalmarkError, OSError) as error:
        tell_parent({"failed": refusal(error)})
    except Exception as error:
        tell_parent({"failed": f"F099 {failure(error)}; {PLEASE_REPORT}"})


def _scored(job: dict[str, Any]) -> dict[str, Any]:
    """The last line: that it is done, or why nothing was scored."""
    config = load_config()
    path, content = job["path"], job["content"]
    settings = Settings(join=job["join"])
    folder = Path(job["folder"])
    with own_folder(folder):
        contents = {} if content is None else {path: content.encode("utf-8")}
        suites = load_suites([path], join=settings.join, contents=contents)
        task = ContestTask(
            SuiteContests, suites, settings, {}, Computing(**config.score), run_time()
        )
        ((_, scores),) = run_models([ModelJob(job["model"], folder)], task, counting=_counting)
        if not isinstance(scores, Scores):
            raise scores
        if not scores.suites:
            return {"failed": "; ".join(refusal(unused.error) for unused in scores.unused)}
        write_output(
            scores,
            folder,
            source=Producer(config.organization, config.relationship),
            collection=config.collection,
            started=scores.started or task.started,
            version=config.version_of_records(None),
        )
    return {"done": True}


@contextmanager
def _counting(_: str) -> Iterator[Any]:
    """Sends what is done, and how much there is."""
    last = 0.0

    def progress(done: int, total: int | None = None, note: str = "") -> None:
        nonlocal last
        now = time.monotonic()
        if total is None or done == total or now - last >= PAUSE:
            last = now
            state = "loading" if total is None else "running"
            tell_parent({"state": state, "done": done, "total": total, "message": note})

    yield progress


if __name__ == "__main__":
    main()
