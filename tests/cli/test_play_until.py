"""``play --until separated``: is the one bot better than the other? And ``--duplicate`` between equals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.terminal import Terminal, odd_bot

ROW = re.compile(
    r"^(\S.*?)  +([\d ]+?) +([+-]\d+) +([+-][\d.]+) +([+-][\d.]+) +([+-][\d.]+) +(.+?) +(\d+)$", re.MULTILINE
)


def test_the_better_bot_is_named(terminal: Terminal) -> None:
    """A bot that plans against one that draws: decided at the first look, bounds apart, and the same each time."""
    arguments = ("play", "--game", "kowah", "--seed", "x", "--until", "separated", "sample:random", "sample:sensible")
    ended = terminal.run(*arguments)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Kowah, 2 seats, 30 encounters of 2 deals, seed x\n")
    best, worst = ROW.findall(ended.out)
    assert (best[0], worst[0]) == ("sensible", "random")
    assert float(best[4]) > float(worst[5])
    assert int(best[2]) == -int(worst[2])
    assert ended.out.endswith("decided after 60 deals, with confidence 0.95:\n  sensible is better than random\n")
    assert terminal.run(*arguments) == ended


def test_repeated_bots_sit_in_every_seat_once_for_two_rotations(terminal: Terminal) -> None:
    """A B A B comes back after two rotations: an encounter has two matches, and both bots sat in all four seats."""
    ended = terminal.run(
        *("play", "--game", "cha_kau_tsu", "--seats", "4", "--deals", "2", "--seed", "x", "--until", "separated"),
        *("sample:first", "sample:sensible"),
    )
    assert "Cha Kau Tsu, 4 seats, 30 encounters of 4 deals, seed x\n" in ended.out
    assert [row[1] for row in ROW.findall(ended.out)] == ["0 1 2 3", "0 1 2 3"]


def test_equals_are_not_told_apart(terminal: Terminal) -> None:
    """Two copies of one bot: exactly level scores, and after the most deals nobody is called better."""
    ended = terminal.run(
        *("play", "--game", "cha_kau_tsu", "--seed", "x", "--until", "separated", "--max-deals", "150"),
        *("sample:first", "sample:first"),
    )
    assert ended.code == 0
    assert {(row[2], row[3]) for row in ROW.findall(ended.out)} == {("+0", "+0.00")}
    assert ended.out.endswith(
        "undecided after 150 deals, with confidence 0.95:\n  sample:first, sample:first #2 are not told apart\n"
    )


def test_more_confidence_takes_longer(terminal: Terminal) -> None:
    """Bounds of a confidence near 1 are wider on the same cards."""
    arguments = ("play", "--game", "cha_kau_tsu", "--seed", "x", "--until", "separated", "--max-deals", "60")
    bots = ("sample:random", "sample:first")
    usual = ROW.findall(terminal.run(*arguments, *bots).out)
    sure = ROW.findall(terminal.run(*arguments, "--confidence", "0.999999", *bots).out)
    assert [row[:4] for row in usual] == [row[:4] for row in sure]
    assert all(float(s[4]) < float(u[4]) and float(s[5]) > float(u[5]) for u, s in zip(usual, sure, strict=True))


def test_faults_say_in_which_encounter(terminal: Terminal, tmp_path: Path) -> None:
    """A bot that cheats: its faults are counted, the first ones told with encounter and rotation, its points stand."""
    bot = odd_bot(tmp_path, "illegal")
    ended = terminal.run(
        *("play", "--game", "cha_kau_tsu", "--seed", "x", "--until", "separated", "--max-deals", "60"),
        *("sample:first", bot),
    )
    assert ended.code == 0
    assert "encounter 0, rotation 0, seat 1 (odd), deal 0, decision " in ended.out
    assert re.search(r"^\.\.\. and \d+ faults more$", ended.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--until", "separated", "sample:first"], "--until separated compares bots: name another one"),
        (
            ["--until", "separated", "--max-deals", "59", "sample:first", "sample:random"],
            "--max-deals 59: nothing is decided before 60 deals (30 encounters)",
        ),
        (["--confidence", "0.9", "sample:first"], "--confidence goes with --until separated"),
        (["--max-deals", "900", "sample:first"], "--max-deals goes with --until separated"),
        (["--until", "separated", "--show", "sample:first", "sample:random"], "--show isn't for --until separated"),
        (
            ["--until", "separated", "--record", "x.json", "sample:first", "sample:random"],
            "--record isn't for --until separated",
        ),
        (["--until", "rounds", "sample:first"], "'rounds' is not 'separated'"),
        (["--until", "separated", "--confidence", "1", "sample:first"], "--confidence 1.0: isn't between 0 and 1"),
        (["--until", "separated", "--confidence", "nan", "sample:first"], "--confidence nan: isn't between 0 and 1"),
    ],
)
def test_what_does_not_fit_is_refused(terminal: Terminal, arguments: list[str], said: str) -> None:
    """Options that say nothing here, and comparisons of nothing, are exit 2 with the reason; nothing is played."""
    ended = terminal.run("play", "--game", "kowah", *arguments)
    assert ended.code == 2
    assert said in ended.err
    assert ended.out == ""


@pytest.mark.parametrize("game", ["cha_kau_tsu", "doppelkopf", "kowah"])
def test_copies_of_a_deterministic_bot_end_level(terminal: Terminal, game: str) -> None:
    """In ``--duplicate`` the luck of the cards goes round: four copies, each a process, end with equal points."""
    ended = terminal.run(
        *("play", "--game", game, "--seats", "4", "--deals", "2", "--seed", "x", "--duplicate"),
        *["sample:sensible"] * 4,
    )
    assert ended.code == 0
    points = re.findall(r"^sample:sensible(?: #\d)? +0 1 2 3 +([+-]\d+) ", ended.out, re.MULTILINE)
    assert len(points) == 4
    assert len(set(points)) == 1
