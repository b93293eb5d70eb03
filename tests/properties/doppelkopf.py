"""The laws of Doppelkopf: 240 card points, points all even or all odd, parties, announcements and their windows.

Parties and windows are told here from the events and the page's table, not by the game's own modules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.games import Carry, Event, Options, Outcome, State
from croupier.games.doppelkopf.state import DoppelkopfState
from properties.watching import Laws, MatchLaws, Played

CARD_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
WORDS = ("re", "kontra")
DENIALS = ("no90", "no60", "no30", "schwarz")
SOLO = "solo_"


class DoppelkopfLaws(Laws):
    """Card points, the truth and growth of the party table, who may announce what, and what a deal is worth."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self._played = ""
        self._declarer = -1
        self._queens: tuple[int, ...] = ()
        self._queens_shown: set[int] = set()
        self._re: tuple[int, ...] = ()
        self._shift = 0
        self._shown: dict[int, str] = {}
        self._made = [0, 0]
        self._late = [False, False]
        self._windows: dict[tuple[int, tuple[int, ...]], tuple[str, ...]] = {}
        self._trick: list[str] = []
        self._taken: list[tuple[int, int]] = []

    def note(self, event: Event) -> None:
        """Follow who plays with whom, what was said and what was taken."""
        match event.verb:
            case "dealt":
                self._queens += (event.seat,) * ("QC" in event.cards)
            case "game":
                self._begin(event.word)
            case "party":
                self._show(event)
            case "play":
                self._trick += event.cards
                if self._played == "normal" and event.cards == ("QC",):
                    self._queens_shown.add(event.seat)
            case "trick":
                self._take(event)
            case word if word in WORDS or word in DENIALS:
                self._say(event.seat, word)
            case word if word == "marriage" or word.startswith(SOLO):
                self._declarer = event.seat

    def _begin(self, played: str) -> None:
        self._played = played
        if played == "normal":
            self._re = self._queens
        elif played.startswith(SOLO):
            self._re = (self._declarer,)
        else:
            assert (self._declarer,) == self._queens

    def _show(self, event: Event) -> None:
        """A party is shown once, and it is the true one."""
        assert event.seat not in self._shown
        self._shown[event.seat] = event.word
        re_seats = self._re or (self._declarer,)
        assert self._re or event.seat == self._declarer
        assert event.word == ("re" if event.seat in re_seats else "kontra")

    def _take(self, event: Event) -> None:
        """A trick is worth its cards; the first that the marriage seat doesn't win finds its partner."""
        assert event.amount == sum(CARD_POINTS[card[0]] for card in self._trick)
        assert len(self._trick) == 4
        self._trick = []
        self._taken.append((event.seat, event.amount))
        number = len(self._taken)
        if not self._re and (event.seat != self._declarer or number == 3):
            self._re, self._shift = tuple(sorted({self._declarer, event.seat})), number - 1

    def _say(self, seat: int, word: str) -> None:
        """Only what the window holds is said; a party whose word came late has said its last."""
        held = self.ledger.hands[seat].total()
        assert word in self._window(seat, held)
        party = self._party(seat)
        self._late[party] = self._made[party] == 0 and held < 11 - self._shift
        self._made[party] = 1 + (0 if word in WORDS else 1 + DENIALS.index(word))

    def _party(self, seat: int) -> int:
        return 0 if seat in self._re else 1

    def _window(self, seat: int, held: int) -> tuple[str, ...]:
        """Return what a seat that holds so many cards may say (section 3.4): steps in time, or a reply."""
        if not self._re or not self.state.rules.flag("announcements"):
            return ()
        party = self._party(seat)
        made, theirs = self._made[party], self._made[1 - party]
        if self._late[party]:
            return ()
        if held >= 11 - made - self._shift:
            return (WORDS[party], *DENIALS)[made:]
        is_reply = made == 0 < theirs and held >= 11 - theirs - self._shift
        return (WORDS[party],) if is_reply else ()

    def at_decision(self, asked: Mapping[int, Options]) -> None:
        """The party table is what was shown; a window is as the page says, and never grows while nobody speaks."""
        ((seat, options),) = asked.items()
        self._check_parties()
        if not self._played:
            assert {option.verb for option in options}.isdisjoint({*WORDS, *DENIALS, "play"})
            return
        said = tuple(option.verb for option in options if option.verb != "play")
        assert said == self._window(seat, len(self.state.hands[seat]))
        if self._re:
            before = self._windows.setdefault((seat, tuple(self._made)), said)
            assert set(said) <= set(before)
            self._windows[seat, tuple(self._made)] = said

    def _check_parties(self) -> None:
        assert isinstance(self.state, DoppelkopfState)
        known = [None if party is None else WORDS[party] for party in self.state.table.known]
        assert known == [self._shown.get(seat) for seat in range(4)]
        assert self.state.re_seats == self._re
        assert self._queens_shown <= self._shown.keys()

    def at_end(self, outcome: Outcome) -> None:
        """240 card points; points sum to zero, are all even or all odd, and who is alone has three times as much."""
        self._check_parties()
        assert len(self._taken) == 12
        card_points = [sum(points for seat, points in self._taken if self._party(seat) == party) for party in (0, 1)]
        assert sum(card_points) == 240
        detail = dict(outcome.detail)
        assert detail["card_points"] == "{} {}".format(*card_points)
        assert outcome.sides == (self._re, tuple(seat for seat in range(4) if seat not in self._re))
        won, value = self._worth(card_points, detail.get("special_points", ""))
        assert detail["winner"] == ("nobody" if won is None else WORDS[won])
        assert int(detail["value"]) == value
        assert sum(outcome.points) == 0
        assert len({points % 2 for points in outcome.points}) == 1
        share = value * (3 if len(self._re) == 1 else 1)
        assert list(outcome.points) == [share if seat in self._re else -value for seat in range(4)]
        if not self.state.rules.flag("compulsory_solo"):
            assert outcome.carry == Carry()

    def _worth(self, card_points: Sequence[int], specials: str) -> tuple[int | None, int]:
        """Return winner and value, signed for RE, by sections 7 and 8; special points are taken as told."""
        tricks = [sum(self._party(seat) == party for seat, _ in self._taken) for party in (0, 1)]
        kept: dict[int, bool] = {}
        for party, made in enumerate(self._made):
            if made > 1:
                kept[party] = tricks[1 - party] == 0 if made == 5 else card_points[1 - party] < 150 - 30 * made
        won: int | None
        if kept:
            won = next((party for party in (0, 1) if kept.get(party, not kept.get(1 - party, True))), None)
        else:
            won = 0 if card_points[0] > 120 - (self._made == [0, 1]) else 1
        earned = [
            sum(card_points[1 - party] < bound for bound in (90, 60, 30))
            + (tricks[1 - party] == 0)
            + sum(card_points[party] >= 150 - 30 * denied for denied in range(1, self._made[1 - party]))
            for party in (0, 1)
        ]
        value = earned[0] - earned[1]
        if won is not None:
            value = (1 - 2 * won) * (1 + earned[won] + sum(made + 1 for made in self._made if made))
        told = [special.split()[1] for special in specials.split(", ") if special]
        return won, value + told.count("re") - told.count("kontra")


