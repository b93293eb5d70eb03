"""Leaderboards for other programs: JSON and CSV, as text and as files.

Law: equal leaderboards give equal bytes: keys sorted, every fraction rounded to six decimals (half to even on the
binary value, no negative zero), lines ended by a line feed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import pandas as pd

from croupier.harness.atomic import write_text
from croupier.harness.balance import Balance
from croupier.leaderboards.cuts import SeatCell
from croupier.leaderboards.intervals import Interval
from croupier.leaderboards.overall import Overall
from croupier.leaderboards.stopping import Stopping
from croupier.leaderboards.tables import Leaderboard, Leaderboards, Standing
from croupier.referee.records import FaultCounts

SCHEMA = 1
DECIMALS = 6
NOT_AVAILABLE = "n/a"
COLUMNS = (
    *("leaderboard", "rank", "entrant", "name", "owner", "rating", "mu", "sigma", "points_per_deal", "low", "high"),
    *("win_share", "encounters", "deals", "forfeits", *FaultCounts._fields, "better_than_next"),
)
"""Of the CSV form; the names mean what docs/statistics.md says."""


def leaderboard_json(boards: Leaderboards) -> str:
    """Return the text of ``leaderboard.json``; what can't be said is null."""
    facts = boards.facts
    return _text(
        {
            "schema": SCHEMA,
            "tournament": {
                "id": facts.id,
                "name": facts.name,
                "manifest": facts.manifest,
                "seed": facts.seed,
                "beacon": facts.beacon,
                "commitment": facts.commitment,
                "promise": facts.promise,
                "rounds": facts.rounds,
                "duplicate": facts.duplicate,
                "sandbox": facts.sandbox,
                "matches": {"played": facts.played, "scheduled": facts.scheduled},
                "fresh_boards": {"matches": facts.fresh, "void_tries": facts.before},
            },
            "marks": list(boards.marks),
            "overall": _overall(boards.overall),
            "leaderboards": [
                _board(board, even, end)
                for board, even, end in zip(boards.boards, boards.balance, boards.stopping, strict=True)
            ],
        }
    )


def timings_json(boards: Leaderboards) -> str:
    """Return the text of ``timings.json``: decision times and void tries, which no rating depends on."""
    rows = [
        {
            "leaderboard": timing.label,
            "entrant": timing.entrant.id,
            "decisions": timing.decisions,
            "mean_ms": _fixed(timing.mean_ms),
            "max_ms": _fixed(timing.max_ms),
        }
        for timing in boards.timings
    ]
    kept = {"tournament": boards.facts.id, "void_tries": boards.void_tries, "timings": rows}
    return _text({"schema": SCHEMA, **kept})


def to_csv(boards: Leaderboards) -> str:
    """Return all standings as one CSV table, leaderboard by leaderboard; what can't be said is ``n/a``."""
    rows = [_cells(board.game.label, row) for board in boards.boards for row in board.standings]
    # object: a column with a gap must not turn its whole numbers into fractions
    frame = pd.DataFrame(rows, columns=COLUMNS, dtype=object)
    return frame.to_csv(index=False, na_rep=NOT_AVAILABLE, lineterminator="\n")


def write_json(boards: Leaderboards, path: Path) -> None:
    """Write ``leaderboard.json`` to ``path``, whole or not at all.

    Raises:
        OSError: the folder can't be written or the disk is full; an older file at ``path`` is left as it was.
    """
    write_text(path, leaderboard_json(boards))


def write_timings(boards: Leaderboards, path: Path) -> None:
    """Write ``timings.json`` to ``path``; raises as ``write_json`` does."""
    write_text(path, timings_json(boards))


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _fixed(value: float | None) -> float | None:
    return None if value is None else round(value, DECIMALS) + 0.0


