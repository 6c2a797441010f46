"""The structure of the code base: rooms, directions, names, sizes."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, get_args, get_type_hints, is_typeddict

import pytest
from conftest import ROOT, needs_apps, python
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import RECORDS, SAMPLES
from evalmark.validator.formats.records.record_fields import (
    RECORD_FIELDS,
    RESULT_FIELDS,
    SAMPLE_FIELDS,
    record_layout,
)

pytestmark = pytest.mark.usefixtures("trees_are_forgotten")

#: The core, from the lowest room to the highest: a room imports those before it.
CORE = ("schemas", "stats", "validator", "converters", "scoring", "cli")
#: What is built on it: an application imports the core, and no other one. Each may be missing.
APPS = tuple(path.name for path in sorted((ROOT / "apps").glob("[a-z]*")))
ROOMS = (*CORE, *APPS)
#: Inside the validator, the same: its folders, and the modules beside them.
STATIONS = (
    "io", "findings", "options", "reading", "format", "formats", "settings", "check", "batch",
    "checker", "outputs",
)  # fmt: skip


def folder_of(room: str) -> Path:
    return ROOT / "apps" / room if room in APPS else ROOT / room


FACES = (
    "evalmark",
    "evalmark.extending",
    *(f"evalmark.{r}" for r in ROOMS if (folder_of(r) / "__init__.pyi").exists()),
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules(room: str) -> list[Path]:
    return sorted(p for p in folder_of(room).rglob("*.py") if "compiled" not in p.parts)


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    parts = parts[1:] if parts[0] == "apps" else parts
    return ".".join(("evalmark", *(part for part in parts if part != "__init__")))


def file_of(module: str) -> Path:
    room, _, rest = module.removeprefix("evalmark.").partition(".")
    return folder_of(room) / (rest.replace(".", "/") + ".py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path, *, top_level: bool = False) -> frozenset[str]:
    """Modules that a module imports, wherever the statement is or at the top level only."""
    tree = tree_of(path)
    found = set()
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            assert node.module
            found.add(node.module)
            named = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in named if file_of(name).exists()}
    return frozenset(found)


def named_imports(path: Path) -> set[str]:
    """The names that a module imports, each after its module."""
    nodes = ast.walk(tree_of(path))
    froms = (node for node in nodes if isinstance(node, ast.ImportFrom))
    return {f"{node.module}.{alias.name}" for node in froms for alias in node.names}


ALL = {name_of(path): path for room in ROOMS for path in modules(room)}


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_import_downwards_only(room):
    below = CORE[: CORE.index(room) + 1] if room in CORE else (*CORE, room)
    allowed = {f"evalmark.{name}" for name in below}
    for path in modules(room):
        for module in imported(path):
            top = module.partition(".")[0]
            assert top not in ROOMS, f"{path} imports the bare name {module}"
            if top == "evalmark":
                assert ".".join(module.split(".")[:2]) in allowed, f"{path} imports {module}"


@needs_apps
def test_the_core_names_no_application_but_at_the_door():
    names = re.compile(rf"\bevalmark\.({'|'.join(APPS)})\b")
    naming = {
        path.relative_to(ROOT).as_posix()
        for room in CORE
        for path in modules(room)
        if names.search(path.read_text(encoding="utf-8"))
    }
    assert naming <= {"validator/io/extensions.py"}


def test_pages_are_the_top_of_scoring():
    for path in modules("scoring"):
        if "reports" not in path.parts:
            assert not any(".reports" in module for module in imported(path)), path


@pytest.mark.parametrize("station", STATIONS)
def test_stations_of_the_validator_import_downwards_only(station):
    allowed = {"validator", *STATIONS[: STATIONS.index(station) + 1]}
    own = [p for n, p in ALL.items() if f"{n}.".startswith(f"evalmark.validator.{station}.")]
    assert own
    for path in own:
        for module in imported(path):
            if module.startswith("evalmark.validator."):
                assert module.split(".")[2] in allowed, f"{path} imports {module}"


def test_no_circle_of_imports():
    graph = {name: imported(path) & ALL.keys() - {name} for name, path in ALL.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_folder_of_the_root_hides_a_module_of_python():
    """Python that is started in the root finds its folders first."""
    assert not {path.name for path in ROOT.iterdir() if path.is_dir()} & sys.stdlib_module_names


def tops_of(path: Path) -> set[str]:
    """The names of a module's top level."""
    tops = set()
    for node in tree_of(path).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            tops.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            tops |= {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    return tops


def test_one_class_name_has_one_meaning():
    homes: dict[str, list[str]] = {}
    for name, path in ALL.items():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(name)
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_one_name_of_the_core_has_one_meaning():
    """Of functions that other modules import; a command has the name of what it calls."""
    functions = {
        name: {node.name for node in tree_of(path).body
               if isinstance(node, ast.FunctionDef)}
        for name, path in ALL.items()
        if name.split(".")[1] in CORE
    }  # fmt: skip
    homes: dict[str, set[str]] = {}
    for path in ALL.values():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and not str(node.module).startswith("evalmark.cli"):
                for name in functions.get(node.module or "", set()) & {a.name for a in node.names}:
                    homes.setdefault(name, set()).add(str(node.module))
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_torch_is_loaded_in_one_room():
    users = {
        path.parent.relative_to(ROOT).as_posix()
        for path in ALL.values()
        if {m.partition(".")[0] for m in imported(path)} & {"torch", "transformers"}
    }
    assert users == {"scoring/models"}


def test_no_module_needs_posix_to_be_imported():
    posix = {"fcntl", "pwd", "grp", "resource", "termios", "pty", "tty", "syslog"}
    for path in ALL.values():
        assert not imported(path, top_level=True) & posix, path


#: What opens, writes or deletes a file by itself.
BY_ITSELF = {
    "FileIO", "fdopen", "open", "open_code", "read_bytes", "read_text", "removedirs", "rmdir",
    "rmtree", "unlink", "write_bytes", "write_text",
}  # fmt: skip
#: So do these of `os`; other things have methods of these names.
OF_OS = {"remove", "rename", "replace", "truncate"}
#: Modules that may: the edge, and in the room below it what reads the schemas and the metadata of
#: the package, and what the build writes validators with.
AT_THE_EDGE = ("validator/io/", "schemas/files.py", "schemas/package.py", "schemas/compilation.py")


def goes_round(source: str) -> set[str]:
    """Calls that reach a file without the edge, and imports that would allow them."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            is_os = isinstance(node.value, ast.Name) and node.value.id == "os"
            found |= {node.attr} & (BY_ITSELF | OF_OS if is_os else BY_ITSELF)
        elif isinstance(node, ast.Name):
            found |= {node.id} & {"open"}
        elif isinstance(node, ast.ImportFrom) and node.module in ("os", "io", "shutil", "codecs"):
            found |= {alias.name for alias in node.names} & (BY_ITSELF | OF_OS)
    return found


def test_files_are_opened_at_the_edge():
    rooms = {**ALL, **{name_of(path): path for path in modules("library")}}
    for path in rooms.values():
        if not path.relative_to(ROOT).as_posix().startswith(AT_THE_EDGE):
            assert not goes_round(path.read_text(encoding="utf-8")), path


#: What a check is made of: whoever uses it goes round the settings of a folder.
PARTS_OF_A_CHECK = {
    "check_batch", "check_bytes", "check_data", "check_file", "check_files", "check_one",
    "check_text", "context_of", "fix_files", "Ignores",
}  # fmt: skip
#: Modules that use one all the same. The options are those of a `Checker`.
MAY_USE_A_PART = {
    "cli/check_outcome.py": {"fix_files"},
}
#: Modules that ask whether a schema accepts data, where no setting matters: what a row or a version
#: is, whether a step can read what it is given, whether we write what we promise.
MAY_ASK_A_SCHEMA = {
    "converters/conversion_checks.py", "converters/conversion_formats.py",
    "converters/convert_document.py", "converters/importers/lm_eval.py",
    "converters/records/writer.py", "converters/sources/declared_pairs.py",
    "apps/workbench/pair_view.py",
}  # fmt: skip


def test_every_check_goes_through_a_checker():
    asking = set()
    for name, path in ALL.items():
        if name.startswith(("evalmark.validator.", "evalmark.schemas.")):
            continue
        place = path.relative_to(ROOT).as_posix()
        names = {module.rpartition(".")[2] for module in named_imports(path)}
        assert names & PARTS_OF_A_CHECK <= MAY_USE_A_PART.get(place, set()), place
        asking |= {place} if names & {"accepts", "acceptor"} else set()
    assert asking <= MAY_ASK_A_SCHEMA


#: What has words of ours, and what reads words.
WORDS = {"message", "helps", "help", "notes", "caret", "remarks", "reason"}
READING = {
    "count", "endswith", "find", "findall", "finditer", "fullmatch", "index", "match", "partition",
    "removeprefix", "removesuffix", "rpartition", "search", "split", "splitlines", "startswith",
    "sub",
}  # fmt: skip
MAY_READ_WORDS = {"cli/main.py"}  # those of another library
#: Notes of conversions, which are texts: whether something is not stated.
MAY_READ_NOTES = {"cli/conversion.py"}


def reads_words(node):
    """True if code looks for something in the words of a finding or an error."""

    def has_words(part):
        return any(isinstance(n, ast.Attribute) and n.attr in WORDS for n in ast.walk(part))

    match node:
        case ast.Call(func=ast.Attribute(value=value, attr=name), args=args):
            return name in READING and (has_words(value) or any(map(has_words, args)))
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[words]):
            return has_words(words)
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp():
            each = {
                g.target.id
                for g in node.generators
                if isinstance(g.target, ast.Name) and has_words(g.iter)
            }
            return any(
                isinstance(n, ast.Compare)
                and isinstance(n.ops[0], ast.In | ast.NotIn)
                and isinstance(n.comparators[0], ast.Name)
                and n.comparators[0].id in each
                for n in ast.walk(node)
            )
    return False


def test_nothing_reads_what_a_finding_says():
    """Its keys, values and actions are data: whoever needs them does not look for words."""
    reading = {
        place
        for path in ALL.values()
        if (place := path.relative_to(ROOT).as_posix()) not in MAY_READ_WORDS
        and any(map(reads_words, ast.walk(tree_of(path))))
    }
    assert reading == MAY_READ_NOTES


#: What has the keys of a version: the layouts, the gate, and what writes and converts versions.
MAY_NAME_KEYS = (
    "validator/formats/records/record_fields.py", "validator/formats/records/eee_gate.py",
    "converters/records/", "schemas/",
)  # fmt: skip


@cache
def record_keys() -> frozenset[str]:
    """Keys of records, their results and rows; those of one word mean other things, too."""
    parts = [bundle(version.schema)["properties"] for version in (*RECORDS, *SAMPLES)]
    parts += [part["evaluation_results"]["items"]["properties"] for part in parts[: len(RECORDS)]]
    return frozenset(key for part in parts for key in part if "_" in key) - {"schema_version"}


#: Names of fields, which ``Fields`` are asked for.
ASKED_FOR = {*record_layout("0.0.1").record, *RECORD_FIELDS, *RESULT_FIELDS, *SAMPLE_FIELDS}


def raw_keys(node: ast.AST) -> set[str]:
    """The keys of records that a piece of code looks up by itself."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(key))):
            return {key} & record_keys()
        case (
            ast.Call(
                func=ast.Attribute(attr="get" | "pop" | "setdefault"),
                args=[ast.Constant(value=str(key)), *_],
            )
            | ast.Compare(left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()])
        ):
            return {key} & record_keys() - ASKED_FOR
        case ast.Constant(value=str(pointer)) if pointer.startswith("/"):
            return {pointer.split("/")[1]} & record_keys()
    return set()


