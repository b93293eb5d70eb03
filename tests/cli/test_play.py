"""``play``: matches between real processes, who sits where, and what is said when it can't be played."""

from __future__ import annotations

import os
import pty
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from google.protobuf import json_format

from cli.terminal import BACKGROUND, BOTS, COMMAND, LIMIT_S, Terminal, odd_bot
from croupier.cli.main import execute
from croupier.referee.replay import replay
from croupier.v1 import record_pb2 as pb

KOWAH = ("play", "--game", "kowah", "--seed", "x")


def _points(out: str) -> dict[str, int]:
    """Return the points in a printed result by bot."""
    return {match[1]: int(match[2]) for match in re.finditer(r"^(\S+) +[\d ]+ +([+-]\d+) ", out, re.MULTILINE)}


def test_a_seeded_match_is_the_same_each_time(terminal: Terminal) -> None:
    """Bots that are functions of their question: the same result twice, points that sum to zero, no faults."""
    arguments = (*KOWAH, "--deals", "2", "sample:random", "sample:first")
    first, second = terminal.run(*arguments), terminal.run(*arguments)
    assert (first.code, first.err) == (0, "")
    assert first == second
    assert first.out.startswith("Kowah, 2 seats, 2 deals, seed x\n")
    points = _points(first.out)
    assert points.keys() == {"random", "first"}
    assert sum(points.values()) == 0


def test_a_drawn_seed_deals_the_same_cards_again(terminal: Terminal) -> None:
    """Without ``--seed`` one is drawn and printed; given back it repeats the match."""
    first = terminal.run("play", "--game", "kowah", "sample:random")
    seed = first.out.splitlines()[0].rpartition(" ")[2]
    assert terminal.run("play", "--game", "kowah", "--seed", seed, "sample:random") == first


def test_the_record_replays_and_the_table_is_shown(terminal: Terminal, tmp_path: Path) -> None:
    """``--record`` writes a record that the rules confirm; ``--show`` prints its events; fewer bots go round."""
    file = tmp_path / "match.json"
    ended = terminal.run(
        *("play", "--game", "doppelkopf", "--seed", "x", "--rules", "profile=ddv", "--show"),
        *("--record", str(file), "sample:random", "sample:first"),
    )
    assert ended.code == 0
    record = json_format.Parse(file.read_text(encoding="utf-8"), pb.MatchRecord())
    assert list(record.entrants) == ["random", "first", "random", "first"]
    assert {rule.name: rule.value for rule in record.rules}["profile"] == "ddv"
    assert replay(record).points == tuple(record.points)
    assert "deal 0: dealer 0 random" in ended.out
    assert "1 first    play " in ended.out


