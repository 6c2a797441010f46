"""Train the demo model from scratch: ``python -m scripts.train_demo_model``.

Seeded, on the CPU, a few minutes on two cores. Writes ``demo_model`` (tokenizer, weights)
and ``fixtures/suites`` (the test suites over the same grammar).
"""

from __future__ import annotations

import itertools
import json
import math
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

from scripts.demo_grammar import sentences, suites

ROOT = Path(__file__).resolve().parent.parent
SEED = 20261121
STEPS = 1600
BATCH = 96
PEAK_RATE = 3e-3


def train_tokenizer() -> PreTrainedTokenizerFast:
    """A byte-level BPE large enough that each word of the grammar is one token.

    Were "laughs" two tokens and "laugh" one, the region of a verb would not hold the choice
    between them: the end of "laugh" is decided by the token after it.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(itertools.islice(sentences(SEED), 20_000), trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>")  # type: ignore[no-untyped-call]


def main() -> None:
    started = time.monotonic()
    torch.manual_seed(SEED)
    tokenizer = train_tokenizer()
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=256,
            n_embd=128,
            n_layer=3,
            n_head=4,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.bos_token_id,
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
        )
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, weight_decay=0.05)
    stream = sentences(SEED + 1)
    model.train()
    for step in range(STEPS):
        rate = min(1.0, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * step / STEPS))
        for group in optimizer.param_groups:
            group["lr"] = PEAK_RATE * rate
        rows = [
            [tokenizer.bos_token_id, *tokenizer.encode(s, add_special_tokens=False)]
            for s in itertools.islice(stream, BATCH)
        ]
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in rows])
        loss = model(
            input_ids=ids, attention_mask=mask, labels=ids.masked_fill(mask == 0, -100)
        ).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 100 == 0 or step == STEPS - 1:
            print(f"step {step:5d}  loss {loss.item():.4f}  {time.monotonic() - started:.0f} s")

    target = ROOT / "scoring/demo_model"
    model.eval()  # type: ignore[no-untyped-call]
    model.save_pretrained(target)
    tokenizer.save_pretrained(target)
    (target / "generation_config.json").unlink(missing_ok=True)
    folder = ROOT / "fixtures" / "suites"
    folder.mkdir(parents=True, exist_ok=True)
    for name, suite in suites().items():
        text = json.dumps(suite, indent=2, ensure_ascii=False) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
