"""What waits to be played: drawn lazily, each match once, those with a remote seat in a line of their own."""

import tracemalloc
from collections.abc import Callable

from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule, Sitting
from croupier.harness.waiting import Waiting

MakeManifest = Callable[..., Manifest]


def _sitting(manifest: Manifest, number: int = 1) -> Sitting:
    return list(Schedule(manifest).sittings())[number]


def test_what_is_done_waits_no_more(make_manifest: MakeManifest) -> None:
    """The others come in the order of the schedule; the count goes down with them, to nothing."""
    sitting = _sitting(make_manifest())
    done = set(sitting.indexes[1:3]) | {0}
    waiting = Waiting(sitting, done, ())
    assert waiting.left == 3
    assert waiting.take(9, pinned=True) == []
    first, rest = waiting.take(2, pinned=False), waiting.take(2, pinned=False)
    assert [match.index for match in first + rest] == [index for index in sitting.indexes if index not in done]
    assert waiting.left == 0
    assert waiting.take(1, pinned=False) == []


def test_remote_seats_are_pinned(make_manifest: MakeManifest) -> None:
    """The two lines share the sitting: a match is in the pinned one where a remote entrant sits, and stays in it."""
    sitting = _sitting(make_manifest(entrants=6))
    waiting = Waiting(sitting, (), {"bot-1", "bot-4"})
    pinned, free = waiting.take(99, pinned=True), waiting.take(99, pinned=False)
    assert sorted(pinned + free, key=lambda match: match.index) == list(sitting)
    assert all({"bot-1", "bot-4"} & set(match.entrants) for match in pinned)
    assert not any({"bot-1", "bot-4"} & set(match.entrants) for match in free)
    assert (len(pinned), len(free), waiting.left) == (14, 1, 0)
    waiting.put_back(pinned[3])
    waiting.put_back(free[0])
    assert waiting.left == 2
    assert (waiting.take(9, pinned=True), waiting.take(9, pinned=False)) == ([pinned[3]], free)


def test_a_large_sitting_costs_no_memory(make_manifest: MakeManifest) -> None:
    """Handing out matches of a sitting of more than a hundred thousand keeps none of them."""
    sitting = next(iter(Schedule(make_manifest(entrants=42, max_tables=10**6)).sittings()))
    tracemalloc.start()
    waiting = Waiting(sitting, (), ())
    handed = sum(len(waiting.take(64, pinned=False)) for _ in range(500))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(sitting.indexes) > 100_000
    assert handed == 32_000
    assert peak < 1_000_000
