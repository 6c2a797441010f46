"""What the caller of a check wants: validated once, then passed on as one frozen value."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from evalmark.schemas.backend import Backend, native_is_installed
from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.schemas.versions import GATES, RECORDS, SAMPLES
from evalmark.validator.formats.suites.sentences import JOINS
from evalmark.validator.kinds import KINDS

if TYPE_CHECKING:  # most repositories add no rules
    from evalmark.validator.formats.hub.hub_benchmarks import Benchmarks
    from evalmark.validator.repository.own_rules import OwnRules

_VERSIONS = tuple(
    dict.fromkeys(name for v in (*RECORDS, *SAMPLES) for name in (v.name, *v.aliases))
)
#: Datastores whose validators can be imitated.
PROFILES = tuple(GATES)
#: Models that a proof about predictions is to hold for -> what the value of a region depends on
#: with them (``formats.suites.unknowns``).
MODELS = {"left-to-right": "left", "any": "whole"}
#: Argument -> its values.
_KNOWN: dict[str, Collection[str]] = {
    "kind": KINDS,
    "schema_version": _VERSIONS,
    "join": JOINS,
    "models": MODELS,
    "profile": PROFILES,
    "backend": tuple(Backend),
}


class Arguments(TypedDict, total=False):
    """The keyword arguments that every ``check_…`` function takes.

    Attributes:
        kind: What the file is (a key of ``KINDS``); detected from its content if not given.
        schema_version: Check a record or sample against this version rather than its own.
        join: How regions become sentences: ``core`` (the default), ``hf``, ``brainscore`` or
            ``none``.
        models: ``left-to-right`` (the default): also report predictions that no such model can
            decide; ``any``: only those that no model can, masked models included.
        select: Codes or names of optional rules to enable; ``ALL`` enables all of them.
        profile: ``eee``: also report what Every Eval Ever's validator would reject.
        datastore: Check a record's path against the datastore layout wherever the file lies;
            otherwise only three folders below a folder ``data``.
        schema_only: Check against the schema only: no rules, no sample file.
        backend: What parses and validates; chosen from the size of the file if not given.
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


class Asked(NamedTuple):
    """Validated ``Arguments``; ``select`` holds codes, ``own`` what the repository asks for.

    ``benchmarks`` are those that the repository knows; None if it adds none to our own.
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
    own: OwnRules | None = None
    benchmarks: Benchmarks | None = None


def asked(
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    models: str = "left-to-right",
    select: Collection[str] = (),
    profile: str | None = None,
    datastore: bool = False,
    schema_only: bool = False,
    backend: Backend | str | None = None,
) -> Asked:
    """Validate the arguments of a check; see ``Arguments``.

    Raises:
        UnknownNameError: A kind, version, joining rule, rule, profile or backend does not exist.
        UsageError: The native backend is asked for and not installed.
    """
    for what, given in (
        ("kind", kind),
        ("schema_version", schema_version),
        ("join", join),
        ("models", models),
        ("profile", profile),
        ("backend", backend),
    ):
        if given is not None and given not in _KNOWN[what]:
            raise UnknownNameError(what, given, tuple(_KNOWN[what]))
    if backend == Backend.NATIVE and not native_is_installed():
        raise UsageError("the native backend needs orjson and jsonschema-rs (evalmark[fast])")
    codes = frozenset(rule_codes([select] if isinstance(select, str) else select))
    chosen = None if backend is None else Backend(backend)
    return Asked(kind, schema_version, join, models, codes, profile, datastore, schema_only, chosen)


def rule_codes(words: Iterable[str]) -> tuple[str, ...]:
    """The codes of rules given by code or name; ``ALL`` means every rule.

    Raises:
        UnknownNameError: There is no such rule.
    """
    codes: list[str] = []
    for word in words:
        from evalmark.validator.rules.registry import RULES, find_rules  # loads all rules

        found = list(RULES.values()) if word.upper() == "ALL" else find_rules(word)
        if not found:
            names = dict.fromkeys(
                name for rule in RULES.values() for name in (rule.code, rule.name)
            )
            raise UnknownNameError("rule", word, tuple(names))
        codes += (rule.code for rule in found)
    return tuple(codes)
