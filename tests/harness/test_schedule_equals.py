"""Copies of a deterministic bot end a whole tournament level: no entrant's place in the schedule is worth a point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from croupier.harness import dealing
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.referee import boards, records
from croupier.sample_bots.sensible import Sensible
from scripted import Choose, GameSeat, choose_at_random, play

SECRET = boards.seeded_secret("equals")
SENSIBLE = Sensible().choose


def _totals(manifest: Manifest, choose: Choose = SENSIBLE) -> Counter[str]:
    """Return the points of each entrant over all matches of a leaderboard."""
    key, totals = dealing.key_of(manifest, SECRET), Counter[str]()
    for match in Schedule(manifest):
        result = play(dealing.fixture(manifest, key, match), [GameSeat(choose) for _ in match.entrants])
        for entrant, points in zip(match.entrants, records.from_bytes(result.record).points, strict=True):
            totals[entrant] += points
    return totals


@pytest.mark.parametrize("max_tables", [2000, 5], ids=["complete", "cyclic"])
@pytest.mark.parametrize(("game", "seats"), [("cha_kau_tsu", 2), ("cha_kau_tsu", 3), ("kowah", 3), ("doppelkopf", 4)])
def test_copies_end_level(game: str, seats: int, max_tables: int, make_manifest: Callable[..., Manifest]) -> None:
    """With duplicates, in every game, whether every combination sits down or a cyclic design chooses tables."""
    manifest = make_manifest(((game, seats, 1),), entrants=5, max_tables=max_tables)
    totals = _totals(manifest)
    assert len(totals) == 5
    assert len(set(totals.values())) == 1, totals


def test_without_duplicates_they_have_their_own_luck(make_manifest: Callable[..., Manifest]) -> None:
    """So what levels them is the schedule and no accident of the bot or the count."""
    manifest = make_manifest((("kowah", 3, 1),), entrants=5, max_tables=5, duplicate=False)
    assert len(set(_totals(manifest).values())) > 1
    assert len(set(_totals(make_manifest((("kowah", 3, 1),), entrants=5, max_tables=5), choose_at_random).values())) > 1
