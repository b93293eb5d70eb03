"""The laws of Cha Kau Tsu: tricks of equal plays, and chips that leave a seat only for the pot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.games import Carry, Event, Options, Outcome, State
from properties.watching import Laws, MatchLaws, Played

TRICKS = {2: 15, 3: 14, 4: 14}
THRESHOLD = {2: 11, 3: 9, 4: 8}


def pots_taken(carry: Carry) -> int:
    """Return how many pots have been taken in the match."""
    return int(dict(carry.pairs)["pots_taken"])


class ChaKauTsuLaws(Laws):
    """Every seat plays as many cards as were led; points and the change of the pot sum to zero."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._turn = (state.dealer + 1) % state.seats
        self._sizes: list[int] = []
        self._tricks = [0] * state.seats

    def note(self, event: Event) -> None:
        """Plays go round from the leader; the winner of as many tricks as cards were led leads next."""
        match event.verb:
            case "play":
                self._sizes.append(len(event.cards))
                assert event.seat == self._turn
                assert self._sizes[0] == self._sizes[-1]
                self._turn = (self._turn + 1) % self.state.seats
            case "trick":
                assert event.amount == self._sizes[0]
                assert len(self._sizes) == self.state.seats
                self._turn, self._sizes = event.seat, []
                self._tricks[event.seat] += event.amount

    def at_decision(self, asked: Mapping[int, Options]) -> None:
        """One seat is asked, in turn, and a follower for as many cards as were led."""
        ((seat, options),) = asked.items()
        assert seat == self._turn
        if self._sizes:
            for option in options:
                assert len(option.fixed) + option.least == len(option.fixed) + option.most == self._sizes[0]

    def at_end(self, outcome: Outcome) -> None:
        """All cards are played; who has fewest tricks pays most; who reaches the threshold takes the pot."""
        seats, rules = self.state.seats, self.state.rules
        assert not any(self.state.hands)
        assert sum(self._tricks) == TRICKS[seats]
        before, after = self.state.carry.by_seat or (0,) * seats, outcome.carry.by_seat
        assert sum(outcome.points) + sum(after) - sum(before) == 0
        assert min(after) >= 0
        paid = [max(self._tricks) - own for own in self._tricks]
        takers = [seat for seat, own in enumerate(self._tricks) if own >= THRESHOLD[seats]]
        assert len(takers) <= 1
        taken = sum(before) + (sum(paid) if rules.flag("pot_includes_this_deal") else 0) if takers else 0
        assert list(outcome.points) == [taken * (seat in takers) - paid[seat] for seat in range(seats)]
        old = pots_taken(self.state.carry) if self.state.carry.pairs else 0
        assert pots_taken(outcome.carry) == old + len(takers)


class ChaKauTsuMatchLaws(MatchLaws):
    """Points and the open pot sum to zero after every deal; so do points and settlement, but for two of the options."""

    def at_settlement(self, total: int, settlement: Sequence[int], carry: Carry) -> None:
        """``keep`` takes an open pot from all, a ``split`` keeps what can't be divided."""
        pot, seats = sum(carry.by_seat), self.case.seats
        assert total + pot == 0
        lost = {"refund": 0, "split": pot % seats, "keep": pot}[self.case.rules.word("open_pot")]
        assert total + sum(settlement) == -lost
        assert min(settlement) >= 0

    def after_deal(self, played: Sequence[Played], coming: tuple[int, Carry] | None) -> None:
        """The match ends early exactly where ``pots`` says so; else the pot stays and the next seat deals."""
        pots, last = self.case.rules.number("pots"), played[-1]
        ended = 0 < pots <= pots_taken(last.outcome.carry) or len(played) == self.deals
        assert (coming is None) == ended
        if coming is not None:
            assert coming == ((last.dealer + 1) % self.case.seats, last.outcome.carry)
