"""Hands of Kowah, all of them: which are ready, for what they wait, what they are worth."""

from __future__ import annotations

import itertools
from random import Random

from croupier.games.cards import without
from croupier.games.kowah_hands import FACTORS, RANKS, ready_discards, score, wait_of
from games.kowah_table import GAME


def ready_hands() -> dict[tuple[str, ...], set[str]]:
    """Return all ready hands as sorted ranks, built from two trios and a pair, with the ranks that complete them."""
    hands: dict[tuple[str, ...], set[str]] = {}
    for trio, other, pair in itertools.product(RANKS, repeat=3):
        hands.setdefault(tuple(sorted(3 * trio + 3 * other + 2 * pair)), set()).add(pair)
    return hands


def test_section_3_the_wait_is_unique() -> None:
    """Whatever eight ranks are held, they are ready exactly if built as two trios and a pair, with one wait."""
    ready = ready_hands()
    assert all(len(waits) == 1 for waits in ready.values())
    for hand in itertools.combinations_with_replacement(sorted(RANKS), 8):
        assert {wait_of(hand)} == ready.get(hand, {""})


def test_section_4_discards_that_leave_a_ready_hand() -> None:
    """Of any nine cards around a ready hand, exactly the ranks that leave a ready hand may be announced with."""
    for hand, further in itertools.product(ready_hands(), RANKS):
        nine = [*hand, further]
        expected = {rank for rank in nine if wait_of(without(nine, [rank]))}
        assert ready_discards(nine) == expected
        assert further in expected


def test_section_4_no_discard_leaves_a_ready_hand() -> None:
    """Nine cards that hold no ready hand can't be announced with."""
    ready = ready_hands()
    rng = Random(4)
    for _ in range(5000):
        nine = [rng.choice("A234JQ") for _ in range(9)]
        expected = {rank for rank in nine if tuple(sorted(without(nine, [rank]))) in ready}
        assert ready_discards(nine) == expected


def test_section_7_scores_range_from_9_to_243() -> None:
    """Over all three trios and kinds the score lies between 9 and 243, and both are reached."""
    trios = itertools.combinations_with_replacement(RANKS, 3)
    scores = {score(3 * "".join(trio), trio[0], kind, GAME.rules()) for trio in trios for kind in FACTORS}
    assert (min(scores), max(scores)) == (9, 243)
