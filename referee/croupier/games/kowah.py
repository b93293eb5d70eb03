"""Kowah: collect three trios; who is one card short may announce it (``checki``) and waits for that card.

The rules by number are in docs/rules/kowah.md. A waiting seat decides nothing but claims: its turns are
played here, inside ``apply``. This module knows what a hand is worth only through ``kowah_hands``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from croupier.games.base import Game, State
from croupier.games.cards import Card, Cards, Pack, deal_packets, without
from croupier.games.kowah_hands import FIGURES, NUMERALS, face_down, ready_discards, score, wait_of
from croupier.games.kowah_options import OPTIONS
from croupier.games.rules import Rules
from croupier.games.values import TABLE, Action, Carry, Example, Option, Options, Outcome

HAND = 8
"""Cards a seat holds between its turns."""

PACK = Pack(tuple(rank + suit for suit in "SHD" for rank in NUMERALS) + tuple(rank + "C" for rank in FIGURES), copies=4)

DRAW = Option("draw")
TAKE = Option("take")
CHECKI = Option("checki")
CLAIM_OR_PASS: Options = (Option("claim"), Option("pass"))


class Phase(Enum):
    """What is asked for; ``BETWEEN``, when a turn is complete, never outlasts an ``apply``."""

    DRAW = "draw"
    DISCARD = "discard"
    CLAIM = "claim"
    BETWEEN = "between"
    OVER = "over"


class KowahState(State):
    """One deal of Kowah.

    Attributes:
        phase: what is asked for.
        turn: the seat whose turn it is; also the discarder while claims are asked.
        stock: undealt cards, the top last.
        pile: discards, the last one on top.
        waits: by seat, the rank it has announced to wait for, or "".
        announced: the seats that have announced, in that order.
    """

    def __init__(self, game: Game, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry) -> None:
        super().__init__(game, rules, seats, deck, dealer, carry)
        self.phase = Phase.BETWEEN
        self.turn = dealer
        self.hands = deal_packets(self.deck, seats, (dealer + 1) % seats, HAND // 2, 2)
        self.stock: list[Card] = list(self.deck[: seats * HAND - 1 : -1])
        self.pile: list[Card] = []
        self.waits = [""] * seats
        self.announced: list[int] = []
        self._turns = 0
        self._undrawn = 0  # turns in a row without a stock draw
        self._drawn: Card = ""  # drawn from the stock this turn
        self._taken: Card = ""  # taken from the pile this turn
        self._entitled: list[int] = []
        self._result: Outcome | None = None
        self._must_announce = rules.word("announce") == "must"
        self._must_claim = rules.word("claim") == "must"
        self._return_taken = rules.flag("return_taken")
        for seat in range(seats):
            self._emit(seat, "dealt", self.hands[seat])
        self._play_on()

    def _asks(self) -> Mapping[int, Options]:
        if self.phase is Phase.DRAW:
            return {self.turn: self._draw_options()}
        if self.phase is Phase.DISCARD:
            return {self.turn: self._discard_options()}
        return dict.fromkeys(self._entitled, CLAIM_OR_PASS)

    def _draw_options(self) -> Options:
        options = [DRAW]
        if self.pile and self._undrawn < 2 * self.seats:
            options.append(TAKE)
        if self._dealt_ready():
            options.append(CHECKI)
        return tuple(options)

    def _discard_options(self) -> Options:
        hand = self.hand(self.turn)
        ready = ready_discards(hand)
        free = hand
        if self._taken and not self._return_taken:
            free = tuple(card for card in hand if card != self._taken)
        announcing = tuple(card for card in free if card[0] in ready) if ready else ()
        if announcing and self._must_announce:
            free = tuple(card for card in free if card[0] not in ready)
        offers = (("discard", free), ("checki", announcing))
        return tuple(Option(verb, choice=cards, least=1, most=1) for verb, cards in offers if cards)

    def _dealt_ready(self) -> bool:
        """Tell whether this is the first turn of a seat that was dealt a ready hand."""
        return self._turns <= self.seats and wait_of(self.hands[self.turn]) != ""

    def _apply(self, actions: Mapping[int, Action]) -> None:
        if self.phase is Phase.CLAIM:
            claims = [seat for seat in self._entitled if actions[seat].verb == "claim"]
            self._entitled = []
            if claims:
                self._close(claims[0])
            else:
                self.phase = Phase.BETWEEN
        else:
            self._act(actions[self.turn])
        self._play_on()

    def _act(self, action: Action) -> None:
        """Play a decision of the seat whose turn it is."""
        seat = self.turn
        if action.verb == "draw":
            self._draw()
            self.phase = Phase.DISCARD
        elif action.verb == "take":
            self._taken = self.pile.pop()
            self._undrawn += 1
            self.hands[seat].append(self._taken)
            self._emit(seat, "take", (self._taken,), public=True)
            self.phase = Phase.DISCARD
        elif not action.cards:
            self._announce(self.hands[seat])
            self._wait_turn()
        else:
            (card,) = action.cards
            if action.verb == "checki":
                self._announce(without(self.hands[seat], action.cards))
            self._discard(card)

    def _play_on(self) -> None:
        """Play the turns that hold no decision, until somebody is asked or the deal is over."""
        while self.phase is Phase.BETWEEN:
            if self.stock:
                self._begin_turn()
            else:
                self._emit(TABLE, "void")
                self._end("void", "", 0, (0,) * self.seats)

    def _begin_turn(self) -> None:
        self.turn = (self.turn + 1) % self.seats
        self._turns += 1
        self._drawn = self._taken = ""
        if self._must_announce and self._dealt_ready():
            self._announce(self.hands[self.turn])
        if self.waits[self.turn]:
            self._wait_turn()
        else:
            self.phase = Phase.DRAW

    def _wait_turn(self) -> None:
        """Play the turn of a seat that has announced: it closes with the card it draws, or throws it away."""
        card = self._draw()
        if card[0] == self.waits[self.turn]:
            self._close(self.turn)
        else:
            self._discard(card)

    def _draw(self) -> Card:
        self._drawn = self.stock.pop()
        self._undrawn = 0
        self.hands[self.turn].append(self._drawn)
        self._emit(self.turn, "draw", (self._drawn,))
        return self._drawn

    def _announce(self, eight: Sequence[Card]) -> None:
        self.waits[self.turn] = wait_of(eight)
        self.announced.append(self.turn)
        self._emit(self.turn, "checki", amount=face_down(eight))

    def _discard(self, card: Card) -> None:
        """Put a card on the pile and find out who may claim it, the seat with the first right to it first."""
        self.hands[self.turn].remove(card)
        self.pile.append(card)
        self._emit(self.turn, "discard", (card,), amount=int(card == self._drawn), public=True)
        if self.rules.word("priority") == "first_announced":
            order = self.announced
        else:
            order = [(self.turn + step) % self.seats for step in range(1, self.seats)]
        self._entitled = [seat for seat in order if seat != self.turn and self.waits[seat] == card[0]]
        if not self._entitled:
            self.phase = Phase.BETWEEN
        elif self._must_claim:
            self._close(self._entitled[0])
        else:
            self.phase = Phase.CLAIM

    def _close(self, winner: int) -> None:
        """End the deal: the winner has drawn its card, or it claims the top of the pile."""
        payers = [seat for seat in range(self.seats) if seat != winner]
        if winner == self.turn:
            kind = "triple"
        else:
            card = self.pile.pop()
            self.hands[winner].append(card)
            kind = "simple" if card == self._drawn else "double"
            if self.rules.word("payer") == "discarder":
                payers = [self.turn]
        nine = self.hands[winner]
        paid = score(nine, self.waits[winner], kind, self.rules)
        self._emit(winner, "closed", nine, amount=paid, word=kind, public=True)
        points = [0] * self.seats
        for seat in payers:
            points[seat] = -paid
        points[winner] = paid * len(payers)
        self._end(kind, str(winner), paid, tuple(points))

    def _end(self, kind: str, winner: str, paid: int, points: tuple[int, ...]) -> None:
        self.phase = Phase.OVER
        self._entitled = []
        detail = (("kind", kind), ("winner", winner), ("score", str(paid)))
        self._result = Outcome(points, tuple((seat,) for seat in range(self.seats)), Carry(), detail)

    def _default(self, seat: int) -> Action:
        if self.phase is Phase.CLAIM:
            return Action("pass")
        if self.phase is Phase.DRAW:
            return Action("draw")
        options = self.asks()[seat]
        offer = options[0]  # `discard` wherever it is offered
        return Action(offer.verb, (self._drawn if self._drawn in offer.choice else offer.choice[0],))

    def _outcome(self) -> Outcome:
        assert self._result is not None
        return self._result


def stack_deck(hands: Sequence[str], dealer: int, stock: str = "", last: str = "") -> Cards:
    """Return a deck that deals these cards, for examples and tests.

    Args:
        hands: by seat, up to eight cards separated by spaces; filled up with cards nobody names.
        dealer: the seat that deals.
        stock: the top of the stock, first card to be drawn first.
        last: the end of the stock.

    Raises:
        ValueError: a card is named more than four times.
    """
    dealt, top, end = [hand.split() for hand in hands], stock.split(), last.split()
    named = [card for hand in dealt for card in hand] + top + end
    rest = without(PACK.codes * PACK.copies, named)
    full = [hand + [rest.pop(0) for _ in range(HAND - len(hand))] for hand in dealt]
    order = [(dealer + 1 + step) % len(hands) for step in range(len(hands))]
    packets = [full[seat][place : place + 2] for place in range(0, HAND, 2) for seat in order]
    return (*(card for packet in packets for card in packet), *top, *rest, *end)


class Kowah(Game):
    """Kowah, from Java: 120 cards, 2 to 6 seats, each for itself."""

    name = "kowah"
    title = "Kowah"
    seat_counts = (2, 3, 4, 5, 6)
    pack = PACK
    options = OPTIONS

    def start(self, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry) -> KowahState:
        """Deal eight cards to each seat, in packets of two."""
        return KowahState(self, rules, seats, deck, dealer, carry)

    def bound(self, seats: int) -> int:
        """Return stock cards, times turns per stock card (K9), times two decisions and a claim of each other seat."""
        return (len(PACK) - seats * HAND) * (2 * seats + 1) * (seats + 1)

    def after(self, rules: Rules, dealer: int, outcome: Outcome, deals_left: int) -> tuple[int, Carry] | None:
        """Return the next dealer: the winner, after a void deal the same again, or always the next seat."""
        if rules.word("next_dealer") == "clockwise":
            return super().after(rules, dealer, outcome, deals_left)
        winner = dict(outcome.detail)["winner"]
        return (int(winner) if winner else dealer), outcome.carry

    def examples(self) -> tuple[Example, ...]:
        """Return deals that reach a dealt-ready hand, rival claims, three silent trios and a win by the last card."""
        nines, fours, aces = "9S 9H 9D 8S 8H 8D", "4S 4H 4D 5S 5H 5D", "AS AH AD JC JC JC"
        rivals = ["7H 2S 3H", f"{nines} 7S 7S", f"{fours} 7H 7H", f"{aces} 7D 7D"]
        return (
            Example("dealt_ready", 2, 1, stack_deck([f"{nines} 7S 7H", "7H"], 1, stock="AS 7D")),
            Example("rival_claims", 4, 0, stack_deck(rivals, 0, stock="2S 2H 2D 7H")),
            Example("three_silent_trios", 2, 1, stack_deck([f"{nines} 7S 7H", ""], 1, stock="7D")),
            Example("last_card", 2, 1, stack_deck(["KC QC", f"{nines} KC KC"], 1, last="KC")),
        )
