"""The laws of every game hold in deals and matches as hypothesis draws them."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from properties.machines import MACHINES, Deal, Match

QUIET = settings(derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
FAST = settings(QUIET, max_examples=150, stateful_step_count=25)
LARGE = settings(QUIET, max_examples=400, stateful_step_count=50)


every_machine = pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)


@every_machine
def test_the_laws_hold(machine: type[Deal | Match]) -> None:
    """In few deals and matches, the same ones each time."""
    run_state_machine_as_test(machine, settings=FAST)


@pytest.mark.slow
@pytest.mark.timeout(900)
@every_machine
def test_the_laws_hold_in_many_more(machine: type[Deal | Match]) -> None:
    """In longer runs and more of them."""
    run_state_machine_as_test(machine, settings=LARGE)
