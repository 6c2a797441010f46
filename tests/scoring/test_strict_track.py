"""A submission to BabyLM's strict track: a line for each task, files that its pipeline takes."""

from __future__ import annotations

import json
import math
import shutil
import sys
from types import SimpleNamespace

import pytest
from conftest import ROOT
from evalmark.converters.babylm.strict_track import WordInContext, read_reading
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.scoring.babylm.submission import Submission
from evalmark.scoring.babylm.word_surprisals import of_acquisition, of_reading
from evalmark.scoring.models import model_files
from evalmark.scoring.models.language_models import NextTokenModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.regions import whole_texts
from evalmark.scoring.score_settings import DEFAULT_COMPUTING, Settings
from evalmark.scoring.surprisals.pseudo_likelihood import pseudo_surprisals
from test_masked import bert, roberta

from benchmarks.babylm import add_stand_ins, make_data, pipeline

torch = pytest.importorskip("torch")

DEMO = ROOT / "demo_model"
#: Sizes of our own, in the pipeline's form.
SIZES = SimpleNamespace(
    FULL_SIZES={
        "blimp": {"anaphor_gender_agreement": 3, "wh_island": 2},
        "blimp_supplement": {"hypernym": 2},
        "ewok": {"social-relations": 3},
        "entity_tracking": {"regular_0_ops": 2, "regular_1_ops": 2},
        "wug_adj": 4,
        "wug_past": 4,
        "comps": {"base": 2, "wugs_dist_in_between": 2},
        "reading": 150,
        **dict.fromkeys(("boolq", "mnli", "mrpc", "multirc", "qqp", "rte", "wsc"), 2),
    },
    FAST_SIZES={
        "blimp": 2,
        "blimp_supplement": 2,
        "ewok": 2,
        "entity_tracking": {"regular_0_ops": 2},
        "wug_adj": 4,
        "wug_past": 4,
        "reading": 150,
    },
    AOA_SIZE=3,
    OTHER_FAST_REVISIONS=["chck_2M"],
)


@pytest.fixture
def challenge(tmp_path, monkeypatch):
    """A folder with ``evaluation_data`` and the model ``baby``, which is the current one."""
    make_data(tmp_path / "evaluation_data", SIZES)
    shutil.copytree(DEMO, tmp_path / "baby")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outcomes(out: str) -> dict[tuple[str, str], str]:
    """(Checkpoint, data) -> what became of the task."""
    lines = (line.split(maxsplit=3) for line in out.splitlines())
    return {(revision, data): outcome for revision, data, outcome, _ in lines}


def test_every_task_has_a_line_and_finished_ones_are_skipped(challenge, run):
    command = ("evalmark", "babylm", "baby", "--data", "evaluation_data")
    shutil.rmtree(challenge / "evaluation_data/full_eval/ewok_filtered")
    first = run(*command)
    written = ("blimp_filtered", "supplement_filtered", "entity_tracking",
               "wug_adj_nominalization", "wug_past_tense", "comps", "reading_data")  # fmt: skip
    others = {"ewok_filtered": "missing", "GLUE": "left", "cdi_childes": "missing"}
    assert outcomes(first.out) == {
        ("main", data): outcome
        for data, outcome in {**dict.fromkeys(written, "written"), **others}.items()
    }
    assert first.code == 1
    assert "evaluation_pipeline.ewok.dl_and_filter" in first.out
    assert "it needs the checkpoints: revisions such as 'chck_*'" in first.out
    assert "evalmark does not fine-tune" in first.out
    predictions = challenge / "results/baby/main/zero_shot/causal/blimp/blimp_filtered"
    before = (predictions / "predictions.json").read_bytes()

    # A finished task needs no model; its prediction file is written again if it is lost.
    (challenge / "baby/model.safetensors").unlink()
    (predictions / "predictions.json").unlink()
    again = run(*command)
    assert set(outcomes(again.out).values()) == {"finished", "missing", "left"}
    assert (predictions / "predictions.json").read_bytes() == before


