"""The versions of records and samples: the one table of them.

A new version is an entry at the end of its tuple and a schema file. Everything that depends on a
version asks this table; nothing compares version strings.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple


class Version(NamedTuple):
    """A version of a format."""

    kind: str  # ``record`` or ``sample``
    name: str
    changed: tuple[str, ...]  # since the version before it, a line for each
    prefix: str = ""  # the text before the name in `schema_version` of files
    aliases: tuple[str, ...] = ()  # other names of the same constraints
    is_written: bool = False  # evalmark writes its own results in this version
    is_ambiguous: bool = False  # writers used the name for several layouts, so a label says little

    @property
    def schema(self) -> str:
        """The name of its schema, and of the format in conversions."""
        return f"{self.kind}-{self.name}"

    @property
    def file(self) -> str:
        """The file of its schema."""
        return f"{self.schema}.schema.json"

    @property
    def label(self) -> str:
        """The text of `schema_version` in a file of this version."""
        return f"{self.prefix}{self.name}"


#: The text before the version in sample files up to 0.2.2; it tells them from records.
SAMPLE_PREFIX = "instance_level_eval_"

#: Versions of records, oldest first; the last one is current.
RECORDS: tuple[Version, ...] = (
    Version("record", "0.0.1", ("the first: five writers used it for five layouts",),
            is_ambiguous=True),
    Version("record", "0.1.0", (
        "`evaluation_source` becomes `source_name` and `source_type` of `source_metadata`",
    )),
    Version("record", "0.2.0", (
        "`source_data` moves from the record to its results, and has a `source_type`",
        "`detailed_evaluation_results_per_samples` becomes a link to a sample file",
        "`model_info.inference_engine` becomes an object",
        "new: `evaluation_timestamp`, `llm_scoring`, `uncertainty`, the members of generation_args",
    ), is_written=True),
    Version("record", "0.2.1", (
        "`eval_library` is required",
        "free-form objects hold only strings",
        "`generation_args` has no other keys than the listed ones",
    )),
    Version("record", "0.2.2", ("new: `evaluation_result_id` and the names of metrics",)),
    Version("record", "0.3.0", (
        "`deployment_type` and `model_availability` are required of models",
        "a score without `score_type` needs no level names",
        "a bound may be null, or \"Infinity\"",
        "samples are JSON lines at a fixed path below `data`",
    ), aliases=("0.2.3",), is_written=True),
)  # fmt: skip

#: Versions of the rows of sample files, oldest first; the last one is current.
SAMPLES: tuple[Version, ...] = (
    Version("sample", "0.2.0", ("the first that was released",),
            prefix=SAMPLE_PREFIX, is_written=True),
    Version("sample", "0.2.1", (
        "`interactions` is renamed to `messages`",
        "texts that could be one string are lists of strings",
        "no other keys than the listed ones",
    ), prefix=SAMPLE_PREFIX),
    Version("sample", "0.2.2", ("new: `evaluation_result_id`",), prefix=SAMPLE_PREFIX),
    Version("sample", "0.3.0", ("the label loses its prefix",),
            aliases=("0.2.3",), is_written=True),
)  # fmt: skip

#: The format of evaluation records, which have a place in a datastore, and samples.
RECORD = "record"
#: Kind -> its versions, oldest first; other formats have one each.
VERSIONS: dict[str, tuple[Version, ...]] = {RECORD: RECORDS, "sample": SAMPLES}

#: The version of records that evalmark writes unless asked for another one.
DEFAULT_WRITTEN = "0.2.0"
#: Profile of a leaderboard -> the version of records that its validator, the gate, reads.
GATES: dict[str, str] = {"eee": "0.3.0"}


def names(kind: str) -> tuple[str, ...]:
    """The names of the versions of a kind, oldest first."""
    return tuple(version.name for version in VERSIONS[kind])


def written(kind: str) -> tuple[str, ...]:
    """The names of the versions of a kind that evalmark writes, oldest first."""
    return tuple(version.name for version in VERSIONS[kind] if version.is_written)


def current(kind: str) -> Version:
    """The newest version of a kind."""
    return VERSIONS[kind][-1]


def find(kind: str, name: str | None) -> Version | None:
    """The version of a kind with this name or alias."""
    return _by_name(kind).get(name)


def named_by(kind: str, label: str) -> str:
    """The name of the version that a `schema_version` means; without its prefix if unknown."""
    name = label.removeprefix(VERSIONS[kind][0].prefix)
    version = find(kind, name)
    return version.name if version else name


@cache
def _by_name(kind: str) -> dict[str | None, Version]:
    versions = VERSIONS.get(kind, ())
    return {name: version for version in versions for name in (version.name, *version.aliases)}
