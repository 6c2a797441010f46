"""The source of a record: who publishes it."""

from __future__ import annotations

from evalmark.converters.records.run import Producer
from evalmark.validator.config import Config
from evalmark.validator.edge.lines import say


def record_source(organization: str | None, relationship: str | None, config: Config) -> Producer:
    """The source of a record, from arguments or the configuration; a note says what is missing."""
    source = Producer(organization or config.organization, relationship or config.relationship)
    if source.organization is None or source.relationship is None:
        say(
            "note: the record does not say who publishes it: set organization and relationship "
            "in [tool.evalmark.record]"
        )
    return source
