"""What a scheduled match is played with: its decks and its own key, derived from the tournament's. Pure.

A match that is played again has the same boards, unless somebody sits at its table who may remember them: a bot
that somebody else started.
"""

from __future__ import annotations

from croupier.games import game_named
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import ScheduledMatch
from croupier.referee import boards
from croupier.referee.fixtures import Fixture

FRESH = 2**40
"""Between the boards of one try and the next: more than any schedule numbers."""


def key_of(manifest: Manifest, secret: bytes) -> bytes:
    """Return the tournament's key, which follows from the secret and what beacon and entrants add to it."""
    return boards.tournament_key(secret, manifest.id, boards.entropy(manifest.beacon, manifest.nonces))


def fixture(manifest: Manifest, key: bytes, match: ScheduledMatch, attempt: int = 0) -> Fixture:
    """Return a match as the referee is given it: nothing in it tells of other matches.

    Args:
        manifest: of the run.
        key: the tournament's.
        match: as scheduled.
        attempt: how often it was begun before.
    """
    fresh = FRESH * attempt if manifest.remote.intersection(match.entrants) else 0
    numbers = tuple(board + fresh for board in match.boards)
    game = manifest.games[match.leaderboard]
    pack = game_named(game.name).pack
    return Fixture(
        match_id=match.match_id,
        game=game.name,
        rules=game.checked_rules(),
        entrants=match.entrants,
        key=boards.match_key(key, match.match_id),
        boards=numbers,
        decks=tuple(boards.deck(key, game.name, pack, board) for board in numbers),
    )


def attempt_at(board: int) -> int:
    """Return the attempt at which a match with a remote seat has a board of this number."""
    return board // FRESH
