"""Models that are damaged: each is refused in one sentence, or scores."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.torture.calls import FIXTURES, ROOT, Call, call
from benchmarks.torture.commands import Judged, judged

Damage = Callable[[Path], object]


def _config(**changes: Any) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / "config.json"
        path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))

    return damage


def _bytes(name: str, change: Callable[[bytes], bytes]) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / name
        path.write_bytes(change(path.read_bytes()))

    return damage


def _without(*names: str) -> Damage:
    def damage(folder: Path) -> None:
        for name in names:
            for path in folder.glob(name):
                path.unlink()

    return damage


def _pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def _own_code(folder: Path) -> None:
    auto = {"AutoConfig": "code.C", "AutoModelForCausalLM": "code.M"}
    _config(auto_map=auto, model_type="own")(folder)
    (folder / "code.py").write_text("import pathlib\npathlib.Path('ran').touch()\n")


WEIGHTS = "model.safetensors"
#: What is done to a copy of the demo model.
DAMAGES: dict[str, Damage] = {
    "weights cut": _bytes(WEIGHTS, lambda raw: raw[: len(raw) // 2]),
    "weights garbage": _bytes(WEIGHTS, lambda raw: b"\xff" * len(raw)),
    "weights empty": _bytes(WEIGHTS, lambda _: b""),
    "weights a huge header": _bytes(WEIGHTS, lambda raw: b"\xff" * 7 + b"\x7f" + raw[8:]),
    "weights missing": _without("*.safetensors"),
    "weights pickled": _pickled,
    "config cut": _bytes("config.json", lambda raw: raw[:100]),
    "config empty": _bytes("config.json", lambda _: b""),
    "config a list": _bytes("config.json", lambda _: b"[]"),
    "config deep": _bytes("config.json", lambda _: b"[" * 100_000),
    "config UTF-16": _bytes("config.json", lambda raw: raw.decode().encode("utf-16")),
    "config does not fit": _config(n_embd=48, hidden_size=48),
    "vocabulary a word": _config(vocab_size="x"),
    "vocabulary too small": _config(vocab_size=5),
    "vocabulary negative": _config(vocab_size=-3),
    "no layers": _config(n_layer=0, num_hidden_layers=0),
    "layers null": _config(n_layer=None, num_hidden_layers=None),
    "heads that do not divide": _config(n_head=7, num_attention_heads=7),
    "positions null": _config(n_positions=None, max_position_embeddings=None),
    "architecture of another kind": _config(architectures=["T5ForConditionalGeneration"]),
    "type unknown": _config(model_type="nothing"),
    "type a number": _config(model_type=3),
    "own code": _own_code,
    "no tokenizer": _without("tokenizer*", "vocab*", "merges*", "special*"),
    "tokenizer cut": _bytes("tokenizer.json", lambda raw: raw[: len(raw) // 2]),
    "tokenizer a list": _bytes("tokenizer.json", lambda _: b"[]"),
}


def damaged_models() -> Iterator[Judged]:
    """Score with each damaged model, and talk with it."""
    suite = str(FIXTURES / "good/suite.json")
    for name, damage in DAMAGES.items():
        with tempfile.TemporaryDirectory(prefix="torture-") as home:
            folder = Path(home, "model")
            shutil.copytree(ROOT / "demo_model", folder)
            damage(folder)
            for words in (
                ("score", suite, "--model", str(folder), "--out", str(Path(home, "out"))),
                ("converse", "colours", "--model", str(folder), "--examples", "1",
                 "--out", str(Path(home, "talk"))),
            ):  # fmt: skip
                ended = call(Call(words, stdin=b"y\ny\ny\n", cwd=home, seconds=300))
                wrong = () if ended.code < 2 else one_sentence(ended.err)
                ran = ("its code was run",) if Path(home, "ran").exists() else ()
                found = judged(ended, {0, 1, 2}, (*wrong, *ran))
                yield found._replace(wrong=tuple(f"{name}: {what}" for what in found.wrong))
    for words in (
        ("score", suite, "--model", "./nosuch"),
        ("score", suite, "--model", "../nosuch"),
        ("score", suite, "--model", "demo", "--device", "cuda:99"),
        ("score", suite, "--model", "demo", "--device", "nonsense"),
        ("score", suite, "--model", "demo", "--dtype", "int8"),
        ("converse", "colours", "--model", "./nosuch", "--out", "/tmp/none"),
    ):
        ended = call(Call(words, seconds=300))
        yield judged(ended, {2}, one_sentence(ended.err))


def one_sentence(err: bytes) -> tuple[str, ...]:
    """What is wrong with a complaint that must be one line of ours."""
    whole = [line for line in err.split(b"\n") if line]
    lines = [line for line in whole if line.startswith((b"evalmark: ", b"Error: "))]
    usual = (b"note: ", b"Usage: ", b"Try ")
    others = [line for line in whole if line not in lines and not line.startswith(usual)]
    said = len(lines) == 1 and not others
    return () if said else (f"{len(lines)} lines of ours, {len(others)} others",)
