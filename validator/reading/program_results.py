"""Results of other programs, recognized by their keys: not checked, but read by `convert`."""

from __future__ import annotations

from collections.abc import Callable

from evalmark.validator.findings.finding import Action


def has_keys(data: object, *keys: str) -> bool:
    """True for an object with some keys."""
    return isinstance(data, dict) and data.keys() >= set(keys)


def is_lm_eval(data: object) -> bool:
    """True for results of the LM evaluation harness: since version 0.4, or before it."""
    is_old = has_keys(data, "results", "versions", "config") and not is_lighteval(data)
    if not isinstance(data, dict) or not (is_old or has_keys(data, "results", "configs")):
        return False
    return isinstance(data["results"], dict) and isinstance(data.get("config", {}), dict)


def is_inspect(data: object) -> bool:
    """True for a log of Inspect."""
    return isinstance(data, dict) and "status" in data and isinstance(data.get("eval"), dict)


def is_lighteval(data: object) -> bool:
    """True for results of lighteval."""
    return has_keys(data, "config_general", "results", "versions")


#: A test of a file, its kind, and what `convert` reads: the file, or its folder.
_FILES: tuple[tuple[Callable[[object], bool], str, str], ...] = (
    (is_lm_eval, "these results of the LM evaluation harness", "FILE"),
    (is_inspect, "this log of Inspect", "FILE"),
    (is_lighteval, "these results of lighteval", "FILE"),
    (lambda data: has_keys(data, "adapter_spec", "scenario_spec"), "this run of HELM", "FOLDER"),
    (lambda data: has_keys(data, "adapter_spec", "request_states"), "this run of HELM", "FOLDER"),
    (lambda data: has_keys(data, "doc_id", "doc", "resps"),
     "these samples and the results next to them", "results_DATE.json"),
)  # fmt: skip


def reads_results(data: object) -> str:
    """The call that reads results of another program; "" if they are not recognized."""
    for recognizes, description, argument in _FILES:
        if recognizes(data):
            text = f"`evalmark convert {argument} -o STORE` makes records of {description}"
            return Action.TERMINAL(text)
    return ""
