"""The matches of a run as files for other programs: every record as JSON lines, results and deals as CSV.

Law: equal matches give equal bytes. Only matches are written whose boards are finished in every rotation; where and
how fast they were played isn't there. docs/commands.md explains every column.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import zstandard

from croupier.harness import atomic
from croupier.harness.ledger import Ledger
from croupier.harness.ledger_rows import ResultRow
from croupier.harness.release import released
from croupier.referee import records
from croupier.referee.records import BY_REFEREE, FaultCounts, MatchRecord

RECORDS = "matches.jsonl.zst"
RESULTS = "results.csv"
DEALS = "deals.csv"

LEVEL = 9
"""Of the compression: higher ones take several times as long for a few percent."""

RESULT_COLUMNS = (
    *("index", "match_id", "record_sha256", "leaderboard", "round", "sitting", "table", "seat", "entrant"),
    *("points", "deals", *FaultCounts._fields, "forfeit"),
)
"""Of the results: a row for each match and seat."""

DEAL_COLUMNS = ("index", "leaderboard", "deal", "board", "dealer", "seat", "entrant", "points", "decisions", "defaults")
"""Of the deals: a row for each match, deal and seat."""


class Written(NamedTuple):
    """The files that were written, and how many matches are in them; the others' boards are still in play."""

    files: tuple[Path, ...]
    matches: int
    held_back: int


def write_archive(ledger: Ledger, folder: Path) -> Written:
    """Write all matches of a run that may leave it into a folder, each file whole or not at all.

    Args:
        ledger: open for reading.
        folder: it must be there.

    Raises:
        LedgerStorageError: a record is not the one that was written.
        RecordError: a record can't be read.
        OSError: the folder can't be written, or the disk is full.
    """
    manifest = ledger.manifest()
    places = ledger.places()
    free = released(manifest, places)
    hashes = {each.index: each.sha256 for each in places}
    labels = {each.index: manifest.games[each.leaderboard].label for each in places}

    def kept() -> Iterator[tuple[int, MatchRecord]]:
        return ((index, records.from_bytes(data)) for index, data in ledger.records() if index in free)

    results = (_result(labels[row.index], hashes[row.index], row) for row in ledger.results() if row.index in free)
    deals = (line for index, record in kept() for line in _deals(index, labels[index], record))
    files = {
        RECORDS: _compressed(records.to_json(record, one_line=True) + "\n" for _, record in kept()),
        RESULTS: _csv(RESULT_COLUMNS, results),
        DEALS: _csv(DEAL_COLUMNS, deals),
    }
    for name, chunks in files.items():
        atomic.write(folder / name, chunks)
    return Written(tuple(folder / name for name in files), len(free), len(places) - len(free))


def read_lines(path: Path) -> str:
    """Return the text in a file that is compressed as ``write_archive`` does it.

    Raises:
        ValueError: the file isn't whole, or not of this kind.
        OSError: it can't be read.
    """
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        text = frame.decompress(path.read_bytes()).decode()
    except zstandard.ZstdError as error:
        raise ValueError(f"can't be decompressed: {error}") from error
    if not frame.eof or frame.unused_data:
        raise ValueError("can't be decompressed: " + ("more follows its end" if frame.eof else "its end is missing"))
    return text


def _compressed(lines: Iterable[str]) -> Iterator[bytes]:
    compressor = zstandard.ZstdCompressor(level=LEVEL).compressobj()
    for line in lines:
        yield compressor.compress(line.encode())
    yield compressor.flush()


def _csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for row in chain([columns], rows):
        writer.writerow(row)
        yield buffer.getvalue().encode()
        buffer.seek(0)
        buffer.truncate()


def _result(label: str, sha256: str, row: ResultRow) -> tuple[object, ...]:
    place = (row.index, row.match_id, sha256, label, row.round, row.sitting, row.table)
    return *place, row.seat, row.entrant, row.points, row.deals, *row.faults, row.forfeit


def _deals(index: int, label: str, record: MatchRecord) -> Iterator[tuple[object, ...]]:
    for number, deal in enumerate(record.deals):
        for seat, entrant in enumerate(record.entrants):
            sources = [decision.source for decision in deal.decisions if decision.seat == seat]
            defaults = sources.count(BY_REFEREE)
            place = (index, label, number, deal.board, deal.dealer, seat, entrant)
            yield *place, deal.points[seat], len(sources), defaults
