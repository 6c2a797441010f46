"""Tables that are small files and much work: each is refused in a sentence, at once."""

import io
import json
import sys
import zipfile

import pytest
from conftest import data_at, python
from evalmark.converters.suites.suite_tables import suite_to_wide_table
from evalmark.converters.supplied import NOTHING
from evalmark.schemas.errors import TooMuchError
from evalmark.validator.reading.reading import read

TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
LONG = "x" * 30_000


def zipped(**members):
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_DOT_", "."), content)
    return raw.getvalue()


def xlsx(rows, after="", sheets=1, **parts):
    """A workbook whose sheets are all the same part."""
    all_sheets = range(1, sheets + 1)
    book = "".join(f"<sheet name='s{n}' xmlns:r='r' r:id='r{n}'/>" for n in all_sheets)
    links = "".join(
        f"<Relationship Id='r{n}' Type='x/worksheet' Target='worksheets/s.xml'/>"
        for n in all_sheets
    )
    return zipped(
        xl__workbook_DOT_xml=f"<workbook><sheets>{book}</sheets></workbook>",
        xl___rels__workbook_DOT_xml_DOT_rels=f"<Relationships>{links}</Relationships>",
        xl__worksheets__s_DOT_xml=f"<worksheet><sheetData>{rows}</sheetData>{after}</worksheet>",
        **parts,
    )


def text(content, place=""):
    return f"<c {place and f'r={place!r}'} t='inlineStr'><is><t>{content}</t></is></c>"


def strings(content):
    return {"xl__sharedStrings_DOT_xml": f"<sst>{content}</sst>"}


def ods(rows, before=""):
    tables = rows if rows.startswith("<t:table>") else f"<t:table>{rows}</t:table>"
    names = f"xmlns:t='{TABLE}' xmlns:x='{TEXT}'"
    return zipped(content_DOT_xml=f"{before}<document {names}>{tables}</document>")


def cell(content, attributes=""):
    return f"<t:table-cell {attributes}><x:p>{content}</x:p></t:table-cell>"


def row(content, attributes=""):
    return f"<t:table-row {attributes}>{content}</t:table-row>"


MANY = "t:number-{}-repeated='1048576'"
SPAN = "t:number-rows-spanned='9999'"

