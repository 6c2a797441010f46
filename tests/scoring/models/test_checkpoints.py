"""Checkpoints: their order, the models that a call means by them, and their runs."""

import json
import shutil
from types import SimpleNamespace

import pytest
from conftest import FIXTURES, file_at, needs_links
from evalmark.converters.records.run import Model, Producer, Run
from evalmark.schemas.errors import ScoringError
from evalmark.scoring import load_model
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.model_jobs import folders
from evalmark.scoring.models.checkpoints import (
    checkpoints_in,
    in_order,
    notes_on,
    step_of,
    with_checkpoints,
)
from evalmark.scoring.runs.run_origin import series_of
from evalmark.scoring.runs.run_sources import run_at
from run_data import record_of, table

SUITE = FIXTURES / "suites/garden_path.json"


def made(folder, *names, file="config.json"):
    """Folders that look like models."""
    for name in names:
        file_at(folder / name / file, "{}")
    return folder


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("step1000", 1000), ("checkpoint-500", 500), ("chck_10M", 10_000_000), ("chck_1B", 10**9),
        ("global_step256000", 256_000), ("step1000-tokens4B", 1000), ("epoch_3", 3), ("2000", 2000),
        ("stage1-step5-tokens9B", 5), ("iter_0010000-ckpt", 10_000), ("main", None), ("v1.0", None),
        ("checkpoint-5e10", None), ("footstep12", None), ("chck_10Mio", None),
    ],
)  # fmt: skip
def test_the_step_is_the_number_after_a_word_for_it(name, step):
    assert step_of(name) == step


@pytest.mark.parametrize("names", [
    ["checkpoint-5", "checkpoint-10", "checkpoint-100"],
    ["chck_900K", "chck_1M", "chck_20M", "chck_100M", "chck_1B", "main"],
    ["step0", "step512", "step1000", "main"],
    ["stage1-step1000", "stage1-step2000", "stage2-step10"],
    ["2", "10", "v2", "v10"],
])  # fmt: skip
def test_checkpoints_are_in_the_order_of_their_numbers(names):
    assert in_order(sorted(names)) == in_order(reversed(names)) == names
    assert in_order([*names, names[0]]) == names


def test_a_folder_of_checkpoints_is_all_of_them(tmp_path):
    folder = made(tmp_path / "gpt", "checkpoint-100", "checkpoint-20", "logs")
    (folder / "checkpoint-300").mkdir()  # still empty
    assert checkpoints_in(folder) == ["checkpoint-20", "checkpoint-100"]
    both = [str(folder / name) for name in ("checkpoint-20", "checkpoint-100")]
    assert with_checkpoints([str(folder), "gpt2"], None) == [*both, "gpt2"]
    (note,) = notes_on([str(folder), "gpt2"], None)
    assert note == f"{folder} is a folder of 2 checkpoints: checkpoint-20, checkpoint-100"


def test_the_final_model_is_scored_and_its_checkpoints_by_revision(tmp_path):
    folder = made(tmp_path / "gpt", "", "chck_2M", "chck_1M", "chck_10M")
    assert with_checkpoints([str(folder)], None) == [str(folder)]
    (note,) = notes_on([str(folder)], None)
    assert note == f"{folder} also has 3 checkpoints; revision '*' scores them instead"
    for revision, names in (
        ("*", ["chck_1M", "chck_2M", "chck_10M"]),
        ("chck_10M, chck_1M,chck_1M", ["chck_1M", "chck_10M"]),
        ("chck_?M", ["chck_1M", "chck_2M"]),
    ):
        assert with_checkpoints([str(folder)], revision) == [str(folder / name) for name in names]
        assert list(notes_on([str(folder)], revision)) == []
    with pytest.raises(ScoringError, match=r"has no checkpoint 'chck_3M', but chck_1M, chck_2M"):
        with_checkpoints([str(folder)], "chck_3M")
    with pytest.raises(ScoringError, match="names no revision"):
        with_checkpoints([str(folder)], " , ")


@needs_links
def test_a_link_out_of_a_folder_is_no_checkpoint_of_it(tmp_path):
    made(tmp_path / "elsewhere", "checkpoint-1")
    folder = made(tmp_path / "gpt", "checkpoint-2")
    (folder / "checkpoint-1").symlink_to(tmp_path / "elsewhere/checkpoint-1")
    (folder / "checkpoint-3").symlink_to(folder / "checkpoint-2")
    assert checkpoints_in(folder) == ["checkpoint-2", "checkpoint-3"]


def test_revisions_on_the_hub_are_named_or_match_a_pattern(monkeypatch):
    pytest.importorskip("huggingface_hub")
    names = ("main", "step10", "step9", "other")
    refs = SimpleNamespace(branches=[SimpleNamespace(name=name) for name in names],
                           tags=[SimpleNamespace(name="step100")])  # fmt: skip
    monkeypatch.setattr("huggingface_hub.list_repo_refs", lambda _: refs)
    assert with_checkpoints(["a/b"], "step2,step1") == ["a/b@step1", "a/b@step2"]
    assert with_checkpoints(["a/b"], "step*,main") == [
        "a/b@step9", "a/b@step10", "a/b@step100", "a/b@main",
    ]  # fmt: skip
    with pytest.raises(ScoringError, match="'a/b' has no revision 'nope"):
        with_checkpoints(["a/b"], "nope*")

    def unreachable(_):
        raise ConnectionError("no route\nto host")

    monkeypatch.setattr("huggingface_hub.list_repo_refs", unreachable)
    with pytest.raises(ScoringError, match=r"revisions of 'a/b' cannot be listed: no route$"):
        with_checkpoints(["a/b"], "step*")


