"""Token surprisals of one item, from a process that keeps its model."""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock, Timer
from typing import Any

from evalmark.schemas.errors import RequestRefused, require_known
from evalmark.validator.formats.suites.suite import JOINS, NO_SPACE_BEFORE, is_spaced
from evalmark.workbench.runs.json_child import Child, exit_sentence
from evalmark.workbench.runs.served_models import model_name
from evalmark.workbench.served_folder import ServedFolder

#: Seconds after the last question until the memory of the model is given back.
IDLE = 600.0
MODULE = "evalmark.workbench.runs.model_process"
STOPPING = "the server is stopping"


class ModelKeeper:
    """One process with one model; one question at a time."""

    def __init__(self, folder: ServedFolder, *, idle: float = IDLE) -> None:
        self.idle = idle  # seconds after the last question until the process ends
        self._folder = folder
        self._lock = Lock()
        self._child: Child | None = None
        self._timer: Timer | None = None
        self._stopped = False

    def surprisals(self, model: str, item: Mapping[str, Any], join: str) -> dict[str, Any]:
        """For each condition of an item the tokens of its sentence, with surprisals in bits."""
        require_known("join", join, tuple(JOINS))
        name = model_name(self._folder, model)
        question = {"model": name, "item": item_conditions(item), "join": join}
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
            if self._stopped:
                raise RequestRefused(STOPPING, status=503)
            if self._child is None or not self._child.runs:
                self._child = Child(MODULE, self._folder.root)
            self._child.ask(question)
            answer = self._child.answer()
            if answer is None:
                code = self._end()
                if self._stopped:
                    raise RequestRefused(STOPPING, status=503)
                raise RequestRefused(f"{model} cannot be used: {exit_sentence(code)}", status=500)
            self._timer = Timer(self.idle, self.close)
            self._timer.daemon = True
            self._timer.start()
        if "error" in answer:
            raise RequestRefused(answer["error"], status=422)
        return answer

    def close(self) -> None:
        """Give the memory of the model back."""
        with self._lock:
            self._end()

    def stop(self) -> None:
        """End the process for good, also in the middle of a question."""
        self._stopped = True
        child = self._child
        if child is not None:
            child.stop()
        self.close()

    def _end(self) -> int:
        child, self._child = self._child, None
        if self._timer is not None:
            self._timer.cancel()
        return 0 if child is None else child.end()


def item_conditions(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The sentences of an item, which may be half written."""
    try:
        return [
            {
                "name": str(condition["condition_name"]),
                "numbers": [region["region_number"] for region in condition["regions"]],
                "spaced": [
                    is_spaced(region["region_number"], item.get(NO_SPACE_BEFORE))
                    for region in condition["regions"]
                ],
                "contents": [_text(region["content"]) for region in condition["regions"]],
            }
            for condition in item["conditions"]
        ]
    except (LookupError, TypeError) as error:
        raise RequestRefused("this is not the item of a suite") from error


def _text(content: object) -> str:
    if not isinstance(content, str):
        raise TypeError
    return content
