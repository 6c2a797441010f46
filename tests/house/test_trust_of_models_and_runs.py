"""The table of trust, driven with hostile models, manifests and runs of the workbench.

As in ``test_trust.py``: a hostile value for each entry, and the sink is not reached.
"""

import hashlib
import json
import pickle
import shutil
from contextlib import suppress
from threading import Event
from typing import ClassVar

import pytest
from changed_models import changed, model_of
from conftest import ROOT, edited, file_at, needs_links
from evalmark.schemas.errors import RequestRefused
from evalmark.validator.settings import trust
from observed import ELSEWHERE, SUITE, place, watched
from suites import regions_in

__all__ = ["place", "watched"]  # fixtures

MODEL_FILES = pytest.importorskip("evalmark.scoring.models.model_files")


class AskedChild:
    """In place of the process of a run: notes what it is asked."""

    asked: ClassVar[list[dict]] = []
    is_asked: ClassVar[Event] = Event()

    def __init__(self, module, folder):
        pass

    def ask(self, question):
        self.asked.append(question)
        self.is_asked.set()

    def answers(self):
        return iter(())

    def end(self):
        return 0

    def stop(self):
        pass


def resumed(place, **values):
    """What a process is asked after somebody resumes the run of a file with these values."""
    pytest.importorskip("starlette")
    from evalmark.workbench.runs import scoring_runs
    from evalmark.workbench.served_folder import ServedFolder

    results = place.here / "results"
    results.mkdir(exist_ok=True)
    whole = {"model": "demo", "path": "suite.json", "join": "core", **values}
    (results / "x.run.json").write_text(json.dumps(whole))
    AskedChild.asked = []
    AskedChild.is_asked.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scoring_runs, "Child", AskedChild)
        runs = scoring_runs.ScoringRuns(ServedFolder(place.here))
        place.is_active = True
        listed = runs.listing()
        with suppress(RequestRefused):
            runs.resume("x")
            AskedChild.is_asked.wait(10)
        runs.close()
        place.is_active = False
    if values:
        assert all(run["state"] in ("refused", "failed") for run in listed), listed
    return AskedChild.asked


def attack_options_of_runs(place, watched):
    """A file of a run has the option that a page can ask for, and no other."""
    for option in (
        {"join": "evil"}, {"join": 5}, {"device": "cpu"}, {"loading": {"trust_remote_code": True}},
        {"trust_remote_code": True}, {"allow_pickle": True}, {"settings": {"bos": "none"}},
    ):  # fmt: skip
        assert resumed(place, **option) == []
    assert resumed(place) != [], "a harmless one is resumed"


def attack_models_of_runs(place, watched):
    shutil.copytree(ROOT / "scoring/demo_model", place.outside / "model")
    (place.here / "linked").symlink_to(place.outside / "model")
    for model in ("../outside/model", "linked", str(place.outside / "model"), 5, "evil:J"):
        assert resumed(place, model=model) == []


def attack_paths_of_runs(place, watched):
    shutil.copy(SUITE, place.outside / "suite.json")
    (place.here / "linked.json").symlink_to(place.outside / "suite.json")
    for path in ("../outside/suite.json", "linked.json", str(place.outside / "suite.json"), 5):
        assert resumed(place, path=path) == []


def attack_manifests(place, watched):
    """A manifest deletes what a run writes, and no other file of its folder."""
    with edited(SUITE, place.here / "recorded.json") as suite:
        for region in regions_in(suite):
            region["metric_value"] = {"sum": 1.0}
    words = ("evalmark", "score", "recorded.json", "--surprisals=recorded", "--out", "run", "-q")
    assert watched(*words).code == 0
    own = {"notes.txt": "mine", "deep/paper.tex": "mine", "suite.json": "{}", "key.pem": "x"}
    others = {"../keep.json": "{}", str(place.outside / "keep.json"): "{}"}
    for name, text in {**own, **others}.items():
        file_at(place.here / "run" / name, text)
    scores = place.here / "run/run.json"
    with edited(scores) as data:
        data["files"] |= {
            name: hashlib.sha256(text.encode()).hexdigest()
            for name, text in {**own, **others}.items()
        }
    assert watched(*words, "--overwrite").code == 0
    for name in (*own, *others):
        assert (place.here / "run" / name).exists(), name


# models: a copy of the demo model, changed


def refused_model(place, watched):
    done = watched("evalmark", "score", "suite.json", "--model", "./model", "--device", "cpu")
    assert done.code == 2, done.err
    assert "Traceback" not in done.err
    return done.err


