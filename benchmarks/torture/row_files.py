"""Rows and tables: bad bytes, bad lines, too many of them."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.torture.calls import FIXTURES
from benchmarks.torture.hostile import ODD, SAMPLES, SUITE, Hostile, changed, damaged_bytes, hostile

_ROW = SAMPLES.splitlines()[0]
_FIRST = json.loads(_ROW)
#: Bytes that are changed in each table, and how often.
_CHANGED = 40
_HEADER = "item_number,condition_name,region_number,content\n"


def row_files() -> Iterator[Hostile]:
    """Files of rows."""
    yield hostile("rows_bad_byte.jsonl", _ROW + b"\n\xff\xfe{}\n" + _ROW + b"\n", "F002 F004")
    yield hostile("rows_deep.jsonl", _ROW + b"\n" + b"[" * 5000 + b"\n", "F009 F001")
    yield hostile("rows_blank.jsonl", b"\n\n" + _ROW + b"\n\n \t\n\r\n", "EE320")
    yield hostile("rows_only_blank.jsonl", b"\n\n\n", "F010 F012")
    yield hostile("rows_empty.jsonl", b"", "F010 F012")
    yield hostile("rows_no_newline.jsonl", _ROW)
    yield hostile("rows_crlf.jsonl", SAMPLES.replace(b"\n", b"\r\n"))
    yield hostile("rows_cr.jsonl", SAMPLES.replace(b"\n", b"\r"), "F001")
    yield hostile("rows_bom.jsonl", b"\xef\xbb\xbf" + SAMPLES, "F003")
    yield hostile("rows_utf16.jsonl", SAMPLES.decode().encode("utf-16"), "F004 F012 F002")
    yield hostile("rows_nul.jsonl", SAMPLES.replace(b"What", b"\0", 1), "F004")
    yield hostile("rows_pretty.jsonl", json.dumps(_FIRST, indent=2), "F001")
    yield hostile("rows_twice.jsonl", SAMPLES + SAMPLES, "EE317")
    yield hostile("rows_unknown_version.jsonl", SAMPLES.replace(b'"0.2.0"', b'"9.9.9"'), "EE311")
    for index, value in enumerate(ODD):
        yield hostile(
            f"rows_value_{index}.jsonl", _ROW + b"\n" + json.dumps(value).encode() + b"\n"
        )
        for key in ("evaluation_id", "sample_hash", "input", "evaluation", "schema_version"):
            row = json.dumps({**_FIRST, key: value}).encode()
            yield hostile(f"rows_{key}_{index}.jsonl", row + b"\n" + _ROW + b"\n")
    yield hostile(
        "rows_long_line.jsonl",
        _ROW + b"\n" + b'{"a": "' + b"x" * 20_000_000 + b'"}\n',
        "F018",
        is_large=True,
    )
    yield hostile("rows_million.jsonl", b"{}\n" * 1_000_000, is_large=True)
    yield hostile("rows_many.jsonl", (_ROW + b"\n") * 30_000, is_large=True)


def tables() -> Iterator[Hostile]:
    """CSV and TSV, which only `convert` reads."""
    line = "1,match,1,The woman\n"
    for name, text in (
        ("empty", b""),
        ("only_header", _HEADER.encode()),
        ("latin1", (_HEADER + "1,match,1,Café\n").encode("latin-1")),
        ("negative", (_HEADER + "-1,match,-5,x\n").encode()),
        ("nul", (_HEADER + "1,ma\0tch,1,x\n").encode()),
        ("huge", (_HEADER + f"{10**400},match,{'9' * 5000},x\n").encode()),
        ("columns", (_HEADER + "1,match\n1,match,1,x,y,z,w\n").encode()),
        ("quotes", (_HEADER + '1,"match,1,x\n').encode()),
        ("field", (_HEADER + f'1,match,1,"{"x" * 200_000}"\n').encode()),
        ("duplicate", ("item_number,item_number," + _HEADER + line).encode()),
        ("formula", (_HEADER + '1,match,1,"=HYPERLINK(""http://x"")"\n').encode()),
        ("bom", b"\xef\xbb\xbf" + (_HEADER + line).encode()),
        ("utf16", (_HEADER + line).encode("utf-16")),
        ("cr", (_HEADER + line).replace("\n", "\r").encode()),
    ):
        yield hostile(f"table_{name}.csv", text)
        yield hostile(f"table_{name}.tsv", text.replace(b",", b"\t"))
    for index, value in enumerate(("x", "", "1.5", "1e3", "None", "\u0661", "９")):
        yield hostile(f"table_number_{index}.csv", _HEADER + f"{value},match,{value},x\n")
    yield hostile("table_many.csv", _HEADER + line * 100_000, is_large=True)
    rows = [{"item_number": 1, "conditions": {"regions": value, "content": value}} for value in ODD]
    for index, row in enumerate(rows):
        yield hostile(f"dataset_{index}.jsonl", json.dumps(row) + "\n")
        yield hostile(f"dataset_{index}.json", [row])
    yield hostile("dataset_meta.jsonl", json.dumps(changed(SUITE, "/meta", None)) + "\n")


def changed_bytes() -> Iterator[Hostile]:
    """Spreadsheets, CSV and JSON Lines with a few bytes changed, cut or repeated."""
    r = random.Random(0)
    tables = sorted((FIXTURES / "tables").glob("*.[cjotx]?*"))
    kept = [path for path in tables if path.suffix in (".csv", ".tsv", ".jsonl", ".ods", ".xlsx")]
    for path in (*kept, FIXTURES / "good/with_samples_samples.jsonl"):
        raw = path.read_bytes()
        for number in range(_CHANGED):
            yield hostile(f"{path.stem}_{number}{path.suffix}", damaged_bytes(raw, r))
        if not zipfile.is_zipfile(path):
            continue
        for number in range(_CHANGED):  # the XML, in a file that can be unpacked
            yield hostile(f"{path.stem}_xml_{number}{path.suffix}", _repacked(path, r))


def _repacked(path: Path, r: random.Random) -> bytes:
    """A spreadsheet with one of its parts damaged."""
    packed = io.BytesIO()
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(packed, "w") as target:
        chosen = r.choice([name for name in source.namelist() if name.endswith(".xml")])
        for name in source.namelist():
            content = source.read(name)
            target.writestr(name, damaged_bytes(content, r) if name == chosen else content)
    return packed.getvalue()
