"""Small models and tokenizers with random weights, and what a plain loop says of them."""

from __future__ import annotations

import json
import math

import pytest
from conftest import FIXTURES
from evalmark.scoring.models.language_models import MaskedModel
from evalmark.scoring.models.load_models import DEMO_FOLDER, load_model
from evalmark.validator.formats.suites.suite import join_regions

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def our_sentences():
    """All sentences of our demo suites."""
    texts = set()
    for path in sorted((FIXTURES / "suites").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        for item in data["items"]:
            for condition in item["conditions"]:
                texts.add(join_regions([r["content"] for r in condition["regions"]]).text)
    return sorted(texts)


def tokenizer_of(kind, texts):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    if kind == "byte-level BPE":
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(
            vocab_size=500,
            special_tokens=["<s>"],
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
    elif kind == "WordPiece":
        tokenizer = Tokenizer(models.WordPiece(unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        tokenizer.decoder = decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(
            vocab_size=300, special_tokens=["<s>", "<unk>"], show_progress=False
        )
    else:
        tokenizer = Tokenizer(models.Unigram())
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer.decoder = decoders.Metaspace()
        trainer = trainers.UnigramTrainer(
            vocab_size=400, special_tokens=["<s>", "<unk>"], unk_token="<unk>", show_progress=False
        )
    tokenizer.train_from_iterator(texts, trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>")


def lively_gpt2(vocabulary, dtype, **changes):
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=vocabulary,
        n_positions=256,
        n_embd=64,
        n_layer=3,
        n_head=4,
        initializer_range=0.2,  # the default is 0.02
        **changes,
    )
    return transformers.GPT2LMHeadModel(config).eval().to(getattr(torch, dtype))


def demo_tokenizer():
    """That of the demo model in this process."""
    return transformers.AutoTokenizer.from_pretrained(DEMO_FOLDER)


def demo_model(**changes):
    return load_model("demo", device="cpu", **changes)


SMALL = {
    "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
    "max_position_embeddings": 64, "initializer_range": 0.2,
}  # fmt: skip


def bert(dtype="float64"):
    """BERT with a WordPiece tokenizer, so small that most words are several tokens."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=90, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(our_sentences(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip
    torch.manual_seed(0)
    config = transformers.BertConfig(vocab_size=tokenizer.get_vocab_size(), **SMALL)
    model = transformers.BertForMaskedLM(config).eval().to(getattr(torch, dtype))
    return MaskedModel(model, fast, ("local/bert", "bert"))


def roberta(dtype="float64"):
    """RoBERTa with a byte-level tokenizer; its positions begin after that of the padding."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=["<s>", "<pad>", "</s>", "<mask>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    tokenizer.train_from_iterator(our_sentences(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", bos_token="<s>", eos_token="</s>",
        mask_token="<mask>",
    )  # fmt: skip
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=tokenizer.get_vocab_size(), pad_token_id=1, **SMALL
    )
    model = transformers.RobertaForMaskedLM(config).eval().to(getattr(torch, dtype))
    return MaskedModel(model, fast, ("local/roberta", "roberta"))


def plain_masked_loop(model, text):
    """A pass for every token, alone: it and what follows it within its word are hidden."""
    encoded = model.tokenizer(text)
    ids, words = encoded["input_ids"], encoded.word_ids()
    bits = []
    for place, word in enumerate(words):
        if word is None:
            continue
        hidden = [
            model.tokenizer.mask_token_id if at >= place and words[at] == word else token
            for at, token in enumerate(ids)
        ]
        with torch.no_grad():
            logits = model.model(torch.tensor([hidden])).logits[0, place].double()
        bits.append(-logits.log_softmax(-1)[ids[place]].item() / math.log(2))
    return bits
