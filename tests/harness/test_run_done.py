"""What the driver remembers of finished matches."""

from __future__ import annotations

import tracemalloc

from croupier.harness.run_done import Done


def test_it_is_a_set_of_indexes() -> None:
    """Membership, number, order and whole ranges."""
    done = Done(10, [3, 4])
    done.update([5, 3])
    assert (list(done), len(done), 4 in done, 6 in done) == ([3, 4, 5], 3, True, False)
    assert done.covers(range(3, 6))
    assert not done.covers(range(3, 7))
    assert done.covers(range(0))


def test_a_match_takes_a_byte() -> None:
    """However many of them are finished."""
    tracemalloc.start()
    try:
        done = Done(100_000)
        done.update(range(100_000))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(done) == 100_000
    assert peak < 110_000
