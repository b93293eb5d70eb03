"""Which matches may leave ``RUN``: those whose boards nobody will play any more.

With duplicates a board is played again in the next rotation: who sees its record before that knows the cards.
Pure; what is kept in ``RUN`` itself is for the organiser's eyes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from croupier.harness.ledger_rows import MatchPlace
from croupier.harness.manifest import Manifest


def released(manifest: Manifest, played: Iterable[MatchPlace]) -> frozenset[int]:
    """Return the indexes of the matches that may be shown outside ``RUN``.

    Args:
        manifest: of the run.
        played: the matches that have a result.
    """
    tables = {each.index: (each.round, each.leaderboard, each.table) for each in played}
    rotations = Counter(tables.values())
    return frozenset(
        index
        for index, table in tables.items()
        if not manifest.duplicate or rotations[table] == manifest.games[table[1]].seats
    )
