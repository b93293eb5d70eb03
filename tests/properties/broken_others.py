"""Cha Kau Tsu and Kowah broken, one law each: what the machines must find."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest import MonkeyPatch  # noqa: PT013 - the type

from croupier.games import (
    TABLE,
    Action,
    Card,
    Carry,
    Event,
    IllegalActionError,
    Option,
    Options,
    Outcome,
    Rules,
    State,
    cards,
)
from croupier.games import cha_kau_tsu as chips
from croupier.games import cha_kau_tsu_tricks as tricks
from croupier.games.kowah import CLAIM_OR_PASS, DRAW, TAKE, Kowah, KowahState, Phase
from properties.breaking import breaks


@breaks("Deal-cha_kau_tsu", "cards are conserved")
def _deals_a_hand_twice(patch: MonkeyPatch) -> None:
    deal = cards.deal_packets

    def wrong(deck: Sequence[Card], seats: int, first: int, packets: int, size: int) -> list[list[Card]]:
        hands = deal(deck, seats, first, packets, size)
        return [*hands[:-1], hands[0]]

    patch.setattr(chips, "deal_packets", wrong)


@breaks("Deal-kowah", "a refused answer changes nothing")
def _notes_what_it_refuses(patch: MonkeyPatch) -> None:
    apply = State.apply

    def wrong(self: State, actions: Mapping[int, Action]) -> None:
        try:
            apply(self, actions)
        except IllegalActionError:
            self.events.append(Event(TABLE, "refused"))
            raise

    patch.setattr(State, "apply", wrong)


@breaks("Deal-cha_kau_tsu", "an answer that isn't offered is refused")
def _accepts_too_few_cards(patch: MonkeyPatch) -> None:
    allows = Option.allows
    patch.setattr(
        Option, "allows", lambda self, action: allows(self, action) or (action.verb == self.verb and not action.cards)
    )


@breaks("Deal-cha_kau_tsu", "sides partition the seats")
def _forgets_a_side(patch: MonkeyPatch) -> None:
    count_up = chips.count_up
    patch.setattr(chips, "count_up", lambda *given: (out := count_up(*given))._replace(sides=out.sides[:-1]))


@breaks("Deal-cha_kau_tsu", "followers play as many cards as were led")
def _asks_for_fewer_cards(patch: MonkeyPatch) -> None:
    follow = tricks.follow
    patch.setattr(chips, "follow", lambda hand, size: follow(hand, max(1, size - 1)))


@breaks("Deal-cha_kau_tsu", "points and the change of the pot sum to zero")
def _loses_a_chip_of_the_pot(patch: MonkeyPatch) -> None:
    carry = chips._carry
    patch.setattr(chips, "_carry", lambda pot, taken: carry((max(0, pot[0] - 1), *pot[1:]), taken))


@breaks("Deal-cha_kau_tsu", "the pot is taken by who reaches the threshold")
def _lowers_the_threshold(patch: MonkeyPatch) -> None:
    patch.setattr(chips, "TABLES", {seats: t._replace(threshold=t.threshold - 1) for seats, t in chips.TABLES.items()})


@breaks("Match-cha_kau_tsu", "points and settlement sum to zero")
def _refunds_one_more(patch: MonkeyPatch) -> None:
    settle = chips.ChaKauTsu.settle

    def wrong(self: chips.ChaKauTsu, rules: Rules, carry: Carry, seats: int) -> tuple[int, ...]:
        settled = settle(self, rules, carry, seats)
        return (settled[0] + (rules["open_pot"] == "split" and any(settled)), *settled[1:])

    patch.setattr(chips.ChaKauTsu, "settle", wrong)


@breaks("Match-cha_kau_tsu", "a match ends after so many pots")
def _ends_a_pot_late(patch: MonkeyPatch) -> None:
    taken = chips.pots_taken

    def wrong(
        self: chips.ChaKauTsu, rules: Rules, dealer: int, outcome: Outcome, left: int
    ) -> tuple[int, Carry] | None:
        del left
        ended = 0 < rules.number("pots") < taken(outcome.carry)
        return None if ended else ((dealer + 1) % len(outcome.points), outcome.carry)

    patch.setattr(chips.ChaKauTsu, "after", wrong)


@breaks("Deal-kowah", "never more than 2n takes without a stock draw")
def _offers_takes_for_ever(patch: MonkeyPatch) -> None:
    patch.setattr(KowahState, "_draw_options", lambda self: (DRAW, TAKE) if self.pile else (DRAW,))


@breaks("Deal-kowah", "an announced seat is never asked to draw or discard")
def _asks_who_waits(patch: MonkeyPatch) -> None:
    def wrong(self: KowahState) -> None:
        self._draw()
        self.phase = Phase.DISCARD

    patch.setattr(KowahState, "_wait_turn", wrong)


@breaks("Deal-kowah", "an announced hand doesn't change")
def _discards_from_an_announced_hand(patch: MonkeyPatch) -> None:
    def wrong(self: KowahState) -> None:
        self._draw()
        self._discard(self.hands[self.turn][0])

    patch.setattr(KowahState, "_wait_turn", wrong)


@breaks("Deal-kowah", "the stock only shrinks")
def _turns_the_pile_over(patch: MonkeyPatch) -> None:
    begin = KowahState._begin_turn

    def wrong(self: KowahState) -> None:
        if len(self.stock) == 1 and len(self.pile) > 1:
            self.stock.insert(0, self.pile.pop(0))
        begin(self)

    patch.setattr(KowahState, "_begin_turn", wrong)


@breaks("Deal-kowah", "claims are asked of those that wait for the discard")
def _asks_every_announcer(patch: MonkeyPatch) -> None:
    def wrong(self: KowahState) -> Mapping[int, Options]:
        if self.phase is Phase.CLAIM:
            return dict.fromkeys([seat for seat in self.announced if seat != self.turn], CLAIM_OR_PASS)
        return asks(self)

    asks = KowahState._asks
    patch.setattr(KowahState, "_asks", wrong)


@breaks("Deal-kowah", "points sum to zero")
def _pays_the_winner_more(patch: MonkeyPatch) -> None:
    end = KowahState._end
    patch.setattr(
        KowahState,
        "_end",
        lambda self, kind, winner, paid, points: end(self, kind, winner, paid, tuple(p + (p > 0) for p in points)),
    )


@breaks("Deal-kowah", "a void deal is worth nothing")
def _makes_the_dealer_pay(patch: MonkeyPatch) -> None:
    end = KowahState._end

    def wrong(self: KowahState, kind: str, winner: str, paid: int, points: tuple[int, ...]) -> None:
        end(self, kind, winner, paid, points if winner else (1, -1, *points[2:]))

    patch.setattr(KowahState, "_end", wrong)


@breaks("Match-kowah", "the winner deals next")
def _lets_the_first_loser_deal(patch: MonkeyPatch) -> None:
    patch.setattr(
        Kowah,
        "after",
        lambda self, rules, dealer, outcome, left: (outcome.points.index(min(outcome.points)), outcome.carry),
    )
