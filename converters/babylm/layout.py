"""Files that the evaluation pipeline of BabyLM (2025) writes for minimal pairs.

``RESULTS/MODEL/REVISION/zero_shot/BACKEND/TASK/DATASET/predictions.json`` holds, for each UID,
``{"predictions": [{"id": "UID_0", "pred": "the chosen text"}, ...]}`` in the order of the data.
DATASET is the name of the folder with the data. A tie cannot be expressed.

Established from ``run.py``, ``read_files.py`` and ``compute_results.py`` of the pipeline's
``sentence_zero_shot``, from ``collate_preds.py`` and ``calculate_results_from_pred.py``. For COMPS
these disagree: what computes results wants the whole sentence, which is what is written here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import NamedTuple

from evalmark.schemas.errors import ConversionError, Rejected
from evalmark.validator.batch.walking import expand
from evalmark.validator.formats.pairs.pair_files import pair_rows
from evalmark.validator.formats.pairs.pair_items import PairItem
from evalmark.validator.formats.pairs.pair_sets import CONDITIONAL, ONE_CONTEXT, SUM
from evalmark.validator.io.opening import open_regular

#: Name of the file of a task.
PREDICTIONS = "predictions.json"
#: The settings by which ``score`` computes what the pipeline computes: what the tokenizer adds
#: precedes a text, and a first token that nothing precedes counts as 0 bits.
SETTINGS = {"bos": "tokenizer", "first_token": "zero"}
#: The same for masked models, of which it masks one token at a time.
MASKED_SETTINGS = {"masked_method": "original"}
#: What the pipeline calls models of each kind.
BACKENDS = ("causal", "mlm", "mntp", "enc_dec_mask", "enc_dec_prefix")


class ExpectedRow(NamedTuple):
    """The entry of a prediction file for a row of the data.

    Attributes:
        uid: The UID that it is listed under.
        number: Its position there, from 0.
        preds: What ``pred`` is for each choice; the right one comes first.
        wholes: The texts that are compared.
        method: The method that compares them.
        has_share: Whether the probability of the first text is written too.
    """

    uid: str
    number: int
    preds: tuple[str, ...]
    wholes: tuple[str, ...]
    method: str
    has_share: bool = False

    @property
    def id(self) -> str:
        """``UID_0``, ``UID_1``, ..."""
        return f"{self.uid}_{self.number}"


@dataclass(frozen=True, slots=True)
class Task:
    """A task of the pipeline: its reading of a set.

    Attributes:
        name: What the task is called.
        texts: What ``pred`` can be.
        method: The method that compares what the pipeline compares.
        uid: What a UID of ours is called.
    """

    name: str
    texts: Callable[[PairItem], tuple[str, ...]]
    method: str = SUM
    uid: Callable[[str], str] = str


def _wholes(item: PairItem) -> tuple[str, ...]:
    return tuple(side.whole for side in item.contests(SUM)[0].sides)


def _options(item: PairItem) -> tuple[str, ...]:
    return tuple(side.text for side in item.contests(CONDITIONAL)[0].sides)


def _targets(item: PairItem) -> tuple[str, ...]:
    """Both targets, which the pipeline compares after the first context."""
    return tuple(f" {side.text}" for side in item.contests(ONE_CONTEXT)[0].sides)


def _of_comps(uid: str) -> str:
    return uid.removeprefix("comps_").replace("-", "_")


def _of_wug(uid: str) -> str:
    return "wug_past" if "past" in uid else "wug_adj"


#: Set -> its task.
TASKS: dict[str, Task] = {
    "blimp": Task("blimp", _wholes),
    "ewok": Task("ewok", _targets, ONE_CONTEXT),
    "comps": Task("comps", _wholes, CONDITIONAL, _of_comps),
    "entity-tracking": Task("entity_tracking", _options, CONDITIONAL),
    "wug": Task("wug", _wholes, SUM, _of_wug),
}


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data of a prediction file.

    Attributes:
        task: As in its path.
        dataset: As in its path: the name of the folder.
        rows: UID -> the rows, in order.
    """

    task: str
    dataset: str
    rows: dict[str, list[ExpectedRow]]

    @property
    def place(self) -> PurePath:
        """The place of the prediction file, below ``zero_shot/BACKEND``."""
        return PurePath(self.task, self.dataset, PREDICTIONS)


def full(path: Path) -> Path:
    """The path from the root without ``..``; links keep their names, which resolving would not."""
    return Path(os.path.abspath(path))  # noqa: PTH100


def read_data(paths: Iterable[str]) -> list[DataFolder]:
    """The data of prediction files: files of minimal pairs, or folders of them.

    Raises:
        ConversionError: A row is not one of a set that the pipeline knows.
        OSError: A file cannot be read.
    """
    folders: dict[tuple[str, str], DataFolder] = {}
    for path, _ in expand(paths, (".jsonl",)):
        for item in _items(path):
            task = TASKS.get(item.set.name)
            if task is None:
                raise ConversionError(f"{path}: BabyLM has no task for {item.set.title}")
            uid, place = task.uid(item.uid), full(Path(path))
            # The data of both wug tests are files of one folder.
            is_file = bool(item.set.ratio)
            name = uid if is_file else task.name
            dataset = place.stem if is_file else place.parent.name
            folder = folders.setdefault((name, dataset), DataFolder(name, dataset, {}))
            rows = folder.rows.setdefault(uid, [])
            wholes = tuple(side.whole for side in item.contests(task.method)[0].sides)
            rows.append(ExpectedRow(uid, len(rows), task.texts(item), wholes, task.method, is_file))
    if not folders:
        raise ConversionError("there are no minimal pairs (.jsonl) to compare predictions with")
    return list(folders.values())


def _items(path: str) -> Iterator[PairItem]:
    try:
        with open_regular(path) as file:
            for row in pair_rows(file, path):
                if row.item is None:
                    raise ConversionError(f"{path}, line {row.line}: not a row of minimal pairs")
                yield row.item
    except Rejected as error:
        raise ConversionError(f"{path} cannot be read: {error}") from error