class DoppelkopfMatchLaws(MatchLaws):
    """Where solos are compulsory, each seat plays one, debts only shrink, and nobody owes one at the end."""

    def after_deal(self, played: Sequence[Played], coming: tuple[int, Carry] | None) -> None:
        """The first solo of a seat pays its debt; a voluntary one is dealt again by the same dealer."""
        if not self.case.rules.flag("compulsory_solo"):
            super().after_deal(played, coming)
            return
        last = played[-1]
        before, after = last.carry.by_seat, last.outcome.carry.by_seat
        game = dict(last.outcome.detail)["game"]
        soloist = last.outcome.sides[0][0] if game.startswith(SOLO) else None
        assert list(after) == [0 if seat == soloist else owed for seat, owed in enumerate(before)]
        forced = dict(last.carry.pairs).get("forced")
        assert forced is None or soloist == int(forced)
        left = self.deals - len(played)
        assert (coming is None) == (left == 0)
        assert sum(after) <= left
        if coming is not None:
            dealer, carry = coming
            again = before != after and forced is None
            assert dealer == (last.dealer if again else (last.dealer + 1) % 4)
            assert carry.by_seat == after
            debtors = [seat for seat in (dealer + 1, dealer + 2, dealer + 3, dealer) if after[seat % 4]]
            expected = {"forced": str(debtors[0] % 4)} if 0 < left == len(debtors) else {}
            assert dict(carry.pairs) == expected
