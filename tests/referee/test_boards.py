"""The derivation of decks and ids from a secret, against published vectors."""

import hashlib
import json
from pathlib import Path

import pytest

from croupier.games import Pack
from croupier.referee import boards

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "deals.json").read_text())
SECRET = bytes.fromhex(VECTORS["secret"])
NONCES = {entrant: bytes.fromhex(nonce) for entrant, nonce in VECTORS["entrants"].items()}
KEY = boards.tournament_key(SECRET, VECTORS["tournament_id"], boards.entropy(VECTORS["beacon"], NONCES))


def test_commitment_matches_the_vector() -> None:
    """The commitment binds tournament id and secret as published."""
    assert boards.commitment(VECTORS["tournament_id"], SECRET).hex() == VECTORS["commitment"]


def test_entropy_sorts_entrants_by_the_bytes_of_their_ids() -> None:
    """The order in which entrants are listed is irrelevant."""
    backwards = dict(reversed(NONCES.items()))

    assert boards.entropy(VECTORS["beacon"], backwards).hex() == VECTORS["entropy_root"]


def test_tournament_key_matches_the_vector() -> None:
    """Secret, id and entropy give the published key."""
    assert KEY.hex() == VECTORS["tournament_key"]


@pytest.mark.parametrize("vector", VECTORS["decks"], ids=lambda v: f"{v['game']}-{v['deal_index']}")
def test_decks_match_the_vectors(vector: dict[str, object]) -> None:
    """Key and order of a board are those published."""
    game, size, index = str(vector["game"]), int(str(vector["n"])), int(str(vector["deal_index"]))
    key = boards.deal_key(KEY, game, index)
    order = boards.order(key, size)

    assert key.hex() == vector["deal_key"]
    assert order == vector["order"]
    assert hashlib.sha256(bytes(order)).hexdigest() == vector["sha256"]


def test_deck_lays_the_order_over_the_unshuffled_pack() -> None:
    """A deck names the cards at the places that the order gives."""
    pack = Pack(("AS", "2S", "3S"), 2)
    order = boards.order(boards.deal_key(KEY, "toy", 4), 6)

    assert boards.deck(KEY, "toy", pack, 4) == tuple(pack.cards[place] for place in order)


def test_decision_ids_differ_by_seat_deal_and_number() -> None:
    """Ids and tokens are 16 hex digits and never repeat within a match."""
    key = boards.match_key(KEY, boards.PLAY_MATCH)
    ids = {boards.decision_id(key, s, d, n) for s in range(4) for d in range(4) for n in range(40)}
    ids |= {boards.seat_token(key, seat) for seat in range(4)}

    assert len(ids) == 4 * 4 * 40 + 4
    assert all(len(each) == 16 and int(each, 16) >= 0 for each in ids)