def test_records_are_read_by_their_layouts():
    """A field that a version moves is then found by all who read it; see ``record_fields``."""
    raw = {
        (place, *keys)
        for path in ALL.values()
        if not (place := path.relative_to(ROOT).as_posix()).startswith(MAY_NAME_KEYS)
        for node in ast.walk(tree_of(path))
        if (keys := raw_keys(node))
    }
    assert raw == set()


@pytest.mark.parametrize(
    "code",
    ['record["model_info"]', 'record.get("eval_library")', '"model_info" in data',
     'At("/evaluation_results/0/evaluation_name")'],
)  # fmt: skip
def test_a_key_of_a_record_is_seen(code):
    assert any(map(raw_keys, ast.walk(ast.parse(code))))


def test_exceptions_live_in_one_module_and_have_one_base():
    errors = import_module("evalmark.schemas.errors")
    for name, path in ALL.items():
        if name == errors.__name__:
            continue
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
                assert not any(base.endswith(("Error", "Exception")) for base in bases), (
                    f"{path}: {node.name}"
                )
    found = [
        v for v in vars(errors).values() if isinstance(v, type) and v.__module__ == errors.__name__
    ]
    assert all(issubclass(error, errors.EvalmarkError) for error in found)


def test_every_folder_of_modules_is_a_package():
    assert not {path.parent for path in ALL.values() if not (path.parent / "__init__.py").exists()}


