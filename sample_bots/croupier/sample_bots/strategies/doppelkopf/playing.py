"""The card to play: weigh the card points its trick should bring against what the card could win later.

A trick is worth its card points to the party that wins it. How likely that is follows from who may still beat the
card, and from how likely that seat is a friend. Short plain aces get led early by themselves: nobody is void yet.
"""

from __future__ import annotations

from collections.abc import Sequence

from croupier.bot import Card
from croupier.games.doppelkopf.orders import CARD_POINTS, TRUMP, trick_winner
from croupier.sample_bots.strategies.doppelkopf.look import Look

LATER = 0.7
"""How slowly the power of a card shrinks with the hand: its exponent of the share of cards still held."""

MORE = 1.5
"""Card points that each seat still to play is expected to add."""

FOX = 4.0
"""Card points that a fox in the trick is worth beyond its own."""

DOPPELKOPF = 8.0
"""Card points that a trick is worth beyond its own once they are 40."""


def best(look: Look, cards: Sequence[Card]) -> Card:
    """Return the card whose trick is worth most, less what the card might win later."""
    return Trick(look).best(cards)


class Trick:
    """The present trick, as a seat about to play to it sees it.

    Attributes:
        ahead: the seat and card that win it so far, None for its leader.
        after: the seats that play after this one.
        stronger: by card, the unseen copies of its class that beat it; ``left``: by class, all unseen copies.
        absent: the chance that a certain unseen card is not with a certain seat.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.order = look.lore.order
        self.absent = 1 - look.held / max(1, sum(look.unseen.values()))
        self.special_points = look.special_points and not look.alone and not look.against_one
        self.after = [(look.seat + turn) % 4 for turn in range(1, 4 - len(look.trick))]
        self.ahead: tuple[int, Card] | None = None
        if look.trick:
            self.ahead = look.trick[trick_winner(self.order, [card for _, card in look.trick])]
        self.stronger: dict[Card, int] = {}
        self.left: dict[str, int] = {}
        for kind, cards in look.lore.classes.items():
            count = 0
            for card in cards:
                self.stronger[card] = count
                count += look.unseen[card]
            self.left[kind] = count

    def best(self, cards: Sequence[Card]) -> Card:
        """Return the card whose trick is worth most, less what the card might win later."""
        trick = [card for _, card in self.look.trick]
        later = ((self.look.held - 1) / 11) ** LATER
        power = self.look.lore.power
        best, best_worth = cards[0], float("-inf")
        for card in cards:
            worth = self._favour(card) * self._stake((*trick, card)) - later * power[card]
            if worth > best_worth:
                best, best_worth = card, worth
        return best

    def _stake(self, cards: Sequence[Card]) -> float:
        """Return the card points at stake in the trick with these cards in it; special points count as some, too."""
        points = sum(map(CARD_POINTS.__getitem__, cards))
        more = MORE * len(self.after)
        if self.special_points:
            more += FOX * cards.count("AD") + (DOPPELKOPF if points >= 40 else 0.0)
        return points + more

    def _favour(self, card: Card) -> float:
        """Return how surely the trick goes to the own party if this card is played: 1 surely, -1 surely not."""
        class_of, strength, friend = self.order.class_of, self.order.strength, self.look.friend
        led = class_of[self.look.trick[0][1]] if self.look.trick else class_of[card]
        winner, high = self.look.seat, card
        if self.ahead and not (class_of[card] in (led, TRUMP) and strength[card] > strength[self.ahead[1]]):
            winner, high = self.ahead
        favour = 2 * friend[winner] - 1
        for seat in self.after:
            beaten = self._beats(seat, high, led)
            favour += beaten * (2 * friend[seat] - 1 - favour)
        return favour

    def _beats(self, seat: int, high: Card, led: str) -> float:
        """Return the chance that a seat beats the highest card of a trick."""
        absent = self.absent
        void = self.look.void[seat]
        can_beat = 1 - absent ** self.stronger[high]
        if led == TRUMP:
            return 0.0 if TRUMP in void else can_beat
        is_void = 1.0 if led in void else absent ** self.left[led]
        if self.order.class_of[high] == TRUMP:
            return 0.0 if TRUMP in void else is_void * can_beat
        ruffs = 0.0 if TRUMP in void else is_void * (1 - absent ** self.left.get(TRUMP, 0))
        return ruffs + (1 - is_void) * can_beat
