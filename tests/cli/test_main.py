"""``croupier``: commands loaded when they are run, every error an exit code in one place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli.terminal import Terminal
from croupier.cli import main
from croupier.cli.exits import Exit
from croupier.cli.main import COMMANDS, Place, cli, execute
from croupier.games import RulesError
from croupier.harness.errors import ConfigError, LedgerInUseError, LedgerStorageError

HEAVY = {"jinja2", "numpy", "pandas", "ray", "scipy", "trueskill"}
"""Never needed by a contestant's commands."""

SLOW = HEAVY | {"croupier.games", "croupier.referee", "grpc", "pydantic", "rich"}
"""Not needed to say which commands there are."""


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """A command ``fail`` that raises what the test puts into the list."""
    raised: list[BaseException] = []

    @click.command()
    def fail() -> None:
        raise raised[0]

    monkeypatch.setattr(main, "fail", fail, raising=False)
    monkeypatch.setitem(COMMANDS, "fail", Place("croupier.cli.main", "fail", "Fail."))
    return raised


def _loaded_by(*arguments: str) -> set[str]:
    script = f"import sys; from croupier.cli.main import execute; execute({list(arguments)}); print(*sys.modules)"
    done = subprocess.run((sys.executable, "-c", script), capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.splitlines()[-1].split())


def test_help_loads_next_to_nothing() -> None:
    """``--help`` imports neither the referee nor any package that takes long."""
    assert _loaded_by("--help") & SLOW == set()


def test_check_needs_no_tournament_packages() -> None:
    """``check`` runs a bot through all its points without a package of the extra."""
    assert _loaded_by("check", "sample:first", "--game", "cha_kau_tsu", "--deals", "1") & HEAVY == set()


def test_help_says_what_each_command_says_of_itself() -> None:
    """The table that spares imports agrees with the commands."""
    with click.Context(cli) as context:
        said = {}
        for name in COMMANDS:
            command = cli.get_command(context, name)
            assert command is not None
            said[name] = (command.help or "").partition("\n")[0]
    assert said == {name: place.does for name, place in COMMANDS.items()}


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (
            ConfigError("first\nsecond"),
            Exit.USAGE,
            "croupier: first\ncroupier: second\n",
        ),
        (RulesError("no such option"), Exit.USAGE, "croupier: no such option\n"),
        (LedgerStorageError("disk full"), Exit.STORAGE, "croupier: disk full\n"),
        (LedgerInUseError("in use"), Exit.LEDGER_IN_USE, "croupier: in use\n"),
        (
            click.UsageError("wrong"),
            Exit.USAGE,
            "croupier: wrong (see `croupier fail --help`)\n",
        ),
        (click.FileError("x", "unreadable"), Exit.USAGE, "croupier: Could not open file 'x': unreadable\n"),
        (KeyboardInterrupt(), Exit.STOPPED, "\ncroupier: stopped\n"),
        (EOFError(), Exit.STOPPED, "\ncroupier: stopped\n"),
    ],
)
def test_an_error_is_said_without_a_traceback(
    failing: list[BaseException], capsys: pytest.CaptureFixture[str], error: BaseException, code: Exit, said: str
) -> None:
    """What a user can put right is one message on stderr and a documented exit code."""
    failing.append(error)
    assert execute(["fail"]) == code
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", said)


def test_a_bug_is_called_one(failing: list[BaseException], capsys: pytest.CaptureFixture[str]) -> None:
    """Anything else ends with 70, a traceback, and the word that it is Croupier's bug."""
    failing.append(ZeroDivisionError("division by zero"))
    assert execute(["fail"]) == Exit.INTERNAL
    error = capsys.readouterr().err
    assert "Traceback" in error
    assert error.endswith("this is a bug of Croupier; please report it with the lines above\n")


@pytest.mark.parametrize("name", sorted(HEAVY))
def test_a_missing_extra_is_named(failing: list[BaseException], capsys: pytest.CaptureFixture[str], name: str) -> None:
    """A command whose packages are missing says which pip command brings them."""
    failing.append(ModuleNotFoundError(f"No module named '{name}'", name=f"{name}.part"))
    assert execute(["fail"]) == Exit.USAGE
    assert capsys.readouterr().err.endswith("pip install '.[tournament]'\n")


def test_a_missing_module_of_our_own_is_a_bug(failing: list[BaseException]) -> None:
    """Only the packages of an extra are the user's to install."""
    failing.append(ModuleNotFoundError("No module named 'croupier.nothing'", name="croupier.nothing"))
    assert execute(["fail"]) == Exit.INTERNAL


def test_show_without_pandas_names_the_extra() -> None:
    """The real command, with pandas out of reach."""
    script = "import sys; sys.modules['pandas'] = None; from croupier.cli.main import main; main()"
    command = (sys.executable, "-c", script, "show", "x")
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    assert (
        done.stderr
        == "croupier: this command needs more packages; in a clone of Croupier: pip install '.[tournament]'\n"
    )


def test_version(terminal: Terminal) -> None:
    """``--version`` names the program and its version."""
    assert terminal.run("--version").out.startswith("croupier 0.")


def test_an_unknown_command_is_a_usage_error(terminal: Terminal) -> None:
    """A command that doesn't exist: exit 2 and no traceback."""
    ended = terminal.run("paly")
    assert ended.code == Exit.USAGE
    assert ended.err == "croupier: No such command 'paly' (see `croupier --help`)\n"


def test_no_command_at_all_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """``croupier`` alone: what ``--help`` says, and exit 2, since nothing was done."""
    assert execute([]) == Exit.USAGE
    said = capsys.readouterr().err
    assert execute(["--help"]) == Exit.OK
    assert said == capsys.readouterr().out


def test_a_reader_that_goes_away_is_no_error(terminal: Terminal) -> None:
    """``croupier games | head``: no traceback, and an exit code of its own."""
    with terminal.started("games", "kowah", "--json") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        error = process.stderr.read()
        assert (process.wait(timeout=60), error) == (Exit.NO_READER, "")


@pytest.mark.parametrize("stream", ["stdout", "stderr", "both"])
def test_closed_streams_are_no_bug(stream: str) -> None:
    """A daemon may start a command with stdout or stderr closed: it does its work all the same."""
    closed = {"stdout": ">&-", "stderr": "2>&-", "both": ">&- 2>&-"}[stream]
    script = f'"{sys.executable}" -m croupier.cli.main games {closed}'
    assert subprocess.run(["bash", "-c", script], check=False, timeout=60).returncode == 0


@pytest.mark.parametrize("command", [["games"], ["--version"], ["games", "kowah", "--json"]])
def test_a_full_disk_behind_stdout_is_storage(command: list[str]) -> None:
    """Exit 74 and one line, wherever it is noticed."""
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "croupier.cli.main", *command],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert ended.returncode == 74
    assert ended.stderr == "croupier: what is printed can't be written: no space is left there\n"
