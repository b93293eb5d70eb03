"""Cha Kau Tsu: a deal from shuffle to chips, and the pot that passes from deal to deal.

Which leads there are and who wins a trick is the business of ``cha_kau_tsu_tricks``; what a seat may know
is derived by the base class. Sections and rulings (C1, C2, ...) are those of ``docs/rules/cha_kau_tsu.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from croupier.games.base import Game, State
from croupier.games.cards import Card, Cards, deal_packets, without
from croupier.games.cha_kau_tsu_tricks import (
    FIGURES,
    PACK,
    PLAY,
    SUITS,
    TRIOS,
    follow,
    leads,
    most_modest,
    trick_winner,
)
from croupier.games.rules import RuleOption, Rules
from croupier.games.values import Action, Carry, Example, Options, Outcome


class Table(NamedTuple):
    """What depends on the number of seats (section 2).

    Attributes:
        packets: how many times each seat is dealt to.
        packet: cards dealt at a time.
        threshold: tricks that take the pot.
    """

    packets: int
    packet: int
    threshold: int

    @property
    def hand(self) -> int:
        """Cards dealt to each seat, which is also the number of tricks of a deal."""
        return self.packets * self.packet


TABLES: Mapping[int, Table] = {2: Table(5, 3, 11), 3: Table(7, 2, 9), 4: Table(7, 2, 8)}


class ChaKauTsuState(State):
    """One deal.

    Attributes:
        leader: the seat that leads the present trick.
        plays: seat and cards of the present trick, in the order played.
        tricks: won so far, by seat.
    """

    def __init__(
        self, game: ChaKauTsu, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry
    ) -> None:
        super().__init__(game, rules, seats, deck, dealer, carry)
        self.leader = (dealer + 1) % seats
        self.plays: list[tuple[int, Cards]] = []
        self.tricks = [0] * seats
        self._fill = rules.flag("figures_fill_suits")
        table = TABLES[seats]
        dealt = deal_packets(deck, seats, self.leader, table.packets, table.packet)
        self.hands = [list(PACK.sort(hand)) for hand in dealt]
        for seat, hand in enumerate(self.hands):
            self._emit(seat, "dealt", hand)

    def _asks(self) -> Mapping[int, Options]:
        seat = (self.leader + len(self.plays)) % self.seats
        hand = tuple(self.hands[seat])
        if self.plays:
            return {seat: follow(hand, len(self.plays[0][1]))}
        return {seat: leads(hand, figures_fill_suits=self._fill)} if hand else {}

    def _apply(self, actions: Mapping[int, Action]) -> None:
        ((seat, action),) = actions.items()
        self.hands[seat] = without(self.hands[seat], action.cards)
        self.plays.append((seat, action.cards))
        self._emit(seat, PLAY, action.cards, public=True)
        if len(self.plays) == self.seats:
            self._end_trick(len(action.cards))

    def _end_trick(self, size: int) -> None:
        self.leader = trick_winner(self.plays, figures_fill_suits=self._fill)
        self.tricks[self.leader] += size
        self.plays = []
        self._emit(self.leader, "trick", amount=size)

    def _default(self, seat: int) -> Action:
        size = len(self.plays[0][1]) if self.plays else 1
        return Action(PLAY, most_modest(tuple(self.hands[seat]), size))

    def _outcome(self) -> Outcome:
        return count_up(self.rules, self.tricks, self.carry)


def payments(tricks: Sequence[int]) -> tuple[int, ...]:
    """Return the chips each seat pays into the pot for the tricks of a deal (section 6)."""
    most = max(tricks)
    return tuple(most - won for won in tricks)


def pot_taker(tricks: Sequence[int]) -> int | None:
    """Return the seat whose tricks reach the threshold, or None (section 6)."""
    threshold = TABLES[len(tricks)].threshold
    return next((seat for seat, won in enumerate(tricks) if won >= threshold), None)


def count_up(rules: Rules, tricks: Sequence[int], carry: Carry) -> Outcome:
    """Return the outcome of a deal with these tricks by seat, played for the open pot of ``carry``."""
    seats = len(tricks)
    older = carry.by_seat or (0,) * seats
    paid = payments(tricks)
    taken = pots_taken(carry)
    points = [-chips for chips in paid]
    pot = tuple(old + new for old, new in zip(older, paid, strict=True))
    taker = pot_taker(tricks)
    if taker is not None:
        taken += 1
        if rules.flag("pot_includes_this_deal"):
            points[taker] += sum(pot)
            pot = (0,) * seats
        else:
            points[taker] += sum(older)
            pot = paid
    return Outcome(
        points=tuple(points),
        sides=tuple((seat,) for seat in range(seats)),
        carry=_carry(pot, taken),
        detail=(
            ("tricks", " ".join(map(str, tricks))),
            ("pot", str(sum(pot))),
            ("taker", "" if taker is None else str(taker)),
        ),
    )


def pots_taken(carry: Carry) -> int:
    """Return the number of pots taken so far in the match."""
    return int(dict(carry.pairs).get("pots_taken", "0"))


def _carry(pot: tuple[int, ...], taken: int) -> Carry:
    return Carry(pot, (("pots_taken", str(taken)),))


class ChaKauTsu(Game):
    """The rule set."""

    name = "cha_kau_tsu"
    title = "Cha Kau Tsu"
    seat_counts = tuple(TABLES)
    pack = PACK
    options = (
        RuleOption("pots", 0, "the match ends once this many pots have been taken; 0 = never early", "section 7"),
        RuleOption("pot_includes_this_deal", True, "the pot taken holds this deal's payments too", "C2"),
        RuleOption("figures_fill_suits", False, "in an ace group, a figure may stand for a missing suit", "C3"),
        RuleOption(
            "open_pot",
            "refund",
            "a pot still open at the end of the match: back to its payers, split evenly, or kept by nobody",
            "C9",
            words=("refund", "split", "keep"),
        ),
    )
    carry_meaning = "by_seat: chips paid into the open pot; pots_taken: pots taken so far in the match"

    def start(self, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry) -> ChaKauTsuState:
        """Deal the cards; an empty carry means an empty pot."""
        return ChaKauTsuState(self, rules, seats, deck, dealer, carry)

    def bound(self, seats: int) -> int:
        """Return the decisions of a deal of single cards: no lead is smaller."""
        return seats * TABLES[seats].hand

    def first(self, rules: Rules, seats: int, deals: int) -> tuple[int, Carry]:
        """Return dealer 0, an empty pot and no pot taken."""
        del rules, deals
        return 0, _carry((0,) * seats, 0)

    def after(self, rules: Rules, dealer: int, outcome: Outcome, deals_left: int) -> tuple[int, Carry] | None:
        """Return the next dealer clockwise (C8) and the pot, or None once the agreed number of pots was taken."""
        pots = rules.number("pots")
        if 0 < pots <= pots_taken(outcome.carry):
            return None
        return super().after(rules, dealer, outcome, deals_left)

    def settle(self, rules: Rules, carry: Carry, seats: int) -> tuple[int, ...]:
        """Return what each seat gets of a pot still open, by the option ``open_pot`` (C9)."""
        match rules.word("open_pot"):
            case "refund":
                return carry.by_seat or (0,) * seats
            case "split":
                return (sum(carry.by_seat) // seats,) * seats
            case _:
                return (0,) * seats

    def examples(self) -> tuple[Example, ...]:
        """Return deals in which the first leader holds the longest group, the longest sequence, a filled group."""
        aces, twos, nines = TRIOS[0] * 2, TRIOS[1] * 2, TRIOS[8] * 2
        return (
            Example("an ace group of twelve takes the pot", 2, 0, _deck(2, [aces + FIGURES * 2 + TRIOS[2]])),
            Example(
                "two sequences of nine, and an ace group of nine that follows them",
                4,
                3,
                _deck(4, [SUITS[0] + TRIOS[8][1:], SUITS[1] + TRIOS[8][:1], TRIOS[0] + FIGURES * 2]),
            ),
            Example(
                "a group of six is beaten by another, for an open pot",
                3,
                1,
                _deck(3, [twos + TRIOS[5], nines + TRIOS[6]]),
                rules={"pots": 3, "pot_includes_this_deal": False},
                carry=_carry((4, 0, 9), 1),
            ),
            Example(
                "figures stand for two suits of an ace group",
                2,
                1,
                _deck(2, [("AS", "AS", "AH", *FIGURES * 2), ("AH", "AD", "AD", *TRIOS[1])]),
                rules={"figures_fill_suits": True},
            ),
        )


def _deck(seats: int, begun: Sequence[Cards]) -> Cards:
    """Return a deck that deals these cards, in order, to the first leader and the seats after it.

    Hands are filled up, and the rest of the deck is, with the other cards in an order that scatters them.
    """
    table = TABLES[seats]
    other = list(PACK.cards)
    for cards in begun:
        other = without(other, cards)
    other = other[::3] + other[1::3] + other[2::3]
    hands: list[Cards] = []
    for turn in range(seats):
        cards = begun[turn] if turn < len(begun) else ()
        lacking = table.hand - len(cards)
        hands.append(cards + tuple(other[:lacking]))
        del other[:lacking]
    size = table.packet
    dealt = [
        card for packet in range(table.packets) for hand in hands for card in hand[packet * size : packet * size + size]
    ]
    return (*dealt, *other)
