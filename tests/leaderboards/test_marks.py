"""Marks about house bots: which leaderboards have some, and the true reason."""

from collections.abc import Callable
from pathlib import Path

from croupier.harness.manifest import Manifest, ManifestGame
from croupier.leaderboards import build

Run = Callable[..., Path]

SAID = "house bots fill tables of "


def house_marks(path: Path) -> list[str]:
    """The marks that speak of house bots, without what all have in common."""
    return [mark.removeprefix(SAID) for mark in build(path).marks if mark.startswith(SAID)]


def test_none_where_there_are_none(run: Run) -> None:
    """Four entrants fill tables of two and three; the house bot of the manifest sits nowhere."""
    assert house_marks(run(1)) == []


def test_fewer_entrants_than_seats(run: Run) -> None:
    """Two entrants at a table of three; the leaderboard of two seats isn't named."""
    assert house_marks(run(1, entrants=2)) == ['../<b>"cha": there are fewer entrants than seats']


def test_padded_to_an_even_schedule(run: Run) -> None:
    """Four entrants at three seats, of whose four combinations at most three may be played: a cyclic design of five."""
    assert house_marks(run(1, max_tables=3)) == [
        '../<b>"cha": only a part of all combinations is played, which is even with 5 places, not with 4'
    ]


def test_a_gauntlet_with_few_others(run: Run) -> None:
    """Three entrants at three seats: two of them are seeds, who never meet, so one other isn't enough for a table."""
    assert house_marks(run(1, entrants=3, seeds=("ann", "bob"))) == [
        '../<b>"cha": beside the seeds there are too few entrants for one'
    ]


def test_leaderboards_of_one_reason_share_a_mark(run: Run, manifest: Manifest) -> None:
    """Both leaderboards of three seats are named in one line."""
    games = (*manifest.games, ManifestGame("kowah-3", "kowah", 3, 1, (("claim", "may"),), 1))
    assert house_marks(run(1, entrants=2, games=games)) == ['../<b>"cha", kowah-3: there are fewer entrants than seats']
