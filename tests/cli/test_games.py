"""``games``: what there is to play, from the registry."""

from __future__ import annotations

import json

import pytest

from croupier.cli.main import execute
from croupier.games import GAMES, Game

Captured = pytest.CaptureFixture[str]


def test_the_list_names_every_game(capsys: Captured) -> None:
    """One line per registered game with its seat counts and number of cards."""
    assert execute(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for game in GAMES:
        (line,) = [line for line in lines if line.startswith(f"{game.name} ")]
        assert ", ".join(map(str, game.seat_counts)) in line
        assert f" {len(game.pack)} " in line


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_one_game_shows_every_option(capsys: Captured, game: Game) -> None:
    """Name, meaning, values, default and ruling of each option, and what passes between deals."""
    assert execute(["games", game.name]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert game.carry_meaning in text
    for option in game.options:
        assert f"{option.name} {option.meaning}: {option.values} [default: " in text
        assert f"({option.ruling})" in text


def test_a_tournament_default_is_shown_where_it_differs(capsys: Captured) -> None:
    """Kowah's next dealer is the winner at home, and goes round in tournaments."""
    execute(["games", "kowah"])
    assert "winner or clockwise [default: winner, in tournaments clockwise]" in " ".join(
        capsys.readouterr().out.split()
    )


def test_json_holds_the_same(capsys: Captured) -> None:
    """``--json`` gives a list of all games, or one game's object."""
    execute(["games", "--json"])
    everything = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in everything] == [game.name for game in GAMES]
    execute(["games", "kowah", "--json"])
    kowah = json.loads(capsys.readouterr().out)
    assert kowah in everything
    (dealer,) = [option for option in kowah["options"] if option["name"] == "next_dealer"]
    assert (dealer["default"], dealer["tournament_default"], dealer["ruling"]) == ("winner", "clockwise", "section 2")


def test_an_unknown_game_is_refused_with_a_hint(capsys: Captured) -> None:
    """A misspelt game: exit 2 and the nearest name."""
    assert execute(["games", "kowa"]) == 2
    assert "did you mean 'kowah'" in capsys.readouterr().err
