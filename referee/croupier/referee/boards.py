"""The only randomness of a tournament: from a secret to keys, decks, decision ids and tokens.

The scheme is ``croupier-deal/1`` (docs/protocol.md and docs/architecture.md): HMAC-SHA256 over
length-prefixed fields, so that anybody who is given the secret can deal every board again.
Pure: it draws nothing itself and knows no rules; a game is a name and a number of cards here.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Mapping

from croupier.games import Cards, Pack

KEY_BYTES = 32
"""Length of a secret, of a nonce and of every derived key."""

PLAY_TOURNAMENT = "play"
"""The tournament id of matches outside a tournament."""

PLAY_MATCH = "0" * 16
"""The match id of matches outside a tournament."""

Field = int | str | bytes
"""What enters a derivation: an integer as 8 bytes big-endian, text as UTF-8, bytes as they are."""


def prefixed(*fields: Field) -> bytes:
    """Return the fields one after the other, each behind its length as 4 bytes big-endian."""
    out = bytearray()
    for field in fields:
        if isinstance(field, int):
            data = field.to_bytes(8, "big")
        elif isinstance(field, str):
            data = field.encode()
        else:
            data = field
        out += len(data).to_bytes(4, "big") + data
    return bytes(out)


def derive(key: bytes, label: str, *fields: Field) -> bytes:
    """Return 32 bytes derived from a key for the purpose that ``label`` and ``fields`` name."""
    return hmac.digest(key, prefixed(label, *fields), "sha256")


def seeded_secret(text: str) -> bytes:
    """Return the secret of a reproducible run: reproducible, hence not fair."""
    return hashlib.sha256(prefixed("croupier/seed/1", text)).digest()


def commitment(tournament_id: str, secret: bytes) -> bytes:
    """Return what is published of a secret before play."""
    return hashlib.sha256(prefixed("croupier/commit/1", tournament_id, secret)).digest()


def entropy(beacon: str, nonces: Mapping[str, bytes]) -> bytes:
    """Return what beacon and entrants add to the secret; ``nonces`` holds 32 bytes for each entrant id."""
    fields: list[Field] = ["croupier/entropy/1", beacon]
    for entrant in sorted(nonces, key=str.encode):
        fields += (entrant, nonces[entrant])
    return hashlib.sha256(prefixed(*fields)).digest()


def tournament_key(secret: bytes, tournament_id: str, entropy: bytes) -> bytes:
    """Return the key from which all keys of a tournament derive."""
    return derive(secret, "croupier/key/1", tournament_id, entropy)


def match_key(key: bytes, match_id: str) -> bytes:
    """Return the key of a match, from which its decision ids and tokens derive."""
    return derive(key, "croupier/match/1", match_id)


def decision_id(match_key: bytes, seat: int, deal: int, number: int) -> str:
    """Return the id of the ``number``-th decision (from 0, forced ones counted) of a seat in a deal."""
    return derive(match_key, "croupier/decision/1", seat, deal, number)[:8].hex()


def seat_token(match_key: bytes, seat: int) -> str:
    """Return the token by which a seat knows its match."""
    return derive(match_key, "croupier/token/1", seat)[:8].hex()


def deal_key(key: bytes, game: str, board: int) -> bytes:
    """Return the key of a board, numbered per game."""
    return derive(key, "croupier/deal/1", game, board)


def order(key: bytes, size: int) -> list[int]:
    """Return a uniform shuffle of 0..size-1 (Fisher-Yates from the end; ``size`` at most 256)."""
    stream = _stream(key)
    places = list(range(size))
    for last in range(size - 1, 0, -1):
        chosen = _uniform(stream, last + 1)
        places[last], places[chosen] = places[chosen], places[last]
    return places


def deck(key: bytes, game: str, pack: Pack, board: int) -> Cards:
    """Return the deck of a board, top card first; ``key`` is the tournament's."""
    cards = pack.cards
    return tuple(cards[place] for place in order(deal_key(key, game, board), len(cards)))


def _stream(key: bytes) -> Iterator[int]:
    """Yield the bytes of HMAC-SHA256(key, 0), HMAC-SHA256(key, 1), ..."""
    block = 0
    while True:
        yield from hmac.digest(key, block.to_bytes(4, "big"), "sha256")
        block += 1


def _uniform(stream: Iterator[int], bound: int) -> int:
    """Return a uniform number below ``bound``, rejecting the bytes that would favour small ones."""
    limit = 256 - 256 % bound
    while True:
        byte = next(stream)
        if byte < limit:
            return byte % bound
