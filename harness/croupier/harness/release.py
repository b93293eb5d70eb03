"""Which matches may leave ``RUN``: those whose boards nobody will play any more.

With duplicates a board is played again in the next rotation: who sees its record before that knows the cards.
Pure; what is kept in ``RUN`` itself is for the organiser's eyes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from croupier.harness.ledger import MatchRow
from croupier.harness.manifest import Manifest


def released(manifest: Manifest, played: Iterable[MatchRow]) -> Iterator[int]:
    """Yield the indexes of the matches that may be shown outside ``RUN``, in the order given.

    Args:
        manifest: of the run.
        played: the matches that have a result.
    """
    places = [(row.index, (row.round, row.leaderboard, row.table)) for row in played]
    rotations = Counter(place for _, place in places)
    for index, place in places:
        _, leaderboard, _ = place
        if not manifest.duplicate or rotations[place] == manifest.games[leaderboard].seats:
            yield index