def test_a_finished_run_of_something_else_is_refused(challenge, run):
    for task in ("supplement_filtered", "ewok_filtered", "comps", "entity_tracking", "aoa"):
        shutil.rmtree(challenge / "evaluation_data/full_eval" / task)
    command = ("evalmark", "babylm", "baby", "--data", "evaluation_data")
    run(*command)
    runs = challenge / "results/baby/main/evalmark"
    scores = runs / "blimp_filtered/scores.json"
    made = json.loads(scores.read_text(encoding="utf-8"))
    made["settings"]["bos"] = "auto"
    scores.write_text(json.dumps(made), encoding="utf-8")
    wug = challenge / "evaluation_data/full_eval/wug_past_tense/wug_past_tense.jsonl"
    wug.write_text(
        wug.read_text(encoding="utf-8").replace("chef", "judge").replace("pilot", "cook")
    )
    adjectives = runs / "wug_adj_nominalization/scores.json"
    adjectives.write_text("{", encoding="utf-8")
    reading = challenge / "evaluation_data/full_eval/reading/reading_data.csv"
    reading.write_text(reading.read_text(encoding="utf-8").replace("pilot", "cook"))
    done = run(*command)
    assert "blimp_filtered was made with bos auto; overwriting it scores it again" in done.out
    assert "wug_past_tense.jsonl is not as it was in" in done.out
    assert "reading is of another model, setting or file" in done.out
    assert outcomes(done.out)["main", "wug_adj_nominalization"] == "failed"
    done = run(*command, "--overwrite")
    assert set(outcomes(done.out).values()) == {"written", "missing", "left"}


def test_the_pipeline_collates_what_is_written(challenge, run, shared, monkeypatch):
    """Its size checks, and its metrics of checkpoints, on data of our own sizes."""
    for name in ("pandas", "scipy", "statsmodels"):
        pytest.importorskip(name)
    module = pipeline(shared / "peers/babylm-eval/strict")
    for name, value in vars(SIZES).items():
        monkeypatch.setattr(module, name, value)
    shutil.copytree(DEMO, challenge / "baby/chck_2M")
    done = run(
        "evalmark", "babylm", "baby", "--data", "evaluation_data", "--revisions", "chck_*",
        "--format", "json",
    )  # fmt: skip
    tasks = json.loads(done.out)["tasks"]
    assert {task["outcome"] for task in tasks} == {"written", "left out"}
    assert done.code == 0
    assert not (challenge / "results/baby/main/finetune").exists()
    add_stand_ins(challenge / "results/baby/main", module)
    arguments = ["collate", "--model_path_or_name=baby", "--backend=causal", "--fast"]
    monkeypatch.setattr(sys, "argv", arguments)
    module.main()
    collated = challenge / "results/baby/all_full_preds_and_fast_scores_causal.json"
    assert json.loads(collated.read_text())["fast_eval_results"]["blimp"][0].keys() == {
        "anaphor_gender_agreement", "wh_island",
    }  # fmt: skip


WORDS = [
    WordInContext("The author that the senators", " hurt"),
    WordInContext("None", "The"),
    WordInContext("The author", " wugnesses"),
    WordInContext("The customer near the", " architects"),
]
ACQUIRED = [("author", ["The", " the happy "]), ("wugnesses", ["", "I see two"])]


