"""docs/commands.md against the real commands: nothing is missing there, and nothing there is invented."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from croupier.cli.bots import name_bots
from croupier.cli.exits import MEANINGS, Exit
from croupier.cli.main import COMMANDS, cli
from croupier.harness import samples

PAGE = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")


def _section(command: str) -> str:
    """Return the text of a command's section, its heading included."""
    match = re.search(rf"^## `croupier {command}\b.*?(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[0]


def _command(name: str) -> click.Command:
    with click.Context(cli) as context:
        command = cli.get_command(context, name)
    assert command is not None
    return command


def _options(command: click.Command) -> list[click.Option]:
    return [each for each in command.params if isinstance(each, click.Option)]


def test_every_command_is_listed_in_order() -> None:
    """The table at the top and the sections name the commands as ``--help`` does."""
    assert re.findall(r"^\| `croupier (\w+)` \|", PAGE, re.MULTILINE) == list(COMMANDS)
    assert re.findall(r"^## `croupier (\w+)", PAGE, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_documented(name: str) -> None:
    """A command's section has a line for each of its options, in the order of its help, and for no other."""
    flags = [option.opts[0] for option in _options(_command(name))]
    assert re.findall(r"^\| `(--[a-z-]+)` \|", _section(name), re.MULTILINE) == flags


@pytest.mark.parametrize("name", COMMANDS)
def test_arguments_and_defaults_agree(name: str) -> None:
    """The heading names the arguments as the usage does; defaults and required options are said."""
    command = _command(name)
    with click.Context(command) as context:
        usage = [piece for piece in command.collect_usage_pieces(context) if piece != "[OPTIONS]"]
        assert _section(name).splitlines()[0] == f"## `croupier {' '.join([name, *usage])}`"
        for option in _options(command):
            (line,) = re.findall(rf"^\| `{option.opts[0]}` \|.*$", _section(name), re.MULTILINE)
            assert option.required == ("(required)" in line)
            default = option.get_default(context)
            if isinstance(default, int) and not option.is_flag:
                assert f"default {default}" in line


def test_every_exit_code_is_documented() -> None:
    """Number, name and meaning of each exit code, as in ``exits.py``."""
    rows = re.findall(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", PAGE, re.MULTILINE)
    told = [(int(code), name, meaning.replace("\\|", "|")) for code, name, meaning in rows]
    assert told == [(code.value, code.name, MEANINGS[code]) for code in Exit]


@pytest.mark.parametrize("name", COMMANDS)
def test_exit_codes_named_by_a_command_exist(name: str) -> None:
    """Each section ends with exit codes that there are."""
    (line,) = re.findall(r"^Exit codes: (.*)$", _section(name), re.MULTILINE)
    codes = {int(code) for code in re.findall(r"\b\d+\b", line)}
    assert {0} < codes <= {code.value for code in Exit}


def test_the_sample_bots_of_the_page_exist() -> None:
    """Forms of a BOT that name a sample bot resolve, and all sample bots are named."""
    forms = re.findall(r"^\| `(sample:[^`]+|sensible)` \|", PAGE, re.MULTILINE)
    assert len(forms) == 3
    assert [bot.entrant is not None and bot.entrant.sample for bot in name_bots(forms)] == [True] * 3
    assert re.search(r"a sample bot: (.*) \|", PAGE)[1] == "`first`, `random` or `sensible`"  # type: ignore[index]
    assert samples.names() == ["first", "random", "sensible"]
