"""Void tries, counted: all of them, and those after which a match was dealt fresh boards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from croupier.harness.ledger_rows import BEGUN, Attempt, ResultRow, result_rows
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.harness.tries import Tries, told, tries_of
from croupier.referee import records
from harness.finishing import finished


@pytest.fixture
def manifest(make_manifest: Callable[..., Manifest]) -> Manifest:
    """Return a manifest of 12 matches, 4 entrants at tables of 3; somebody else starts the first of them."""
    made = make_manifest((("cha_kau_tsu", 3, 2),), entrants=4)
    first, *others = made.entrants
    return replace(made, entrants=(replace(first, remote=True), *others))


def _rows(match: ScheduledMatch) -> list[ResultRow]:
    return list(result_rows(match, records.from_bytes(finished(match).record)))


def _tries(match: ScheduledMatch, *why: str) -> list[Attempt]:
    return [Attempt(match.match_id, number, 1.0, 2.0, "node", each) for number, each in enumerate(why)]


def _one_of_each(manifest: Manifest) -> tuple[ScheduledMatch, ScheduledMatch]:
    """Return a match with the remote bot, and one without it."""
    matches, (remote,) = list(Schedule(manifest)), manifest.remote
    return (
        next(match for match in matches if remote in match.entrants),
        next(match for match in matches if remote not in match.entrants),
    )


def test_only_matches_with_remote_bots_are_dealt_fresh_boards(manifest: Manifest) -> None:
    """Two void tries of each, and both have a result."""
    remote, local = _one_of_each(manifest)
    rows = _rows(remote) + _rows(local)
    assert tries_of(manifest, rows, []) == Tries(0, 0, 0)
    assert tries_of(manifest, rows, _tries(local, "lost", "lost")) == Tries(2, 0, 0)
    assert tries_of(manifest, rows, _tries(remote, BEGUN, "lost") + _tries(local, "lost")) == Tries(3, 1, 2)


def test_a_match_without_a_result_is_not_dealt_yet(manifest: Manifest) -> None:
    """No leaderboard rests on it. Its last try may still be in play, unless it says how it ended."""
    remote, local = _one_of_each(manifest)
    assert tries_of(manifest, _rows(local), _tries(remote, "lost", "lost")) == Tries(2, 0, 0)
    assert tries_of(manifest, _rows(local), _tries(remote, "lost", BEGUN)) == Tries(1, 0, 0)
    assert tries_of(manifest, _rows(local), _tries(remote, BEGUN)) == Tries(0, 0, 0)


@pytest.mark.parametrize(
    ("fresh", "before", "text"),
    [
        (1, 1, "1 match with remote bots was dealt fresh boards after 1 void try"),
        (1, 3, "1 match with remote bots was dealt fresh boards after 3 void tries"),
        (1200, 2000, "1,200 matches with remote bots were dealt fresh boards after 2,000 void tries"),
    ],
)
def test_it_is_told_in_words(fresh: int, before: int, text: str) -> None:
    """One line, with the numbers that a reader weighs against that of all matches."""
    assert told(fresh, before) == text