def _overall(overall: Overall | None) -> dict[str, object] | None:
    if overall is None:
        return None
    return {
        "encounters_each": overall.encounters,
        "skipped": overall.skipped,
        "standings": [
            {
                "place": row.place,
                "entrant": row.entrant,
                "rating": _fixed(row.rating),
                "mu": _fixed(row.mu),
                "sigma": _fixed(row.sigma),
                "win_share": _fixed(row.win_share),
                "better_than_next": _fixed(row.better),
            }
            for row in overall.standings
        ],
    }


def _seats(cells: Sequence[SeatCell]) -> list[dict[str, object]]:
    return [
        {"points_per_deal": _fixed(cell.points), "interval": _interval(cell.interval), "deals": cell.deals}
        for cell in cells
    ]


def _interval(interval: Interval | None) -> list[float | None] | None:
    return [_fixed(end) for end in interval] if interval else None


def _board(board: Leaderboard, even: Balance, end: Stopping | None) -> dict[str, object]:
    ids = [row.entrant.id for row in board.standings]
    return {
        "label": board.game.label,
        "game": board.game.name,
        "seats": board.game.seats,
        "deals": board.game.deals,
        "rules": dict(board.game.rules),
        "encounters": board.encounters,
        "unfinished": board.unfinished,
        "skipped": board.skipped,
        "draw_probability": _fixed(board.draw_probability),
        "standings": [_standing(row) for row in board.standings],
        "endings": board.cuts.endings._asdict(),
        "variance_saved": _fixed(board.cuts.saved),
        "seat_points": {
            "all": _seats(board.cuts.seats.everybody),
            "entrants": {entrant: _seats(cells) for entrant, cells in board.cuts.seats.of.items()},
        },
        "balance": asdict(even),
        "stopping": _stopping(end),
        "crosstable": {
            row_id: {
                column_id: {
                    "points": _fixed(cell.points),
                    "interval": _interval(cell.interval),
                    "encounters": cell.tables,
                }
                for column_id, cell in zip(ids, row, strict=True)
                if cell
            }
            for row_id, row in zip(ids, board.crosstable, strict=True)
        },
        "better": {
            row_id: {
                column_id: _fixed(chance) for column_id, chance in zip(ids, row, strict=True) if column_id != row_id
            }
            for row_id, row in zip(ids, board.better, strict=True)
        },
    }


def _stopping(end: Stopping | None) -> dict[str, object] | None:
    if end is None:
        return None
    return {
        "rounds": end.rounds,
        "max_rounds": end.max_rounds,
        "top": end.top,
        "confidence": _fixed(end.confidence),
        "decided": end.decided,
        "scores": [
            {
                "place": row.place,
                "tied": row.tied,
                "entrant": row.entrant,
                "points_per_deal": _fixed(row.points),
                "bounds": _interval(row.interval),
                "encounters": row.encounters,
            }
            for row in end.scores
        ],
    }


def _standing(row: Standing) -> dict[str, object]:
    return {
        "rank": row.rank,
        "entrant": row.entrant.id,
        "name": row.entrant.name,
        "owner": row.entrant.owner,
        "house": row.entrant.house,
        "remote": row.entrant.remote,
        "rating": _fixed(row.rating),
        "mu": _fixed(row.mu),
        "sigma": _fixed(row.sigma),
        "points_per_deal": _fixed(row.points),
        "interval": _interval(row.interval),
        "win_share": _fixed(row.win_share),
        "encounters": row.encounters,
        "deals": row.deals,
        "forfeits": row.forfeits,
        "faults": row.faults._asdict(),
        "better_than_next": _fixed(row.better),
    }


def _cells(label: str, row: Standing) -> tuple[object, ...]:
    """Return the cells of a standing, as ``COLUMNS`` says."""
    low, high = row.interval or (None, None)
    return (
        *(_inert(label), row.rank, row.entrant.id, _inert(row.entrant.name), _inert(row.entrant.owner)),
        *(_fixed(number) for number in (row.rating, row.mu, row.sigma, row.points, low, high, row.win_share)),
        *(row.encounters, row.deals, row.forfeits, *row.faults, _fixed(row.better)),
    )


def _inert(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