def test_duplicates_play_the_same_decks_in_every_rotation(terminal: Terminal, tmp_path: Path) -> None:
    """``--duplicate``: a record per rotation, seat s of rotation j taken by place s + j, and points by bot over all."""
    file = tmp_path / "match.jsonl"
    ended = terminal.run(
        *("play", "--game", "cha_kau_tsu", "--seed", "x", "--duplicate", "--record", str(file)),
        *("sample:random", "sample:first", "sample:random,salt=2"),
    )
    records = [json_format.Parse(line, pb.MatchRecord()) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [list(record.entrants) for record in records] == [
        ["sample:random", "first", "sample:random,salt=2"],
        ["first", "sample:random,salt=2", "sample:random"],
        ["sample:random,salt=2", "sample:random", "first"],
    ]
    assert len({tuple(record.deals[0].deck) for record in records}) == 1
    assert len({record.match_id for record in records}) == 3
    summed = dict.fromkeys(records[0].entrants, 0)
    for record in records:
        for label, points in zip(record.entrants, record.points, strict=True):
            summed[label] += points
    assert _points(ended.out) == summed


def test_faults_are_told_and_cost_no_exit_code(terminal: Terminal, tmp_path: Path) -> None:
    """A bot that cheats: its faults by kind and as evidence, the forfeit, and exit 0, since the match was played."""
    bot = odd_bot(tmp_path, "illegal")
    ended = terminal.run("play", "--game", "cha_kau_tsu", "--seed", "x", "--deals", "3", "sample:first", bot)
    assert ended.code == 0
    assert re.search(r"^odd +1 +[+-]\d+ +\S+ +3 illegal +1$", ended.out, re.MULTILINE)
    assert "seat 1 (odd), deal 0, decision " in ended.out
    assert "illegal: not among the options: 'cheat'" in ended.out


def test_what_a_bot_printed_stands_under_its_first_fault(terminal: Terminal, tmp_path: Path) -> None:
    """The traceback of a bot that raises, with the file and line of its author's mistake; the address is left out."""
    bot = odd_bot(tmp_path, "raises")
    ended = terminal.run("play", "--game", "cha_kau_tsu", "--seed", "x", "--deals", "3", "sample:first", bot)
    assert ended.out.count("gone: INTERNAL: ValueError: no idea\n") == 3
    assert ended.out.count("the last that the bot printed:\n") == 1
    assert re.search(
        r"^seat 1 \(odd\), deal 0, .*no idea\n  the last that the bot printed:\n(  \|.*\n)+  \| ValueError: no idea\n",
        ended.out,
        re.MULTILINE,
    )
    assert "odd.py" in ended.out
    assert "| unix:" not in ended.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--game", "whist", "sample:first"), "unknown game 'whist'"),
        (("--game", "kowah"), "Missing argument 'BOT...'"),
        (("sample:first",), "Missing option '--game'"),
        (("--game", "kowah", "--rules", "base", "sample:first"), "a rule is written name=value, not 'base'"),
        (("--game", "kowah", "--rules", "bas=unit", "sample:first"), "did you mean 'base'"),
        (("--game", "kowah", "--rules", "base=x", "sample:first"), "takes cards or closing_trio or unit, not 'x'"),
        (("--game", "doppelkopf", "--seats", "3", "sample:first"), "doppelkopf is played by 4 seats, not 3"),
        (("--game", "doppelkopf", *["sample:first"] * 5), "5 bots, but 4 seats: leave 1 out"),
        (("--game", "kowah", "--seats", "2", *["sample:first"] * 3), "leave 1 out, or say --seats 3"),
        (("--game", "kowah", "--deals", "0", "sample:first"), "0 is not in the range"),
        (("--game", "kowah", "nobody"), "no such folder, and no bot of that name"),
        (("--game", "kowah", "sample:frist"), "did you mean 'first'"),
        (("--game", "kowah", "human", "sample:first"), "a `human` needs a terminal"),
        (("--game", "kowah", "human", "human"), "only one of the bots can be `human`"),
        (("--game", "kowah", "human"), "nobody to play against"),
        (
            ("--game", "kowah", "--record", "/nowhere/x.json", "sample:first"),
            "--record /nowhere/x.json: can't be written",
        ),
    ],
)
def test_bad_input_is_one_message_and_exit_2(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    """Wrong arguments: exit 2, the remedy on stderr, nothing on stdout, no traceback, before anything is started."""
    assert execute(["play", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err
    assert "Traceback" not in printed.err


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("exits", "exited with status 1 before it printed an address; its last line: 'no weights found'"),
        ("protocol", "it speaks protocol 9, the referee 1"),
        (
            "kowah_only",
            (
                "it doesn't play kowah with these rules at 4 seats; it plays kowah at 2, 3 seats; "
                "`croupier check {}/odd-kowah_only` lists what it plays"
            ),
        ),
    ],
)
def test_a_bot_that_does_not_take_its_seat_is_exit_2(terminal: Terminal, tmp_path: Path, how: str, said: str) -> None:
    """A bot that doesn't come up or doesn't play the game: exit 2 and why; the other bots are ended."""
    ended = terminal.run(*KOWAH, "--seats", "4", "sample:first", odd_bot(tmp_path, how))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("croupier: odd: ")
    assert said.format(tmp_path) in ended.err
    assert len(ended.err.splitlines()) == 1


@contextmanager
def _listener(*, web: bool) -> Iterator[str]:
    """Listen at an address without speaking gRPC: a web server, or one that greets like a mail server."""
    if web:
        with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"127.0.0.1:{server.server_port}"
            server.shutdown()
        return
    with socket.create_server(("127.0.0.1", 0)) as greeter:

        def greet() -> None:
            with greeter.accept()[0] as caller:
                caller.sendall(b"220 mail.example ready\r\n")
                caller.recv(1024)

        threading.Thread(target=greet, daemon=True).start()
        yield f"127.0.0.1:{greeter.getsockname()[1]}"


@pytest.mark.parametrize(("web", "said"), [(True, "speaks HTTP/1, not gRPC"), (False, "doesn't speak gRPC")])
def test_an_address_that_speaks_something_else(terminal: Terminal, web: bool, said: str) -> None:
    """A web server or anything else behind the address is named at once, not after the start allowance."""
    with _listener(web=web) as address:
        ended = terminal.run(*KOWAH, address)
    assert (ended.code, ended.out) == (2, "")
    assert said in ended.err


def test_an_address_nobody_listens_at(terminal: Terminal) -> None:
    """A port that was just freed: nobody listens, and what to do about it."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    ended = terminal.run(*KOWAH, f"127.0.0.1:{port}")
    assert (ended.code, ended.out) == (2, "")
    assert "nobody listens there (Connection refused); start the bot first" in ended.err


def test_a_bot_at_an_address_takes_several_seats_and_is_left_running(terminal: Terminal) -> None:
    """A bot that somebody else started plays, all seats over one line, and is still there afterwards."""
    with terminal.started(command=(sys.executable, str(BOTS / "odd.py"))) as bot:
        assert bot.stdout is not None
        address = bot.stdout.readline().strip()
        ended = terminal.run("play", "--game", "cha_kau_tsu", "--seats", "3", address)
        assert ended.code == 0
        assert f"{address}  0 1 2 " in ended.out
        assert "warning" not in ended.err
        again = terminal.run("play", "--game", "cha_kau_tsu", "--seats", "2", "--duplicate", address)
        assert again.code == 0
        assert again.err == (
            f"warning: {address} can't be started anew between rotations, so it may remember their boards\n"
        )
        assert bot.poll() is None


@pytest.mark.parametrize("command", [COMMAND, BACKGROUND], ids=["foreground", "background"])
@pytest.mark.parametrize("doing", [("play", "--game", "cha_kau_tsu"), ("check",)], ids=lambda doing: doing[0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_match_leaves_nothing(
    terminal: Terminal, tmp_path: Path, command: tuple[str, ...], doing: tuple[str, ...], number: signal.Signals
) -> None:
    """Ctrl-C or SIGTERM in the middle of a match: exit 130, no traceback, no process and no file left."""
    tell = tmp_path / "tell"
    os.mkfifo(tell)
    bot = odd_bot(tmp_path, "tells", TELL=str(tell))
    with terminal.started(*doing, "--move-ms", "600000", bot, command=command) as process:
        with tell.open("rb", buffering=0) as told:  # and no more: it may be asked again before its first word is read
            assert told.read(len(b"asked")) == b"asked"
        assert terminal.left_over() != []
        process.send_signal(number)  # the bot's next question waits for a reader: the match can't end by itself
        out, err = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 130
    assert "deal" not in out
    assert err.endswith("croupier: stopped\n")
    assert "Traceback" not in err


def _at_a_terminal(terminal: Terminal, *arguments: str, answers: Iterator[bytes]) -> tuple[int, str]:
    """Run a command at a terminal, give the next answer to each prompt, and return exit code and what was shown."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        (*COMMAND, *arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=terminal.environment
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while data := _read(ours):
                shown += data
                if shown.endswith(b"): ") or re.search(rb"\n\S+ [^\n]* of [^\n]*: $", shown):
                    os.write(ours, next(answers))
        finally:
            os.close(ours)
        return process.wait(LIMIT_S), shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux's way to say that nobody has the other end open any more
        return b""


def _answers(*first: bytes) -> Iterator[bytes]:
    yield from first
    while True:
        yield b"1\n"


def test_a_person_plays_at_the_terminal(terminal: Terminal) -> None:
    """``human``: the hand, the events as that seat may see them, numbered options, asked again after a wrong answer."""
    code, shown = _at_a_terminal(terminal, *KOWAH, "human", "sample:first", answers=_answers(b"99\n", b"x\n"))
    assert code == 0
    assert "deal 0: you are seat 0 of 2" in shown
    assert "seat 1 (first): dealt ?? ?? ?? ?? ?? ?? ?? ??" in shown
    assert "'99' is none of the numbers 1 to 2" in shown
    assert "'x' is none of the numbers 1 to 2" in shown
    assert re.search(r"deal 0 is over \(1 of 1\): seat 0 \(human\) [+-]\d+, seat 1 \(first\) [+-]\d+", shown)
    assert "Kowah, 2 seats, 1 deal, seed x" in shown


def test_a_person_may_leave(terminal: Terminal) -> None:
    """Ctrl-D at the prompt stops the match like ctrl-C does."""
    code, shown = _at_a_terminal(terminal, *KOWAH, "human", "sample:first", answers=iter((b"\x04",)))
    assert code == 130
    assert "croupier: stopped" in shown
    assert "Traceback" not in shown


def test_a_person_gets_no_duplicates(terminal: Terminal) -> None:
    """Who has seen the cards once can't play them fairly again: exit 2."""
    code, shown = _at_a_terminal(terminal, *KOWAH, "--duplicate", "human", "sample:first", answers=iter(()))
    assert code == 2
    assert "--duplicate is for bots" in shown
