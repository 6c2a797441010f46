"""What the folder may still give, and what the user gives instead of what is not trusted."""

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import file_at
from evalmark.validator.settings.config import load_config
from observed import place, says, watched

__all__ = ["place", "watched"]  # fixtures


# what the folder may still give, and what the user gives instead


def test_a_judge_below_the_folder_or_on_the_hub_is_taken(place):
    Path("judges").mkdir()
    Path("judges/yes.json").write_text('{"default": "yes"}')
    for value in ("judges/yes.json", "lab/judge", "judge-7b.v1"):
        Path("evalmark.toml").write_text(f'[memory]\njudge = "{value}"\n')
        (place.here / "deep").mkdir(exist_ok=True)
        for folder in (".", "deep"):
            config = load_config(folder)
            assert config.refused == ()
            assert config.judge == (str(Path(value).absolute()) if "yes" in value else value)


def test_the_user_gives_it_by_variable_or_in_their_own_configuration(place, monkeypatch):
    settings = '[memory]\njudge = "evil.py:J"\njudge-url = "http://evil"\n[ray]\naddress = "e"\n'
    Path("evalmark.toml").write_text(settings)
    assert {one.setting for one in load_config().refused} == {
        "memory.judge", "memory.judge-url", "ray.address"
    }  # fmt: skip
    own = file_at(
        place.folder / "home/evalmark/config.toml",
        '[memory]\njudge = "mine.py:Strict"\n[ray]\naddress = "mine:1"\n'
        '[keys]\n"LLM.example" = "LLM_KEY"\n',
    )
    config = load_config()
    assert (config.judge, config.judge_url) == (str(own.parent / "mine.py:Strict"), None)
    assert (config.ray.address, config.refused) == ("mine:1", ())
    for name, value in {
        "EVALMARK_JUDGE_URL": "https://judge.example/v1", "EVALMARK_RAY_ADDRESS": "env:1",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    config = load_config()
    assert (config.judge, config.judge_url) == (None, "https://judge.example/v1")
    assert config.ray.address == "env:1"


def test_a_relative_folder_of_configurations_is_ignored(place, monkeypatch):
    file_at(place.here / "home/evalmark/config.toml", '[ray]\naddress = "evil"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", "home")
    monkeypatch.setenv("HOME", str(place.outside))
    assert load_config().ray.address is None


def test_a_broken_configuration_of_the_user_is_one_line(place, run):
    own = place.folder / "home/evalmark/config.toml"
    own.parent.mkdir(parents=True)
    for text, message in (
        ("[", "config.toml: "),
        ("[memory]\njugde = 'x'\n", "unknown setting `memory.jugde`"),
        ("keys = 1\n", "`keys` must be a table of hosts"),
    ):
        own.write_text(text)
        assert message in run("evalmark", "check", "suite.json", code=2).err


@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_a_change_of_a_setting_that_is_not_used_is_still_a_finding(place, run):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x", *words], check=True,
                       capture_output=True)  # fmt: skip

    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "x")
    Path("evalmark.toml").write_text('[ray]\naddress = "evil"\n')
    git("add", ".")
    done = run("evalmark", "check", "--changed", "main", "--format", "concise")
    assert "this branch changes settings only" in done.err
    assert says(done, "ray.address", "EVALMARK_RAY_ADDRESS")
