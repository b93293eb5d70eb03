"""Result rows as a ledger would hold them, made from the points of an encounter; and a whole small run."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from croupier.harness.ledger import Ledger
from croupier.harness.ledger_rows import ResultRow
from croupier.harness.manifest import Manifest, ManifestEntrant, ManifestGame
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.referee import records
from croupier.referee.clock import Limits
from croupier.referee.records import FaultCounts, FinishedMatch, MatchTimings, SeatTimes
from croupier.v1 import record_pb2 as pb

Rows = Callable[..., list[ResultRow]]
Run = Callable[..., Path]


@pytest.fixture
def encounter() -> Rows:
    """The rows of an encounter: each entrant gets the same points in every match; faults fall in the first one."""

    def rows(
        points: Mapping[str, int],
        table: int = 0,
        *,
        round_: int = 0,
        deals: int = 2,
        faults: Mapping[str, FaultCounts] | None = None,
        forfeits: Collection[str] = (),
    ) -> list[ResultRow]:
        entrants = list(points)
        result = []
        for sitting in range(len(entrants)):
            index = 10_000 * round_ + 1000 * sitting + table
            for seat in range(len(entrants)):
                entrant = entrants[(seat + sitting) % len(entrants)]
                at_fault = (faults or {}).get(entrant, FaultCounts()) if sitting == 0 else FaultCounts()
                forfeit = int(sitting == 0 and entrant in forfeits)
                match = f"{index:016x}"
                place = (index, round_, sitting, 0, table, match, seat, entrant)
                result.append(ResultRow(*place, points[entrant], deals, *at_fault, forfeit))
        return result

    return rows


@pytest.fixture
def manifest() -> Manifest:
    """A tournament of two games, four entrants, one of them with a hostile name, and a house bot that isn't needed."""

    def entrant(id_: str, name: str = "", owner: str = "") -> ManifestEntrant:
        return ManifestEntrant(id_, name or id_, owner, "ab" * 32, (), "00" * 32, remote=False)

    return Manifest(
        id="cup",
        name="Cup <script>alert('cup')</script>",
        seed="tea",
        beacon="",
        rounds=3,
        max_tables=2000,
        duplicate=True,
        sandbox="none",
        games=(
            ManifestGame("kowah-2", "kowah", 2, 2, (("claim", "may"),), 1),
            ManifestGame('../<b>"cha"', "cha_kau_tsu", 3, 2, (), 1),
        ),
        time=Limits(),
        entrants=(
            entrant("ann"),
            entrant("bob", '=1+1"><img src=x>', "O'Neil & <sons>"),
            entrant("cy"),
            entrant("dee"),
        ),
        house=(entrant("house-1"),),
    )


@pytest.fixture
def run(tmp_path: Path, manifest: Manifest) -> Run:
    """Writes a ledger of the whole tournament, in an order of arrival that `seed` shuffles, without some matches.

    With `entrants` only the first so many are in it, and the house bot where they are too few; somebody else starts
    those in `remote`. What else is given replaces fields of the manifest.
    """

    def write(
        seed: int, *, without: Iterable[int] = (), entrants: int = 4, remote: Collection[str] = (), **changes: Any
    ) -> Path:
        listed = (replace(one, remote=one.id in remote) for one in manifest.entrants[:entrants])
        held = replace(manifest, entrants=tuple(listed), **changes)
        path = tmp_path / f"run-{seed}" / "ledger.sqlite"
        path.parent.mkdir()
        matches = [match for match in Schedule(held) if match.index not in set(without)]
        Random(seed).shuffle(matches)
        with Ledger.open(path) as ledger:
            ledger.create(held)
            for match in matches:
                ledger.append([(match, _finished(match, held, seed))])
        return path

    return write


def _finished(match: ScheduledMatch, manifest: Manifest, seed: int) -> FinishedMatch:
    """A result that depends on the match alone, with times that depend on the run."""
    luck = Random(match.index)
    raw = [luck.randrange(20) + 8 * (entrant == "ann") for entrant in match.entrants]
    points = [len(raw) * one - sum(raw) for one in raw]
    record = pb.MatchRecord(
        format=1,
        match_id=match.match_id,
        game=manifest.games[match.leaderboard].name,
        entrants=match.entrants,
        deals_agreed=2,
        deals=[pb.DealRecord(board=board) for board in match.boards],
        points=points,
    )
    if "dee" in match.entrants and luck.random() < 0.2:
        record.faults.append(pb.FaultRecord(kind=pb.FAULT_KIND_LATE, seat=match.entrants.index("dee")))
    if "bob" in match.entrants and luck.random() < 0.2:
        seat = match.entrants.index("bob")
        record.faults.append(pb.FaultRecord(kind=pb.FAULT_KIND_NO_SHOW, seat=seat))
        record.forfeits.append(seat)
    times = tuple(SeatTimes(10, 10.0 * (seed + 1), 2.0 * (seed + 1)) for _ in match.entrants)
    return FinishedMatch(match.match_id, records.to_bytes(record), MatchTimings(100.0, times))
