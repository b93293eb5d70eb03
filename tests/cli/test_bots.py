"""What a command starts ends with it, wherever it has gone."""

from pathlib import Path

import pytest

from cli.terminal import Terminal

ESCAPES = """
import os, signal
if not os.fork():
    os.setsid()
    signal.pause()

from croupier.bot import Action, serve

def choose(decision):
    first = decision.options[0]
    return Action(first.verb, first.fixed + first.choice[: first.least])

serve(choose)
"""


@pytest.mark.parametrize(
    "arguments",
    [("check", "--game", "kowah"), ("play", "--game", "kowah"), ("play", "--game", "kowah", "--duplicate")],
    ids=["check", "play", "duplicate"],
)
def test_a_child_that_left_its_group_is_ended(terminal: Terminal, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A bot's child in a session of its own ends with the command that started the bot."""
    (tmp_path / "bot.py").write_text(ESCAPES)
    (tmp_path / "bot.toml").write_text('schema = 1\nid = "escapes"\n[run]\ncommand = ["python3", "bot.py"]\n')
    ended = terminal.run(*arguments, str(tmp_path))
    assert ended.code == 0, ended.err
    assert terminal.left_over() == []
