"""Finds out whether a record is what its match must have given: by the schedule, the cards and the rules.

Pure: it is given bytes and says what is wrong with them. Nothing is taken from the record that the manifest,
the revealed secret or the rules say themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from croupier.harness import dealing
from croupier.harness.ledger_rows import Attempt, MatchRow, ResultRow, result_rows
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import ScheduledMatch
from croupier.referee import records
from croupier.referee.records import RecordError
from croupier.referee.replay import ReplayError, check_fixture, replay


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a match that was checked: its results as they must be, or what is wrong.

    Attributes:
        difference: names deal and decision where there are any, what was expected and what was found.
    """

    index: int
    results: tuple[ResultRow, ...]
    difference: str = ""


Void = frozenset[tuple[str, int]]
"""Match id and number of each try that is known to have left no result."""


def check_all(
    manifest: Manifest,
    key: bytes | None,
    matches: Iterable[tuple[ScheduledMatch, MatchRow]],
    void: Void = frozenset(),
) -> list[Checked]:
    """Check matches.

    Args:
        manifest: of the run.
        key: the tournament's, or None before its secret is revealed: then decks prove nothing.
        matches: each as scheduled and as found.
        void: the tries that the ledger knows of: only after one may a match have fresh boards.
    """
    return [_check(manifest, key, void, match, row) for match, row in matches]


def _check(manifest: Manifest, key: bytes | None, void: Void, match: ScheduledMatch, row: MatchRow) -> Checked:
    for field in ("index", "round", "sitting", "leaderboard", "table"):
        expected, found = getattr(match, field), getattr(row, field)
        if expected != found:
            return Checked(match.index, (), f"{field} in the schedule: expected {expected}, found {found}")
    if row.id != match.match_id:
        return Checked(match.index, (), f"match id: expected {match.match_id}, found {row.id}")
    if records.sha256(row.record) != row.sha256:
        return Checked(match.index, (), f"record hash: expected {records.sha256(row.record)}, found {row.sha256}")
    try:
        record = records.from_bytes(row.record)
        attempt = dealing.attempt_at(record.deals[0].board) if record.deals else 0
        if attempt and (match.match_id, attempt - 1) not in void:
            return Checked(
                match.index, (), f"attempt: found boards of attempt {attempt}, but the one before isn't void"
            )
        check_fixture(record, dealing.fixture(manifest, key or b"", match, attempt), decks=key is not None)
        replay(record)
    except (ReplayError, RecordError) as error:
        return Checked(match.index, (), str(error))
    return Checked(match.index, tuple(result_rows(match, record)))


def wrong_attempts(attempts: Iterable[Attempt], scheduled: Iterable[str]) -> str:
    """Return what can't be true of the tries that left no result, or nothing.

    Args:
        attempts: as found, in the order written.
        scheduled: the ids of all matches that there can be; looked at only where there are tries.
    """
    numbers: dict[str, list[int]] = {}
    for each in attempts:
        numbers.setdefault(each.match_id, []).append(each.attempt)
        if not each.started <= each.ended:
            return f"match {each.match_id}: attempt {each.attempt} ended before it began"
    for match_id, found in numbers.items():
        if sorted(found) != list(range(len(found))):
            return f"match {match_id}: attempts: expected {_upto(len(found))}, found {', '.join(map(str, found))}"
    if numbers and (unknown := numbers.keys() - scheduled):
        return f"match {min(unknown)}: attempts: the schedule has no such match"
    return ""


def _upto(many: int) -> str:
    return ", ".join(map(str, range(many)))


def first_difference(expected: Sequence[ResultRow], found: Sequence[ResultRow]) -> str:
    """Return where two lists of results begin to differ, for people, or nothing."""
    for one, other in zip_longest(expected, found):
        if one == other:
            continue
        if one is None or other is None:
            row = one or other
            assert row is not None
            return f"match {row.index}, seat {row.seat}: a result that {'is missing' if one else 'nobody earned'}"
        if one[:8] != other[:8]:
            return f"match {one.index}, seat {one.seat}: expected its result, found {other}"
        name = next(name for name in ResultRow._fields if getattr(one, name) != getattr(other, name))
        return (
            f"match {one.index} ({one.match_id}), seat {one.seat}: {name} in the results: "
            f"expected {getattr(one, name)}, found {getattr(other, name)}"
        )
    return ""