class Bomb:
    def __init__(self, marker):
        self.marker = str(marker)

    def __reduce__(self):
        return open, (self.marker, "w")


def attack_code_of_models(place, watched):
    folder = model_of(place)
    (folder / "evil.py").write_text((place.here / "evil.py").read_text())
    for name in ("config.json", "tokenizer_config.json"):
        model_of(place)
        (folder / "evil.py").write_text((place.here / "evil.py").read_text())
        auto = {"AutoConfig": "evil.J", "AutoModelForCausalLM": "evil.J", "AutoTokenizer": "evil.J"}
        changed(folder / name, auto_map=auto, model_type="evil", tokenizer_class="EvilTokenizer")
        watched("evalmark", "score", "suite.json", "--model", "./model", "--device", "cpu")


def attack_pickled_weights(place, watched):
    folder = model_of(place)
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb(place.folder / "EVIL")))
    assert "--allow-pickle" in refused_model(place, watched)


def attack_weight_maps(place, watched):
    from safetensors import safe_open

    folder = model_of(place)
    with safe_open(folder / "model.safetensors", "pt") as file:
        names = list(file.keys())
    shutil.copy(folder / "model.safetensors", place.outside / "weights.safetensors")
    (folder / "model.safetensors").unlink()
    (folder / "x.bin").write_bytes(pickle.dumps(Bomb(place.folder / "EVIL")))
    (folder / "linked.safetensors").symlink_to(place.outside / "weights.safetensors")
    for name in ("x.bin", "../../outside/weights.safetensors", "linked.safetensors",
                 str(place.outside / "weights.safetensors")):  # fmt: skip
        index = {"metadata": {}, "weight_map": dict.fromkeys(names, name)}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
        refused_model(place, watched)


def attack_classes_of_tokenizers(place, watched):
    changed(model_of(place) / "tokenizer_config.json", tokenizer_class="AutoModelForCausalLM")
    assert "tokenizer_class" in refused_model(place, watched)


def attack_what_loads_something_else(place, watched):
    outside = str(place.outside / "model")
    shutil.copytree(ROOT / "scoring/demo_model", outside)
    for name, values in (
        ("adapter_config.json", {"base_model_name_or_path": outside, "peft_type": "LORA"}),
        ("config.json", {"configuration_files": ["config.4.0.json"]}),
        ("config.json", {"gguf_file": f"{outside}/x.gguf"}),
        ("tokenizer_config.json", {"init_inputs": [outside]}),
        ("tokenizer_config.json", {"fast_tokenizer_files": [f"{outside}/tokenizer.json"]}),
        ("config.json", {"attn_implementation": "evil/kernel"}),
    ):
        changed(model_of(place) / name, **values)
        assert name in refused_model(place, watched)


def attack_paths_of_configurations(place, watched):
    (place.outside / "vocab.json").write_text("{}")
    outside = str(place.outside / "vocab.json")
    changed(model_of(place) / "tokenizer_config.json", vocab_file=outside)
    assert "vocab_file" in refused_model(place, watched)


ATTACKS = {
    (trust.SERVED_RUN, "model"): attack_models_of_runs,
    (trust.SERVED_RUN, "path"): attack_paths_of_runs,
    (trust.SERVED_RUN, "join"): attack_options_of_runs,
    (trust.RUN, "files"): attack_manifests,
    (trust.MODEL, "auto_map"): attack_code_of_models,
    (trust.MODEL, "*.bin"): attack_pickled_weights,
    (trust.MODEL, "weight_map"): attack_weight_maps,
    (trust.MODEL, "tokenizer_class"): attack_classes_of_tokenizers,
    (trust.MODEL, "adapter_config.json"): attack_what_loads_something_else,
    (trust.MODEL, "other paths in configurations"): attack_paths_of_configurations,
}


def test_every_entry_elsewhere_is_attacked():
    assert ATTACKS.keys() == ELSEWHERE


def test_what_is_refused_in_model_folders_is_in_the_table():
    listed = {name for entry in trust.TRUST if entry.source == trust.MODEL for name in entry.names}
    assert set(MODEL_FILES.PICKLED) <= listed
    assert set(MODEL_FILES._ELSEWHERE) <= listed


@needs_links
@pytest.mark.slow
@pytest.mark.parametrize("key", ATTACKS, ids=lambda key: f"{key[1]} of {key[0].split()[0]}")
def test_a_hostile_value_does_not_reach_its_sink(place, watched, key):
    ATTACKS[key](place, watched)
    place.require_nothing_reached()
