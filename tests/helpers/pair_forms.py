"""Published forms of minimal pairs, each with two pairs of our own making."""

import json
from typing import Any, NamedTuple

#: The texts of the two pairs of most forms: the right one first.
CATS = ("The cats sleep.", "The cats sleeps.")
BOAT = ("A boat sinks.", "A boat sink.")
HAN = (("猫睡了。", "猫了睡。"), ("船沉了。", "船了沉。"))


class Form(NamedTuple):
    """A published form.

    Attributes:
        name: As in the table of docs/minimal-pairs.md.
        file: A name that its files may have.
        text: Such a file.
        known_as: The set, or the preset, that it is scored as.
        pairs: Both texts of each contest, with what precedes them.
        stated: The words after ``--pairs``, if it is not recognized.
        uid: What its first row is averaged with; the name of the file if empty.
    """

    name: str
    file: str
    text: str
    known_as: str
    pairs: tuple[tuple[str, str], ...] = (CATS, BOAT)
    stated: tuple[str, ...] = ()
    uid: str = ""


def _rows(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def _pairs(good: str, bad: str, *, of: tuple[Any, ...] = (CATS, BOAT), **labels: Any) -> str:
    return _rows(*({good: pair[0], bad: pair[1], **labels} for pair in of))


def _table(separator: str, *rows: tuple[str, ...]) -> str:
    return "".join(separator.join(row) + "\n" for row in rows)


_GAP = (("The actor won the award", "The actor won the cave"),)
_COMPS = (("A cat can sleep.", "A boat can sleep."),)
_EWOK = (
    ("It is hot. He sweats.", "It is cold. He sweats."),
    ("It is cold. He shivers.", "It is hot. He shivers."),
)

FORMS = (
    Form(
        "BLiMP", "agreement.jsonl",
        _pairs("sentence_good", "sentence_bad", UID="agreement", field="syntax", pairID="0"),
        "blimp", uid="agreement",
    ),
    Form("BLiMP supplement (BabyLM)", "turns.jsonl", _pairs("sentence_good", "sentence_bad"),
         "pairs"),
    Form("ZhoBLiMP", "ba.jsonl",
         _pairs("sentence_good", "sentence_bad", of=HAN, phenomenon="ba", paradigm="ba_1"),
         "pairs-cjk", HAN, uid="ba_1"),
    Form("BLiMP-NL (JSON Lines)", "binding.jsonl", _pairs("sentence_good", "sentence_bad"),
         "pairs"),
    Form("CLiMP (JSON Lines)", "classifier.jsonl",
         _pairs("sentence_good", "sentence_bad", of=HAN), "pairs-cjk", HAN),
    Form("SLING", "ma.jsonl",
         _pairs("sentence_good", "sentence_bad", of=HAN, paradigm="ma", pair_ID=0), "pairs-cjk",
         HAN, uid="ma"),
    Form("MultiBLiMP", "eng.tsv",
         _table("\t", ("sen", "wrong_sen", "phenomenon"), (*CATS, "SV-#"), (*BOAT, "SV-#")),
         "multiblimp"),
    Form("JBLiMP", "data.jsonl", _pairs("good_sentence", "bad_sentence", paradigm="case"),
         "jblimp", uid="case"),
    Form("TurBLiMP (experimental)", "svo.csv",
         _table(",", ("good_sentence", "bad_sentence"), CATS, BOAT), "jblimp"),
    Form("Hu & Levy: BLiMP", "corpus.csv",
         _table(",", ("item_id", "good_sentence", "bad_sentence"), ("1", *CATS), ("2", *BOAT)),
         "jblimp"),
    Form("Hu & Levy: SyntaxGym", "corpus.csv",
         _table(",", ("good_sentence", "bad_sentence", "suite"), (*CATS, "a"), (*BOAT, "b")),
         "jblimp"),
    Form("EWoK", "ewok.jsonl",
         _rows({"Domain": "weather", "Context1": "It is hot.", "Context2": "It is cold.",
                "Target1": "He sweats.", "Target2": "He shivers."}),
         "ewok", _EWOK, uid="weather"),
    Form("COMPS", "base.jsonl",
         _rows({"prefix_acceptable": "A cat", "prefix_unacceptable": "A boat",
                "property_phrase": "can sleep."}), "comps", _COMPS),
    Form("entity tracking", "boxes.jsonl",
         _rows({"input_prefix": "Box 0 has", "options": [" a cup.", " a hat."], "numops": 0}),
         "entity-tracking", (("Box 0 has a cup.", "Box 0 has a hat."),), uid="boxes_0_ops"),
    Form("wug", "wug.jsonl", _rows({"sentences": "wugness\twugity", "ratio": 0.7}), "wug",
         (("wugness", "wugity"),)),
    Form("RuBLiMP", "suffix.csv",
         _table(",", ("id", "source_sentence", "target_sentence", "level", "PID"),
                ("7", *CATS, "Morphology", "suffix"), ("8", *BOAT, "Morphology", "suffix")),
         "rublimp", uid="suffix"),
    Form("TurBLiMP (base)", "binding.csv",
         _table(";", ("good_sentence", "bad_sentence", "phenomenon"), (*CATS, "b"), (*BOAT, "b")),
         "turblimp", uid="b"),
    Form("QFrBLiMP", "annotations.tsv",
         _table("\t", ("id", "grammatical", "ungrammatical", "category", "type"),
                ("1", *CATS, "syntax", "4"), ("2", *BOAT, "syntax", "4")), "qfrblimp", uid="4"),
    Form("QFrBLiMP (release)", "qfrblimp.jsonl",
         _rows({"sentence_a": CATS[0], "sentence_b": CATS[1], "type": 4, "label": 0},
               {"sentence_a": BOAT[1], "sentence_b": BOAT[0], "type": 4, "label": 1}),
         "qfrblimp-release", uid="4"),
    Form("DTFit", "dtfit.csv",
         _table(",", ("item_id", "prefix", "good_continuation", "bad_continuation", "category"),
                ("1", "The actor won the", "award", "cave", "plausibility")),
         "continuations", _GAP, uid="plausibility"),
    Form("BLiMP-NL (raw)", "Phenomenon01.csv",
         _table(",", ("Phenomenon", "Number (paradigm)", "Paradigm", "Item", "Grammaticality",
                      "Sentence"),
                ("Binding", "1", "a", "1", "Grammatical", CATS[0]),
                ("Binding", "1", "a", "2", "Ungrammatical", BOAT[1]),
                ("Binding", "1", "a", "1", "Ungrammatical", CATS[1]),
                ("Binding", "1", "a", "2", "Grammatical", BOAT[0])),
         "blimp-nl", uid="Binding/a"),
    Form("CLiMP (raw)", "classifier_1000.csv",
         _table(",", ("", "0", "1", "2", "3"), ("0", "c", "cl", CATS[0], "1"),
                ("1", "c", "cl", CATS[1], "0"), ("2", "c", "cl", BOAT[0], "1"),
                ("3", "c", "cl", BOAT[1], "0")),
         "climp", uid="cl"),
    Form("CLAMS", "coord.txt",
         _table("\t", ("True", CATS[0]), ("False", CATS[1]), ("True", BOAT[0]),
                ("False", BOAT[1])), "clams"),
    Form("Zorro", "npi.txt", "\n".join((*CATS[::-1], *BOAT[::-1])) + "\n", "zorro",
         stated=("zorro",)),
)  # fmt: skip
