"""From a record to its sample file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.reading.source import Source
from evalmark.validator.rules.of_samples import FILE_RULES
from evalmark.validator.views.record import mapping


def samples_missing(record_path: str, source: Source) -> Finding:
    """The finding for a record whose sample file is not where it says."""
    hit = Hit(
        "the sample file is not there",
        At("/detailed_evaluation_results/file_path"),
        caret="neither beside the record nor from the folder that holds `data`",
    )
    return locate(hit, FILE_RULES["samples-missing"], record_path, source)


def companion(record: Mapping[str, Any], path: str) -> str | None:
    """The sample file that a record names, if it names one as JSON lines; "" if it is not there.

    It is looked for beside the record and from the folder that holds ``data``.
    """
    link = mapping(record.get("detailed_evaluation_results"))
    name = link.get("file_path")
    if not isinstance(name, str) or not name.strip() or link.get("format") == "json":
        return None
    if path in ("-", "") or name.startswith(("http://", "https://")):
        return None
    # The path stays in the caller's terms, as the record's own does.
    folder = os.path.dirname(path)
    candidates = [os.path.join(folder, name), os.path.join(folder, os.path.basename(name))]
    above = os.path.abspath(folder)
    while (parent := os.path.dirname(above)) != above:
        if os.path.basename(above) == "data":
            candidates.append(os.path.join(parent, name))
        above = parent
    return next((c for c in candidates if os.path.isfile(c)), "")