def test_words_have_the_numbers_of_the_pipeline(shared, monkeypatch):
    """In nats, to rounding in float32, with the same weights."""
    monkeypatch.syspath_prepend(shared / "peers/babylm-eval/strict")
    pytest.importorskip("pandas")
    pytest.importorskip("tqdm")
    from evaluation_pipeline.AoA_word.evaluation_functions import StepSurprisalExtractor
    from evaluation_pipeline.reading.evaluation_functions import get_p2
    from transformers import AutoModelForCausalLM, AutoTokenizer

    theirs = AutoModelForCausalLM.from_pretrained(DEMO).eval()
    tokenizer = AutoTokenizer.from_pretrained(DEMO)
    model = load_model("demo", bos="none", device="cpu")
    settings = Settings(bos="none", first_token="zero")

    read = of_reading(WORDS, model, settings, DEFAULT_COMPUTING)
    expected = [-math.log(get_p2(item, word, theirs, tokenizer)[0]) for item, word in WORDS]
    assert [bits * math.log(2) for bits in read] == pytest.approx(expected, abs=1e-4)

    extractor = StepSurprisalExtractor(None, "demo", "causal", "cpu")
    expected = [
        extractor.compute_surprisal_causal(
            theirs, tokenizer, tokenizer, f"{context.strip()} ", word, use_bos_only=False
        )
        for word, contexts in ACQUIRED
        for context in contexts
    ]
    read = of_acquisition(ACQUIRED, model, settings, DEFAULT_COMPUTING)
    assert [bits * math.log(2) for bits in read] == pytest.approx(expected, abs=1e-4)


def test_a_word_without_one_before_it_has_none(tmp_path):
    table = tmp_path / "reading_data.csv"
    table.write_text(
        "item,word,prev_item,prev_word\n,The,,\nThe, cat,None,The\nThe cat, is,The, cat"
    )
    assert [row.previous for row in read_reading(table)] == [
        None, None, WordInContext("The", " cat"),
    ]  # fmt: skip
    assert read_reading(table)[0].word == WordInContext("None", "The")
    table.write_text("sentence\nThe")
    with pytest.raises(ConversionError, match="has not the columns item, word"):
        read_reading(table)


def test_checkpoints_are_folders_of_a_folder_or_branches_of_the_hub(tmp_path, monkeypatch):
    def revisions(model, *patterns):
        return Submission(str(model), tmp_path, tmp_path, patterns, {}, None).revision_names()

    for name in ("chck_10M", "chck_2M", "logs"):
        (tmp_path / name).mkdir()
        if name != "logs":
            (tmp_path / name / "config.json").write_text("{}")
    assert revisions(tmp_path, "chck_*", "step7") == ["main", "chck_2M", "chck_10M", "step7"]
    with pytest.raises(ScoringError, match="no revisions that match 'step\\*'"):
        revisions(tmp_path, "step*")
    monkeypatch.setattr(
        "evalmark.scoring.babylm.submission.hub_branches", lambda _: ["main", "chck_1M"]
    )
    assert revisions("lab/gpt2", "*") == ["main", "chck_1M"]


