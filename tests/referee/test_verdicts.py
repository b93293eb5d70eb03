"""Verdicts: what a reply amounts to, and what a row of faults leads to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.games import Action, Option
from croupier.referee.records import FaultCounts
from croupier.referee.verdicts import STRIKES_TO_FORFEIT, Conduct, FaultKind, Reply, Source, Verdict, rule

OPTIONS = (Option("play", ("AS",), ("2S", "2S", "3H"), 1, 2), Option("pass"))
DEFAULT = Action("pass")
SLIPS = (FaultKind.GARBLED, FaultKind.ILLEGAL)
IN_PLAY = [kind for kind in FaultKind if kind is not FaultKind.NO_SHOW]


def _no_default() -> Action:
    raise AssertionError("the default action is not wanted")


@pytest.mark.parametrize("action", [Action("pass"), Action("play", ("2S", "AS")), Action("play", ("3H", "AS", "2S"))])
def test_an_offered_action_is_the_bots(action: Action) -> None:
    """Whatever the order of its cards; the default is not even computed."""
    assert rule(Reply(action), OPTIONS, _no_default) == Verdict(action, Source.BOT)


@pytest.mark.parametrize(
    "action",
    [
        Action("claim"),
        Action("pass", ("AS",)),
        Action("play", ("AS",)),
        Action("play", ("2S", "3H")),
        Action("play", ("AS", "3H", "3H")),
        Action("play", ("AS", "2S", "2S", "3H")),
        Action("play", ("AS", "??")),
        Action("", ()),
        Action("PASS"),
    ],
)
def test_an_action_that_is_not_offered_is_illegal(action: Action) -> None:
    """Unknown verb, wrong number, cards not among the choice, one card too often."""
    assert rule(Reply(action), OPTIONS, lambda: DEFAULT) == Verdict(DEFAULT, Source.DEFAULT, FaultKind.ILLEGAL)


@pytest.mark.parametrize("kind", [FaultKind.LATE, FaultKind.GONE, FaultKind.GARBLED])
def test_a_failure_is_the_fault_that_was_observed(kind: FaultKind) -> None:
    """No action came back: the default is played."""
    assert rule(Reply(None, kind), OPTIONS, lambda: DEFAULT) == Verdict(DEFAULT, Source.DEFAULT, kind)


@given(st.lists(st.one_of(st.none(), st.sampled_from(IN_PLAY)), max_size=12))
def test_conduct_follows_the_policy(happenings: list[FaultKind | None]) -> None:
    """For every row of faults in play and new deals (``None``): strikes, sidelining and forfeit as the policy says."""
    conduct = Conduct()
    deal: list[FaultKind] = []
    strikes = 0
    for kind in happenings:
        if kind is None:
            conduct.new_deal()
            deal = []
        else:
            conduct.note(kind)
            deal.append(kind)
            strikes += 1
        slips = sum(each in SLIPS for each in deal)
        assert conduct.strikes == strikes
        assert conduct.forfeited == (strikes >= STRIKES_TO_FORFEIT)
        assert conduct.sidelined == (slips < len(deal) or slips >= 2 or conduct.forfeited)


@given(st.lists(st.one_of(st.none(), st.sampled_from(list(FaultKind))), max_size=12))
def test_a_no_show_forfeits_at_once_and_for_good(happenings: list[FaultKind | None]) -> None:
    """Whatever happens after it."""
    conduct = Conduct()
    conduct.note(FaultKind.NO_SHOW)
    for kind in happenings:
        assert conduct.forfeited
        assert conduct.sidelined
        if kind is None:
            conduct.new_deal()
        else:
            conduct.note(kind)
    assert conduct.forfeited
    assert conduct.sidelined


@given(st.lists(st.sampled_from(IN_PLAY), max_size=4), st.booleans())
def test_counted_faults_give_the_strikes_of_their_conduct(kinds: list[FaultKind], absent: bool) -> None:
    """What a record counts by kind agrees with what the table counted."""
    conduct = Conduct()
    if absent:
        conduct.note(FaultKind.NO_SHOW)
    for kind in kinds:
        conduct.note(kind)

    counts = FaultCounts(*(kinds.count(kind) for kind in IN_PLAY))._replace(no_show=int(absent))

    assert counts.strikes == conduct.strikes
