"""Commands of other packages: listed with their origin, imported when they run, never trusted."""

import sys

import pytest
from conftest import python
from evalmark.cli.main import commands, main
from packages import add_plugin, packages

__all__ = ["packages"]  # a fixture

BOARD = '''
import typer

app = typer.Typer()


@app.command()
def board(words: list[str], fail: bool = False) -> None:
    """Say words."""
    typer.echo(" ".join(words))
    if fail:
        raise RuntimeError("it\\x1b fails\\nlong")
    raise typer.Exit(3)
'''


@pytest.fixture
def install(packages):
    def add(code=BOARD, name="added_board", **entries):
        add_plugin(packages, name, "commands", entries or {"board": "app"}, code, version="2.1")
        return packages

    return add


def test_it_runs_with_its_arguments_and_exit_code(install, capsys):
    install()
    assert main(["board", "a", "check"]) == 3
    assert capsys.readouterr().out == "a check\n"
    assert main(["help", "board"]) == 0
    assert "Say words." in capsys.readouterr().out


def test_the_help_lists_it_with_its_origin_and_does_not_import_its_app(install, capsys):
    install("", board="1 / 0")
    assert main(["--help"]) == 0
    ours, theirs = capsys.readouterr().out.split("\nCommands of packages:\n")
    assert theirs.split("\n")[0].split() == ["board", "of", "added_board", "2.1"]
    assert all(f"\n  {name} " in ours for name in commands())


@pytest.mark.parametrize("words", [["check", "--nothing"], ["convert", "--help"], ["serve", "-h"]])
def test_a_command_of_ours_runs_without_a_look_for_packages(packages, words):
    code = (
        f"import sys\nsys.path.append({str(packages)!r})\n"
        f"from evalmark.cli.main import main\nmain({words!r})\n"
        "print({'importlib.metadata'} & {*sys.modules})"
    )
    done = python("-c", code, check=True)
    assert done.stdout.endswith("set()\n")


def test_a_name_of_ours_cannot_be_taken(install, capsys):
    place = install(check="app")
    assert main(["check", "--help"]) == 0
    assert "Say words" not in capsys.readouterr().out
    assert main(["--help"]) == 0
    assert (
        f"\ncheck of added_board 2.1 ({place}) is not used: evalmark has this name itself\n"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("code", "words", "reason"),
    [
        ("", [], "cannot be loaded: NameError: name 'app' is not defined"),
        ("app = 3", [], "is not used: it is of type int, not a typer.Typer"),
        ("import typer\napp = typer.Typer()", [],
         "failed: RuntimeError: Could not get a command for this Typer instance"),
        (BOARD, ["a", "--fail"], "failed: RuntimeError: it\\x1b fails"),
    ],
)  # fmt: skip
def test_a_package_that_fails_is_one_line_that_names_it(install, capsys, code, words, reason):
    place = install(code)
    assert main(["board", *words]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"evalmark: board of added_board 2.1 ({place}) {reason}")
    assert error.count("\n") == 1


def test_a_plugin_that_cannot_be_loaded_is_named_after_an_unknown_command(install, capsys):
    place = install("import nothing_of_this_name")
    assert main(["board"]) == 2
    assert capsys.readouterr().err.endswith(
        f"board of added_board 2.1 ({place}) cannot be loaded: ModuleNotFoundError: No module "
        "named 'nothing_of_this_name'\n"
    )


def test_a_wrong_call_is_as_typer_says_it(install, capsys):
    install()
    assert main(["board", "--nothing"]) == 2
    assert "No such option: --nothing" in capsys.readouterr().err
    assert main(["bord"]) == 2
    assert "unknown command 'bord'; did you mean 'board'?" in capsys.readouterr().err


def test_the_current_folder_has_none(install, monkeypatch, capsys):
    monkeypatch.chdir(install())
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert main(["board", "a"]) == 2
    assert "unknown command 'board'" in capsys.readouterr().err
