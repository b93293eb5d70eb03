"""What is kept of a match: the record (``record.proto``), its bytes and hash, and apart from it the timings.

The record is the one definition of a result: everything that is rated, published or exported derives from
it, and nothing in it depends on a clock or a machine. Timings are what does.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from typing import NamedTuple

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from croupier import wire
from croupier.referee.verdicts import STRIKES_TO_FORFEIT, FaultKind, Source
from croupier.v1 import record_pb2 as pb

MatchRecord = pb.MatchRecord
"""The one definition of a result."""

FORMAT = 1
"""The version of the record format that this program writes and reads."""

SOURCES = {
    Source.BOT: pb.SOURCE_BOT,
    Source.FORCED: pb.SOURCE_FORCED,
    Source.DEFAULT: pb.SOURCE_DEFAULT,
}
SOURCE_OF = {number: source for source, number in SOURCES.items()}
BY_REFEREE = SOURCES[Source.DEFAULT]
"""The source of an action that the referee played in a bot's place."""


FAULT_KINDS = {
    FaultKind.LATE: pb.FAULT_KIND_LATE,
    FaultKind.GONE: pb.FAULT_KIND_GONE,
    FaultKind.GARBLED: pb.FAULT_KIND_GARBLED,
    FaultKind.ILLEGAL: pb.FAULT_KIND_ILLEGAL,
    FaultKind.NO_SHOW: pb.FAULT_KIND_NO_SHOW,
}
KIND_OF = {number: kind for kind, number in FAULT_KINDS.items()}


class RecordError(ValueError):
    """Bytes that are no record, or a record of a newer format."""


class FaultCounts(NamedTuple):
    """Number of faults of a seat in a match, by kind."""

    late: int = 0
    gone: int = 0
    garbled: int = 0
    illegal: int = 0
    no_show: int = 0

    @property
    def strikes(self) -> int:
        """Strikes: one for each fault, but ``no_show`` forfeits at once."""
        return sum(self) + self.no_show * (STRIKES_TO_FORFEIT - 1)

    @property
    def comes_last(self) -> bool:
        """Whether so many faults, in a match or in an encounter, lose it."""
        return self.strikes >= STRIKES_TO_FORFEIT

    def told(self) -> list[str]:
        """Return for people how many there are of each kind that occurred: ``2 late``."""
        return [f"{number} {kind}" for kind, number in self._asdict().items() if number]


@dataclass(frozen=True, slots=True)
class FaultEvidence:
    """What was observed of a fault, for people; deal and decision as in the record."""

    kind: str
    seat: int
    deal: int
    decision: int
    limit_ms: int
    elapsed_ms: float
    evidence: str
    output: str


@dataclass(frozen=True, slots=True)
class SeatTimes:
    """Decision times of a seat in a match: questions asked, and milliseconds of the calls that carried them."""

    asked: int
    total_ms: float
    max_ms: float


@dataclass(frozen=True, slots=True)
class MatchTimings:
    """What of a match depends on clocks and machines.

    Attributes:
        wall_ms: from asking the bots to get ready, so with the starts of those that weren't, to the settlement.
        seats: by seat.
        evidence: one for each fault, in the order of the record.
    """

    wall_ms: float
    seats: tuple[SeatTimes, ...]
    evidence: tuple[FaultEvidence, ...] = ()

    def to_json(self) -> str:
        """Return the JSON form that the ledger keeps."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))


def timings_from_json(text: str) -> MatchTimings:
    """Return the timings that ``MatchTimings.to_json`` wrote.

    Raises:
        RecordError: they are none.
    """
    try:
        tree = json.loads(text)
        seats = tuple(SeatTimes(**one) for one in tree["seats"])
        evidence = tuple(FaultEvidence(**one) for one in tree["evidence"])
        timings = MatchTimings(tree["wall_ms"], seats, evidence)
        numbers = [timings.wall_ms, *(number for each in seats for number in (each.asked, each.total_ms, each.max_ms))]
        wrong = next((number for number in numbers if not 0 <= number < math.inf), None)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise RecordError(f"not the timings of a match: {error}") from error
    if wrong is not None:
        raise RecordError(f"not the timings of a match: {wrong} is no time")
    return timings


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A match that was played to its end.

    Attributes:
        record: the serialised ``MatchRecord``.
    """

    match_id: str
    record: bytes
    timings: MatchTimings


def to_bytes(record: pb.MatchRecord) -> bytes:
    """Return the bytes that are hashed, stored and published."""
    return wire.serialise(record)


def from_bytes(data: bytes) -> pb.MatchRecord:
    """Return the record in these bytes.

    Raises:
        RecordError: they are no record, one of another format, or not the bytes that ``to_bytes`` gives.
    """
    try:
        record = pb.MatchRecord.FromString(data)
    except DecodeError as error:
        raise RecordError(f"not a match record: {error}") from error
    check_format(record.format)
    record.DiscardUnknownFields()
    if to_bytes(record) != data:  # fields doubled, unknown or in another order: two hashes of one record
        raise RecordError("not in its one form: other bytes than this record has")
    return record


def to_json(record: pb.MatchRecord, *, one_line: bool = False) -> str:
    """Return the record as JSON by the protobuf JSON mapping, for people and other programs."""
    return json_format.MessageToJson(record, preserving_proto_field_name=True, indent=None if one_line else 2)


def from_json(text: str) -> pb.MatchRecord:
    """Return the record in this JSON, as ``to_json`` writes it.

    Raises:
        RecordError: it is no record, or one of another format.
    """
    try:
        record = json_format.Parse(text, pb.MatchRecord())
    except (json_format.ParseError, RecursionError) as error:
        raise RecordError(f"not a match record: {str(error).partition(chr(10))[0]}") from error
    check_format(record.format)
    return record


def check_format(number: int) -> None:
    """Refuse a record of another format.

    Raises:
        RecordError: this program doesn't read it.
    """
    if number != FORMAT:
        raise RecordError(f"record format {number}; this program reads format {FORMAT}")


def sha256(data: bytes) -> str:
    """Return the hash of a record's bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def fault_counts(record: pb.MatchRecord) -> tuple[FaultCounts, ...]:
    """Return the faults of each seat, by kind."""
    counts = [[0] * len(FAULT_KINDS) for _ in record.entrants]
    places = {kind: place for place, kind in enumerate(FAULT_KINDS)}
    for fault in record.faults:
        counts[fault.seat][places[KIND_OF[fault.kind]]] += 1
    return tuple(FaultCounts(*each) for each in counts)


def faults_by_decision(record: pb.MatchRecord, deal: int) -> dict[int, list[pb.FaultRecord]]:
    """Return the faults of a deal by the number of the decision; a ``no_show`` belongs to none."""
    found: dict[int, list[pb.FaultRecord]] = {}
    for fault in record.faults:
        if fault.deal == deal and fault.kind != pb.FAULT_KIND_NO_SHOW:
            found.setdefault(fault.decision, []).append(fault)
    return found
