"""Doppelkopf as the referee knows it: names, options, and what passes between the deals of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from croupier.games.base import Game, State
from croupier.games.cards import Card
from croupier.games.doppelkopf import compulsory
from croupier.games.doppelkopf.examples import EXAMPLES
from croupier.games.doppelkopf.orders import PACK
from croupier.games.doppelkopf.state import DoppelkopfState
from croupier.games.rules import RuleOption, Rules, RulesError, RuleValue
from croupier.games.values import Carry, Example, Outcome

CLASSIC, DDV = "classic", "ddv"
SWITCHES = ("heart_tens_trump", "reservations", "announcements", "special_points")
"""The options that ``profile`` sets: all false in ``classic``, all true in ``ddv``."""

_CARDS = 48
_STEPS = 10
_WORDS = 4 + 2


class Doppelkopf(Game):
    """Trick taking for four, 48 cards, two parties that are hidden at first."""

    name = "doppelkopf"
    title = "Doppelkopf"
    seat_counts = (4,)
    pack = PACK
    options = (
        RuleOption(
            "profile",
            CLASSIC,
            "the plain game, or ddv: what German tournaments play, the next four options true",
            "D18",
            words=(CLASSIC, DDV),
        ),
        RuleOption("heart_tens_trump", False, "the ten of hearts is the highest trump", "section 2"),
        RuleOption("reservations", False, "solos and marriages may be announced", "section 5"),
        RuleOption("announcements", False, "parties may say re or kontra and deny points", "section 6"),
        RuleOption("special_points", False, "fox, charlie, doppelkopf, against the ladies", "section 8"),
        RuleOption("compulsory_solo", False, "each seat must play one solo in a match", "section 9"),
    )
    carry_meaning = "by seat: 1 = still owes its compulsory solo; pair forced = the seat that must play it now"

    def defaults(self, chosen: Mapping[str, RuleValue]) -> dict[str, RuleValue]:
        """Return the value of every option that isn't chosen: the profile sets the four switches."""
        values = super().defaults(chosen)
        return values | dict.fromkeys(SWITCHES, chosen.get("profile", CLASSIC) == DDV)

    def check(self, rules: Rules, seats: int, deals: int) -> None:
        """Refuse a match that can't be played: compulsory solos need reservations and at least 4 deals."""
        super().check(rules, seats, deals)
        if rules.flag("compulsory_solo"):
            if not rules.flag("reservations"):
                raise RulesError("compulsory_solo needs reservations = true or profile = ddv")
            if deals < seats:
                raise RulesError(f"compulsory_solo needs at least {seats} deals, not {deals}")

    def start(self, rules: Rules, seats: int, deck: Sequence[Card], dealer: int, carry: Carry) -> State:
        """Deal the cards, in packets of three from forehand.

        Raises:
            RulesError: not four seats.
        """
        super().check(rules, seats, deals=1)  # not our own: a single deal may be started of a match that needs four
        return DoppelkopfState(self, rules, deck, dealer, carry)

    def bound(self, seats: int) -> int:
        """Return a number of decisions that no deal exceeds: every card, every step, every word before play."""
        del seats  # always four
        return _CARDS + _STEPS + _WORDS

    def first(self, rules: Rules, seats: int, deals: int) -> tuple[int, Carry]:
        """Return dealer and carry of the first deal; where solos are compulsory, every seat owes one."""
        if not rules.flag("compulsory_solo"):
            return super().first(rules, seats, deals)
        return 0, compulsory.coming(0, Carry((1,) * seats), deals)

    def after(self, rules: Rules, dealer: int, outcome: Outcome, deals_left: int) -> tuple[int, Carry] | None:
        """Return dealer and carry of the next deal: after a voluntary compulsory solo the same dealer deals again."""
        if not rules.flag("compulsory_solo"):
            return super().after(rules, dealer, outcome, deals_left)
        coming_dealer = dealer if compulsory.deals_again(outcome.carry) else (dealer + 1) % 4
        return coming_dealer, compulsory.coming(coming_dealer, outcome.carry, deals_left)

    def examples(self) -> tuple[Example, ...]:
        """Return deals that reach silent marriage, marriage, several reservations, and solos."""
        return EXAMPLES
