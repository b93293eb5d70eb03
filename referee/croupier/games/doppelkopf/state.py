"""A deal of Doppelkopf: the chapters put together, from the cards dealt to the points.

It holds what is secret (hands and true parties) and says what becomes public. Each rule is in the chapter's own module:
``orders``, ``bidding``, ``parties``, ``announcements``, ``scoring``, ``compulsory``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from croupier.games.base import Game, State
from croupier.games.cards import Card, Cards, deal_packets
from croupier.games.doppelkopf import compulsory
from croupier.games.doppelkopf.announcements import STEPS, Steps
from croupier.games.doppelkopf.bidding import HEALTHY, PASS, Bidding
from croupier.games.doppelkopf.orders import (
    CARD_POINTS,
    MARRIAGE,
    NORMAL,
    SOLOS,
    TRUMP,
    default_card,
    legal_cards,
    order_of,
    trick_winner,
)
from croupier.games.doppelkopf.parties import QUEEN, News, PartyTable, marriage_parties, queen_seats
from croupier.games.doppelkopf.scoring import KONTRA, LAST_TRICK, PARTIES, RE, Special, Tally, judge, trick_specials
from croupier.games.rules import Rules
from croupier.games.values import TABLE, Action, Carry, Option, Options, Outcome

PLAY = "play"

_STEP_WORDS = tuple((word, *STEPS[1:]) for word in PARTIES)
_STEP_OPTIONS = tuple(tuple(Option(word) for word in words) for words in _STEP_WORDS)


class Trick(NamedTuple):
    """A finished trick: who led, the cards in the order played, who won it, its card points."""

    leader: int
    cards: Cards
    winner: int
    points: int


class DoppelkopfState(State):
    """One deal.

    Attributes:
        played: the name of the game, "" until it is fixed.
        re_seats: the true party RE, empty until it is fixed (in a marriage by the clarifying trick).
        table: the public party table.
        steps: what the parties have announced.
        tricks: those finished.
    """

    def __init__(self, game: Game, rules: Rules, deck: Sequence[Card], dealer: int, carry: Carry) -> None:
        super().__init__(game, rules, 4, deck, dealer, carry)
        self._heart_tens = rules.flag("heart_tens_trump")
        self._announcements = rules.flag("announcements")
        forehand = (dealer + 1) % 4
        dealt = deal_packets(deck, seats=4, first=forehand, packets=4, size=3)
        self.hands = [list(game.pack.sort(hand)) for hand in dealt]
        for seat, hand in enumerate(self.hands):
            self._emit(seat, "dealt", hand)
        self.played = ""
        self.re_seats: tuple[int, ...] = ()
        self.table = PartyTable()
        self.steps = Steps()
        self.tricks: list[Trick] = []
        self._declarer: int | None = None
        self._shift: int | None = None
        self._leader = forehand
        self._trick: list[Card] = []
        self._order = order_of(NORMAL, heart_tens_trump=self._heart_tens)
        self._bidding: Bidding | None = None
        if rules.flag("reservations"):
            queens = queen_seats(self.hands)
            both = queens[0] if len(queens) == 1 else None
            self._bidding = Bidding(forehand, both, compulsory.owing(carry), compulsory.forced_seat(carry))
        else:
            self._fix(NORMAL, None)

    def _asks(self) -> Mapping[int, Options]:
        if self._bidding is not None:
            seat, words = self._bidding.question()
            return {seat: tuple(Option(word) for word in words)}
        if len(self.tricks) == LAST_TRICK:
            return {}
        seat = (self._leader + len(self._trick)) % 4
        legal = legal_cards(self._order, self.hands[seat], self._trick[0] if self._trick else None)
        return {seat: (Option(PLAY, (), legal, 1, 1), *self._step_options(seat))}

    def _step_options(self, seat: int) -> Options:
        """Return what the seat about to play may announce: nothing while a marriage is open."""
        if not self._announcements or self._shift is None:
            return ()
        party = self._party(seat)
        steps = self.steps.legal(party, len(self.hands[seat]), self._shift)
        return _STEP_OPTIONS[party][steps.start : steps.stop]

    def _party(self, seat: int) -> int:
        return RE if seat in self.re_seats else KONTRA

    def _apply(self, actions: Mapping[int, Action]) -> None:
        for seat, action in actions.items():
            if self._bidding is not None:
                self._bid(self._bidding, seat, action.verb)
            elif action.verb == PLAY:
                self._play(seat, action.cards[0])
            else:
                self._say(seat, action.verb)

    def _bid(self, bidding: Bidding, seat: int, word: str) -> None:
        bidding.answer(word)
        if word != PASS:
            self._emit(seat, word)
        if bidding.game is not None:
            self._fix(bidding.game, bidding.declarer)

    def _fix(self, played: str, declarer: int | None) -> None:
        """Begin the play of a game that is now fixed."""
        self.played, self._declarer, self._bidding = played, declarer, None
        self._order = order_of(played, heart_tens_trump=self._heart_tens)
        self._emit(TABLE, "game", word=played)
        if declarer is None:
            self.re_seats, self._shift = queen_seats(self.hands), 0
        elif played == MARRIAGE:
            self._emit_parties(self.table.show(declarer, RE))
        else:
            self.re_seats, self._shift = (declarer,), 0
            self._emit_parties(self.table.show_all(self.re_seats))
            if compulsory.owing(self.carry)[declarer]:
                self._leader = declarer

    def _emit_parties(self, news: News) -> None:
        for seat, party in news:
            self._emit(seat, "party", word=PARTIES[party])

    def _say(self, seat: int, word: str) -> None:
        party = self._party(seat)
        assert self._shift is not None
        self.steps.say(party, _STEP_WORDS[party].index(word), len(self.hands[seat]), self._shift)
        self._emit(seat, word)
        self._emit_parties(self.table.show(seat, party))

    def _play(self, seat: int, card: Card) -> None:
        self.hands[seat].remove(card)
        self._trick.append(card)
        self._emit(seat, PLAY, (card,), public=True)
        if self.played == NORMAL:
            class_of = self._order.class_of
            if card == QUEEN:
                self._emit_parties(self.table.show_queen(seat))
            elif class_of[card] != TRUMP and class_of[self._trick[0]] == TRUMP:
                self._emit_parties(self.table.show(seat, KONTRA))
        if len(self._trick) == 4:
            self._finish_trick()

    def _finish_trick(self) -> None:
        won = (self._leader + trick_winner(self._order, self._trick)) % 4
        points = sum(CARD_POINTS[card] for card in self._trick)
        self.tricks.append(Trick(self._leader, tuple(self._trick), won, points))
        self._leader, self._trick = won, []
        self._emit(won, "trick", amount=points)
        if self._shift is None and self._declarer is not None:
            clarified = marriage_parties(self._declarer, [trick.winner for trick in self.tricks])
            if clarified is not None:
                self.re_seats, self._shift = clarified.re_seats, clarified.trick - 1
                self._emit_parties(self.table.show_all(self.re_seats))

    def _default(self, seat: int) -> Action:
        options = self.asks()[seat]
        verbs = [option.verb for option in options]
        if verbs[0] == PLAY:
            return Action(PLAY, (default_card(self._order, options[0].choice),))
        return Action(next((word for word in (HEALTHY, PASS) if word in verbs), SOLOS[0]))

    def specials(self) -> list[Special]:
        """Return the special points made so far in tricks, by the parties as they are now; none if one is alone."""
        if len(self.re_seats) != 2:
            return []
        return [
            special
            for number, trick in enumerate(self.tricks, start=1)
            for special in trick_specials(self._order, trick.leader, trick.cards, self.re_seats, number)
        ]

    def _tally(self) -> Tally:
        """Return what the parties took and said so far."""
        taken = [trick.points for trick in self.tricks if trick.winner in self.re_seats]
        total = sum(trick.points for trick in self.tricks)
        made_re, made_kontra = self.steps.made
        return Tally(
            (sum(taken), total - sum(taken)), (len(taken), len(self.tricks) - len(taken)), (made_re, made_kontra)
        )

    def _outcome(self) -> Outcome:
        tally = self._tally()
        specials = self.specials() if self.rules.flag("special_points") else None
        result = judge(tally, self.re_seats, specials)
        kontra_seats = tuple(seat for seat in range(4) if seat not in self.re_seats)
        soloist = self._declarer if self.played in SOLOS else None
        detail = [
            ("game", self.played),
            ("re", " ".join(map(str, self.re_seats))),
            ("card_points", "{} {}".format(*tally.points)),
            ("tricks", "{} {}".format(*tally.tricks)),
            ("winner", "nobody" if result.winner is None else PARTIES[result.winner]),
            ("value", str(result.value)),
        ]
        detail += [
            (f"{PARTIES[party]}_steps", " ".join(_STEP_WORDS[party][:made]))
            for party, made in enumerate(tally.steps)
            if made
        ]
        if result.specials:
            told = [f"{special.kind} {PARTIES[special.party]} {special.trick}" for special in result.specials]
            detail.append(("special_points", ", ".join(told)))
        carry = compulsory.pay(self.carry, soloist) if self.rules.flag("compulsory_solo") else Carry()
        return Outcome(result.points, (self.re_seats, kontra_seats), carry, tuple(detail))
