"""The static site of records: its numbers, its conflicts, its files."""

import csv
import hashlib
import io
import json
import random
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import file_at
from killing import files_in

pytest.importorskip("pyarrow")
pytest.importorskip("jinja2")

from evalmark.leaderboard.site.site_contents import score_text, slugs
from evalmark.leaderboard.site.write_site import MANIFEST, publish
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.portable_names import why_not_portable
from hypothesis import given
from hypothesis import strategies as st
from result_rows import result, results_of


class Texts(HTMLParser):
    """The texts of a page, and the targets of its links."""

    def __init__(self, markup):
        super().__init__()
        self.links, self.texts = [], []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[key] for key in ("href", "src") if key in found]

    def handle_data(self, data):
        self.texts.append(data)


def rows_of(page, table=0):
    """The rows of a table of a page, without its headings, as lists of texts."""
    body = re.findall(r"<tbody>(.*?)</tbody>", page, re.DOTALL)[table]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    cells = (re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL) for row in rows)
    return [[" ".join(re.sub("<[^>]*>", " ", cell).split()) for cell in row] for row in cells]


@pytest.fixture
def site(tmp_path):
    """A site of these results, and what was published."""

    def made(*rows, **options):
        options.setdefault("record_url", "https://lab.example/{file}")
        found = publish(results_of(*rows), tmp_path / "site", **options)
        return tmp_path / "site", found

    return made


# numbers


def test_the_best_is_first_and_what_has_no_rank_is_last(site):
    """A score out of bounds has no rank, nor has any if the direction is unknown."""
    folder, _ = site(
        result("lab/a", score=-1.0), result("lab/a", score=0.7, file="a"),
        result("lab/b", score=0.5), result("lab/c", score=63.7),
        result("lab/a", "Other", lower_is_better=None),
        result("lab/b", "Other", 0.9, lower_is_better=None),
    )  # fmt: skip
    page = (folder / "benchmarks/facts-all-accuracy.html").read_text()
    assert [row[:3] for row in rows_of(page)] == [
        ["1", "lab/a", "0.7000 ≠ −1.000"], ["2", "lab/b", "0.5000"], ["", "lab/c", "63.70"],
    ]  # fmt: skip
    assert data_of(folder / "data/columns/facts-all-accuracy.js")["ranked_by"] == [0.7, 0.5, None]
    page = (folder / "benchmarks/other-all-accuracy.html").read_text()
    assert [row[:2] for row in rows_of(page)] == [["", "lab/b"], ["", "lab/a"]]
    assert "nothing is ranked" in page
    assert "lab/b, 0.9000" not in (folder / "index.html").read_text()  # is not the best


def test_intervals_are_those_of_the_record_or_of_its_standard_error(site):
    folder, _ = site(result(standard_error=0.1), result("lab/b", lower=0.25, upper=0.75))
    shown = {row[1]: row[3] for row in rows_of(next((folder / "benchmarks").iterdir()).read_text())}
    assert shown == {"lab/a": "0.3040 to 0.6960", "lab/b": "0.2500 to 0.7500"}


def test_results_that_name_no_model_are_counted(site):
    folder, found = site(result(), *(result(None, score=x, model_name="") for x in (0.5, 0.7)))
    assert (found.models, found.results, found.unnamed) == (1, 1, 2)
    assert found.conflicts == 0
    assert len((folder / "results.csv").read_text().splitlines()) == 4


def test_unlike_scales_never_share_a_table(site):
    folder, found = site(
        result("lab/a", score=0.6), result("lab/b", score=61.0, max_score=100.0),
        result("lab/c", score=0.3, metric="f1"), result("lab/d", score=0.2, lower_is_better=True),
    )  # fmt: skip
    assert found.benchmarks == 4
    for page in (folder / "benchmarks").iterdir():
        assert len(rows_of(page.read_text())) == 1


