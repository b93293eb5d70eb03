"""The docs against the code: what is there is named, what is named is there.

docs/protocol.md has tests of its own (`protocol/test_page.py`, `protocol/test_names.py`), and so have the keys of
tournament files (`harness/test_tournament_docs.py`), commands and exit codes (`cli/test_docs.py`) and the kit
(`bot/test_docs.py`).
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from croupier.cli.main import cli
from croupier.games import GAMES, Game
from croupier.harness import config, entrants
from documented import names

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
CROUPIER = Path(sys.executable).with_name("croupier")

README = (ROOT / "README.md").read_text(encoding="utf-8")


def fenced(text: str, language: str) -> list[str]:
    """Return the code blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_rules_page_lists_every_option(game: Game) -> None:
    """The page of a game has a line for each of its options."""
    page = (ROOT / f"docs/rules/{game.name}.md").read_text(encoding="utf-8")

    assert [option.name for option in game.options if f"\n| `{option.name}` |" not in page] == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_an_option_s_ruling_is_that_of_its_page(game: Game) -> None:
    """What `croupier games` refers to stands in the option's line on the page, and is a section or ruling there."""
    page = (ROOT / f"docs/rules/{game.name}.md").read_text(encoding="utf-8")
    for option in game.options:
        (line,) = re.findall(rf"^\| `{option.name}` \|.*$", page, re.MULTILINE)
        assert line.endswith((f"| {option.ruling} |", f"({option.ruling}) |")), line
        for place in option.ruling.split(", "):
            there = f"\n## {place.removeprefix('section ')}. " if place.startswith("section ") else f"\n| {place} | "
            assert there in page, place


def test_readme_bot_is_the_example() -> None:
    """The bot in the README is, letter by letter, the one in examples/bots."""
    assert fenced(README, "python") == [(ROOT / "examples/bots/first_bot.py").read_text(encoding="utf-8")]


@pytest.fixture
def readme_tournament(tmp_path: Path) -> Path:
    """The README's tournament as a file, the examples beside it."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (text,) = fenced(README, "toml")
    file = tmp_path / "cup.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_readme_tournament_can_be_played(readme_tournament: Path) -> None:
    """The README's tournament file fits, and its entrants are found."""
    tournament = config.load(readme_tournament)
    field = entrants.field(tournament)

    assert [contest.label for contest in tournament.contests] == ["kowah-3", "doppelkopf-4-profile-ddv"]
    assert [entrant.id for entrant in field.entrants] == ["careless", "first-bot", "random", "sensible"]
    assert field.house == ()


def shell_lines(page: Path) -> list[list[str]]:
    """Return the commands in the sh blocks of a page."""
    blocks = fenced(page.read_text(encoding="utf-8"), "sh")
    return [words for block in blocks for line in block.splitlines() if (words := shlex.split(line, comments=True))]


def targets() -> set[str]:
    """Return the targets of the Makefile."""
    return set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_in_docs_exist(page: Path) -> None:
    """Every `make` names targets, every `croupier` a command with arguments that it takes."""
    for words in shell_lines(page):
        if words[0] == "make":
            assert set(words[1:]) <= targets(), words
        elif words[0] == "croupier":
            cli.make_context("croupier", words[1:], resilient_parsing=True)
            command = cli.get_command(click.Context(cli), words[1])
            assert command is not None, words
            command.make_context(words[1], words[2:])


FAST = [words for words in shell_lines(ROOT / "README.md") if words[:2] != ["croupier", "run"]]


@pytest.mark.parametrize(
    "words",
    [words for words in FAST if words[0] == "croupier" and words[1] in ("check", "play", "games")],
    ids=" ".join,
)
def test_fast_commands_of_the_readme_do_their_job(words: list[str]) -> None:
    """They end with 0; one that needs a person at a terminal says that, and ends with 2."""
    done = subprocess.run(
        [CROUPIER, *words[1:]], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip

    if "human" in words:
        assert (done.returncode, "terminal" in done.stderr) == (2, True)
    else:
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout


@pytest.mark.slow
def test_tournament_commands_of_the_readme_do_their_job(readme_tournament: Path) -> None:
    """The README's tournament is played, shown, published, replayed and verified, as the README says."""
    for words in shell_lines(ROOT / "README.md"):
        if words[0] == "croupier" and any(word in ("cup.toml", "runs/cup") for word in words):
            subprocess.run([CROUPIER, *words[1:]], cwd=readme_tournament.parent, check=True, timeout=170)

    assert (readme_tournament.parent / "public/index.html").is_file()


@pytest.mark.slow
def test_readme_shows_the_leaderboard_of_the_demo(tmp_path: Path) -> None:
    """Every line of the README's excerpt is printed by `make demo`."""
    command = re.search(r"croupier (run examples/demo\.toml .*)", (ROOT / "Makefile").read_text())
    assert command is not None
    done = subprocess.run(
        [CROUPIER, *shlex.split(command[1]), "--dir", tmp_path / "run"],
        cwd=ROOT, capture_output=True, text=True, check=True, timeout=170,
    )  # fmt: skip

    (excerpt,) = fenced(README, "text")
    assert [line for line in excerpt.splitlines() if line not in done.stdout.splitlines()] == []


def anchors(page: Path) -> set[str]:
    """Return what can be linked to in a page: its headings, as GitHub names them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of this repository finds it, and every anchor its heading."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_in_docs_are_there(page: Path) -> None:
    """A path in backticks that begins with a folder of this repository names what is there."""
    folders = "benchmarks|docs|examples|harness|leaderboards|protocol|referee|sample_bots|tests"
    for name in names(page.read_text(encoding="utf-8")):
        if re.fullmatch(rf"({folders})/[\w./-]+", name):
            places = (ROOT / name, *ROOT.glob(f"*/croupier/{name}"))
            assert any(place.exists() for place in places), name


def test_paths_in_architecture_name_what_is_there() -> None:
    """In the tables of the two paths, each file defines what its line names."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[`[\w.]+`\]\(\.\./([\w/.]+)\) \| (.*?) \|", page, re.MULTILINE)

    assert len(rows) > 15
    for file, cell in rows:
        code = (ROOT / file).read_text(encoding="utf-8")
        for name in names(cell):
            assert re.search(rf"^\s*(async )?(def|class) {name.rpartition('.')[2]}\b", code, re.MULTILINE), name


def tracked() -> dict[str, str]:
    """Return the text files that git knows, by path."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = [path for path in listed.split("\0") if path and (ROOT / path).is_file()]
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in paths}


def registries() -> set[str]:
    """Return the package registries that this machine is set up with, but for the public one."""
    configured = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False
    ).stdout
    texts = [configured, *(value for name, value in os.environ.items() if "INDEX" in name or "PROXY" in name.upper())]
    hosts = {host for text in texts for host in re.findall(r"https?://(?:[^/@\s']*@)?([\w.-]+)", text)}
    return hosts - {"pypi.org", "localhost", "127.0.0.1"}


def test_no_file_names_this_machine() -> None:
    """No tracked file holds the place of this clone, somebody's home, or the address of a registry."""
    private = re.compile(r"(?<![\w.])/(?:home|Users|work)/\w+")
    places = (str(ROOT), *registries())
    lock = (ROOT / "requirements.lock").read_text()

    named = {
        path: found
        for path, text in tracked().items()
        for found in [*private.findall(text), *(place for place in places if place in text)]
    }
    assert named == {}
    assert "://" not in lock
    assert "index-url" not in lock
