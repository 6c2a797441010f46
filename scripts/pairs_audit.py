"""Findings in published minimal pairs: the tables of docs/published-pairs.md.

    python -m scripts.pairs_audit FOLDER            print them
    python -m scripts.pairs_audit FOLDER --write    write them into the page

FOLDER has the files of ``SETS`` below it. The first table counts findings in these files. For the
second one, a mistake is planted in a pair of a paradigm of BLiMP, and it is counted how often this
pair is then reported. Texts of the sets are in neither.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.scoring.pairs.load_pairs import load_pairs
from evalmark.validator.check import check_data, check_file
from evalmark.validator.formats.pairs.pair_rule_table import PAIR_FILE_RULES, PAIR_RULES
from evalmark.validator.pair_columns import stated_tables
from evalmark.validator.reading.strict_json import parse

PAGE = Path(__file__).resolve().parent.parent / "docs" / "published-pairs.md"
START, END = "<!-- made by scripts/pairs_audit.py -->", "<!-- end -->"
NAMES = {rule.code: rule.name for rule in (*PAIR_RULES, *PAIR_FILE_RULES.values())}
#: Rules with a column of their own.
COLUMNS = ("MP201", "MP208", "MP203", "MP402", "MP403", "MP408", "MP406", "MP407")
#: Pairs of each paradigm in which each mistake is planted.
PLANTED = 10

Row = dict[str, Any]


class Published(NamedTuple):
    """Files of a set.

    Attributes:
        name: Name of the set.
        extent: How much of it this is.
        files: Glob of its files.
        preset: The preset, where files do not show it.
    """

    name: str
    extent: str
    files: str
    preset: str = ""


SETS = (
    Published("BLiMP", "6 of 67 files, whole", "blimp/*.jsonl"),
    Published("JBLiMP", "a part", "jblimp/pairs.jsonl"),
    Published("BLiMP-NL (raw)", "first rows", "other-forms/blimp_nl_raw.csv"),
    Published("CLAMS", "first rows", "other-forms/clams_long_vp_coord.txt"),
    Published("CLiMP (raw)", "first rows", "other-forms/climp_classifier.csv"),
    Published("DTFit", "first rows", "other-forms/dtfit.csv"),
    Published("RuBLiMP", "first rows of a file", "other-forms/rublimp_add_new_suffix.csv"),
    Published("SLING", "first rows of a file", "other-forms/sling_haishi_ma.jsonl"),
    Published("TurBLiMP (base)", "first rows of a file", "other-forms/turblimp_base_binding.csv"),
    Published("Zorro", "first rows of a file", "other-forms/zorro_npi_licensing.txt", "zorro"),
)


def _table(header: list[str], rows: Iterator[list[object]]) -> str:
    lines: list[list[object]] = [[*header], ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def audit(folder: Path) -> str:
    """A table with a row for each set: its pairs, and its findings by rule."""
    names = [f"[{code}](rules.md#{code.lower()}-{NAMES[code]})" for code in COLUMNS]
    return _table(["set", "extent", "pairs", *names, "others"], _counts(folder))


def _counts(folder: Path) -> Iterator[list[object]]:
    for published in SETS:
        presets = (published.preset,) if published.preset else ()
        paths = sorted(map(str, folder.glob(published.files)))
        reports = [check_file(path, pairs=presets) for path in paths]
        codes = Counter(finding.code for report in reports for finding in report.findings)
        pairs = sum(file.rows for file in load_pairs(paths, tables=stated_tables(presets)))
        others = sorted(codes.keys() - {*COLUMNS})
        yield [
            published.name,
            published.extent,
            f"{pairs:,}",
            *(codes[code] for code in COLUMNS),
            ", ".join(f"{codes[code]} {NAMES[code]} ({code})" for code in others) or 0,
        ]


def _swap(row: Row, _: Row) -> Row:
    keys = (
        ("sentence_good", "sentence_bad"),
        ("one_prefix_word_good", "one_prefix_word_bad"),
        ("two_prefix_prefix_good", "two_prefix_prefix_bad"),
    )
    new = dict(row)
    for good, bad in keys:
        if good in row:
            new[good], new[bad] = row[bad], row[good]
    return new


def _second(row: Row, _: Row) -> Row:
    first, rest = str(row["sentence_bad"]).split(" ", 1)
    return {**row, "sentence_bad": f"{first} really {rest}"}


def _small(row: Row, _: Row) -> Row:
    good = str(row["sentence_good"])
    return {**row, "sentence_good": good[0].lower() + good[1:]}


def _prefix(row: Row, _: Row) -> Row | None:
    keys = [key for key in ("one_prefix_prefix", "two_prefix_prefix_good") if key in row]
    return {**row, keys[0]: row[keys[0]][:-1]} if keys else None


#: Mistake -> the row with it, from a row and one of another paradigm; None if it cannot have it.
MISTAKES: dict[str, Callable[[Row, Row], Row | None]] = {
    "a pair of another paradigm": lambda _, other: other,
    "the same, with the UID of the file": lambda row, other: {**other, "UID": row["UID"]},
    "another field": lambda row, _: {**row, "field": "pragmatics"},
    "right and wrong text swapped": _swap,
    "one more word in the wrong text": _second,
    "a small first letter in the right text": _small,
    "a prefix that lacks its last letter": _prefix,
    "a no-break space in the right text alone": lambda row, _: {
        **row,
        "sentence_bad": row["sentence_good"],
        "sentence_good": str(row["sentence_good"]).replace(" ", "\xa0", 1),
    },
}


def planted(folder: Path) -> str:
    """A table with a row for each mistake: how many are planted, and how many are reported."""
    paradigms = [
        [parse(line) for line in path.read_text("utf-8").splitlines()]
        for path in sorted((folder / "blimp").glob("*.jsonl"))
    ]
    r = random.Random(1)
    counts: dict[str, Counter[str]] = {name: Counter() for name in MISTAKES}
    for rows in paradigms:
        for number in r.sample(range(len(rows)), PLANTED):
            other = r.choice(r.choice([some for some in paradigms if some is not rows]))
            for name, mistake in MISTAKES.items():
                if (new := mistake(rows[number], other)) is not None:
                    counts[name].update(_codes(rows, number, new))
    return _table(
        ["mistake", "planted", "reported", "by"],
        ([name, count["all"], count["any"], _by(count)] for name, count in counts.items()),
    )


def _codes(rows: list[Row], number: int, new: Row) -> Iterator[str]:
    """The codes of a file's findings on a row that is replaced; and how many rows have any."""
    data = [*rows[:number], new, *rows[number + 1 :]]
    at = f"/{number}"
    found = {
        finding.code
        for finding in check_data(data, kind="pairs").findings
        if f"{finding.pointer}/".startswith(f"{at}/")
    }
    return iter(("all", *(["any"] if found else []), *found))


def _by(count: Counter[str]) -> str:
    return ", ".join(
        f"{code} ({times})" for code, times in sorted(count.items()) if code.startswith("MP")
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    tables = [audit(arguments.folder), planted(arguments.folder)]
    if not arguments.write:
        print("\n".join(tables))
        return
    before, *parts = PAGE.read_text("utf-8").split(START)
    rest = (part.partition(END)[2] for part in parts)
    written = (f"{START}\n\n{table}\n{END}{tail}" for table, tail in zip(tables, rest, strict=True))
    PAGE.write_text(before + "".join(written), "utf-8")


if __name__ == "__main__":
    main()
