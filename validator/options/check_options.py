"""The options of a check: validated once, then passed on as one frozen value."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple, TypedDict

from evalmark.schemas.backend import Backend
from evalmark.validator.options.pair_columns import NO_TABLES, PairTables

#: Models that a proof about predictions is to hold for -> what the value of a region depends on
#: with them (``formats.suites.unknowns``).
MODELS = {"left-to-right": "left", "any": "whole"}


class Arguments(TypedDict, total=False):
    """The keyword arguments that every ``check_…`` function takes.

    Attributes:
        kind: The kind of the file (a key of ``KINDS``); detected from its content if not given.
        schema_version: Check a record or sample against this version rather than its own.
        join: How regions become sentences: ``core`` (the default), ``hf``, ``brainscore`` or
            ``none``.
        models: ``left-to-right`` (the default): also report predictions that no such model can
            decide; ``any``: only those that no model can, masked models included.
        select: Codes or names of optional rules to enable; ``ALL`` enables all of them.
        profile: ``eee``: also report what Every Eval Ever's validator would reject.
        datastore: Check a record's path against the datastore layout wherever the file lies;
            otherwise only three folders below a folder ``data``.
        pairs: The columns of tables of minimal pairs, as ``--pairs`` gives them: the name of a
            preset, ``good=COLUMN``, ``bad=COLUMN`` and the like.
        schema_only: Check against the schema only: no rules, no sample file.
        backend: The backend that parses and validates; by default chosen by the size of the file.
    """

    kind: str | None
    schema_version: str | None
    join: str
    models: str
    select: Collection[str]
    profile: str | None
    datastore: bool
    schema_only: bool
    backend: str | None
    pairs: Sequence[str]


class CheckOptions(NamedTuple):
    """Validated ``Arguments``; ``select`` holds codes.

    ``pairs`` are the columns of tables of pairs that the caller or the repository declares.
    ``words`` of suites are right.
    """

    kind: str | None = None
    schema_version: str | None = None
    join: str = "core"
    models: str = "left-to-right"
    select: frozenset[str] = frozenset()
    profile: str | None = None
    datastore: bool = False
    schema_only: bool = False
    backend: Backend | None = None
    pairs: PairTables = NO_TABLES
    words: frozenset[str] = frozenset()