@pytest.mark.parametrize(
    ("other", "sign"), [({"shots": "0"}, ", "), ({"total_cost_usd": "0"}, " ≠ ")]
)
def test_different_numbers_stand_beside_each_other_with_what_differs(site, other, sign):
    """Under several settings they may all be right; under the same ones they contradict."""
    (name,) = other
    settings = {"library": "x", name: "5"}
    folder, found = site(
        result(score=0.637, settings=json.dumps(settings), file="one.json"),
        result(score=0.488, settings=json.dumps({**settings, **other}), file="two.json"),
        result("lab/b", score=0.55),
    )
    assert found.conflicts == (sign == " ≠ ")
    index = (folder / "index.html").read_text()
    assert ("contradiction" in index, "under several settings" in index) == (
        (True, False) if sign == " ≠ " else (False, True)
    )
    page = (folder / "benchmarks/facts-all-accuracy.html").read_text()
    assert [row[1:3] for row in rows_of(page)] == [
        ["lab/a", f"0.6370{sign}0.4880"],
        ["lab/b", "0.5500"],
    ]
    conflicts = (folder / "conflicts.html").read_text()
    assert sorted((row[0], row[-1]) for row in rows_of(conflicts)) == [
        ("0.4880", "0"),
        ("0.6370", "5"),
    ]
    assert "library" not in conflicts
    assert "0.56" not in conflicts  # their mean


def test_every_number_of_the_data_is_that_of_the_records(site):
    rng = random.Random(7)
    rows = [
        result(f"lab/m{m}", f"Set {d}", round(rng.random(), 3), lower=0.1, upper=0.2)
        for m in range(30) for d in range(5) if rng.random() < 0.7
    ]  # fmt: skip
    folder, _ = site(*rows)
    models = data_of(folder / "data/models.js")
    found = set()
    for slug, name, *_, count in data_of(folder / "data/benchmarks.js"):
        column = data_of(folder / f"data/columns/{slug}.js")
        assert len(column["models"]) == count
        scores = zip(column["models"], column["scores"], strict=True)
        found |= {(models[at][0], name.partition(":")[0], score) for at, score in scores}
    assert found == {(row["model"], row["dataset"], row["score"]) for row in rows}


def data_of(script):
    """The data of a script."""
    text = script.read_text()
    return json.loads(text[text.index(" = ") + 3 :].rstrip(";\n"))


def test_the_tables_for_download_have_every_result(site):
    import pyarrow.parquet as pq

    folder, _ = site(result(), result("lab/b", source="=1+1"))
    table = pq.read_table(folder / "results.parquet")
    assert table.column("model").to_pylist() == ["lab/a", "lab/b"]
    rows = list(csv.DictReader(io.StringIO((folder / "results.csv").read_text())))
    assert [row["score"] for row in rows] == ["0.5", "0.5"]
    assert rows[1]["source"] == "'=1+1"  # no formula of a spreadsheet


@pytest.mark.parametrize(
    ("score", "text"),
    [(0.637, "0.6370"), (63.71, "63.71"), (5.0, "5.000"), (1234.5, "1234"), (-0.25, "−0.2500"),
     (0.0, "0.0000"), (0.00012, "1.20e−04"), (2e6, "2.00e+06"), (None, "–"), (123.4, "123.4")],
)  # fmt: skip
def test_scores_have_about_four_digits(score, text):
    assert score_text(score) == text


@given(st.lists(st.text(max_size=12)))
def test_names_of_pages_differ_on_every_system(names):
    found = slugs(names)
    assert len({name.lower() for name in found}) == len(names)
    assert all(re.fullmatch(r"[a-z0-9._-]+", name) and name[0] != "." for name in found)
    assert slugs(names) == found


@pytest.mark.parametrize("name", ["aux", "NUL", "com1", "aux.v2", "lab/con", "con.", "COM¹", "x."])
def test_names_of_pages_are_none_that_windows_reserves(name):
    (found,) = slugs([name])
    assert not why_not_portable(f"{found}.html")
    assert not why_not_portable(found)


# files


def test_every_link_of_a_page_leads_to_a_file(site):
    folder, _ = site(result(), result(score=0.75, file="b.json"), result("lab/b"), result("Lab/B"))
    for page in folder.rglob("*.html"):
        for target in Texts(page.read_text()).links:
            if not target.startswith("https://"):
                name, _, place = target.partition("#")
                linked = (page.parent / name) if name else page
                assert linked.is_file(), (page.name, target)
                assert "=" in place or not place or f'id="{place}"' in linked.read_text()