def test_type_checkers_find_every_room(tmp_path):
    for _ in ("made", "completed"):
        subprocess.run([sys.executable, ROOT / "scripts/link_rooms.py", tmp_path], check=True)
        links = {p.name: p.resolve() for p in (tmp_path / "evalmark").iterdir()}
        assert {name: links[name] for name in ROOMS} == {name: folder_of(name) for name in ROOMS}
        assert links["__init__.py"] == ROOT / "library/__init__.py"
        (tmp_path / "evalmark/cli").unlink()


def test_the_bare_names_are_never_loaded():
    code = (
        "import sys, evalmark.cli.main, evalmark.cli.hook, evalmark.scoring\n"
        "from evalmark import check_text\n"
        "check_text('{')\n"
        f"print(set(sys.modules) & set({ROOMS!r}))"
    )
    done = python("-c", code, check=True)
    assert done.stdout.strip() == "set()"
    assert not set(sys.modules) & set(ROOMS)


@pytest.mark.parametrize("face", FACES)
def test_public_names_are_few_documented_and_shown(face):
    module = import_module(face)
    assert len(module.__all__) <= 26
    assert list(module.__all__) == sorted(set(module.__all__))
    assert set(module.__all__) <= set(dir(module))
    for name in module.__all__:
        public = getattr(module, name)
        assert public.__doc__ or not isinstance(public, type | FunctionType), name


