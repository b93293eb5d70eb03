"""Cha Kau Tsu: lead long shapes and sure cards, win cheaply, throw what will never win.

Every candidate is weighed as chance x (tricks won + worth of the next lead) - worth of the cards it costs.
A card's worth is what it may still win later: cards of a shape more than loose ones, high ones more than low ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp

from croupier.bot import Action, Card, Cards, Decision
from croupier.bot.observations import Play, current_trick
from croupier.games.cha_kau_tsu_tricks import FIGURES, RANK, RANKS, SUITS, TRIOS, Shape, shape_of

LEAD = 4.0
"""Tricks that the next lead is worth with a full hand."""

LOOSE = 0.8
"""Tricks that a loose nine is worth; lower cards steeply less."""

SHAPED = 0.4
"""Tricks that each card of a shape of four is worth; of longer shapes more, of three less."""

SPARE = 0.3
"""How often a hand that holds a group also holds a certain further card of it."""


def choose(decision: Decision) -> Action:
    """Lead or follow."""
    look = Look(decision)
    plays = current_trick(decision.message.events)
    candidates = look.leads() if not plays else look.wins(plays)
    size = len(plays[0].cards) if plays else 1
    cheapest = sorted(look.worth)[:size]
    best = tuple(card for _, card in cheapest)
    best_weight = -sum(worth for worth, _ in cheapest)
    if not plays:
        best_weight -= 1  # a lead given away; only where nothing else can be led
    for cards, chance in candidates:
        size = len(cards)
        lead = LEAD * (look.held - size) / 14
        weight = chance * (size + lead) - look.cost(cards)
        if weight > best_weight:
            best, best_weight = cards, weight
    return Action("play", best)


def shapes_in(hand: Sequence[Card]) -> list[Cards]:
    """Return the longest sequences and the greatest groups in a hand; they may share cards."""
    found: list[Cards] = []
    held = set(hand)
    for suit in SUITS:
        run: list[Card] = []
        for card in (*suit, ""):
            if card in held:
                run.append(card)
            else:
                if len(run) >= 3:
                    found.append(tuple(run))
                run = []
    for trio in TRIOS:
        if held.issuperset(trio):
            partners = trio + FIGURES if trio is TRIOS[0] else trio
            found.append(tuple(card for card in hand if card in partners))
    return found


class Look:
    """A hand, and what may be in the other hands.

    Attributes:
        held: number of cards in the hand.
        worth: for each card of the hand, what it is worth and the card.
    """

    def __init__(self, decision: Decision) -> None:
        self.hand = decision.hand
        self.held = len(self.hand)
        self.others = decision.seats - 1
        self.fill = decision.rules.get("figures_fill_suits") == "true"
        self.unseen = dict.fromkeys(RANK, 2)
        for card in self.hand:
            self.unseen[card] -= 1
        for event in decision.message.events:
            if event.verb == "play":
                for card in event.cards:
                    self.unseen[card] -= 1
        self.share = min(1.0, self.held / max(1, sum(self.unseen.values())))
        self.shapes = shapes_in(self.hand)
        self.worth = self._worth()
        self._of = {card: worth for worth, card in self.worth}

    def _worth(self) -> list[tuple[float, Card]]:
        shaped: dict[Card, float] = {}
        for shape in self.shapes:
            worth = SHAPED * (len(shape) / 4)
            for card in shape:
                shaped[card] = max(worth, shaped.get(card, 0.0))
        return [(max(shaped.get(card, 0.0), LOOSE * (RANK[card] / 9) ** 3), card) for card in self.hand]

    def cost(self, cards: Sequence[Card]) -> float:
        """Return what cards of the hand are worth."""
        return sum(self._of[card] for card in cards)

    def leads(self) -> Iterator[tuple[Cards, float]]:
        """Yield leads worth a thought, each with its chance to win the trick."""
        for cards in self.shapes:
            shape = shape_of(cards)
            assert shape is not None
            yield cards, self._holds_up(shape, self.others)
        for card in dict.fromkeys(self.hand):
            if card not in FIGURES:
                yield (card,), self._stays_high(card, self.others)

    def wins(self, plays: Sequence[Play]) -> Iterator[tuple[Cards, float]]:
        """Yield follows that beat all plays so far, each with its chance to win the trick."""
        after = self.others - len(plays)
        shapes = [shape_of(play.cards, figures_fill_suits=self.fill) for play in plays]
        led = shapes[0]
        if led is None or led.size == 1:
            singles = [play.cards[0] for play in plays if play.cards[0] not in FIGURES]
            best = max((RANK[card] for card in singles if card[1] == singles[0][1]), default=0)
            for card in dict.fromkeys(self.hand):
                if RANK[card] > best and (not singles or card[1] == singles[0][1]):
                    yield (card,), self._stays_high(card, after)
            return
        best = max(shape.rank for shape in shapes if shape and shape.kind == led.kind)
        for cards in self._windows(led.size) if led.kind == "sequence" else self._groups(led.size):
            rank = RANK[cards[-1]]
            if rank > best:
                yield cards, self._holds_up(Shape(led.kind, led.size, rank), after)

    def _windows(self, size: int) -> Iterator[Cards]:
        """Yield the sequences of this size in the hand."""
        for shape in self.shapes:
            if shape[0][1] == shape[1][1] and shape[0][0] != shape[1][0]:
                for low in range(len(shape) - size + 1):
                    yield shape[low : low + size]

    def _groups(self, size: int) -> Iterator[Cards]:
        """Yield one group of this size of each rank in the hand that has one; aces never win as a follow."""
        for trio in TRIOS[1:]:
            if all(card in self._of for card in trio):
                cards = [card for card in self.hand if card in trio]
                if len(cards) >= size:
                    spare = list(cards)
                    for card in trio:
                        spare.remove(card)
                    yield (*spare[: size - 3], *trio)

    def _stays_high(self, card: Card, opponents: int) -> float:
        """Return the chance that none of so many opponents has a higher card of the suit."""
        suit = SUITS["SHD".index(card[1])]
        higher = sum(self.unseen[other] for other in suit[RANK[card] :])
        return float((1 - min(1.0, opponents * self.share)) ** higher)

    def _holds_up(self, shape: Shape, opponents: int) -> float:
        """Return the chance that none of so many opponents has a better shape of the same kind and size."""
        if not opponents or (shape.kind == "group" and shape.size > 6):
            return 1.0
        has = {card: 1 - (1 - self.share) ** copies for card, copies in self.unseen.items()}
        better = 0.0
        if shape.kind == "sequence":
            for suit in SUITS:
                for top in range(shape.rank, len(RANKS)):
                    chance = 1.0
                    for card in suit[top + 1 - shape.size : top + 1]:
                        chance *= has[card]
                    better += chance
        else:
            for trio in TRIOS[max(1, shape.rank) :]:
                better += has[trio[0]] * has[trio[1]] * has[trio[2]] * SPARE ** (shape.size - 3)
        return exp(-opponents * better)