def test_the_same_results_give_the_same_pages_in_whatever_order(tmp_path):
    rows = [result(), result("lab/b", score=0.1), result(score=0.3, file="x.json")]
    made = []
    for name, order in (("one", rows), ("two", rows[::-1])):
        publish(results_of(*order), tmp_path / f"{name}-site", record_url="{file}")
        made.append(files_in(tmp_path / f"{name}-site"))
    assert made[0].keys() == made[1].keys()
    differ = {name for name in made[0] if made[0][name] != made[1][name]}
    assert differ == {"results.csv", "results.parquet", MANIFEST}


def test_each_file_of_a_site_is_deleted_with_it(tmp_path):
    """Whatever a site writes has a name that a later one recognizes."""
    from evalmark.validator.io.site_folder import _NAMES

    publish(results_of(result("Ünï/  x"), result("lab/con")), tmp_path / "site")
    names = files_in(tmp_path / "site").keys() - {MANIFEST}
    assert len(names) > 10
    assert [name for name in names if not _NAMES.fullmatch(name)] == []


def test_links_to_records_are_of_the_web(tmp_path):
    with pytest.raises(UsageError, match="must begin with http"):
        publish(results_of(result()), tmp_path / "site", record_url="javascript:alert('{file}')")


def test_a_folder_with_other_files_is_left_alone(tmp_path):
    file_at(tmp_path / "site/thesis.tex", "mine")
    with pytest.raises(UsageError, match="choose an empty folder"):
        publish(results_of(result()), tmp_path / "site")
    assert files_in(tmp_path / "site") == {"thesis.tex": b"mine"}


def test_records_are_copied_unless_there_is_a_url(here):
    Path("one.json").write_text('{"a": 1}')
    digest = hashlib.sha256(b'{"a": 1}').hexdigest()
    rows = [result(file="one.json", digest=digest), result("lab/b", file="gone.json")]
    found = publish(results_of(*rows), here / "site")
    assert found.lost == ("gone.json",)
    assert (here / f"site/records/{digest[:16]}.json").read_text() == '{"a": 1}'
    assert f"../records/{digest[:16]}.json" in (here / "site/models/lab-a.html").read_text()
    page = publish(results_of(*rows), here / "site", record_url="https://x.org/{file}?raw")
    assert page.lost == ()
    assert "https://x.org/one.json?raw" in (here / "site/models/lab-a.html").read_text()
    assert not (here / f"site/records/{digest[:16]}.json").exists()


def test_marks_of_direction_are_shown_and_not_followed(site):
    name = "lab/\u202eabc\n"
    folder, _ = site(result(name), result(name, score=0.1, source=name, file="x"))
    for page in (*folder.rglob("*.html"), *(folder / "data").rglob("*.js")):
        assert "\u202e" not in page.read_text()
    assert data_of(folder / "data/models.js")[0][0] == r"lab/\u202eabc\n"


def test_a_model_called_index_is_not_the_list_of_models(site):
    folder, _ = site(result("index"), result("lab/b"))
    assert "<h1>Models</h1>" in (folder / "models/index.html").read_text()
    assert "<h1>index</h1>" in (folder / "models/index-.html").read_text()


def test_text_of_records_is_text(site):
    evil = "<script>alert(1)</script>"
    settings = json.dumps({"k": evil})
    folder, _ = site(
        result(evil, evil, source=evil, url="javascript:alert(1)", settings=settings),
        result(evil, evil, 0.1, source=evil, settings="{}", file=evil),
    )
    for page in folder.rglob("*.html"):
        text = page.read_text()
        assert evil not in text
        assert "javascript:" not in text
    assert b"</script>" not in b"".join(
        path.read_bytes() for path in (folder / "data").rglob("*.js")
    )