def named_types(annotation: Any) -> Iterator[type]:
    """The classes in an annotation; a ``TypedDict`` stands for the types of its keys."""
    if is_typeddict(annotation):
        for inner in get_type_hints(annotation).values():
            yield from named_types(inner)
    elif isinstance(annotation, type) and not get_args(annotation):
        yield annotation
    for inner in get_args(annotation):
        yield from named_types(list(inner) if isinstance(inner, list) else inner)
    if isinstance(annotation, list):  # the parameters of a Callable
        for inner in annotation:
            yield from named_types(inner)


@pytest.mark.parametrize("face", FACES)
def test_types_of_public_functions_are_public(face):
    """Whoever annotates code that calls a public function can import every type it names."""
    known = {getattr(import_module(other), n) for other in FACES for n in import_module(other).HOMES
             if isinstance(getattr(import_module(other), n), type)}  # fmt: skip
    module = import_module(face)
    functions = [v for n in module.HOMES if isinstance(v := getattr(module, n), FunctionType)]
    assert functions
    for function in functions:
        for hint in get_type_hints(function).values():
            for found in set(named_types(hint)) - known:
                home = found.__module__.partition(".")[0]
                assert home in {*sys.stdlib_module_names, "torch"}, f"{function.__name__}: {found}"


def test_nothing_names_a_machine():
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT, check=False
    ).stdout.split("\0")
    for name in filter(None, tracked):
        path = Path(ROOT / name)
        if path.suffix == ".safetensors" or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for word in ("/" + "work/", "/" + "root/"):
            assert word not in text, name
