"""The void tries of a run: how many there are, and which matches were dealt fresh boards after them. Pure.

A match that is played again without a bot that somebody else started has the same boards, so its void tries change
nothing that is published. With one it has others: who can end a process could choose among them, so that is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from croupier.harness.ledger_rows import BEGUN, Attempt, ResultRow
from croupier.harness.manifest import Manifest


class Tries(NamedTuple):
    """What a run's void tries come to.

    Attributes:
        void: of all matches; it depends on machines and interrupts. A try that may still be in play isn't counted.
        fresh: matches with a result that were dealt fresh boards.
        before: the void tries of these; none without remote bots, whatever was interrupted.
    """

    void: int
    fresh: int
    before: int


def tries_of(manifest: Manifest, results: Sequence[ResultRow], attempts: Sequence[Attempt]) -> Tries:
    """Count the void tries of a run.

    Args:
        manifest: of the run.
        results: all there are, in any order.
        attempts: all there are, in the order written.
    """
    remote, played = manifest.remote, {row.match_id for row in results}
    last = {each.match_id: each for each in attempts}
    many = Counter(each.match_id for each in attempts)
    in_play = sum(each.why == BEGUN and match_id not in played for match_id, each in last.items())
    fresh = {row.match_id for row in results if row.match_id in many and row.entrant in remote}
    return Tries(many.total() - in_play, len(fresh), sum(many[match_id] for match_id in fresh))


def told(fresh: int, before: int) -> str:
    """Return what must be known of fresh boards, for people; the numbers are those of ``Tries``."""
    matches = "1 match with remote bots was" if fresh == 1 else f"{fresh:,} matches with remote bots were"
    return f"{matches} dealt fresh boards after {before:,} void {'try' if before == 1 else 'tries'}"
