"""Doppelkopf: for every card, weigh the card points its trick should bring against what the card could win later.

A trick is worth its card points to the party that wins it. How likely that is follows from who may still beat the
card, and from how likely that seat is a friend. Short plain aces get led early by themselves: nobody is void yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from croupier.bot import Action, Card, Cards, Decision
from croupier.games.doppelkopf.orders import CARD_POINTS, SOLOS, TRUMP, Order, order_of, trick_winner

POWER = 52.0
"""Card points that the highest trump may win later, with a full hand, beyond those of any trump."""

DECAY = 0.6
"""What is left of ``POWER`` from one trump to the next lower one."""

RUFF = 4.0
"""Card points that any trump may win later."""

PLAIN = 3.0
"""The same for a plain ace."""

LATER = 0.7
"""How slowly all this shrinks with the hand: its power of the share of cards still held."""

MORE = 1.5
"""Card points that each seat still to play is expected to add."""

STRANGER = 0.45
"""Chance that a seat of unknown party is a friend."""

QUEEN = "QC"


def choose(decision: Decision) -> Action:
    """Answer any question of the game; nothing is announced."""
    choices = {option.verb: option for option in decision.options}
    if "play" in choices:
        cards = tuple(dict.fromkeys(choices["play"].choice))
        return Action("play", (cards[0] if len(cards) == 1 else Look(decision).best(cards),))
    alone = decision.hand.count(QUEEN) == 2
    wishes = ("reservation", "marriage") if alone else ("healthy",)
    for verb in (*wishes, "pass"):
        if verb in choices:
            return Action(verb)
    heart_tens = decision.rules["heart_tens_trump"] == "true"
    return Action(
        max((verb for verb in choices if verb in SOLOS), key=lambda solo: _strength(solo, heart_tens, decision.hand))
    )


def _strength(solo: str, heart_tens: bool, hand: Cards) -> float:
    """Return how good a hand is for a solo: its share of all the power that the cards have in it."""
    order = order_of(solo, heart_tens_trump=heart_tens)
    return sum(_power(order, card) for card in hand) / sum(_power(order, card) for card in CARD_POINTS)


def _power(order: Order, card: Card) -> float:
    """Return the card points that a card may win later: much for high trumps, something for plain aces."""
    if order.class_of[card] == TRUMP:
        return RUFF + POWER * DECAY ** order.trumps.index(card)
    return PLAIN if card[0] == "A" else 0.0


class Look:
    """What a seat knows when it plays a card.

    Attributes:
        order: of the game that is played.
        trick: seat and card of the present trick, in the order played.
        friend: by seat, the chance that it is of the same party.
        void: by seat, the classes it is known not to hold.
        unseen: copies of each card in other hands; ``stronger``: those of its class that beat it; ``left``: by class.
        share: the chance that a certain unseen card is with a certain seat.
    """

    def __init__(self, decision: Decision) -> None:
        self.seat = decision.seat
        self.held = len(decision.hand)
        self.trick: list[tuple[int, Card]] = []
        self.void: list[set[str]] = [set(), set(), set(), set()]
        self.unseen = dict.fromkeys(CARD_POINTS, 2)
        for card in decision.hand:
            self.unseen[card] -= 1
        heart_tens = decision.rules["heart_tens_trump"] == "true"
        game, queens, party = "normal", 0, {}
        self.order = order_of(game, heart_tens_trump=heart_tens)
        for event in decision.message.events:
            verb = event.verb
            if verb == "play":
                self._note(event.seat, event.cards[0])
            elif verb == "trick":
                self.trick.clear()
            elif verb == "party":
                party[event.seat] = event.word
            elif verb == "game":
                game = event.word
                self.order = order_of(game, heart_tens_trump=heart_tens)
            elif verb == "dealt" and event.seat == self.seat:
                queens = list(event.cards).count(QUEEN)
        own = party.get(self.seat) or ("re" if queens else "kontra")
        self.friend = [_friendship(own, party.get(seat), queens) for seat in range(4)]
        self.friend[self.seat] = 1.0
        self.share = self.held / max(1, sum(self.unseen.values()))
        self.stronger: dict[Card, int] = {}
        self.left: dict[str, int] = {}
        for kind, cards in _classes(game, heart_tens).items():
            count = 0
            for card in cards:
                self.stronger[card] = count
                count += self.unseen[card]
            self.left[kind] = count

    def _note(self, seat: int, card: Card) -> None:
        """Note a card played."""
        self.unseen[card] -= 1
        if self.trick:
            class_of = self.order.class_of
            led = class_of[self.trick[0][1]]
            if class_of[card] != led:
                self.void[seat].add(led)
        self.trick.append((seat, card))

    def best(self, cards: Sequence[Card]) -> Card:
        """Return the card whose trick is worth most, less what the card might win later."""
        ahead = self._ahead()
        points = float(sum(CARD_POINTS[card] for _, card in self.trick))
        after = [(self.seat + step) % 4 for step in range(1, 4 - len(self.trick))]
        points += MORE * len(after)
        later = ((self.held - 1) / 11) ** LATER
        best, best_worth = cards[0], float("-inf")
        for card in cards:
            favour = self._favour(card, ahead, after)
            worth = favour * (points + CARD_POINTS[card]) - later * _power(self.order, card)
            if worth > best_worth:
                best, best_worth = card, worth
        return best

    def _ahead(self) -> tuple[int, Card] | None:
        """Return the seat and card that win the trick so far."""
        if not self.trick:
            return None
        return self.trick[trick_winner(self.order, [card for _, card in self.trick])]

    def _favour(self, card: Card, ahead: tuple[int, Card] | None, after: Sequence[int]) -> float:
        """Return how surely the trick goes to the own party if this card is played: 1 surely, -1 surely not."""
        class_of, strength = self.order.class_of, self.order.strength
        led = class_of[self.trick[0][1]] if self.trick else class_of[card]
        winner, high = self.seat, card
        if ahead and not (class_of[card] in (led, TRUMP) and strength[card] > strength[ahead[1]]):
            winner, high = ahead
        favour = 2 * self.friend[winner] - 1
        for seat in after:
            beaten = self._beats(seat, high, led)
            favour += beaten * (2 * self.friend[seat] - 1 - favour)
        return favour

    def _beats(self, seat: int, high: Card, led: str) -> float:
        """Return the chance that a seat beats the highest card of a trick."""
        absent = 1 - self.share
        void = self.void[seat]
        can_beat = 1 - absent ** self.stronger[high]
        if led == TRUMP:
            return 0.0 if TRUMP in void else can_beat
        is_void = 1.0 if led in void else absent ** self.left[led]
        if self.order.class_of[high] == TRUMP:
            return 0.0 if TRUMP in void else is_void * can_beat
        ruffs = 0.0 if TRUMP in void else is_void * (1 - absent ** self.left.get(TRUMP, 0))
        return ruffs + (1 - is_void) * can_beat


@cache
def _classes(game: str, heart_tens: bool) -> dict[str, Cards]:
    """Return the cards of every class, high to low."""
    order = order_of(game, heart_tens_trump=heart_tens)
    return {kind: order.cards_of(kind) for kind in set(order.class_of.values())}


def _friendship(own: str, party: str | None, queens: int) -> float:
    """Return the chance that a seat of this party, None = unknown, is a friend."""
    if party is not None:
        return float(party == own)
    return 0.0 if queens == 2 else STRANGER
