"""What a scheduled match is played with: its decks and its own key, derived from the tournament's. Pure."""

from __future__ import annotations

from croupier.games import game_named
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import ScheduledMatch
from croupier.referee import boards
from croupier.referee.fixtures import Fixture


def key_of(manifest: Manifest, secret: bytes) -> bytes:
    """Return the tournament's key, which follows from the secret and what beacon and entrants add to it."""
    return boards.tournament_key(secret, manifest.id, boards.entropy(manifest.beacon, manifest.nonces))


def fixture(manifest: Manifest, key: bytes, match: ScheduledMatch) -> Fixture:
    """Return a match as the referee is given it: nothing in it tells of other matches."""
    game = manifest.games[match.leaderboard]
    pack = game_named(game.name).pack
    return Fixture(
        match_id=match.match_id,
        game=game.name,
        rules=game.checked_rules(),
        entrants=match.entrants,
        key=boards.match_key(key, match.match_id),
        boards=match.boards,
        decks=tuple(boards.deck(key, game.name, pack, board) for board in match.boards),
    )
