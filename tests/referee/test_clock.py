"""The arithmetic of time: what a call may take, and what it costs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.referee.clock import Bank, Limits, call_limit_ms, overrun_ms

TIMES = st.integers(0, 100_000)


def _banks(*left: int) -> list[Bank]:
    return [Bank(ms) for ms in left]


def test_a_call_has_the_move_time_of_each_decision_the_smallest_bank_and_grace() -> None:
    """Three decisions at 1000 ms with 4000 ms in the poorest bank: 7050 ms."""
    limits = Limits(move_ms=1000, bank_ms=10_000, grace_ms=50)

    assert call_limit_ms(limits, _banks(10_000, 4_000, 9_000)) == 7_050
    assert call_limit_ms(limits, _banks(0)) == 1_050


@pytest.mark.parametrize(
    ("decisions", "elapsed", "overrun"), [(1, 999.0, 0.0), (1, 1000.0, 0.0), (1, 1000.5, 0.5), (3, 3250.0, 250.0)]
)
def test_what_exceeds_the_move_times_is_an_overrun(decisions: int, elapsed: float, overrun: float) -> None:
    """Nothing up to the sum of the move times."""
    assert overrun_ms(Limits(move_ms=1000), decisions, elapsed) == overrun


def test_a_bank_rounds_up_what_it_is_charged() -> None:
    """A part of a millisecond counts as a whole one, nothing as nothing."""
    bank = Bank(100)
    left = []
    for ms in (0.0, 0.001, 1.0, 1.5):
        bank.charge(ms)
        left.append(bank.left_ms)

    assert left == [100, 99, 98, 96]


@given(TIMES, st.lists(st.floats(0, 10_000), max_size=20))
def test_a_bank_never_grows_and_never_falls_below_zero(bank_ms: int, charges: list[float]) -> None:
    """However it is charged, and it is empty once as much was charged as it held."""
    bank = Bank(bank_ms)
    for ms in charges:
        before = bank.left_ms
        bank.charge(ms)
        assert 0 <= bank.left_ms <= before
    if sum(charges) >= bank_ms:
        assert bank.left_ms == 0


@given(st.lists(TIMES, min_size=1, max_size=8), TIMES, st.integers(0, 1000), st.floats(0, 1))
def test_a_call_within_its_limit_and_grace_never_overdraws(
    left: list[int], move_ms: int, grace_ms: int, share: float
) -> None:
    """What a call in time costs beyond grace is in every bank it is charged to."""
    limits = Limits(move_ms=move_ms, grace_ms=grace_ms)
    elapsed = share * (call_limit_ms(limits, _banks(*left)) - grace_ms)

    assert overrun_ms(limits, len(left), elapsed) <= min(left) + 1e-6
