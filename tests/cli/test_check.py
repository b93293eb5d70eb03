"""``check``: what a bot keeps and what not, point by point, with real bots; exit 1 on any failure."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from cli.terminal import Terminal, odd_bot
from croupier.cli import check
from croupier.cli.main import execute


def test_a_good_bot_keeps_all_points(terminal: Terminal) -> None:
    """A sample bot: ready in some time, every game it declares at smallest and largest table, times, exit 0."""
    ended = terminal.run("check", "sample:first", "--deals", "1")
    assert (ended.code, ended.err) == (0, "")
    assert re.match(r"ok   starts: ready after \d+ ms\nok   protocol: version 1\nnote says of itself: ", ended.out)
    for table in ("cha_kau_tsu at 2", "cha_kau_tsu at 4", "kowah at 2", "kowah at 6", "doppelkopf at 4"):
        assert re.search(
            rf"^ok   {table} seats: 1 deal, [1-9]\d* decisions, no fault; median [\d.]+ ms, 99 % within [\d.]+ ms, "
            r"slowest [\d.]+ ms",
            ended.out,
            re.MULTILINE,
        )
    assert "ok   kowah, rival claims: 1 deal" in ended.out
    assert "note the same question again: the same answer" in ended.out
    assert ended.out.endswith("\nall points kept\n")


def test_only_what_is_declared_is_tried(terminal: Terminal, tmp_path: Path) -> None:
    """A bot for Kowah at two or three seats: these tables and no other, examples included."""
    ended = terminal.run("check", odd_bot(tmp_path, "kowah_only"))
    assert ended.code == 0
    assert re.findall(r"^ok   (\w+)(?: at (\d) seats|, [\w ]+): \d deal", ended.out, re.MULTILINE) == [
        ("kowah", "2"),
        ("kowah", "3"),
    ]


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("exits", r"FAIL starts: exited with status 1 before it printed an address; its last line: 'no weights found'"),
        ("protocol", r"FAIL starts: it speaks protocol 9, the referee 1"),
        ("no_games", r"FAIL declares: it plays no game"),
        ("unknown_game", r"FAIL declares: unknown game 'whist'"),
        ("nine_seats", r"FAIL declares: kowah is played by 2, 3, 4, 5, 6 seats, not 9"),
        (
            "illegal",
            r"FAIL cha_kau_tsu at 2 seats: 2 deals, \d+ decisions, 3 illegal; .*\n +seat 1, .*: illegal: not among",
        ),
        (
            "raises",
            r"FAIL cha_kau_tsu at 4 seats: 2 deals, \d+ decisions, 8 gone; .*\n +seat \d, .*: gone: .*no idea",
        ),
    ],
)
def test_what_is_wrong_is_a_failed_point(terminal: Terminal, tmp_path: Path, how: str, said: str) -> None:
    """A bot with one thing wrong: the point that says so, its evidence, and exit 1."""
    ended = terminal.run("check", odd_bot(tmp_path, how))
    assert (ended.code, ended.err) == (1, "")
    assert re.search("^" + said, ended.out, re.MULTILINE)
    assert re.search(r"^\d points? failed$", ended.out, re.MULTILINE)


def test_what_a_bot_printed_is_told_once(terminal: Terminal, tmp_path: Path) -> None:
    """A bot that raises: its prints and its traceback stand under the first fault, and the same not again."""
    lines = terminal.run("check", odd_bot(tmp_path, "raises")).out.splitlines()
    (start,) = [number for number, line in enumerate(lines) if line.strip() == "the last that the bot printed:"]
    printed = [line.partition("| ")[2] for line in lines[start + 1 :] if line.startswith("         | ")]
    assert "gone: INTERNAL: ValueError: no idea" in lines[start - 1]
    assert "thinking of cha_kau_tsu" in printed
    assert "Traceback (most recent call last):" in printed
    assert '    raise ValueError("no idea")' in printed
    assert printed.count("ValueError: no idea") == 1


def test_who_lives_on_the_bank_is_told(terminal: Terminal, tmp_path: Path) -> None:
    """A bot that is slow now and then keeps all points: what it used of its bank stands under the point."""
    ended = terminal.run("check", odd_bot(tmp_path, "slow"), "--move-ms", "50", "--deals", "1")
    assert ended.code == 0
    (used, *_) = re.findall(
        r"^ok   cha_kau_tsu at 2 seats: .*, over the 50 ms for a decision\n +it lives on its bank, "
        r"beside the 50 ms for each decision: up to (\d+) ms of the 10000 ms that a seat has for a match$",
        ended.out,
        re.MULTILINE,
    )
    assert int(used) >= 50


def test_a_long_trial_says_that_it_goes_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """From time to time a line at the terminal, with the trial and how far it is."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(check, "TELL_EVERY_S", 0.01)
    assert execute(["check", "sample:random", "--game", "kowah", "--deals", "1"]) == 0
    printed = capsys.readouterr()
    assert printed.out.endswith("all points kept\n")
    lines = printed.err.splitlines()
    assert lines
    assert all(re.fullmatch(r"kowah.*: \d+ decisions so far \.\.\.", line) for line in lines)


def test_chance_is_a_remark_and_no_failure(terminal: Terminal, tmp_path: Path) -> None:
    """A bot that answers the same question differently keeps all points and is told what that costs."""
    ended = terminal.run("check", odd_bot(tmp_path, "chance"))
    assert ended.code == 0
    assert re.search(r"^note the same question again: [1-9]\d* of \d+ answers differ", ended.out, re.MULTILINE)


def test_an_unreachable_address_is_a_failed_start(terminal: Terminal) -> None:
    """Nobody at the address: the bot fails its start, with the remedy."""
    ended = terminal.run("check", f"unix:{terminal.temporary}/nobody.sock")
    assert ended.code == 1
    assert "FAIL starts: nobody listens there (No such file or directory); start the bot first" in ended.out


def test_a_name_cannot_steer_the_terminal(terminal: Terminal, tmp_path: Path) -> None:
    """Control characters in what a bot says of itself are printed as escapes."""
    ended = terminal.run("check", odd_bot(tmp_path, "red"))
    assert "\x1b" not in ended.out
    assert "x1b[31modd" in ended.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nobody",), "no such folder, and no bot of that name"),
        ((__file__,), "test_check.py: is a file; name the folder with its bot.toml"),
        (("human",), "a `human` can't be checked"),
        (("sample:first", "--game", "whist"), "unknown game 'whist'"),
        (("10.0.0.1:5001",), "only addresses of this machine"),
    ],
)
def test_bad_input_is_exit_2(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str) -> None:
    """What names no bot that could be tried is a usage error, not a failed check."""
    assert execute(["check", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_game_that_it_does_not_play_fails(terminal: Terminal, tmp_path: Path) -> None:
    """``--game`` with a game that the bot doesn't declare: the point says what it plays."""
    ended = terminal.run("check", odd_bot(tmp_path, "kowah_only"), "--game", "doppelkopf")
    assert ended.code == 1
    assert "FAIL declares: it doesn't play doppelkopf; it plays kowah" in ended.out


def test_a_command_that_is_missing_is_exit_2(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A program that isn't there is named before anything is started."""
    (tmp_path / "bot.toml").write_text('schema = 1\nid = "b"\n[run]\ncommand = ["no-such-program"]\n', encoding="utf-8")
    assert execute(["check", str(tmp_path)]) == 2
    assert "no program 'no-such-program' on the PATH" in capsys.readouterr().err
