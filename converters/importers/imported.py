"""The one shape of an import: a header, results and samples become a run.

A reader gets an ``ImportSource``, reads it through nodes, and yields ``source.run(header, results,
samples)`` for each model. Everything else is the same for all importers: what the caller supplies,
and what is counted as not carried.

- A ``Node``, such as ``source.document()``, refuses a value that is missing or of the wrong type,
  with its place. Every value has to go somewhere: ``rest`` carries the members that were not asked
  for, as texts, and ``skip`` lists what is not carried, with a reason. Ask for everything before
  ``rest``; ``seen`` looks at a member without asking for it.
- Results that are incomplete raise ``ConversionError``; anything else that is raised is a bug.
- The ``name`` of a ``Result`` is unique in its record. If datastores have other names for it, say
  them in ``evaluation`` and ``key``, and set ``is_joined`` of the header.
- ``Metric.of_table`` takes direction, kind and bounds of a metric from the table of metrics;
  ``stated`` is the direction that the program states, which comes first. Never write one by
  default: a result without a direction is left out by name, and the user can complete it.
  ``named_metric`` adds ids.
- Small files of a folder are read by ``file`` and ``lines`` of the source, large ones by
  ``elements.py`` of ``converters/sources``, which holds one element of a list in memory; zip files
  by ``archive.py``, Parquet by ``table_rows.py``. Samples are read while they are written, from the
  beginning of the file each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evalmark.converters.overrides.table_keys import UNKNOWN
from evalmark.converters.records.run import Metric, Model, Result, Run, Sample, SampleStream
from evalmark.converters.sources.documents import document, parsed_lines
from evalmark.converters.sources.placed_values import Account, Node, Piece
from evalmark.converters.sources.run_facts import moment_of, producer, supplied_text
from evalmark.converters.supplied import Supplied
from evalmark.schemas.metrics.known_metrics import metric_id

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Header:
    """The description of a run in its results: all but the scores.

    Attributes:
        collection: First part of the record's id.
        time: When it began, as the results state it: a Unix timestamp. If they do not, it is as
            the caller supplies it, or that of the commit that the results are from.
        model: What was evaluated, as the results name it.
        source: The program or benchmark that is responsible for the numbers.
        library: Software that evaluated.
        version: Its version.
        details: What is known of the run as a whole; strings.
        settings: Every choice that the numbers depend on; strings.
        is_run: Whether the source ran the model; False if it reports numbers.
        is_joined: Whether names are those of a datastore.
        identity: What the program calls this run alone, in every file that it is in.
    """

    collection: str
    time: int | None
    model: Model
    source: str
    library: str = UNKNOWN
    version: str = UNKNOWN
    details: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    is_run: bool = True
    is_joined: bool = False
    identity: str = ""


@dataclass(frozen=True, slots=True)
class ImportSource:
    """Results that are read, and what the caller supplies.

    Attributes:
        path: Their file or folder.
        data: Their parsed data; None for a folder, and for a file that is not parsed as a whole.
        supplied: What they may not state.
        left_out: What is not carried, with how many values it is; nodes add to it.
    """

    path: Path
    data: Any
    supplied: Supplied
    left_out: Account = field(default_factory=Account)

    def document(self) -> Node:
        """The parsed data."""
        size = self.path.stat().st_size if self.path.exists() else 0  # of standard input
        self.left_out.pieces.keep(self.path.name, self.data, size)
        return Node(self.data, Piece(self.path.name, left_out=self.left_out))

    def file(self, name: str, *, infinite: bool = False) -> Node:
        """The value of a small JSON or YAML file in the folder.

        With ``infinite``, ``NaN`` and ``Infinity``, which some programs write, are read as texts.

        Raises:
            ConversionError: The file is damaged; the message says where.
            OSError: The file cannot be read.
        """
        return document(self.path / name, name, self.left_out, infinite=infinite)

    def lines(self, name: str) -> Iterator[Node]:
        """The values of a file of JSON Lines in the folder; raises what ``file`` does."""
        return parsed_lines(self.path / name, name, self.left_out)

    def run(
        self,
        header: Header,
        results: Iterable[Result],
        samples: Callable[[], Iterator[Sample]] | None = None,
        *,
        left_out: Account | None = None,
        of_many: bool = False,
    ) -> Run:
        """A run with what is supplied.

        Args:
            header: What the results say of it.
            results: Its scores.
            samples: What reads its samples, from the beginning of the file each time.
            left_out: What is not carried of this run, if that is not the same for all.
            of_many: Whether the source is about several models: what is supplied then completes
                what it says of each, and does not replace it.
        """
        supplied, model = self.supplied, header.model
        moment = moment_of(supplied, header.time, self.path)
        stated = {} if not moment.retrieved else {"retrieved": moment.retrieved}
        keeps = of_many and model.developer
        developer = keeps or supplied_text(supplied, "developer", model.developer)
        return Run(
            collection=header.collection,
            time=moment.seconds,
            retrieved=moment.retrieved,
            model=replace(
                model,
                id=model.id if of_many else supplied_text(supplied, "model_id") or model.id,
                developer=developer,
            ),
            producer=producer(
                supplied,
                header.source,
                (header.library, header.version),
                is_run=header.is_run,
                details={**stated, **header.details},
            ),
            results=tuple(results),
            samples=() if samples is None else SampleStream(samples),
            settings=header.settings,
            left_out=self.left_out if left_out is None else left_out,
            is_joined=header.is_joined,
            identity=header.identity,
        )


def named_metric(
    name: str,
    program: str,
    description: str,
    *,
    stated: bool | None = None,
    also: str | None = None,
    judging: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] = _NOTHING,
    details: Mapping[str, str] = _NOTHING,
) -> Metric:
    """A metric as a program calls it, with an id and what the table of metrics says of it.

    Its direction is the one that the program states (``stated``: less is better), or else that of
    the table. It is None if neither has one: such a result is left out unless the direction is
    supplied. ``also`` is another name, which decides if the first is not in the table. Ids are
    those of Every Eval Ever's registry of metrics, or else begin with the program:
    ``helm.logprob``. ``judging`` is ``llm_scoring`` as the format has it.
    """
    metric = Metric.of_table(
        description,
        name,
        also,
        program=program,
        stated=stated,
        judging=judging,
        parameters=parameters,
        id=metric_id(name, program),
    )
    unknown = {} if metric.bounds else {"bounds_status": "unknown"}
    return metric.with_details({**details, **unknown})
