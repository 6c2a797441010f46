"""The results of a record in the outline of an editor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalmark.validator.findings.editing import Editing, OutlineEntry

RESULTS = "evaluation_results"


@dataclass(frozen=True)
class RecordEditing(Editing):
    """A record, perhaps an incomplete one."""

    data: object

    def outline(self) -> Iterator[OutlineEntry]:
        """The results, with their scores."""
        results = self.data.get(RESULTS) if isinstance(self.data, dict) else None
        for index, result in enumerate(results if isinstance(results, list) else ()):
            if isinstance(result, dict):
                details = result.get("score_details")
                score = details.get("score") if isinstance(details, dict) else None
                name = result.get("evaluation_name")
                shown = name if isinstance(name, str) and name else f"result {index + 1}"
                detail = "" if score is None else str(score)
                yield OutlineEntry(shown, f"/{RESULTS}/{index}", detail)
