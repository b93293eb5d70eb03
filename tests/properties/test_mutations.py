"""The laws tested: games that break one, each of which a machine must find out."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from properties import broken_doppelkopf, broken_others
from properties.breaking import MUTATIONS, Mutation
from properties.laws import LAWS
from properties.machines import MACHINES

SEARCH = settings(
    max_examples=1000,
    stateful_step_count=25,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)
"""As the machines run, but not made smaller once found."""


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.law)
def test_a_broken_law_is_found(mutation: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a law that fails, not the game that crashes."""
    mutation.apply(monkeypatch)

    with pytest.raises(AssertionError):
        run_state_machine_as_test(MACHINES[mutation.machine], settings=SEARCH)


def test_every_game_has_laws_and_mutations() -> None:
    """None is left out."""
    assert {machine.game.name for machine in MACHINES.values()} == LAWS.keys()
    assert {mutation.machine for mutation in MUTATIONS} == MACHINES.keys()
    assert {mutation.apply.__module__ for mutation in MUTATIONS} == {broken_doppelkopf.__name__, broken_others.__name__}
