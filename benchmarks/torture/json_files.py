"""JSON that is not, that is too much, or that acts on who reads it."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator

from benchmarks.torture.hostile import ODD, RECORD, SUITE, Hostile, changed, hostile

_GOOD = json.dumps(SUITE)


def json_files() -> Iterator[Hostile]:
    """All of them."""
    yield from _no_json()
    yield from _numbers()
    yield from _keys()
    yield from _encodings()
    yield from _sizes()
    yield from _acting()


def _no_json() -> Iterator[Hostile]:
    yield hostile("not_json.json", "hello\n", "F001")
    yield hostile("empty.json", "", "F010")
    yield hostile("space.json", " \n\t ", "F010")
    for index, value in enumerate((None, True, 3, "text", -0.0)):
        yield hostile(f"scalar_{index}.json", json.dumps(value), "F012")
    for index, value in enumerate(ODD):
        yield hostile(f"root_{index}.json", json.dumps(value), "F012")
        yield hostile(f"list_{index}.json", json.dumps([value, SUITE]), "F019")
    for at in (1, len(_GOOD) // 3, len(_GOOD) // 2, len(_GOOD) - 1):
        yield hostile(f"cut_{at}.json", _GOOD[:at], "F001")
    yield hostile("twice.json", _GOOD + _GOOD, "F001")
    yield hostile("comment.json", "// suite\n" + _GOOD, "F001")
    yield hostile("single_quotes.json", _GOOD.replace('"', "'"), "F001")
    yield hostile("html.json", "<!DOCTYPE html><html><script>alert(1)</script></html>", "F001")
    packed = gzip.compress(_GOOD.encode())
    for name in ("gzip.json", "gzip.jsonl", "gzip.yaml"):
        yield hostile(name, packed, "F002 F004 F014 F012")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("suite.json", _GOOD)
    yield hostile("zip.json", archive.getvalue(), "F001 F002 F004")


def _numbers() -> Iterator[Hostile]:
    for index, number in enumerate(("NaN", "Infinity", "-Infinity")):
        yield hostile(f"constant_{index}.json", f'{{"a": {number}}}', "F006")
    large = ("1e400", "-1e400", "1e999999999", "9" * 4000, "-" + "9" * 10_000, "1" + "0" * 400)
    for index, number in enumerate(large):
        yield hostile(f"large_{index}.json", f'{{"a": {number}}}', "F007")
        yield hostile(
            f"large_score_{index}.json",
            json.dumps(RECORD).replace("0.75", number),
            "F007",
        )
    for index, number in enumerate(("-0", "-0.0", "1e-400", "1e-999999999", "0e400")):
        yield hostile(f"small_{index}.json", json.dumps(RECORD).replace("0.75", number))
    for index, number in enumerate((10**400, 10**30, -(10**18), 1e308)):
        data = _GOOD.replace('"region_number": 1', f'"region_number": {number}', 1)
        yield hostile(
            f"region_{index}.json", data, "F007 SG101 SG104 SG105 SG106 SG108 SG110 SG402"
        )


def _keys() -> Iterator[Hostile]:
    yield hostile("duplicate.json", '{"a": 1, "\\u0061": 2}', "F005")
    yield hostile(
        "duplicate_deep.json", _GOOD.replace('"metric"', '"name": 1, "metric"', 1), "F005"
    )
    yield hostile("nul_key.json", '{"a\\u0000b": 1, "items": [], "predictions": []}')
    yield hostile("surrogate_key.json", '{"\\ud800": 1}', "F008")
    yield hostile("surrogate_value.json", '{"a": "\\ude00\\ud83d"}', "F008")
    yield hostile("surrogate_pair.json", _GOOD.replace("The woman", "\\ud83d\\ude00", 1))
    # Suites may have further keys; records may not.
    for name, data, codes in (("suite", SUITE, ""), ("record", RECORD, "EE114")):
        yield hostile(f"empty_key_{name}.json", {**data, "": {"": {"": ""}}}, codes)
        yield hostile(f"slashes_{name}.json", {**data, "a/b~c": 1, "~1": 2}, codes)
        unknown = {f"key{n}": n for n in range(3000)}
        yield hostile(f"many_keys_{name}.json", {**data, **unknown}, codes)
        unknown = {f"key{n}": n for n in range(200_000)}
        yield hostile(f"keys_200000_{name}.json", {**data, **unknown}, codes, is_large=True)


def _encodings() -> Iterator[Hostile]:
    yield hostile("raw_nul.json", b'{"a": "\0"}', "F004")
    yield hostile("nul_end.json", _GOOD + "\0", "F004")
    yield hostile("invalid_utf8.json", b'{"a": "\xff"}', "F002")
    yield hostile("cut_utf8.json", _GOOD.encode() + b"\xe2\x82", "F002")
    yield hostile("latin1.json", '{"a": "é"}'.encode("latin-1"), "F002")
    yield hostile("overlong.json", b'{"a": "\xc0\xaf"}', "F002")
    yield hostile("bom.json", b"\xef\xbb\xbf" + _GOOD.encode(), "F003")
    yield hostile("two_boms.json", b"\xef\xbb\xbf\xef\xbb\xbf" + _GOOD.encode(), "F003")
    for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
        yield hostile(f"{name}.json", _GOOD.encode(name), "F004")
    yield hostile("line_separator.json", _GOOD.replace("The woman", "The\u2028woman\u2029"))
    yield hostile("cr.json", json.dumps(SUITE, indent=1).replace("\n", "\r"))
    yield hostile("crlf.json", json.dumps(SUITE, indent=1).replace("\n", "\r\n"))
    yield hostile("no_newline.json", _GOOD)
    yield hostile("noncharacters.json", changed(SUITE, "/meta/name", "\ufffe\uffff\U0010ffff"))


def _sizes() -> Iterator[Hostile]:
    for name, text in (
        ("brackets", "[" * 100_000 + "]" * 100_000),
        ("open_brackets", "[" * 100_000),
        ("objects", '{"a":' * 100_000 + "1" + "}" * 100_000),
        ("levels_201", "[" * 201 + "]" * 201),
    ):
        yield hostile(f"deep_{name}.json", text, "F009")
    formula = "/predictions/0/formula"
    for name, text in (
        ("parentheses", "(" * 100_000),
        ("closed", "(" * 50_000 + "(2;%match%) > 0" + ")" * 50_000),
        ("long", "(2;%match%) > 0 & " * 6000),
        ("number", f"({10**400};%match%) > 0"),
        ("nul", "(2;%match%) > 0\0"),
        ("unicode", "(２;%ｍatch%) ＞ ０"),
    ):
        yield hostile(f"formula_{name}.json", changed(SUITE, formula, text), "SG201 SG202 SG204")
    sums = "(2;%match%) " + "+ (2;%match%) " * 2000 + "> 0"
    yield hostile("formula_sums.json", changed(SUITE, formula, sums))
    wide = " & ".join(f"(2;%match%) > {n}" for n in range(400))
    yield hostile("formula_wide.json", changed(SUITE, formula, wide))
    yield hostile("key_10mb.json", {**RECORD, "k" * 10_000_000: 1}, "EE114", is_large=True)
    items = [{**SUITE["items"][0], "item_number": n, "comment": "x" * 450} for n in range(60_000)]
    yield hostile("data_50mb.json", {**SUITE, "items": items}, "SG305 SG307 SG407", is_large=True)


def _acting() -> Iterator[Hostile]:
    for index, text in enumerate(
        (
            "\x1b]0;title\x07\x1b[2J",
            "a\n::error file=x::injected\n::set-env name=A::b",
            "##[error]x\r\n::warning::y",
            "\u202e\u2066evil\u2069",
            "<script>alert(1)</script>&amp;]]>",
            '=HYPERLINK("http://x")',
        )
    ):
        yield hostile(f"acting_key_{index}.json", {**RECORD, text: 1}, "EE114")
        condition = "/items/0/conditions/0/condition_name"
        yield hostile(
            f"acting_name_{index}.json", changed(SUITE, condition, text), "SG109 SG204 SG111 SG403"
        )
        yield hostile(f"acting_suite_{index}.json", changed(SUITE, "/meta/name", text))
