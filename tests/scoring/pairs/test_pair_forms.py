"""Every published form of minimal pairs is checked, converted and scored as the same pairs."""

import json
from pathlib import Path

import pytest
from conftest import ROOT
from evalmark import Checker
from evalmark.converters.convert_document import convert_text
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConfigError, ScoringError, UnknownNameError, UsageError
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.validator.check import check_file, check_text
from evalmark.validator.reading.pair_columns import PRESETS, columns_of, stated_tables
from evalmark.validator.settings.config import load_config
from pair_forms import BOAT, CATS, FORMS
from pairs import pairs_at


def contests(file):
    texts = [text.text for text in file.texts]
    return tuple(tuple(texts[side] for side in contest.sides) for contest in file.contests)


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_a_published_form_ends_scored(form, tmp_path):
    path, tables = pairs_at(tmp_path, form.text, form.file), stated_tables(form.stated)
    report = check_file(path, pairs=form.stated)
    assert (report.kind, report.findings) == ("pairs", ())
    assert pair_paths([path], tables) == [path]
    (file,) = load_pairs([path], tables=tables)
    assert (file.set, contests(file), file.alone) == (form.known_as, form.pairs, 0)
    assert file.contests[0].uid == (form.uid or form.file.partition(".")[0])


@pytest.mark.parametrize(
    "form", [form for form in FORMS if form.known_as in PRESETS], ids=lambda form: form.name
)
def test_a_form_with_other_columns_becomes_the_rows_of_a_set(form, tmp_path):
    supplied = Supplied(checker=Checker(pairs=form.stated))
    done = convert_text(form.text, path=form.file, to="pairs", supplied=supplied)
    (file,) = load_pairs([pairs_at(tmp_path, done.text, "rows.jsonl")])
    assert contests(file) == form.pairs


def test_the_table_of_forms_in_the_docs_is_complete():
    page = (ROOT / "docs/minimal-pairs.md").read_text("utf-8")
    lines = page.partition("\n## Published sets")[2].splitlines()
    rows = [line.removesuffix(" |").split(" | ") for line in lines if line.startswith("| ")]
    named = {row[0].removeprefix("| "): row for row in rows}
    for form in FORMS:
        needed = f", with `--pairs {form.stated[0]}`" if form.stated else ""
        assert named[form.name][2] == f"`{form.known_as}`{needed}", form.name
    assert {form.known_as for form in FORMS} >= PRESETS.keys()
    assert all(preset.title and preset.source for preset in PRESETS.values())


@pytest.mark.parametrize(
    ("name", "known_as", "pairs"),
    [
        ("blimp_nl_raw.csv", "blimp-nl", 74), ("clams_long_vp_coord.txt", "clams", 50),
        ("climp_classifier.csv", "climp", 74), ("dtfit.csv", "continuations", 99),
        ("rublimp_add_new_suffix.csv", "rublimp", 149),
        ("sling_haishi_ma.jsonl", "pairs-cjk", 150),
        ("turblimp_base_binding.csv", "turblimp", 149), ("zorro_npi_licensing.txt", "zorro", 50),
    ],
)  # fmt: skip
def test_the_published_files_themselves_are_scored(name, known_as, pairs, shared):
    path = str(shared / "data/pairs/other-forms" / name)
    tables = stated_tables(["zorro"] if known_as == "zorro" else [])
    (file,) = load_pairs(pair_paths([path], tables), tables=tables)
    assert (file.set, file.rows) == (known_as, pairs)


# Declared columns


def test_columns_are_declared_in_settings(here):
    (here / "evalmark.toml").write_text(
        "[[pairs]]\nfiles = 'mine/*.csv'\ngood = 'fine'\nbad = 'odd'\nuid = 'what'\n"
        "separator = '|'\n"
    )
    (here / "mine").mkdir()
    text = f"fine|odd|what\n{'|'.join(CATS)}|number\n"
    path = pairs_at(here / "mine", text, "a.csv")
    (file,) = load_pairs([path], tables=load_config().pairs)
    assert (contests(file), file.contests[0].uid) == ((CATS,), "number")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (("good=b", "bad=a"), f"a,b\n{','.join(CATS[::-1])}\n"),
        (("good=x", "bad=x", "label=y=ok"), f"x,y\n{CATS[0]},ok\n{CATS[1]},odd\n"),
        (("good=x", "bad=x", "first=bad"), f"x,y\n{CATS[1]},1\n{CATS[0]},2\n"),
        (("good=#2", "bad=#1"), f"{','.join(CATS[::-1])}\n"),
        (("good=x", "bad=x", "label=y", "pair-by=n"),
         f"x,y,n\n{CATS[1]},0,1\n{BOAT[0]},1,2\n{CATS[0]},1,1\n"),
    ],
)  # fmt: skip
def test_columns_are_declared_on_the_command_line(words, text, tmp_path):
    path = pairs_at(tmp_path, text, "a.csv")
    (file,) = load_pairs([path], tables=stated_tables(words))
    assert contests(file) == (CATS,)


def test_a_prefix_makes_continuations(tmp_path):
    words = ("good=a", "bad=b", "prefix=p")
    path = pairs_at(tmp_path, "p,a,b\nThe cats,sleep.,sleeps.\n", "a.csv")
    (file,) = load_pairs([path], tables=stated_tables(words))
    assert (file.set, file.method, contests(file)) == ("continuations", "conditional", (CATS,))


def test_declared_columns_leave_the_keys_of_sets_alone(tmp_path):
    path = pairs_at(tmp_path, FORMS[0].text, "a.jsonl")
    (file,) = load_pairs([path], tables=stated_tables(("good=x", "bad=y")))
    assert contests(file) == (CATS, BOAT)


