"""The names of runs that are shown together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

#: Settings that tell runs of one model apart, in this order -> the words before their values.
SETTINGS = {
    "revision": "",
    "method": "",
    "dtype": "",
    "bos": "bos ",
    "join": "joining ",
    "boundary": "boundary ",
    "leading_space": "leading space ",
}


def names_apart(
    names: Sequence[str],
    facts: Sequence[Mapping[str, str]],
    folders: Sequence[str],
) -> list[str]:
    """Names that differ: what tells equal ones apart is in parentheses after them.

    That are the settings that differ, then the folder of a run, then its number.

    Args:
        names: The models of the runs.
        facts: What is known of each run, by name of a setting.
        folders: The name of the folder of each run; empty if it has none.
    """
    stated = [[known.get(key) and words + known[key] for known in facts]
              for key, words in SETTINGS.items()]  # fmt: skip
    numbers = list(map(str, range(1, len(names) + 1)))
    labels = [(name, "") for name in names]
    for marks in (*stated, folders, numbers):
        of_label = defaultdict(set)
        for label, mark in zip(labels, marks, strict=True):
            of_label[label].add(mark)
        labels = [
            (name, ", ".join(filter(None, (before, mark))))
            if mark and len(of_label[name, before]) > 1
            else (name, before)
            for (name, before), mark in zip(labels, marks, strict=True)
        ]
    return [f"{name} ({mark})" if mark else name for name, mark in labels]
