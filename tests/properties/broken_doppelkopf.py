"""Doppelkopf broken, one law each: what the machines must find."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest import MonkeyPatch  # noqa: PT013 - the type

from croupier.games import Carry
from croupier.games.doppelkopf import Doppelkopf, announcements, compulsory, parties, scoring
from croupier.games.doppelkopf import state as doppelkopf
from croupier.games.doppelkopf.orders import CARD_POINTS
from croupier.games.doppelkopf.parties import News, PartyTable
from croupier.games.doppelkopf.scoring import KONTRA, Result
from properties.breaking import breaks


@breaks("Deal-doppelkopf", "a deal ends within the bound")
def _promises_too_few_decisions(patch: MonkeyPatch) -> None:
    patch.setattr(Doppelkopf, "bound", lambda game, seats: 48 + 5)


@breaks("Deal-doppelkopf", "240 card points")
def _values_an_ace_less(patch: MonkeyPatch) -> None:
    patch.setitem(CARD_POINTS, "AC", 10)


def _judges(patch: MonkeyPatch, change: Callable[[Result], Result]) -> None:
    judge = scoring.judge
    patch.setattr(doppelkopf, "judge", lambda *given: change(judge(*given)))


@breaks("Deal-doppelkopf", "points are all even or all odd, and sum to zero")
def _shifts_a_point(patch: MonkeyPatch) -> None:
    _judges(
        patch, lambda result: result._replace(points=(result.points[0] + 1, *result.points[1:3], result.points[3] - 1))
    )


@breaks("Deal-doppelkopf", "who is alone has three times as much")
def _pays_a_soloist_twice(patch: MonkeyPatch) -> None:
    def twice(result: Result) -> Result:
        most = max(result.points, key=abs)
        if result.points.count(most) > 1:
            return result
        return result._replace(points=tuple(2 * points // 3 if points == most else points for points in result.points))

    _judges(patch, twice)


@breaks("Deal-doppelkopf", "windows only shrink")
def _reopens_a_window(patch: MonkeyPatch) -> None:
    legal = announcements.Steps.legal

    def wrong(self: announcements.Steps, party: int, held: int, shift: int) -> range:
        return legal(self, party, 11 if held == 6 else held, shift)

    patch.setattr(announcements.Steps, "legal", wrong)


@breaks("Deal-doppelkopf", "a reply is open as long as the page says")
def _closes_replies_early(patch: MonkeyPatch) -> None:
    legal = announcements.Steps.legal

    def wrong(self: announcements.Steps, party: int, held: int, shift: int) -> range:
        steps = legal(self, party, held, shift)
        return range(0) if held == 7 and len(steps) == 1 and steps.start == 0 else steps

    patch.setattr(announcements.Steps, "legal", wrong)


@breaks("Deal-doppelkopf", "a reply needs something to answer")
def _replies_to_nothing(patch: MonkeyPatch) -> None:
    legal = announcements.Steps.legal

    def wrong(self: announcements.Steps, party: int, held: int, shift: int) -> range:
        return legal(self, party, held, shift) or range(1 if not any(self.made) and held == 10 else 0)

    patch.setattr(announcements.Steps, "legal", wrong)


@breaks("Deal-doppelkopf", "after a late reply nothing is denied")
def _forgets_who_was_late(patch: MonkeyPatch) -> None:
    say = announcements.Steps.say

    def wrong(self: announcements.Steps, party: int, step: int, held: int, shift: int) -> None:
        say(self, party, step, held, shift)
        self.late = [False, False]

    patch.setattr(announcements.Steps, "say", wrong)


@breaks("Deal-doppelkopf", "a marriage shifts deadlines by its clarifying trick")
def _shifts_deadlines_by_one_more(patch: MonkeyPatch) -> None:
    settled = parties.marriage_parties

    def wrong(seat: int, winners: Sequence[int]) -> parties.Clarified | None:
        clarified = settled(seat, winners)
        return clarified and clarified._replace(trick=clarified.trick + 1)

    patch.setattr(doppelkopf, "marriage_parties", wrong)


@breaks("Deal-doppelkopf", "the party table is true")
def _concludes_from_two_kontra(patch: MonkeyPatch) -> None:
    follow = PartyTable._follow

    def wrong(self: PartyTable) -> News:
        if self.known.count(KONTRA) == 2:
            return self.show_all([seat for seat in range(4) if self.known[seat] != KONTRA])
        return follow(self)

    patch.setattr(PartyTable, "_follow", wrong)


@breaks("Deal-doppelkopf", "the party table only grows")
def _forgets_a_party(patch: MonkeyPatch) -> None:
    finish = doppelkopf.DoppelkopfState._finish_trick

    def wrong(self: doppelkopf.DoppelkopfState) -> None:
        finish(self)
        if len(self.tricks) == 9:
            self.table.known[0] = None

    patch.setattr(doppelkopf.DoppelkopfState, "_finish_trick", wrong)


@breaks("Deal-doppelkopf", "a queen of clubs shows its party")
def _hides_a_queen(patch: MonkeyPatch) -> None:
    patch.setattr(PartyTable, "show_queen", lambda self, seat: [])


@breaks("Match-doppelkopf", "a compulsory solo is paid once played")
def _never_pays(patch: MonkeyPatch) -> None:
    patch.setattr(compulsory, "pay", lambda carry, soloist: Carry(carry.by_seat))


@breaks("Match-doppelkopf", "nobody owes a solo at the end")
def _never_forces(patch: MonkeyPatch) -> None:
    patch.setattr(compulsory, "coming", lambda dealer, carry, left: Carry(carry.by_seat))


@breaks("Match-doppelkopf", "after a voluntary solo the same seat deals again")
def _moves_the_deal(patch: MonkeyPatch) -> None:
    patch.setattr(compulsory, "deals_again", lambda carry: False)
