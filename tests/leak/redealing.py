"""Other deals that a seat can't tell from the one it sits in: decks in which only cards hidden from it are changed.

Places in the deck stand for cards: a marked card remembers its place wherever a game puts it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from croupier.games import Cards, State
from croupier.games.kowah import KowahState
from leak.facts import shows_cards

STOCK = -1
"""The holder of undealt cards."""

TRIES = 20


class Marked(str):
    """A card that remembers its place in the deck."""

    place: int

    @classmethod
    def deck(cls, deck: Cards) -> Cards:
        """Return the deck, its cards marked."""
        marked = []
        for place, code in enumerate(deck):
            card = cls(code)
            card.place = place
            marked.append(card)
        return tuple(marked)


class Hidden(NamedTuple):
    """What a seat has never seen.

    Attributes:
        deck: the codes, by place.
        holder: who holds the card of each hidden place; ``STOCK`` for undealt ones.
        announced: other seats that have announced, whose hands can't change any more.
    """

    deck: Cards
    holder: dict[int, int]
    announced: tuple[int, ...]

    def places(self, holders: Sequence[int]) -> list[int]:
        """Return the hidden places of these holders."""
        return [place for place, holder in self.holder.items() if holder in holders]


def hidden_from(seat: int, state: State) -> Hidden:
    """Return what a seat has not seen of a deal that was started with a marked deck."""
    moved = {card.place for event in state.events for card in event.cards if isinstance(card, Marked)}
    seen = {
        card.place
        for event in state.events
        for card in event.cards
        if isinstance(card, Marked) and (event.seat == seat or shows_cards(state, event))
    }
    in_hands = {
        card.place: holder
        for holder, hand in enumerate(state.hands)
        for card in hand
        if isinstance(card, Marked) and holder != seat and card.place not in seen
    }
    undealt = {place: STOCK for place in range(len(state.deck)) if place not in moved}
    announced = tuple(other for other in state.announced if other != seat) if isinstance(state, KowahState) else ()
    return Hidden(tuple(map(str, state.deck)), {**in_hands, **undealt}, announced)


class Changed(NamedTuple):
    """A changed deck; ``exchanged`` if it is an announced hand that was changed."""

    deck: Cards
    exchanged: bool


def redeals(hidden: Hidden, rng: Random) -> Iterator[Changed]:
    """Yield changed decks: shuffles and, with an announced opponent, every other time an exchange of its cards."""
    for number in range(TRIES):
        if hidden.announced and number % 2 == 0:
            yield from _exchange(hidden, rng)
        else:
            yield Changed(_shuffle(hidden, rng), exchanged=False)


def swaps(hidden: Hidden, rng: Random) -> Iterator[Changed]:
    """Yield changed decks in which two different hidden cards of different holders have changed places."""
    free = [place for place, holder in hidden.holder.items() if holder not in hidden.announced]
    pairs = [
        (one, two)
        for one in free
        for two in free
        if hidden.holder[one] < hidden.holder[two] and hidden.deck[one] != hidden.deck[two]
    ]
    for one, two in rng.sample(pairs, min(len(pairs), 4 * TRIES)):
        yield Changed(_swapped(hidden.deck, [one, two], [two, one]), exchanged=False)


def _shuffle(hidden: Hidden, rng: Random) -> Cards:
    places = [place for place, holder in hidden.holder.items() if holder not in hidden.announced]
    return _swapped(hidden.deck, places, rng.sample(places, len(places)))


def _exchange(hidden: Hidden, rng: Random) -> Iterator[Changed]:
    """Yield at most one deck: a trio or the pair of an announced hand against hidden cards of another rank.

    Where a card taken from the pile has shown the rank of each, the hidden cards can change their suits only.
    """
    hand = _by_rank(hidden, [rng.choice(hidden.announced)])
    others = _by_rank(hidden, [STOCK, *(set(hidden.holder.values()) - set(hidden.announced))])
    ranks = [
        (given[:size], taken)
        for rank, given in hand.items()
        for size in (2, 3)
        if len(given) >= size and (size == 3 or len(given) % 3 == 2)
        for other, taken in others.items()
        if other != rank and len(taken) >= size
    ]
    suits = [
        ([one], [other])
        for rank, given in hand.items()
        for one in given
        for other in others.get(rank, [])
        if hidden.deck[one] != hidden.deck[other]
    ]
    choices = suits if not ranks or (suits and rng.random() < 0.2) else ranks
    if choices:
        given, taken = rng.choice(choices)
        chosen = rng.sample(taken, len(given))
        yield Changed(_swapped(hidden.deck, given + chosen, chosen + given), exchanged=True)


def _by_rank(hidden: Hidden, holders: Sequence[int]) -> dict[str, list[int]]:
    ranks: dict[str, list[int]] = {}
    for place in hidden.places(holders):
        ranks.setdefault(hidden.deck[place][0], []).append(place)
    return ranks


def _swapped(deck: Cards, places: Sequence[int], sources: Sequence[int]) -> Cards:
    """Return the deck with the cards of ``sources`` at ``places``."""
    changed = list(deck)
    for place, source in zip(places, sources, strict=True):
        changed[place] = deck[source]
    return tuple(changed)