#: Name of a file -> its content, and the reason for which it is refused.
HOSTILE = {
    "long_cell.ods": (
        lambda: ods(row(cell(LONG, "t:number-columns-repeated='1024'"), MANY.format("rows"))),
        "characters",
    ),
    "rows.ods": (lambda: ods(row(cell("a"), MANY.format("rows"))), "cells"),
    "columns.ods": (lambda: ods(row(cell("a", MANY.format("columns")))), "16,384"),
    "gap.ods": (lambda: ods(row("", MANY.format("rows")) + row(cell("a"))), "cells"),
    "far.ods": (
        lambda: ods(row(f"<t:table-cell {MANY.format('columns')}/>" + cell("a"))), "16,384",
    ),
    "spans.ods": (lambda: ods(row(cell("a", SPAN) * 100) * 500), "cells"),
    "deep.ods": (lambda: ods(row(cell("<x:span>" * 99_999 + "</x:span>" * 99_999))), "levels"),
    "tables.ods": (
        lambda: ods(
            ("<t:table>" + row(cell("a"), "t:number-rows-repeated='9999'") + "</t:table>") * 1000
        ),
        "cells",
    ),
    "empty_tables.ods": (
        lambda: ods("<t:table></t:table>" + "<t:table/>" * 999_999), "1,024 sheets",
    ),
    "entities.ods": (lambda: ods(row(cell("a")), "<!DOCTYPE x [<!ENTITY a 'b'>]>"), "entities"),
    "sheets.xlsx": (
        lambda: xlsx(f"<row>{text('')}</row>" * 9000, sheets=1000), "no visible sheet with a text",
    ),
    "many_sheets.xlsx": (lambda: xlsx("", sheets=9000), "1,024 sheets"),
    "full_sheets.xlsx": (
        lambda: xlsx("<row>" + text("a", "XFD1") + "</row>" + "<row/>" * 1_100_000, sheets=1000),
        "parts",
    ),
    "string.xlsx": (
        lambda: xlsx(
            "<row>" + "<c t='s'><v>0</v></c>" * 9000 + "</row>",
            **strings(f"<si><t>{LONG}</t></si>"),
        ),
        "characters",
    ),
    "strings.xlsx": (
        lambda: xlsx("<row><c t='s'><v>0</v></c></row>", **strings("<si/>" * 1_100_000)), "parts",
    ),
    "merged.xlsx": (
        lambda: xlsx(
            f"<row>{text('a')}</row>" * 999, "<mergeCell ref='A1:A1048576'/>" * 9999
        ),
        "cells",
    ),
    "far.xlsx": (
        lambda: xlsx("".join(f"<row>{text('a', f'XFD{n}')}</row>" for n in range(1, 99))), "cells",
    ),
    "gap.xlsx": (lambda: xlsx(f"<row>{text('a', 'A1048576')}</row>"), "cells"),
    "empty.xlsx": (lambda: xlsx("<row>" + "<c/>" * 2_000_000 + "</row>"), "parts"),
    "deep.xlsx": (lambda: xlsx("<a>" * 500_000 + "</a>" * 500_000), "levels"),
    "spaces.xlsx": (lambda: xlsx(" " * (1 << 26)), "times its size"),
    "digits.xlsx": (lambda: xlsx(f"<row><c><v>{'9' * 99_999}</v></c></row>"), "damaged"),
    "columns.csv": (lambda: b"item,condition," + b"a," * 500_000 + b"\n1,x\n", "16,384"),
    "wide.csv": (lambda: b"item\tcondition\n" + b"\t" * 9999 + b"x" + b"\n1\tb" * 9999, "cells"),
    "regions.csv": (
        lambda: b"item;condition;region;word\n"
        + b"".join(b"%d;a;r%d;w\n" % (n, n) for n in range(5000)),
        "cells",
    ),
    "keys.jsonl": (
        lambda: b"".join(b'{"k%d": "a b"}\n' % n for n in range(5000)), "cells",
    ),
}  # fmt: skip

#: Converts each file, and prints its name, seconds of CPU, megabytes, and what is said.
MEASURE = """
import contextlib, io, json, sys, time
from pathlib import Path
from evalmark.cli.main import main

for path in [sys.argv[1], *sys.argv[1:]]:  # the first one twice: it imports
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
    began = time.process_time()
    with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.suppress(SystemExit):
        main(["convert", path, "--to", "suite", "--no-predictions", "-o", path + ".json"])
    seconds = time.process_time() - began
    peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
    print(json.dumps([Path(path).name, seconds, int(peak) / 1024, said.getvalue()]), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks of memory are those of /proc")
def test_hostile_tables_are_refused_in_little_time_and_150_megabytes(tmp_path):
    """Each takes half a second at most on an idle machine; one that is read takes minutes."""
    for name, (make, _) in HOSTILE.items():
        (tmp_path / name).write_bytes(make())
    paths = [str(tmp_path / name) for name in HOSTILE]
    done = python("-c", MEASURE, *paths, check=True)
    measured = [json.loads(line) for line in done.stdout.splitlines()][1:]
    assert [name for name, *_ in measured] == [*HOSTILE]
    wrong = [
        one for one in measured if one[1] > 20 or one[2] > 150 or HOSTILE[one[0]][1] not in one[3]
    ]
    assert not wrong


def test_a_number_of_a_region_is_not_a_number_of_columns():
    suite = data_at("good/suite.json")
    suite["items"][0]["conditions"][0]["regions"][-1]["region_number"] = 10**9
    with pytest.raises(TooMuchError, match="more than 524,288 cells"):
        suite_to_wide_table(suite, NOTHING)


def test_merged_keys_of_yaml_are_counted_as_often_as_they_come():
    maps = [f"- &x{n} {{<<: *x{n - 1}, k: 1}}\n" for n in range(1, 700)]
    found = read(("- &x0 {k: 1}\n" + "".join(maps)).encode(), "x.yaml").findings
    assert [finding.code for finding in found] == ["F017"]
