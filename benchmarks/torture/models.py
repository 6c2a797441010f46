"""Models that are damaged: each is refused in one sentence, or scores."""

from __future__ import annotations

import json
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from evalmark.scoring.models import tokenizer_process

from benchmarks.torture.calls import FIXTURES, ROOT, Call, call
from benchmarks.torture.commands import Judged, judged

Damage = Callable[[Path], object]

#: Seconds and bytes that a tokenizer has here.
LIMIT, MEMORY = 5, 2 << 30


def _json(name: str, **changes: Any) -> Damage:
    def damage(folder: Path) -> None:
        path = folder / name
        old = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps({**old, **changes}))

    return damage


def _config(**changes: Any) -> Damage:
    return _json("config.json", **changes)


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
RAN = "__import__('pathlib').Path('ran').touch()"


class _Runs:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return eval, (RAN,)


def _index(name: str) -> Damage:
    """Weights that an index names, pickled."""

    def damage(folder: Path) -> None:
        weights = {"transformer.wte.weight": name}
        index = {"metadata": {}, "weight_map": weights}
        (folder / f"{WEIGHTS}.index.json").write_text(json.dumps(index))
        (folder / WEIGHTS).unlink()
        (folder / name).write_bytes(pickle.dumps(_Runs()))

    return damage


def _linked(folder: Path) -> None:
    (folder / WEIGHTS).rename(folder.parent / "outside")
    (folder / WEIGHTS).symlink_to("../outside")


def _tokenizer(**changes: Any) -> Damage:
    return _json("tokenizer.json", **changes)


def _splitting(pattern: str) -> Damage:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    return _tokenizer(pre_tokenizer={**split, "invert": False})


def _doubling(times: int) -> Damage:
    each = {"type": "Replace", "pattern": {"Regex": "."}, "content": "ee"}
    return _tokenizer(normalizer={"type": "Sequence", "normalizers": [each] * times})


def _templated(template: str) -> Damage:
    return lambda folder: (folder / "chat_template.jinja").write_text(template)


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
    "index names a pickle": _index("x.bin"),
    "index leads out": _index("../outside.safetensors"),
    "weights a link out": _linked,
    "weights another file": _config(transformers_weights="../outside.safetensors"),
    "adapter": _json("adapter_config.json", base_model_name_or_path="some/model"),
    "layers without end": _config(n_layer=10**9),
    "code in a part": _config(text_config={"auto_map": {"AutoModel": "code.M"}}),
    "class not a tokenizer": _json("tokenizer_config.json", tokenizer_class="AutoModel"),
    "tokenizer panics": _splitting(r"(?=((?:[a-z ]+)+)+\d)"),
    "tokenizer takes time": _doubling(25),
    "tokenizer takes memory": _doubling(99),
    "template loops": _templated("{% for a in range(99999) %}" * 2 + "{% endfor %}" * 2),
}


def damaged_models() -> Iterator[Judged]:
    """Score with each damaged model, and talk with it."""
    tokenizer_process.LIMIT, tokenizer_process.MEMORY = LIMIT, MEMORY
    suite = str(FIXTURES / "good/suite.json")
    for name, damage in DAMAGES.items():
        with tempfile.TemporaryDirectory(prefix="torture-") as home:
            folder = Path(home, "model")
            shutil.copytree(ROOT / "demo_model", folder)
            damage(folder)
            for words in (
                ("score", suite, "--model", str(folder), "--out", str(Path(home, "out"))),
                ("memory", "run", "colours", "--model", str(folder), "--examples", "1",
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
        ("memory", "run", "colours", "--model", "./nosuch", "--out", "/tmp/none"),
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
