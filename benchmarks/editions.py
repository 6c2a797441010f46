"""This edition beside earlier ones, on the same files, in turns: user plus system CPU, peak memory.

Each edition is installed in an environment of its own, which shares the packages of this one:
commits (``--against``, also of the time when packages had other names) and the working tree. What
is measured is whole processes: checks of thousands of records in one process, with all rules and
with the schema only; the check of one record and the commit hook; the migration of a folder.

Records are copies of those in some folders, each with an id of its own: as they are, and those
without findings. ``benchmarks.check`` compares with other programs.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.schemas.versions import VERSIONS
from evalmark.validator.check import check_data
from evalmark.validator.formats.builtin import detect

from benchmarks._measure import measured, print_table
from benchmarks.check import copies

HERE = Path(__file__).parent.parent
NOW = "this edition"
#: The first editions started elsewhere.
START = """
import sys
from importlib.util import find_spec
from importlib import import_module
module = "start" if find_spec("evalmark.cli.start") else "main"
sys.exit(import_module(f"evalmark.cli.{module}").main())
"""
Command = list[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+", help="real records")
    parser.add_argument("--against", action="append", default=[], help="commit; default: main")
    parser.add_argument("--records", type=int, default=5700)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="measures whose names contain this")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        pythons = {NOW: installed(Path(home) / "now", None)}
        for number, commit in enumerate(options.against or ["main"]):
            pythons[commit] = installed(Path(home) / str(number), commit)
        corpora = make(Path(home), options)
        for name, commands in measures(Path(home), corpora, pythons).items():
            if options.only in name:
                compared(name, commands, options.rounds * (5 if "one record" in name else 1))
    return 0


def installed(home: Path, commit: str | None) -> Path:
    """The Python of a new environment that has an edition, and the packages of this one."""
    source, environment = home / "source", home / "environment"
    source.mkdir(parents=True)
    if commit is None:
        listed = ["git", "ls-files", "-co", "--exclude-standard"]
        for name in subprocess.check_output(listed, cwd=HERE, text=True).splitlines():
            if (HERE / name).is_file():
                (source / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(HERE / name, source / name)
    else:
        archive = subprocess.check_output(["git", "archive", commit], cwd=HERE)
        subprocess.run(["tar", "x", "-C", str(source)], input=archive, check=True)
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    shared = sysconfig.get_paths()["purelib"]
    folders = [shared, *(path for path in sys.path if path.endswith("site-packages"))]
    site = next(environment.glob("lib/python*/site-packages"))
    (site / "shared.pth").write_text("\n".join(dict.fromkeys(folders)))
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    target = ["--no-build-isolation", "--target", str(site), str(source)]
    subprocess.run([*pip, *target], check=True)
    return python


def make(home: Path, options: argparse.Namespace) -> dict[str, Path]:
    """The folders of records by name."""
    paths = sorted(path for folder in options.folders for path in folder.rglob("*.json"))
    shapes = [data for path in paths if detect(data := json.loads(path.read_bytes())) == "record"]
    for data in shapes:
        data.pop("detailed_evaluation_results", None)
    clean = [data for data in shapes if not check_data(data).findings]
    print(f"{len(shapes)} records, {len(clean)} of them without findings")
    count = options.records
    return {
        "records": written(home / "records", copies(shapes, count)),
        "clean records": written(home / "clean", copies(clean, count)),
        "one": written(home / "one", copies(clean, 1)),
    }


def written(folder: Path, documents: Iterator[Any]) -> Path:
    """A new folder with the documents, laid out as most real records are."""
    folder.mkdir()
    for number, data in enumerate(documents):
        text = json.dumps(data, indent=2, ensure_ascii=False)
        (folder / f"{number:06}.json").write_text(f"{text}\n", encoding="utf-8")
    return folder


def measures(
    home: Path, corpora: dict[str, Path], pythons: dict[str, Path]
) -> dict[str, dict[str, Command]]:
    """Name of what is measured -> the contestants and their commands."""
    one = next(corpora.pop("one").iterdir())
    found = {}
    for name, folder in corpora.items():
        for what, flags in (("all rules", []), ("schema only", ["--schema-only"])):
            words = ["check", "-q", "--jobs", "1", *flags, str(folder)]
            found[f"{name}, {what}"] = started(pythons, words)
    found["one record"] = started(pythons, ["check", "-q", str(one)])
    hook = "import sys; from evalmark.cli.hook import main; sys.exit(main())"
    hooks = {name: [str(python), "-c", hook, str(one)] for name, python in pythons.items()}
    found["hook, one record"] = hooks | {"python": [str(pythons[NOW]), "-c", "pass"]}
    words = ["convert", "--in-place", "--to", f"record@{VERSIONS['record'][-1].name}"]
    copy = f'rm -rf "$0" && cp -r "{corpora["records"]}" "$0" && exec "$@" "$0"'
    found["migration"] = {
        name: ["sh", "-c", copy, str(home / "copy"), *command]
        for name, command in started(pythons, words).items()
    }
    return found


def started(pythons: dict[str, Path], words: list[str]) -> dict[str, Command]:
    """The same call of each edition."""
    return {name: [str(python), "-c", START, *words] for name, python in pythons.items()}


def compared(name: str, commands: dict[str, Command], rounds: int) -> None:
    """Print what each contestant took, and what share of it this edition takes."""
    print(f"\n{name}")
    print_table(measured(commands, rounds), NOW)


if __name__ == "__main__":
    sys.exit(main())
