"""What a seat knows when it plays or speaks, read from its question in one pass over the events.

It says what is, and how likely the rest is; what to make of it is for ``announcing`` and ``playing``.
"""

from __future__ import annotations

from croupier.bot import Card, Cards, Decision
from croupier.games.doppelkopf.orders import CARD_POINTS, MARRIAGE, NORMAL
from croupier.sample_bots.strategies.doppelkopf.bidding import QUEEN
from croupier.sample_bots.strategies.doppelkopf.cards import lore

STRANGER = 0.45
"""Chance that a seat of unknown party is a friend."""

STEPS = frozenset({"re", "kontra", "no90", "no60", "no30", "schwarz"})


class Look:
    """What a seat knows.

    Attributes:
        seat: the seat itself; ``held``: the cards it holds; ``dealt``: those it was dealt.
        game: that is played; ``lore``: of its cards.
        trick: seat and card of the present trick, in the order played.
        won: card points in tricks, by seat; ``steps``: how many steps each seat said.
        alone: whether the seat knows that it plays against three; ``against_one``: whether it is one of these three.
        friend: by seat, the chance that it is of the same party.
        void: by seat, the classes it is known not to hold.
        unseen: copies of each card in other hands.
    """

    def __init__(self, decision: Decision) -> None:
        self.seat = decision.seat
        self.hand = decision.hand
        self.held = len(self.hand)
        self.heart_tens = decision.rules["heart_tens_trump"] == "true"
        self.special_points = decision.rules["special_points"] == "true"
        self.game = NORMAL
        self.lore = lore(self.game, self.heart_tens)
        self.trick: list[tuple[int, Card]] = []
        self.won = [0, 0, 0, 0]
        self.steps = [0, 0, 0, 0]
        self.dealt: Cards = ()
        self.void: list[set[str]] = [set(), set(), set(), set()]
        self.unseen = dict.fromkeys(CARD_POINTS, 2)
        for card in self.hand:
            self.unseen[card] -= 1
        parties: dict[int, str] = {}
        for event in decision.message.events:
            verb = event.verb
            if verb == "play":
                self._note(event.seat, event.cards[0])
            elif verb == "trick":
                self.trick.clear()
                self.won[event.seat] += event.amount
            elif verb == "party":
                parties[event.seat] = event.word
            elif verb in STEPS:
                self.steps[event.seat] += 1
            elif verb == "game":
                self.game = event.word
                self.lore = lore(self.game, self.heart_tens)
            elif verb == "dealt" and event.seat == self.seat:
                self.dealt = tuple(event.cards)
        self._tell_friends(parties)

    def _note(self, seat: int, card: Card) -> None:
        """Note a card played."""
        self.unseen[card] -= 1
        if self.trick:
            class_of = self.lore.order.class_of
            led = class_of[self.trick[0][1]]
            if class_of[card] != led:
                self.void[seat].add(led)
        self.trick.append((seat, card))

    def _tell_friends(self, parties: dict[int, str]) -> None:
        """Draw the conclusions from the public party table and the own queens."""
        queens = self.dealt.count(QUEEN)
        own = parties.get(self.seat) or ("re" if queens else "kontra")
        others = [parties.get(seat) for seat in range(4) if seat != self.seat]
        is_silent = self.game == NORMAL and queens == 2
        self.alone = own == "re" and (is_silent or others == ["kontra"] * 3)
        self.against_one = own == "kontra" and others.count("kontra") == 2 and "re" in others
        is_open = self.game == MARRIAGE and None in others
        stranger = 0.0 if self.alone else STRANGER
        self.friend = [
            float(party == own) if party and not is_open else stranger for party in map(parties.get, range(4))
        ]
        self.friend[self.seat] = 1.0

    def power_share(self) -> float:
        """Return the share of the power of all cards not yet played that the seat holds."""
        power = self.lore.power
        own = sum(power[card] for card in self.hand)
        others = sum(power[card] * copies for card, copies in self.unseen.items())
        return own / (own + others) if own else 0.0
