"""The laws of Kowah: a stock that only shrinks, hands frozen by an announcement, claims, zero-sum scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier.games import Carry, Event, Options, Outcome, State
from properties.watching import Laws, MatchLaws, Played

KIND = {"simple": 1, "double": 2, "triple": 3}
FACTORS = ("nine_of_a_rank", "six_of_a_rank", "nine_figures", "nine_figures_or_aces", "consecutive_ranks")


def worth(card: str) -> int:
    """Return the points of a card: numerals from 2 their face value, ace and figures 1."""
    return int(card[0]) if card[0].isdigit() else 1


def beyond_trios(cards: Counter[str]) -> dict[str, int]:
    """Return how many cards of each rank don't fit into trios; nothing if all do."""
    ranks: Counter[str] = Counter()
    for card, count in cards.items():
        ranks[card[0]] += count
    return {rank: count % 3 for rank, count in ranks.items() if count % 3}


class KowahLaws(Laws):
    """Takes are bounded, who has announced only waits and may claim, and one seat wins what others pay."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._stock = self.ledger.undealt.total()
        self._takes = 0
        self._announced: set[int] = set()
        self._frozen: dict[int, Counter[str]] = {}
        self._pile: list[str] = []
        self._last: Event | None = None
        self._closed: tuple[Event, Event] | None = None

    def note(self, event: Event) -> None:
        """Count the takes in a row (K9), and hold every announced hand to what it was."""
        assert self._closed is None
        match event.verb:
            case "draw":
                self._takes = 0
            case "take":
                self._takes += 1
                assert (self._pile.pop(),) == event.cards
                assert self._takes <= 2 * self.state.seats
                assert event.seat not in self._announced
            case "discard":
                self._pile += event.cards
                self._freeze(event.seat)
            case "checki":
                assert event.seat not in self._announced
                self._announced.add(event.seat)
            case "closed":
                assert event.seat in self._announced
                assert self._last is not None
                self._closed = (event, self._last)
            case verb:
                assert verb in {"dealt", "void"}
        self._last = event

    def _freeze(self, seat: int) -> None:
        """After its discard an announced seat holds a ready hand, and the same ever after."""
        if seat in self._announced:
            hand = +self.ledger.hands[seat]
            assert self._frozen.setdefault(seat, hand) == hand
            assert hand.total() == 8
            assert list(beyond_trios(hand).values()) == [2]

    def at_decision(self, asked: Mapping[int, Options]) -> None:
        """Claims are asked of exactly those that wait for the discard, anything else of one unannounced seat."""
        self._check_stock()
        verbs = {option.verb for options in asked.values() for option in options}
        if "claim" in verbs:
            assert self._last is not None
            assert verbs == {"claim", "pass"}
            assert self._last.verb == "discard"
            rank = self._pile[-1][0]
            waiting = {seat for seat, hand in self._frozen.items() if list(beyond_trios(hand)) == [rank]}
            assert set(asked) == waiting - {self._last.seat}
            return
        (seat,) = asked
        assert seat not in self._announced
        assert verbs <= {"draw", "take", "checki", "discard"}
        if "draw" in verbs:
            assert ("take" in verbs) == (bool(self._pile) and self._takes < 2 * self.state.seats)

    def _check_stock(self) -> None:
        stock = self.ledger.undealt.total()
        assert len(getattr(self.state, "stock")) == stock <= self._stock  # noqa: B009 - a State of any game has none
        self._stock = stock

    def at_end(self, outcome: Outcome) -> None:
        """Zero-sum: nothing in a void deal, else what the winner's three trios are worth, from those who pay."""
        self._check_stock()
        assert sum(outcome.points) == 0
        seats, rules = range(self.state.seats), self.state.rules
        if self._closed is None:
            assert not any(outcome.points)
            assert self._stock == 0
            return
        closed, before = self._closed
        assert beyond_trios(Counter(closed.cards)) == {}
        assert len(closed.cards) == 9
        drawn = before.verb == "draw"
        assert drawn == (before.seat == closed.seat)
        assert closed.word == ("triple" if drawn else "simple" if before.amount else "double")
        if rules.word("base") == "cards" and all(rules.number(factor) == 1 for factor in FACTORS):
            assert closed.amount == sum(map(worth, closed.cards)) * KIND[closed.word]
        alone = rules.word("payer") == "discarder" and not drawn
        payers = [seat for seat in seats if (seat == before.seat if alone else seat != closed.seat)]
        expected = [-closed.amount * (seat in payers) for seat in seats]
        expected[closed.seat] = closed.amount * len(payers)
        assert list(outcome.points) == expected


class KowahMatchLaws(MatchLaws):
    """There is no pot; who deals next is the winner's or the next seat's turn."""

    def after_deal(self, played: Sequence[Played], coming: tuple[int, Carry] | None) -> None:
        """After a void deal the same seat deals again, unless the deal goes round."""
        if self.case.rules.word("next_dealer") == "clockwise":
            super().after_deal(played, coming)
            return
        assert (coming is None) == (len(played) == self.deals)
        if coming is not None:
            points = played[-1].outcome.points
            assert coming[0] == (points.index(max(points)) if any(points) else played[-1].dealer)
