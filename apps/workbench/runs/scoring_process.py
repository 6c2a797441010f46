"""The process that scores: what ``evalmark score`` does, with progress as lines of JSON."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import PLEASE_REPORT, EvalmarkError, failure
from evalmark.scoring.model_jobs import ModelJob, run_models
from evalmark.scoring.runs.run_files import own_folder
from evalmark.scoring.score_call import ScoreCall
from evalmark.scoring.score_options import ScoreOptions
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
    path, content = job["path"], job["content"]
    contents = {} if content is None else {path: content.encode("utf-8")}
    options = ScoreOptions(paths=[path], model=[job["model"]], join=job["join"])
    folder = Path(job["folder"])
    with own_folder(folder):
        call = ScoreCall.of(options, load_config(), contents)
        task = call.task(call.load())
        ((_, scores),) = run_models([ModelJob(job["model"], folder)], task, counting=_counting)
        if isinstance(scores, Exception):
            raise scores
        if not call.content.names(scores):
            return {"failed": "; ".join(refusal(unused.error) for unused in scores.unused)}
        run = call.run_of(scores, call.content, task.started)
        call.write(run, folder, is_complete=not scores.unused)
    return {"done": True}


@contextmanager
def _counting(_: str) -> Iterator[Any]:
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
