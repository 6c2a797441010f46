"""Models that are damaged are refused in one sentence, and their own code is never run.

`test_hostile_models.py` has what leads out of the folder, runs code or never ends.
"""

import json
import shutil

import pytest
from conftest import FIXTURES
from registered import registered

pytest.importorskip("torch")
pytest.importorskip("transformers")
from evalmark.scoring.demo_files import DEMO_FOLDER

SUITE = str(FIXTURES / "good/suite.json")
WEIGHTS, CONFIG, TOKENIZER = "model.safetensors", "config.json", "tokenizer.json"


def config(**changes):
    """A change of the configuration."""
    return CONFIG, lambda raw: json.dumps({**json.loads(raw), **changes}).encode()


#: What is damaged -> the file, and its bytes from the good ones; None removes the file.
DAMAGES = {
    "weights cut": (WEIGHTS, lambda raw: raw[: len(raw) // 2]),
    "weights garbage": (WEIGHTS, lambda raw: b"\xff" * len(raw)),
    "weights empty": (WEIGHTS, lambda _: b""),
    "weights a huge header": (WEIGHTS, lambda raw: b"\xff" * 7 + b"\x7f" + raw[8:]),
    "weights missing": (WEIGHTS, lambda _: None),
    "config cut": (CONFIG, lambda raw: raw[:100]),
    "config empty": (CONFIG, lambda _: b""),
    "config a list": (CONFIG, lambda _: b"[]"),
    "config deep": (CONFIG, lambda _: b"[" * 100_000),
    "config UTF-16": (CONFIG, lambda raw: raw.decode().encode("utf-16")),
    "config does not fit": config(n_embd=48, hidden_size=48),
    "vocabulary a word": config(vocab_size="x"),
    "vocabulary too small": config(vocab_size=5),
    "vocabulary negative": config(vocab_size=-3),
    "no layers": config(n_layer=0, num_hidden_layers=0),
    "layers null": config(n_layer=None, num_hidden_layers=None),
    "heads that do not divide": config(n_head=7, num_attention_heads=7),
    "positions null": config(n_positions=None, max_position_embeddings=None),
    "architecture of another kind": config(architectures=["T5ForConditionalGeneration"]),
    "type unknown": config(model_type="nothing"),
    "type a number": config(model_type=3),
    "own code": config(
        auto_map={"AutoConfig": "code.C", "AutoModelForCausalLM": "code.M"}, model_type="own"
    ),
    "no tokenizer": (TOKENIZER, lambda _: None),
    "tokenizer cut": (TOKENIZER, lambda raw: raw[: len(raw) // 2]),
    "tokenizer a list": (TOKENIZER, lambda _: b"[]"),
    "template loops": (
        "chat_template.jinja",
        lambda _: b"{% for a in range(99999) %}" * 2 + b"{% endfor %}" * 2,
    ),
}


def is_one_sentence(err):
    """True if a complaint is one line of ours, perhaps with notes and the usage."""
    usual = ("note: ", "Usage: ", "Try ")
    lines = [line for line in err.splitlines() if line and not line.startswith(usual)]
    return len(lines) == 1 and lines[0].startswith(("evalmark: ", "Error: "))


@pytest.mark.slow
@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_model_is_refused_in_one_sentence_or_works(name, run, here):
    shutil.copytree(DEMO_FOLDER, "model")
    (here / "model/code.py").write_text("import pathlib\npathlib.Path('ran').touch()\n")
    file, change = DAMAGES[name]
    path = here / "model" / file
    content = change(path.read_bytes() if path.exists() else b"")
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    for words in registered(
        ("score", SUITE, "--model", "model", "--out", "out"),
        ("memory", "colours", "--model", "model", "--examples", "1", "--out", "talk"),
    ):
        done = run("evalmark", *words, stdin=b"y\ny\ny\n")
        assert done.code < 2 or is_one_sentence(done.err), done.err
    assert not (here / "ran").exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    registered(
        ("score", SUITE, "--model", "./nosuch"),
        ("score", SUITE, "--model", "../nosuch"),
        ("score", SUITE, "--model", "demo", "--device", "cuda:99"),
        ("score", SUITE, "--model", "demo", "--device", "nonsense"),
        ("score", SUITE, "--model", "demo", "--dtype", "int8"),
        ("memory", "colours", "--model", "./nosuch", "--out", "none"),
    ),
)
def test_a_model_that_is_not_there_is_one_sentence(words, run, here):
    done = run("evalmark", *words)
    assert (done.code, is_one_sentence(done.err)) == (2, True), done.err