def test_each_checkpoint_has_a_folder_of_its_own(tmp_path):
    made(tmp_path / "a/gpt", "checkpoint-1", "checkpoint-2")
    models = [str(tmp_path / "a/gpt/checkpoint-1"), "lab/model@refs/pr/1", "lab/model"]
    names = ["gpt@checkpoint-1", "lab__model@refs__pr__1", "lab__model"]
    assert folders(models, tmp_path) == [tmp_path / name for name in names]
    assert folders(models[:1], tmp_path) == [tmp_path], "the only model has the folder itself"


@pytest.mark.parametrize(
    ("details", "series"),
    [
        ({"dtype": "float32"}, ("", None)),
        ({"revision": "chck_3M"}, ("a/b", 3_000_000)),
        ({"revision": "main"}, ("a/b", None)),
    ],
)
def test_a_series_is_what_a_run_says_of_its_revision(details, series):
    model = Model("a/b", "b", details=details)
    assert series_of(Run("c", 1, model, Producer(), (), ())) == series


# with models


@pytest.fixture
def trained(tmp_path, torch, transformers):
    """Three checkpoints of a training, of which the last two are equal."""
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "gpt"
    for step, change in ((5, 0.0), (10, 0.01), (100, 0.01)):
        place = folder / f"checkpoint-{step}"
        shutil.copytree(DEMO_FOLDER, place)
        torch.manual_seed(1)
        tensors = load_file(place / "model.safetensors")
        changed = {name: of + change * torch.randn_like(of) for name, of in tensors.items()}
        save_file(changed, place / "model.safetensors", metadata={"format": "pt"})
    return folder


def test_a_checkpoint_has_the_id_of_its_training_and_its_own_name(trained):
    for model in (
        load_model(str(trained / "checkpoint-10"), device="cpu"),
        load_model(str(trained), revision="checkpoint-10", device="cpu"),
    ):
        assert (model.info.id, model.info.name) == ("local/gpt", "gpt")
        assert model.info.details["revision"] == "checkpoint-10"


def test_a_folder_of_checkpoints_says_that_it_is_one(trained):
    last = trained / "checkpoint-100"
    with pytest.raises(ScoringError) as refusal:
        load_model(str(trained), device="cpu")
    assert str(refusal.value) == (
        f"model {str(trained)!r} cannot be loaded: the folder has checkpoints: checkpoint-5, "
        f"checkpoint-10, checkpoint-100; give one of them ({str(last)!r}), or `evalmark score` "
        "scores all of them"
    )
    with pytest.raises(ScoringError, match="names a revision, and 'y' is another"):
        load_model("a/b@x", revision="y")


def test_checkpoints_are_scored_in_order_and_equal_ones_once(trained, run, monkeypatch):
    computed = []

    def score(self, model, folder, progress):
        computed.append(folder.name)
        return usual(self, model, folder, progress)

    usual = ContestTask.score
    monkeypatch.setattr(ContestTask, "score", score)
    out = trained.parent / "out"
    done = run("evalmark", "score", SUITE, "--limit", "2", "--model", trained, "--out", out, code=0)
    assert computed == ["gpt@checkpoint-5", "gpt@checkpoint-10"]
    same = "local/gpt (checkpoint-10), local/gpt (checkpoint-100)"
    assert f"note: the same weights: {same}\n" in done.err
    folders = [out / f"gpt@checkpoint-{step}" for step in (5, 10, 100)]
    assert [series_of(run_at(folder)) for folder in folders] == [
        ("local/gpt", step) for step in (5, 10, 100)
    ]
    tables = [table(folder, "regions") for folder in folders]
    assert tables[1] == tables[2] != tables[0]
    details = [record_of(folder)["model_info"]["additional_details"] for folder in folders]
    assert [of["revision"] for of in details] == [f"checkpoint-{step}" for step in (5, 10, 100)]
    again = run("evalmark", "score", SUITE, "--limit", "2", "--model", trained, "--out", out)
    assert again.err.count("is finished") == 3
    assert len(computed) == 2


def test_equal_weights_with_another_configuration_are_computed(trained, run):
    config = trained / "checkpoint-100/config.json"
    data = json.loads(config.read_text())
    config.write_text(json.dumps({**data, "layer_norm_epsilon": 0.1}))
    out = trained.parent / "out"
    done = run("evalmark", "score", SUITE, "--limit", "2", "--model", trained, "--out", out, "-q")
    assert done.code == 0, done.err
    tables = [table(out / f"gpt@checkpoint-{step}", "regions") for step in (10, 100)]
    assert tables[0] != tables[1]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--revision", "step1"), "--revision needs --model"),
        (
            ("--model", "gpt", "--model", "b", "--model-id", "a/b"),
            "--model-id needs a single model",
        ),
    ],
)
def test_options_that_do_not_fit_checkpoints_are_refused(options, reason, run, here):
    made(here / "gpt", "step1", "step2")
    source = () if "--model" in options else ("--surprisals=recorded",)
    assert f"evalmark: {reason}" in run("evalmark", "score", SUITE, *source, *options, code=2).err
