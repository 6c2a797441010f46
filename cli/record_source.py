"""Who stands behind a record, as far as the user has said."""

from __future__ import annotations

from evalmark.cli.lines import say
from evalmark.converters.records.run import Producer
from evalmark.validator.config import Config


def record_source(organization: str | None, relationship: str | None, config: Config) -> Producer:
    """The source of a record, from options or settings; what is missing is said on stderr."""
    source = Producer(organization or config.organization, relationship or config.relationship)
    if source.organization is None or source.relationship is None:
        say(
            "note: the record does not say who stands behind it: "
            "--organization and --relationship, or [tool.evalmark.record]"
        )
    return source
