"""Small models and tokenizers with random weights, and what a plain loop says of them."""

import math

import pytest
from conftest import FIXTURES, data_at
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.models.language_models import MaskedModel
from evalmark.scoring.models.load_models import load_model
from evalmark.validator.formats.suites.suite import join_regions
from suites import texts_in

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def our_sentences():
    """All sentences of our demo suites."""
    paths = sorted((FIXTURES / "suites").glob("*.json"))
    return sorted({join_regions(texts).text for path in paths for texts in texts_in(data_at(path))})


def trained(kind, texts, size, *special):
    """A tokenizer that has learned from some texts; the second special token is the unknown one."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    common = {"vocab_size": size, "special_tokens": list(special), "show_progress": False}
    if kind == "byte-level BPE":
        parts = models.BPE(), pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(initial_alphabet=alphabet, **common)
    elif kind == "WordPiece":
        parts = models.WordPiece(unk_token=special[1]), pre_tokenizers.BertPreTokenizer()
        parts = *parts, decoders.WordPiece()
        trainer = trainers.WordPieceTrainer(**common)
    else:
        parts = models.Unigram(), pre_tokenizers.Metaspace(), decoders.Metaspace()
        trainer = trainers.UnigramTrainer(unk_token=special[1], **common)
    model, splits, joins = parts
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer, tokenizer.decoder = splits, joins
    tokenizer.train_from_iterator(texts, trainer)
    return tokenizer


#: The kinds of tokenizers, with their sizes and further special tokens.
KINDS = {"byte-level BPE": (500,), "WordPiece": (300, "<unk>"), "Unigram": (400, "<unk>")}


def tokenizer_of(kind, texts):
    size, *unknown = KINDS[kind]
    tokenizer = trained(kind, texts, size, "<s>", *unknown)
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


def masked(name, kinds, tokenizer, ends, dtype, names, **rest):
    """A masked model of a tokenizer, which puts tokens at both ends of a text."""
    from tokenizers import processors

    tokenizer.post_processor = processors.TemplateProcessing(
        single=" $A ".join(ends), special_tokens=[(end, tokenizer.token_to_id(end)) for end in ends]
    )
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names)
    torch.manual_seed(0)
    config, model = kinds
    config = config(vocab_size=tokenizer.get_vocab_size(), **SMALL, **rest)
    return MaskedModel(
        model(config).eval().to(getattr(torch, dtype)), fast, (f"local/{name}", name)
    )


def bert(dtype="float64"):
    """BERT with a WordPiece tokenizer, so small that most words are several tokens."""
    names = {
        "pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }  # fmt: skip
    kinds = transformers.BertConfig, transformers.BertForMaskedLM
    tokenizer = trained("WordPiece", our_sentences(), 90, *names.values())
    return masked("bert", kinds, tokenizer, ("[CLS]", "[SEP]"), dtype, names)


def roberta(dtype="float64"):
    """RoBERTa with a byte-level tokenizer; its positions begin after that of the padding."""
    names = {
        "bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "mask_token": "<mask>",
    }  # fmt: skip
    kinds = transformers.RobertaConfig, transformers.RobertaForMaskedLM
    tokenizer = trained("byte-level BPE", our_sentences(), 330, *names.values())
    return masked("roberta", kinds, tokenizer, ("<s>", "</s>"), dtype, names, pad_token_id=1)


def plain_bits(model, ids):
    """The bits of each token but the first: one pass, one softmax, nothing to go wrong."""
    with torch.no_grad():
        logits = model(torch.tensor([list(ids)])).logits[0].double()
    bits = logits.log_softmax(-1) / math.log(2)
    return [-bits[at, token].item() for at, token in enumerate(ids[1:])]


def plain_masked_loop(model, text, *, alone=False):
    """A pass for every token: it is hidden, alone or with what follows it within its word."""
    encoded = model.tokenizer(text)
    ids, words = encoded["input_ids"], encoded.word_ids()
    bits = []
    for place, word in enumerate(words):
        if word is None:
            continue
        hidden = [
            model.tokenizer.mask_token_id
            if at == place or (not alone and at > place and words[at] == word)
            else token
            for at, token in enumerate(ids)
        ]
        with torch.no_grad():
            logits = model.model(torch.tensor([hidden])).logits[0, place].double()
        bits.append(-logits.log_softmax(-1)[ids[place]].item() / math.log(2))
    return bits
