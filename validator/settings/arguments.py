"""The arguments of a check, validated."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evalmark.schemas.backend import Backend, native_is_installed
from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.schemas.versions import GATES, RECORDS, SAMPLES
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.suites.suite import JOINS
from evalmark.validator.io.escaping import shown
from evalmark.validator.options.check_options import MODELS, CheckOptions
from evalmark.validator.options.pair_columns import NO_TABLES, stated_tables

_VERSIONS = tuple(
    dict.fromkeys(name for v in (*RECORDS, *SAMPLES) for name in (v.name, *v.aliases))
)
#: Profiles of `check`: the datastores whose validators it follows.
PROFILES = tuple(GATES)
#: Argument -> its values.
_KNOWN: dict[str, Collection[str]] = {
    "schema_version": _VERSIONS,
    "join": JOINS,
    "models": MODELS,
    "profile": PROFILES,
    "backend": tuple(Backend),
}


def check_options(
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
    pairs: Sequence[str] = (),
) -> CheckOptions:
    """Validate the arguments of a check; see ``Arguments``.

    Raises:
        UnknownNameError: A kind, version, joining rule, rule, profile, backend or preset of pairs
            does not exist.
        UsageError: The native backend is asked for and not installed, a kind whose package cannot
            be used, or columns of pairs that cannot be used.
    """
    if kind is not None and kind not in KINDS:
        _require_other(kind)
    for name, value in (
        ("schema_version", schema_version),
        ("join", join),
        ("models", models),
        ("profile", profile),
        ("backend", backend),
    ):
        if value is not None and value not in _KNOWN[name]:
            raise UnknownNameError(name, value, tuple(_KNOWN[name]))
    if backend == Backend.NATIVE and not native_is_installed():
        raise UsageError("the native backend needs orjson and jsonschema-rs (evalmark[fast])")
    codes = frozenset(rule_codes([select] if isinstance(select, str) else select))
    chosen = None if backend is None else Backend(backend)
    return CheckOptions(
        kind, schema_version, join, models, codes, profile, datastore, schema_only, chosen,
        pairs=stated_tables([pairs] if isinstance(pairs, str) else pairs) if pairs else NO_TABLES,
    )  # fmt: skip


def _require_other(kind: str) -> None:
    """Refuse a kind that no other package has either."""
    from evalmark.validator.formats.plugins import other_formats  # few are asked for

    others = other_formats()
    if kind in others.named:
        return
    for line in others.refused:
        if line.startswith(f"{shown(kind)} of "):
            raise UsageError(line)
    raise UnknownNameError("kind", kind, (*KINDS, *others.named))


def rule_codes(words: Iterable[str]) -> tuple[str, ...]:
    """The codes of rules given by code, name or ``ALL``; an UnknownNameError for another one."""
    codes: list[str] = []
    for word in words:
        from evalmark.validator.formats.rule_registry import (  # loads all rules
            all_rules,
            find_rules,
            retired,
        )

        matches = list(all_rules().values()) if word.upper() == "ALL" else find_rules(word)
        if not matches:
            rules = all_rules().values()
            names = dict.fromkeys(name for rule in rules for name in (rule.code, rule.name))
            listing = "evalmark explain"
            raise UnknownNameError("rule", word, tuple(names), listing, retired=retired(word))
        codes += (rule.code for rule in matches)
    return tuple(codes)