@pytest.mark.parametrize("kind", ["mlm", "mntp"])
@pytest.mark.parametrize("made", [bert, roberta])
def test_masked_models_have_the_numbers_of_the_pipeline(made, kind, shared, monkeypatch):
    """In nats: sentences, words that were read, and words in contexts, with the same weights."""
    monkeypatch.syspath_prepend(shared / "peers/babylm-eval/strict")
    pytest.importorskip("pandas")
    pytest.importorskip("tqdm")
    from evaluation_pipeline.AoA_word.evaluation_functions import StepSurprisalExtractor
    from evaluation_pipeline.reading import evaluation_functions as reading

    unused = SimpleNamespace(read_files=None)  # it needs further libraries
    of_files = "evaluation_pipeline.sentence_zero_shot.read_files"
    monkeypatch.setitem(sys.modules, of_files, unused)
    from evaluation_pipeline.sentence_zero_shot.dataset import CompletionRankingDataset

    masked = made("float32")
    model = masked if kind == "mlm" else NextTokenModel(masked.model, masked.tokenizer, ("a", "b"))
    tokenizer, settings = masked.tokenizer, Settings(like="babylm", masked_method="original")

    read = of_reading(WORDS, model, settings, DEFAULT_COMPUTING)
    theirs = getattr(reading, f"get_p2_{kind}")
    expected = [-math.log(theirs(item, word, masked.model, tokenizer)[0]) for item, word in WORDS]
    assert [bits * math.log(2) for bits in read] == pytest.approx(expected, abs=1e-4)

    extractor = StepSurprisalExtractor(None, "masked", kind, "cpu")
    compute = getattr(extractor, f"compute_surprisal_{kind}")
    expected = [
        compute(masked.model, tokenizer, tokenizer, f"{context.strip()} ", word, use_bos_only=False)
        for word, contexts in ACQUIRED
        for context in contexts
    ]
    read = of_acquisition(ACQUIRED, model, settings, DEFAULT_COMPUTING)
    assert [bits * math.log(2) for bits in read] == pytest.approx(expected, abs=1e-4)

    text = "The author that the senators hurt laughs."
    dataset = SimpleNamespace(tokenizer=tokenizer, processor=tokenizer)
    sentences = {"sentences": [text], "completions": [text]}
    process = getattr(CompletionRankingDataset, f"process_{kind}_sentences")
    rows = process(dataset, sentences, None)
    with torch.no_grad():
        logits = masked.model(torch.stack([*rows["sentence_0_tokens"]])).logits
    of_rows = logits[torch.arange(len(logits)), rows["sentence_0_indices"]].log_softmax(-1)
    total = of_rows.gather(1, rows["sentence_0_targets"][:, None]).sum().item()
    texts = whole_texts({text: model.tokenize(text)})
    bits = pseudo_surprisals(texts, model, method="original")[text]
    assert -sum(bits) * math.log(2) == pytest.approx(total, abs=1e-4)


def test_a_masked_model_is_recognized_and_does_every_task(challenge, run):
    model = roberta("float32")
    model.model.save_pretrained(challenge / "masked")
    model.tokenizer.save_pretrained(challenge / "masked")
    for task in (
        "supplement_filtered",
        "ewok_filtered",
        "comps",
        "entity_tracking",
        "wug_past_tense",
    ):
        shutil.rmtree(challenge / "evaluation_data/full_eval" / task)
    command = ("evalmark", "babylm", "masked", "--data", "evaluation_data")
    done = run(*command)
    results = challenge / "results/masked/main"
    assert (results / "zero_shot/mlm/blimp/blimp_filtered/predictions.json").exists()
    assert (results / "zero_shot/mlm/reading/predictions.json").exists()
    assert outcomes(done.out)["main", "blimp_filtered"] == "written"
    assert outcomes(run(*command).out)["main", "reading_data"] == "finished"
    other = run(*command, "--backend", "mntp")
    assert outcomes(other.out)["main", "blimp_filtered"] == "written", "a run of its own"
    run_folder = results / "evalmark/mlm/blimp_filtered"
    data = "evaluation_data/full_eval/blimp_filtered"
    again = run("evalmark", "babylm", "again", data, "--from", str(run_folder))
    assert again.out.startswith("again/masked/main/zero_shot/mlm/blimp/"), again.out
    assert "--like babylm" not in again.err


def test_what_the_hub_does_not_say_is_one_sentence(monkeypatch):
    def fail(*_):
        raise ValueError("no such model\nrest")

    monkeypatch.setattr("huggingface_hub.HfApi.list_repo_refs", fail)
    with pytest.raises(ScoringError, match="ValueError: no such model; name them instead"):
        model_files.hub_branches("lab/none")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("baby",), "name the DATA"),
        (("baby", "more", "--data", "."), "give a model and no DATA"),
        (("baby", "--data", ".", "--backend", "enc_dec_mask"), "does not score enc_dec_mask"),
        (("baby", "--data", "nowhere"), "nowhere is not a folder"),
    ],
)
def test_a_call_that_means_nothing_is_refused(arguments, reason, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    done = run("evalmark", "babylm", *arguments)
    assert done.code == 2
    assert reason in done.err
    assert "Traceback" not in done.err