@pytest.mark.parametrize(
    "stated",
    [{"good": "a"}, {"good": "a", "bad": 3}, {"uid": "a"}, {"good": "#1", "bad": "b"},
     {"good": "a", "bad": "a", "first": "x"}, {"good": "a", "bad": "b", "separator": "||"}],
)  # fmt: skip
def test_a_declaration_without_sense_is_refused(stated, here):
    with pytest.raises(UsageError):
        columns_of(stated)
    lines = (f"{key} = {json.dumps(value)}\n" for key, value in stated.items())
    (here / "evalmark.toml").write_text(f"[[pairs]]\nfiles = '*'\n{''.join(lines)}")
    with pytest.raises(ConfigError, match=r"evalmark.toml: `pairs`: "):
        load_config()


def test_an_unknown_preset_is_refused():
    with pytest.raises(UnknownNameError, match="rublimp"):
        stated_tables(["rublmp"])
    with pytest.raises(UsageError, match="pairs have one preset, not zorro and rublimp"):
        stated_tables(["zorro", "rublimp"])


# What is wrong with a row is found where it is


def test_a_finding_is_at_the_cell_of_its_column():
    table = "fine,odd\nThe  cats sleep.,It rains.\nA.,A.\n"
    report = check_text(table, path="a.csv", pairs=["good=fine", "bad=odd"])
    same, spaces = report.findings
    assert (same.code, same.pointer, same.span[:2]) == ("MP201", "/odd", (3, 4))
    assert (spaces.code, spaces.pointer, spaces.span[:2]) == ("MP301", "/fine", (2, 4))
    assert same.message.startswith("`fine` and `odd` are both")


def test_a_finding_of_a_pair_in_two_rows_is_on_the_line_of_its_sentence():
    report = check_text("True\tIt rains.\nFalse\tIt  rain.\n", path="a.txt")
    assert [(f.code, f.pointer, f.span[:2]) for f in report.findings] == [("MP301", "/#2", (2, 9))]


def test_a_row_without_partner_is_named_and_not_scored(tmp_path):
    text = f"True\t{CATS[0]}\nTrue\t{BOAT[0]}\nFalse\t{BOAT[1]}\n"
    path = pairs_at(tmp_path, text, "a.txt")
    assert [(f.code, f.span[0]) for f in check_file(path).findings] == [("MP405", 1)]
    (file,) = load_pairs([path])
    assert (contests(file), file.alone) == ((BOAT,), 1)


def test_a_label_that_means_nothing_is_an_error_and_prevents_scoring(tmp_path):
    words = ("good=x", "bad=x", "label=y")
    path = pairs_at(tmp_path, f"x,y\n{CATS[0]},1\n{CATS[1]},perhaps\n", "a.csv")
    report = check_file(path, pairs=words)
    first = report.findings[0]
    assert (first.code, first.pointer, first.span[:2]) == ("MP117", "/y", (3, len(CATS[1]) + 2))
    with pytest.raises(ScoringError, match="perhaps"):
        load_pairs([path], tables=stated_tables(words))


def test_a_missing_column_is_one_finding():
    report = check_text("a,b\nx,y\n", path="a.csv", pairs=["good=a", "bad=c"])
    assert [(f.code, f.message) for f in report.findings] == [
        ("MP101", "the declared column `c` is missing")
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("nr;x;y\n1;A b c.;A b d.\n",
         'pairs = [{ files = "a.csv", good = "x", bad = "y", separator = ";" }]'),
        ("item,x,ok\n1,A b c.,good\n", 'pairs = [{ files = "a.csv", good = "x", bad = "x", '
         'label = "ok", pair-by = ["item"] }]'),
        ("nr,x,ok\n1,A b c.,good\n", 'pairs = [{ files = "a.csv", good = "x", bad = "x", '
         'label = "ok" }]'),
    ],
)  # fmt: skip
def test_a_refused_table_names_the_configuration_that_reads_it(text, line, here):
    path = pairs_at(here, text, "a.csv")
    (finding,) = check_file(path).findings
    assert finding.code == "F001"
    assert finding.helps[-1].endswith(line)
    (here / "evalmark.toml").write_text(line)
    assert pair_paths([path], load_config().pairs) == [path]
    # One column is not both texts.
    (finding,) = check_text("item,x,ok\n1,A b c.,fine\n", path="b.csv").findings
    assert not any("pairs =" in text for text in finding.helps)


@pytest.mark.parametrize("name", ["sets/a.csv", "a[1].csv"])
def test_the_configuration_names_the_file_from_the_current_folder(name, here):
    (here / "sets").mkdir()
    Path(name).write_text("x;y\nA b c.;A b d.\n", "utf-8")
    (finding,) = check_file(name).findings
    Path("evalmark.toml").write_text(finding.helps[-1].partition("evalmark.toml: ")[2])
    assert pair_paths([name], load_config().pairs) == [name]


# EWoK in both readings


def test_ewok_is_one_target_after_two_contexts_or_two_targets_after_one(tmp_path):
    ewok = next(form for form in FORMS if form.name == "EWoK")
    path = pairs_at(tmp_path, ewok.text, ewok.file)
    (file,) = load_pairs([path], method="one-context")
    assert contests(file) == (("It is hot. He sweats.", "It is hot. He shivers."),)
    (comps,) = (form for form in FORMS if form.name == "COMPS")
    with pytest.raises(ScoringError, match="no texts for the method one-context"):
        load_pairs([pairs_at(tmp_path, comps.text, comps.file)], method="one-context")
