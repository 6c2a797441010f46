"""Every reader of texts keeps the letters of a sentence, or names what it leaves out."""

import csv
import io
import json
import re
import tempfile
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from evalmark.converters.convert_files import convert_file
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples
from suites import texts_in

openpyxl = pytest.importorskip("openpyxl")

WORDS = (
    'The cat dog. Mr. Dr. e. g. i. J. K. 3.14 1,000 1. 2. (1) (a) a. b. ... … “no” "no" "oh, '
    "it's rock-'n'-roll l’eau x-ray – - — naïve e\u0301 n\u0303 太郎が本を読む。 कि ที่ مرحبا\u060c "
    "שָׁלוֹם 🙂 👩\u200d👩\u200d👧 *so* * # #x ? why? a; b, c, = + @ 50% <3 & § ¿Qué? I| a|b Then"
)
ODD_SPACES = ["a\u00a0b", "oui\u202f!", "太\u3000郎", "a\x85b", "x\u2028y", "z\ufeffz"]
ENDS = st.lists(st.sampled_from([*WORDS.split(" "), *ODD_SPACES]), max_size=5)


def item(start, end):
    return [" ".join([*start, verb, *end]) for verb in ("runs", "run")]


ITEMS = st.lists(st.builds(item, ENDS, ENDS), min_size=1, max_size=3)
PLAIN = [["The cat runs.", "The cat run."], ["Mr. Smith runs. He left.", "Mr. Smith run. He left."]]
TABLE = "urn:oasis:names:tc:opendocument:xmlns:table:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"


def rows(items):
    """A row for each sentence, below the names of columns."""
    cells = [
        [str(number), name, sentence]
        for number, item in enumerate(items, 1)
        for name, sentence in zip(("x", "y"), item, strict=True)
    ]
    return [["Item", "Condition", "Sentence"], *cells]


def separated(table, **options):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", **options).writerows(table)
    return text.getvalue()


def word_rows(items):
    table = [["item", "cond", "position", "word"]]
    for number, condition, sentence in rows(items)[1:]:
        table += [[number, condition, str(at), word] for at, word in enumerate(sentence.split(" "))]
    return separated(table)


def wide(items):
    """Regions as columns: the first word and the others."""
    table = [[item, name, *sentence.split(" ", 1)] for item, name, sentence in rows(items)[1:]]
    return separated(
        [["item", "condition", "first", "rest"], *(row + [""] * (4 - len(row)) for row in table)]
    )


def objects(items):
    header, *cells = rows(items)
    return [dict(zip(header, row, strict=True)) for row in cells]


def script(items):
    elements = (
        f"[[{json.dumps(name)}, {item}], 'DashedSentence', {{s: {json.dumps(sentence)}}}]"
        for item, name, sentence in rows(items)[1:]
    )
    return f"var items = [{', '.join(elements)}];"


def workbook(items):
    book, raw = openpyxl.Workbook(), io.BytesIO()
    for row in rows(items):
        book.active.append(row)
        for cell in book.active[book.active.max_row]:
            cell.data_type = "s"
    book.save(raw)
    return raw.getvalue()


def styled(text):
    """A text of which one letter in the middle is in another style."""
    at = len(text) // 2
    before, letter, after = map(escape, (text[:at], text[at : at + 1], text[at + 1 :]))
    return f"{before}<x:span>{letter}</x:span>{after}"


def open_sheet(items):
    cell = (
        "<t:table-cell><o:annotation><x:p>a note</x:p></o:annotation><x:p>{}</x:p></t:table-cell>"
    )
    body = "".join(
        f"<t:table-row>{''.join(cell.format(styled(text)) for text in row)}</t:table-row>"
        for row in rows(items)
    )
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        names = f"xmlns:t='{TABLE}' xmlns:x='{TEXT}' xmlns:o='{OFFICE}'"
        archive.writestr("content.xml", f"<t:table {names}>{body}</t:table>")
    return raw.getvalue()


#: Name of a file -> what writes items in it; a name may have a number before its ending.
READERS = {
    "commas.csv": lambda items: separated(rows(items)),
    "semicolons.csv": lambda items: separated(rows(items), delimiter=";"),
    "returns.csv": lambda items: separated(rows(items)).replace("\n", "\r"),
    "tabs.tsv": lambda items: separated(rows(items), delimiter="\t"),
    "unquoted.tsv": lambda items: "\n".join(map("\t".join, rows(items))),
    "pairs.csv": lambda items: separated([["match", "mismatch"], *items]),
    "words.csv": word_rows,
    "wide.csv": wide,
    "objects.json": lambda items: json.dumps(objects(items)),
    "objects.jsonl": lambda items: "\n".join(map(json.dumps, objects(items))),
    "parts.json": lambda items: json.dumps(
        [row | {"Sentence": row["Sentence"].split(" ")} for row in objects(items)]
    ),
    "script.js": script,
    "book.xlsx": workbook,
    "sheet.ods": open_sheet,
}  # fmt: skip


def letters(text):
    return re.sub(r"[ \t\r\n]", "", text)


def read(name, items):
    """The sentences of the suite that a file becomes, and the notes."""
    written = READERS[name](items)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(written if isinstance(written, bytes) else written.encode())
        done = convert_file(path, to="suite", supplied=Supplied(predictions=()))
    found = ["".join(texts) for texts in texts_in(json.loads(done.text))]
    return found, " ".join(done.notes)


@given(ITEMS)
@examples(20, deadline=None)
def test_the_letters_of_a_sentence_are_those_of_its_regions(items):
    sentences = [one for item in items for one in item]
    for name in READERS:
        try:
            found, notes = read(name, items)
        except ConversionError:
            continue  # it says why, and reads nothing
        assert len(found) == len(sentences), name
        for old, new in zip(map(letters, sentences), map(letters, found), strict=True):
            assert new == (old.replace("|", "") if "|" in notes else old), (name, notes)


@pytest.mark.parametrize("name", READERS)
def test_plain_sentences_are_read_whole(name):
    found, notes = read(name, PLAIN)
    assert [*map(letters, found)] == [letters(one) for item in PLAIN for one in item], notes
