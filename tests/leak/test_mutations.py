"""The leak test tested: programs that tell too much, each of which it must find out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count

import pytest

from conformance.profiles import Case, cases
from croupier.games import Action, Card, State
from croupier.games.doppelkopf.orders import NORMAL
from croupier.games.doppelkopf.scoring import PARTIES
from croupier.games.doppelkopf.state import DoppelkopfState
from croupier.games.kowah import KowahState
from croupier.referee import boards, table
from leak.probing import Findings, board_of, probe

BOARDS = 5


def _case(name: str) -> Case:
    return next(case for case in cases() if str(case) == name)


def _leaks(name: str) -> list[str]:
    """Return the leaks of the first board that shows any, having seen that there are none without the mutation."""
    found = Findings()
    for board in range(BOARDS):
        found += probe(_case(name), board_of(_case(name), board))
        if found.leaks:
            break
    return found.leaks


def test_a_public_draw_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong flag can't hide itself: the facts table says that a drawn card is its drawer's."""
    emit = State._emit

    def wrong(self: State, seat: int, verb: str, cards: Sequence[Card] = (), **rest: object) -> None:
        if verb == "draw":
            rest["public"] = True
        emit(self, seat, verb, cards, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(State, "_emit", wrong)

    assert any("events differ" in leak for leak in _leaks("kowah-3-default"))


def test_a_shown_pass_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass on a claim would tell who waits for that rank."""
    apply = KowahState._apply

    def wrong(self: KowahState, actions: Mapping[int, Action]) -> None:
        for seat, action in actions.items():
            if action.verb == "pass":
                self._emit(seat, "pass")
        apply(self, actions)

    monkeypatch.setattr(KowahState, "_apply", wrong)

    assert any("events differ" in leak for leak in _leaks("kowah-4-default"))


@pytest.mark.parametrize("name", ["doppelkopf-4-default", "doppelkopf-4-ddv"])
def test_a_party_taken_from_the_deal_is_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Parties are shown when public facts tell them, not when the cards are dealt."""
    fix = DoppelkopfState._fix

    def wrong(self: DoppelkopfState, played: str, declarer: int | None) -> None:
        fix(self, played, declarer)
        if played == NORMAL:
            self._emit(self.re_seats[0], "party", word=PARTIES[0])

    monkeypatch.setattr(DoppelkopfState, "_fix", wrong)

    assert any("events differ" in leak for leak in _leaks(name))


def test_an_id_that_counts_the_questions_of_all_seats_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was asked whether it claims would show in the next id of everybody."""
    original = boards.decision_id
    counter = count()
    start = table.Match.__init__

    def starting(self: table.Match, *arguments: object) -> None:
        nonlocal counter
        counter = count()
        start(self, *arguments)  # type: ignore[arg-type]

    def wrong(match_key: bytes, seat: int, deal: int, number: int) -> str:
        del number
        return original(match_key, seat, deal, next(counter))

    monkeypatch.setattr(table.Match, "__init__", starting)
    monkeypatch.setattr(boards, "decision_id", wrong)

    assert any(": id differ" in leak for leak in _leaks("kowah-4-default"))


def test_a_default_action_that_looks_into_another_hand_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the referee plays for a bot is a function of what its seat knows."""

    def wrong(self: KowahState, seat: int) -> Action:
        option = self.asks()[seat][0]
        wanted = self.hands[(seat + 1) % self.seats]
        thrown = next((card for card in option.choice if card not in wanted), None)
        return Action(option.verb, () if thrown is None else (thrown,))

    monkeypatch.setattr(KowahState, "_default", wrong)

    assert any("default action differ" in leak for leak in _leaks("kowah-3-default"))


def test_without_a_mutation_none_is_found() -> None:
    """The boards on which mutations are looked for are clean."""
    for name in ("kowah-3-default", "kowah-4-default", "doppelkopf-4-default", "doppelkopf-4-ddv"):
        assert probe(_case(name), board_of(_case(name), 0)).leaks == []


def test_a_verb_that_the_facts_table_lacks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new verb can't slip by: the test asks what of it is public."""
    emit = State._emit

    def wrong(self: State, seat: int, verb: str, cards: Sequence[Card] = (), **rest: object) -> None:
        emit(self, seat, "peek" if verb == "draw" else verb, cards, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(State, "_emit", wrong)

    with pytest.raises(LookupError, match=r"say in leak\.facts"):
        _leaks("kowah-2-default")
