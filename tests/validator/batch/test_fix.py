"""``--fix`` mends what it may, and touches nothing else."""

import json
import shutil

import pytest
from conftest import FIXTURES, edited, needs_links, needs_modes, record_at
from evalmark.schemas.versions import names
from evalmark.validator.batch import check_files as _check_files
from evalmark.validator.batch.fix_files import fix_files
from evalmark.validator.check import check_file
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import apply_edits
from evalmark.validator.reading.source import Source, make_pointer
from found import places_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import JSON

WARNING = FIXTURES / "bad/SG302_leading_space.json"
UNSAFE = FIXTURES / "bad/SG301_trailing_space.json"
CONTEXT = Checker().context


@needs_modes
@pytest.mark.parametrize("program", [("evalmark", "check"), ("evalmark-hook",)])
def test_safe_fixes_change_only_what_they_mend(run, tmp_path, program):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    path.chmod(0o640)
    outcome = run(*program, "--fix", path, code=0)
    assert outcome.out == ""
    assert "Fixed 4 findings in 1 file." in outcome.err or program == ("evalmark-hook",)
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_unsafe_fixes_must_be_asked_for(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(UNSAFE, path)
    run("evalmark", "check", "--fix", path)
    assert path.read_bytes() == UNSAFE.read_bytes()
    run("evalmark", "check", "--fix", "--unsafe-fixes", path)
    assert path.read_text() == UNSAFE.read_text().replace("liked ", "liked", 1)
    assert check_file(path).findings == ()


def test_a_leading_space_is_an_unsafe_fix_where_the_join_keeps_it(run, here):
    (here / "evalmark.toml").write_text('join = "brainscore"\n')
    path = here / "suite.json"
    shutil.copy(WARNING, path)
    outcome = run("evalmark", "check", "--fix", path)
    assert path.read_bytes() == WARNING.read_bytes()
    assert "4 fixable with `--fix --unsafe-fixes`" in outcome.err


def test_diff_shows_what_can_be_applied_and_changes_nothing(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    outcome = run("evalmark", "check", "--fix", "--diff", path, code=1)
    name = str(path).lstrip("/")
    assert outcome.out.splitlines()[:2] == [f"--- a/{name}", f"+++ b/{name}"]
    assert '-              "content": " plays"' in outcome.out
    assert '+              "content": "plays"' in outcome.out
    assert path.read_bytes() == WARNING.read_bytes()


def test_fixing_stdin_prints_the_text(run):
    outcome = run("evalmark", "check", "--fix", "-", stdin=WARNING.read_bytes())
    assert outcome.out == WARNING.read_text().replace('": " ', '": "')


def test_a_byte_order_mark_is_fixed_together_with_the_rest(run, tmp_path):
    path = tmp_path / "suite.json"
    path.write_bytes(b"\xef\xbb\xbf" + WARNING.read_bytes())
    assert run("evalmark", "check", "--fix", path).code == 0
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')


@needs_links
def test_a_symbolic_link_stays_one(run, tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    shutil.copy(WARNING, target)
    link.symlink_to(target)
    run("evalmark", "check", "--fix", link)
    assert link.is_symlink()
    assert check_file(target).findings == ()


def test_a_library_user_fixes_files(tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    seen = []
    planned = fix_files([tmp_path], CONTEXT, write=False, changed=seen.append)
    assert path.read_bytes() == WARNING.read_bytes()
    done = fix_files([tmp_path], CONTEXT)
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')
    for fixed in (planned, done):
        assert (fixed.fixes, fixed.changed, fixed.not_written) == (4, (str(path),), ())
        assert fixed.checked.findings == ()
    assert [(file.path, file.new) for file in seen] == [(str(path), path.read_text())]


def test_ignored_findings_are_not_fixed(tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    assert fix_files([path], Checker(ignore=["SG302"]).context).changed == ()
    assert path.read_bytes() == WARNING.read_bytes()


def test_a_file_that_cannot_be_written_is_named(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    monkeypatch.setattr("evalmark.validator.batch.fix_files.write_atomically", full)
    fixed = fix_files([path], CONTEXT)
    assert fixed.not_written == ((str(path), "cannot be written: No space left on device"),)
    assert len(fixed.checked.findings) == 4


# records

RECORD = record_at("0.2.0")
NEW = record_at("0.2.1")
RESULT = RECORD["evaluation_results"][0]


def with_result(**members):
    return {**RECORD, "evaluation_results": [{**RESULT, **members}]}


def interval(lower, upper):
    details = {"confidence_interval": {"lower": lower, "upper": upper}}
    return with_result(score_details={**RESULT["score_details"], "uncertainty": details})


def scored(score, most):
    metric = {**RESULT["metric_config"], "max_score": most}
    return with_result(metric_config=metric, score_details={"score": score})


MENDED = interval(0.71, 0.79)
ISO = "2025-10-09T10:53:20+02:00"


@pytest.mark.parametrize(
    ("broken", "mended", "unsafe"),
    [
        ({**NEW, "evaluation_timestamp": None}, NEW, False),
        (
            {**NEW, "model_info": {
                **NEW["model_info"],
                **dict.fromkeys(("developer", "inference_platform", "additional_details")),
            }},
            NEW,
            False,
        ),
        ({**NEW, "model_info": {**NEW["model_info"], "developer": None}}, NEW, False),
        ({**NEW, "model_info": {"developer": None, **NEW["model_info"]}}, NEW, False),
        (
            with_result(source_data={**RESULT["source_data"], "url": ["www.lab.example/a"]}),
            with_result(source_data={**RESULT["source_data"], "url": ["https://www.lab.example/a"]}),
            False,
        ),
        (
            {**record_at("0.1.0"),
             "schema_version": "0.0.1"},
            record_at("0.1.0"),
            False,
        ),
        ({**RECORD, "retrieved_timestamp": ISO}, RECORD, True),
        (
            {**RECORD, "retrieved_timestamp": "2025-10-09T08:53:20.125Z",
             "evaluation_id": "agreement/example/model-1/1760000000.125"},
            {**RECORD, "retrieved_timestamp": "1760000000.125",
             "evaluation_id": "agreement/example/model-1/1760000000.125"},
            True,
        ),
        (
            {**RECORD, "retrieved_timestamp": ISO,
             "evaluation_id": f"agreement/example/model-1/{ISO}"},
            {**RECORD, "evaluation_id": "agreement/example/model-1/1760000000"},
            True,
        ),
        ({**RECORD, "retrieved_timestamp": "1760000000000"}, RECORD, True),
        (
            # The id has the fraction that is lost in a number of milliseconds.
            {**RECORD, "retrieved_timestamp": "1760000000000",
             "evaluation_id": "agreement/example/model-1/1760000000.3577101"},
            {**RECORD, "retrieved_timestamp": "1760000000.3577101",
             "evaluation_id": "agreement/example/model-1/1760000000.3577101"},
            True,
        ),
        (
            {**RECORD, "retrieved_timestamp": "1760000000123456789",
             "evaluation_id": "agreement/example/model-1/1760000000123456789"},
            {**RECORD, "retrieved_timestamp": "1760000000.123456789",
             "evaluation_id": "agreement/example/model-1/1760000000.123456789"},
            True,
        ),
        (interval(-0.04, 0.04), MENDED, True),
        (with_result(score_details={"accuracy": 0.75}), with_result(), False),
        (scored("75.2%", 1), scored(0.752, 1), True),
        (scored("75.2%", 100), scored(75.2, 100), True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("indent", [None, 2])
def test_exact_mends_of_records(tmp_path, broken, mended, unsafe, indent):
    path = tmp_path / "record.json"
    text = json.dumps(broken, indent=indent)
    path.write_text(text)
    fix_files([path], CONTEXT)
    if unsafe:
        assert path.read_text() == text, "a number or a time changes only if asked for"
        fix_files([path], CONTEXT, unsafe=True)
    assert path.read_text() == json.dumps(mended, indent=indent)
    assert check_file(path).findings == ()
    assert fix_files([path], CONTEXT, unsafe=True).changed == ()


@pytest.mark.parametrize("version", names("record")[1:])
def test_removing_every_null_is_no_new_mistake(tmp_path, version):
    """Without `score_type`, older versions demand the names of levels, which are null here."""
    path = tmp_path / "record.json"
    with edited(FIXTURES / f"versions/record-{version}.json", path) as data:
        keys = ("score_type", "level_names", "level_metadata", "has_unknown_level", "min_score")
        metric = {"lower_is_better": False, **dict.fromkeys(keys)}
        data["evaluation_results"][0]["metric_config"] = metric
    before = set(places_of(path))
    fix_files([path], CONTEXT, unsafe=True)
    after = set(places_of(path))
    assert after < before
    assert len(after) <= 1


@pytest.mark.parametrize(
    "broken",
    [
        {**RECORD, "retrieved_timestamp": "2025-10-09T10:53:20"},  # in which time zone?
        {**RECORD, "retrieved_timestamp": "176000000000"},  # a number of what?
        {**RECORD, "evaluation_id": None},  # must be there
        # The format does not know the key, which says something too.
        {**NEW, "model_info": {**NEW["model_info"], "additional_details": {"a": None}}},
        with_result(source_data={**RESULT["source_data"], "url": ["lab.example/a"]}),
        interval(0.01, 0.02),
    ],
)
def test_what_is_not_exact_is_not_mended(tmp_path, broken):
    path = tmp_path / "record.json"
    path.write_text(json.dumps(broken))
    fixed = fix_files([path], CONTEXT, unsafe=True)
    assert fixed.changed == ()
    assert fixed.checked.findings


OBJECTS = st.dictionaries(st.text(max_size=3), JSON, min_size=1, max_size=5)


@given(OBJECTS, st.data(), st.sampled_from([None, 2]), st.booleans())
def test_a_removed_member_leaves_the_others(node, data, indent, nested):
    key = data.draw(st.sampled_from(sorted(node)))
    whole = [node] if nested else node
    text = json.dumps(whole, indent=indent)
    pointer = make_pointer([0, key] if nested else [key])
    edit = Source("", text).removal(pointer)
    assert edit
    left = {name: value for name, value in node.items() if name != key}
    assert json.loads(apply_edits(text, [edit])) == ([left] if nested else left)
    assert Source("", text).removal("") is None


def test_a_file_that_is_saved_while_it_is_checked_is_not_edited(tmp_path, monkeypatch):
    """An editor writes between the check and the fix: the new content stays as it is."""
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    saved = b"\n\n\n" + WARNING.read_bytes()
    real = _check_files.check_one

    def checked(*arguments, **how):
        report = real(*arguments, **how)
        path.write_bytes(saved)
        return report

    monkeypatch.setattr(_check_files, "check_one", checked)
    fixed = fix_files([path], CONTEXT)
    assert path.read_bytes() == saved
    ((name, reason),) = fixed.not_written
    assert name == str(path)
    assert "changed while evalmark worked on it" in reason


def test_the_next_run_removes_temporary_files(tmp_path):
    shutil.copy(WARNING, tmp_path / "suite.json")
    (tmp_path / ".evalmark-99999999-abcdefgh").write_bytes(b"half")
    fix_files([tmp_path], CONTEXT)
    assert [path.name for path in tmp_path.iterdir()] == ["suite.json"]
