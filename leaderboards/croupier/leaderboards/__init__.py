"""Leaderboards: from the ledger of a run to ratings, tables, exports and pages.

The package's law: it reads what was played and derives everything else from it, as often as wanted and byte for byte
the same. It is imported only where leaderboards are made: pandas and TrueSkill take a second to load.
"""

from __future__ import annotations

from croupier.leaderboards.build import build, build_from
from croupier.leaderboards.exports import leaderboard_json, timings_json, to_csv, write_json, write_timings
from croupier.leaderboards.site import write_site
from croupier.leaderboards.tables import Leaderboard, Leaderboards, Standing, Timing

__all__ = [
    "Leaderboard",
    "Leaderboards",
    "Standing",
    "Timing",
    "build",
    "build_from",
    "leaderboard_json",
    "timings_json",
    "to_csv",
    "write_json",
    "write_site",
    "write_timings",
]
