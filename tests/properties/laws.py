"""Which laws belong to which game. A new game adds a line here, or its deals can't be watched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from conformance.profiles import Case
from croupier.games import State
from properties.cha_kau_tsu import ChaKauTsuLaws, ChaKauTsuMatchLaws
from properties.doppelkopf import DoppelkopfLaws, DoppelkopfMatchLaws
from properties.kowah import KowahLaws, KowahMatchLaws
from properties.watching import Laws, MatchLaws


class LawBook(NamedTuple):
    """The laws of a game's deals, and of its matches."""

    deal: type[Laws]
    match: type[MatchLaws]


LAWS: Mapping[str, LawBook] = {
    "cha_kau_tsu": LawBook(ChaKauTsuLaws, ChaKauTsuMatchLaws),
    "doppelkopf": LawBook(DoppelkopfLaws, DoppelkopfMatchLaws),
    "kowah": LawBook(KowahLaws, KowahMatchLaws),
}


def watched(state: State) -> Laws:
    """Return a deal that has just begun under the laws of its game, checked so far."""
    laws = LAWS[state.game.name].deal(state)
    laws.check()
    return laws


def match_laws(case: Case, deals: int) -> MatchLaws:
    """Return the laws of a match of so many deals."""
    return LAWS[case.game.name].match(case, deals)
