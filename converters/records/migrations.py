"""The steps between neighbouring versions of records and samples, in one table.

Each step ends by writing the label of its version. A version that only adds optional fields needs
no entry; one that renames a field needs ``Migration(renamed("/pointer/to/field", "new_name"))``.
To an older version there is one step from each newer one, so that a refusal lists all that would be
lost; ``downgrade.py`` finds that by comparing the schemas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, pairwise

from evalmark.converters.records import migrate_records
from evalmark.converters.records.coerce import Notes, fit, rename_key, right_maps
from evalmark.converters.records.downgrade import to_older, without_nulls
from evalmark.converters.records.open_bounds import bounded
from evalmark.converters.step import Data, Object, Step, Stepped, Supplied, with_counts
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import RECORDS, SAMPLES, Version


@dataclass(frozen=True, slots=True)
class Migration:
    """The change between two versions."""

    #: Takes a copy of a record or row, which it may change, and returns the new one.
    change: Callable[[Object, Supplied, Notes], Object]
    needs: str = ""  # what must be supplied if the file lacks it


def renamed(pointer: str, new: str) -> Callable[[Object, Supplied, Notes], Object]:
    """The change of a version that only renames a field; ``*`` in the pointer is any index."""
    *parents, old = pointer.strip("/").split("/")

    def change(data: Object, _: Supplied, __: Notes) -> Object:
        holders: list[Data] = [data]
        for name in parents:
            inner = (h if name == "*" else [h.get(name)] for h in holders)
            holders = [h for children in inner for h in children if isinstance(h, dict | list)]
        for holder in holders:
            rename_key(holder, old, new)
        return data

    return change


#: Old version -> what changes up to the next one.
RECORD_MIGRATIONS = {
    "0.0.1": Migration(migrate_records.from_0_0_1, "/model_info/id, if it has none"),
    "0.1.0": Migration(migrate_records.from_0_1_0, "dataset_name, for lists of URLs"),
    "0.2.0": Migration(migrate_records.from_0_2_0, '/eval_library, else "unknown"'),
    "0.2.2": Migration(
        migrate_records.from_0_2_2,
        'deployment_type and model_availability, else "unknown"; a place for samples',
    ),
}
SAMPLE_MIGRATIONS = {"0.2.0": Migration(migrate_records.row_from_0_2_0)}


#: The oldest version that newer ones can become.
OLDEST = "0.2.0"
_LOSES = "nothing: it is refused if the older version cannot hold all of it"


def _steps(versions: tuple[Version, ...], migrations: dict[str, Migration]) -> Iterator[Step]:
    for old, new in pairwise(versions):
        migration = migrations.get(old.name, Migration(lambda data, _, __: data))
        run = partial(_migrated, migration=migration, target=new)
        yield Step(old.schema, new.schema, run, migration.needs)
    names = [version.name for version in versions]
    for old, new in combinations(versions[names.index(OLDEST) :], 2):
        run = partial(_migrated, migration=Migration(to_older(new, old)), target=old)
        yield Step(new.schema, old.schema, run, loses=_LOSES)


def _migrated(data: Data, supplied: Supplied, migration: Migration, target: Version) -> Stepped:
    notes = Notes()
    schema = bundle(target.schema)
    copied = right_maps(data, schema, schema)
    new = migration.change(copied, supplied, notes)
    first = {} if "schema_version" in new else {"schema_version": target.label}
    return Stepped({**first, **new, "schema_version": target.label}, with_counts(notes))


def repaired(data: Data, version: Version) -> Data:
    """A record or row with the values that its steps repair and note."""
    schema = bundle(version.schema)
    fitted = fit(right_maps(data, schema, schema), schema, schema)
    fitted = without_nulls(fitted, schema, schema)
    return bounded(fitted, lambda *_: 0) if version in RECORDS else fitted


#: Every step between versions.
MIGRATIONS: tuple[Step, ...] = (
    *_steps(RECORDS, RECORD_MIGRATIONS),
    *_steps(SAMPLES, SAMPLE_MIGRATIONS),
)
