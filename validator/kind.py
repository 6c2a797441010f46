"""What depends on the kind of a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Kind(NamedTuple):
    """A kind of file, and everything that depends on it.

    Functions and rules are named ``module:name`` below ``evalmark.validator`` and loaded when they
    are needed.

    Attributes:
        name: As in ``--kind`` and in reports.
        looks: What a file of this kind looks like, in words.
        family: The first letters of the codes of its rules.
        signs: Sets of keys; an object that has all keys of a set is of this kind.
        common_signs: Further sets, of keys that many other files have too: `could_be_ours` does not
            look for them.
        has_no_other_keys: It is of this kind only if it has no further keys.
        holds: What must be true of the object as well.
        ending: The end of the paths of its files; `could_be_ours` looks for it.
        is_versioned: Whether ``schemas.versions`` has versions of it.
        is_relabelled: Whether a wrong version is one finding, and not one for each difference.
        view: Makes what its rules see of a document.
        rules: Its rules.
        rows: Checks a file with one of them on each line.
        in_lists: Checks a JSON list of them, or one of them in a JSON file.
        in_tables: Whether ``rows`` also checks a table (CSV, TSV) with one of them in each row.
        meant: Finds what keys mean that are nearly those of a row; ``missing`` is what they lack.
        compared: Takes in what other files of a call are compared with.
        together: Compares what the files of a call have taken in, and may look at all of them.
        shapes: Says what to write for values of another shape.
        has_identity: Whether two files of one call must not have the same evaluation id, or name.
        has_companions: Whether a file can name a sample file, which is checked with it.
        has_place: Whether a datastore has a place for it, and Every Eval Ever a gate.
        configures_runs: Whether ``evalmark converse`` runs what it describes.
    """

    name: str
    looks: str
    family: str
    signs: tuple[frozenset[str], ...]
    common_signs: tuple[frozenset[str], ...] = ()
    has_no_other_keys: bool = False
    holds: Callable[[dict[str, Any]], bool] | None = None
    ending: str = ""
    is_versioned: bool = False
    is_relabelled: bool = False
    view: str = ""
    rules: str = ""
    rows: str = ""
    in_lists: str = ""
    in_tables: bool = False
    meant: str = ""
    compared: str = ""
    together: str = ""
    shapes: str = ""
    has_identity: bool = False
    has_companions: bool = False
    has_place: bool = False
    configures_runs: bool = False

    def fits(self, data: dict[str, Any]) -> bool:
        """Whether an object is of this kind, as far as its keys tell."""
        keys = data.keys()
        for every in (self.signs, self.common_signs):
            for signs in every:
                if signs <= keys and (not self.has_no_other_keys or signs == keys):
                    return self.holds is None or self.holds(data)
        return False