def test_scores_that_are_no_numbers_are_shown_as_none(site):
    folder, found = site(
        result(score=float("nan")), result("lab/b", score=None), result("lab/c", score=float("inf"))
    )
    assert found.models == 3
    rows = rows_of((folder / "benchmarks/facts-all-accuracy.html").read_text())
    assert [row[:3] for row in rows] == [["", "lab/c", "∞"]]
    assert data_of(folder / "data/columns/facts-all-accuracy.js")["scores"] == [float("inf")]


# what is best, side by side


def test_the_first_page_names_the_best_three_of_each_benchmark_by_collection(site):
    folder, _ = site(
        *(
            result(f"lab/{name}", score=score)
            for name, score in zip("abcd", (0.1, 0.4, 0.3, 0.2), strict=True)
        ),
        result("lab/a", "Other", collection="more"),
    )
    page = (folder / "index.html").read_text()
    best = re.findall(r"<dd>(.*?)</dd>", page, re.DOTALL)[0]
    entries = re.findall(r"<li>(.*?)</li>", best)
    texts = [" ".join(re.sub("<[^>]*>", " ", entry).split()) for entry in entries]
    assert texts == ["1 lab/b 0.4000", "2 lab/c 0.3000", "3 lab/d 0.2000"]
    assert "with this rank" not in page
    assert re.findall(r'href="collections/([^"]*)"', page) == ["c.html", "more.html"]


def test_models_that_share_the_last_of_three_ranks_are_counted(site):
    folder, _ = site(*(result(f"lab/{name}", score=0.5) for name in "abcde"))
    assert "and 2 more with this rank" in (folder / "index.html").read_text()


def test_a_collection_is_sorted_shaded_and_marks_the_best(site):
    folder, _ = site(
        result("lab/a", "One", 0.1), result("lab/b", "One", 0.9), result("lab/c", "One", 0.5),
        result("lab/a", "Two", 3.0, lower_is_better=True, max_score=None),
        result("lab/b", "Two", 5.0, lower_is_better=True, max_score=None),
    )  # fmt: skip
    page = (folder / "collections/c.html").read_text()
    assert [row[:3] for row in rows_of(page)] == [
        ["lab/b", "0.9000", "5.000"], ["lab/c", "0.5000", ""], ["lab/a", "0.1000", "3.000"],
    ]  # fmt: skip
    assert re.findall(r"<b>(.*?)</b>", page) == ["0.9000", "3.000"]
    shades = re.findall(r'class="number s(\d)">(?:<b>)?([\d.]+)', page)
    assert [(n, int(shade)) for shade, n in shades] == [
        ("0.9000", 3), ("5.000", 0), ("0.5000", 2), ("0.1000", 0), ("3.000", 3),
    ]  # fmt: skip


def test_a_source_that_all_numbers_have_is_no_column(site):
    folder, _ = site(result(source="Hub"), result("lab/b", source="Hub"))
    page = (folder / "benchmarks/facts-all-accuracy.html").read_text()
    assert page.count("Hub") == 1
    assert "source</th>" not in page
    assert (folder / "table.html").read_text().count("Hub") == 1


def test_a_data_set_puts_its_ways_of_measuring_side_by_side(site):
    folder, _ = site(
        result("lab/a", "GPQA", 0.5), result("lab/b", "GPQA", 0.6),
        result("lab/b", "hub/gpqa", 0.4, collection="more", metric="f1"),
    )  # fmt: skip
    page = (folder / "datasets/gpqa.html").read_text()
    assert rows_of(page) == [["lab/b", "0.6000", "0.4000"], ["lab/a", "0.5000", ""]]
    assert "datasets/gpqa.html" in (folder / "benchmarks/gpqa-all-accuracy.html").read_text()


def test_a_number_of_many_settings_has_their_range_beside_it(site):
    folder, _ = site(
        *(result(score=score, settings=json.dumps({"shots": str(score)}), file=str(score))
          for score in (0.1, 0.2, 0.3))
    )  # fmt: skip
    page = (folder / "benchmarks/facts-all-accuracy.html").read_text()
    assert rows_of(page)[0][2] == "0.1000, 3 from 0.1000 to 0.3000"
