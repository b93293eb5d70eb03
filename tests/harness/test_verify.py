"""Verify: every forgery of a run is found and named by its match, deal and decision; an honest run passes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from croupier.games import Action
from croupier.harness import dealing
from croupier.harness.ledger import Attempt, Ledger, MatchRow
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.harness.verify import check_all, first_difference, wrong_attempts
from croupier.referee import boards, records
from croupier.referee.records import FinishedMatch
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import record_pb2 as pb
from scripted import GameSeat, choose_at_random, failing, play

SECRET = boards.seeded_secret("verify")

Forge = Callable[[pb.MatchRecord], object]


class Clumsy(GameSeat):
    """Answers at random, but its third answer is illegal and its ninth late."""

    def reply(self, decision: object) -> Reply:
        """Return the fault that is due, or an answer at random."""
        asked = len(self.questions)
        if asked == 3:
            return Reply(Action("fly"), elapsed_ms=1.0, limit_ms=1050)
        return failing(FaultKind.LATE) if asked == 9 else Reply(choose_at_random(self.decisions[-1]))


@pytest.fixture
def manifest(make_manifest: Callable[..., Manifest]) -> Manifest:
    """Return a manifest of 24 matches of two games, with duplicates: 4 entrants at tables of 3 and 4."""
    return make_manifest((("cha_kau_tsu", 3, 2), ("doppelkopf", 4, 2)), entrants=4)


@pytest.fixture
def ledger(manifest: Manifest, tmp_path: Path) -> Iterator[Ledger]:
    """Return the ledger of their run."""
    with Ledger.open(tmp_path / "ledger.sqlite") as opened:
        opened.create(manifest)
        opened.append(_played(manifest))
        opened.reveal(SECRET)
        yield opened


@cache
def _played(manifest: Manifest) -> list[tuple[ScheduledMatch, FinishedMatch]]:
    """Play every match in process, one seat of each clumsily."""
    key = dealing.key_of(manifest, SECRET)
    return [
        (match, play(dealing.fixture(manifest, key, match), [Clumsy(), *(GameSeat() for _ in match.entrants[1:])]))
        for match in Schedule(manifest)
    ]


def _differences(manifest: Manifest, ledger: Ledger, *, revealed: bool = True) -> list[tuple[int, str]]:
    """Return index and difference of each match that isn't as it must be."""
    key = dealing.key_of(manifest, SECRET) if revealed else None
    checked = check_all(manifest, key, zip(Schedule(manifest), ledger.matches(), strict=True))
    return [(each.index, each.difference) for each in checked if each.difference]


def _forge(ledger: Ledger, index: int, forge: Forge) -> None:
    """Change a record, and its hash with it, as an organiser with an editor could."""
    row: MatchRow = list(ledger.matches())[index]
    record = records.from_bytes(row.record)
    forge(record)
    data = records.to_bytes(record)
    with sqlite3.connect(ledger.path) as connection:
        connection.execute(
            'UPDATE matches SET record = ?, sha256 = ? WHERE "index" = ?', (data, records.sha256(data), index)
        )


def test_an_honest_run_passes(manifest: Manifest, ledger: Ledger) -> None:
    """Every match, its faults included; and the results are what the records come to."""
    key = dealing.key_of(manifest, SECRET)
    checked = check_all(manifest, key, zip(Schedule(manifest), ledger.matches(), strict=True))

    assert [each.difference for each in checked] == [""] * Schedule(manifest).total()
    assert first_difference([row for each in checked for row in each.results], ledger.results()) == ""
    assert sum(row.late + row.illegal for row in ledger.results()) == 2 * len(checked)


def _card(record: pb.MatchRecord) -> None:
    deck = record.deals[1].deck
    other = next(place for place in range(len(deck)) if deck[place] != deck[0])
    deck[0], deck[other] = deck[other], deck[0]


def _other_board(record: pb.MatchRecord) -> None:
    record.deals[0].deck[:], record.deals[1].deck[:] = list(record.deals[1].deck), list(record.deals[0].deck)


def _rotated(record: pb.MatchRecord) -> None:
    deck = record.deals[0].deck
    deck[:] = [*deck[1:], deck[0]]


def _swap_seats(record: pb.MatchRecord) -> None:
    record.entrants[0], record.entrants[1] = record.entrants[1], record.entrants[0]


def _rule(record: pb.MatchRecord) -> None:
    record.rules[0].value = "3"


def _answer(record: pb.MatchRecord) -> None:
    decision = next(d for d in record.deals[0].decisions if d.source == pb.SOURCE_BOT)
    decision.action.cards[:] = ["ZZ"]


def _carry(record: pb.MatchRecord) -> None:
    record.deals[1].carry.by_seat[0] += 1


FORGERIES: dict[str, tuple[Forge, str]] = {
    "a card": (_card, "deal 1: card 0 of the deck: expected "),
    "another board's deck": (_other_board, "deal 0: card "),
    "a rotated deck": (_rotated, "deal 0: card "),
    "a board's number": (lambda r: setattr(r.deals[1], "board", 77), "deal 1: board: expected "),
    "a score": (lambda r: r.deals[0].points.__setitem__(0, 5), "deal 0: points: expected "),
    "a total": (lambda r: r.points.__setitem__(2, 99), "points: expected "),
    "a decision missing": (lambda r: r.deals[0].decisions.pop(), "deal 0, decision "),
    "a decision doubled": (lambda r: r.deals[0].decisions.append(r.deals[0].decisions[-1]), "deal 0, decision "),
    "a decision added": (lambda r: r.deals[1].decisions.insert(0, r.deals[1].decisions[0]), "deal 1, decision "),
    "an answer outside the options": (_answer, "deal 0, decision "),
    "the dealer": (lambda r: setattr(r.deals[1], "dealer", 2), "deal 1: dealer: expected 1, found 2"),
    "the carry": (_carry, "deal 1: carry: expected "),
    "the settlement": (lambda r: r.settlement.__setitem__(0, r.settlement[0] + 1), "settlement: expected "),
    "a rule's value": (_rule, "rule pots: expected "),
    "two seats swapped": (_swap_seats, "entrants: expected "),
    "a fault removed": (lambda r: r.faults.pop(0), "deal 0, decision "),
    "a fault added": (lambda r: r.faults.add(seat=1, kind=pb.FAULT_KIND_LATE, deal=1, decision=3), "deal 1, decision "),
    "a forfeit": (lambda r: r.forfeits.append(1), "forfeits: expected "),
    "an unknown game": (lambda r: setattr(r, "game", "poker"), "game: expected cha_kau_tsu, found poker"),
    "a newer version of the rules": (lambda r: setattr(r, "rules_version", 9), "rules version: expected 1, found 9"),
    "a newer format": (lambda r: setattr(r, "format", 2), "record format 2; this program reads format 1"),
    "another match's id": (lambda r: setattr(r, "match_id", "0" * 16), "match id: expected "),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_record_is_found(name: str, manifest: Manifest, ledger: Ledger) -> None:
    """Whatever is changed, with the hash changed to fit: its match is named, and what is wrong in it."""
    forge, message = FORGERIES[name]
    _forge(ledger, 2, forge)

    ((index, difference),) = _differences(manifest, ledger)

    assert index == 2
    assert difference.startswith(message)


def test_a_record_without_its_hash_is_found(manifest: Manifest, ledger: Ledger) -> None:
    """A truncated record, or one changed without its hash."""
    with sqlite3.connect(ledger.path) as connection:
        connection.execute('UPDATE matches SET record = substr(record, 1, 100) WHERE "index" = 7')

    ((index, difference),) = _differences(manifest, ledger)

    assert index == 7
    assert difference.startswith("record hash: expected ")


def test_a_row_of_another_match_is_found(manifest: Manifest, ledger: Ledger) -> None:
    """The ledger's own column too: a row whose record is right and whose id isn't."""
    rows = [replace(row, id="0" * 16) if row.index == 4 else row for row in ledger.matches()]

    checked = check_all(manifest, None, zip(Schedule(manifest), rows, strict=True))

    found = [(each.index, each.difference) for each in checked if each.difference]
    assert found == [(4, f"match id: expected {list(ledger.matches())[4].id}, found {'0' * 16}")]


def test_a_truncated_record_with_a_fitting_hash_is_no_record(manifest: Manifest, ledger: Ledger) -> None:
    """Bytes that don't parse are named as such."""
    data = list(ledger.matches())[7].record[:100]
    with sqlite3.connect(ledger.path) as connection:
        connection.execute('UPDATE matches SET record = ?, sha256 = ? WHERE "index" = 7', (data, records.sha256(data)))

    ((index, difference),) = _differences(manifest, ledger)

    assert (index, difference.partition(":")[0]) == (7, "not a match record")


def test_before_the_reveal_decks_prove_nothing(manifest: Manifest, ledger: Ledger) -> None:
    """Without the secret an exchanged deck that is played consistently can't be told; everything else can."""
    _forge(ledger, 2, lambda record: setattr(record.deals[1], "board", 77))

    assert _differences(manifest, ledger, revealed=False) == [(2, "deal 1: board: expected 5, found 77")]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("UPDATE results SET points = points + 1 WHERE seat = 1 AND match_id = ?", "seat 1: points in the results"),
        ("UPDATE results SET late = 0 WHERE seat = 0 AND match_id = ?", "seat 0: late in the results"),
        ("UPDATE results SET entrant = 'x' WHERE seat = 2 AND match_id = ?", "seat 2: expected its result"),
        ("DELETE FROM results WHERE seat = 2 AND match_id = ?", "seat 2: "),
    ],
)
def test_a_forged_result_is_found(change: str, message: str, manifest: Manifest, ledger: Ledger) -> None:
    """A row of the results that isn't what its record comes to."""
    row = list(ledger.matches())[5]
    with sqlite3.connect(ledger.path) as connection:
        connection.execute(change, (row.id,))
    checked = check_all(manifest, None, zip(Schedule(manifest), ledger.matches(), strict=True))

    difference = first_difference([each for one in checked for each in one.results], ledger.results())

    assert difference.startswith("match 5")
    assert message in difference


def _begun_again(manifest: Manifest) -> tuple[ScheduledMatch, MatchRow]:
    """Return match 2 as it would be after one try that was given up: on fresh boards."""
    match = list(Schedule(manifest))[2]
    fixture = dealing.fixture(manifest, dealing.key_of(manifest, SECRET), match, attempt=1)
    record = play(fixture, [GameSeat() for _ in match.entrants]).record
    return match, MatchRow(
        id=match.match_id,
        index=match.index,
        round=match.round,
        sitting=match.sitting,
        leaderboard=match.leaderboard,
        table=match.table,
        record=record,
        sha256=records.sha256(record),
    )


def test_fresh_boards_need_a_void_try(manifest: Manifest) -> None:
    """Who plays a match again on fresh boards must have a void try of that match, of the number before."""
    remote = replace(manifest, entrants=tuple(replace(entrant, remote=True) for entrant in manifest.entrants))
    match, row = _begun_again(remote)
    key = dealing.key_of(remote, SECRET)

    def found(*void: tuple[str, int]) -> str:
        (checked,) = check_all(remote, key, [(match, row)], frozenset(void))
        return checked.difference

    assert found((match.match_id, 0)) == ""
    for void in ([], [(match.match_id, 1)], [("0" * 16, 0)]):
        assert found(*void) == "attempt: found boards of attempt 1, but the one before isn't void"


def test_another_secret_gives_other_cards(manifest: Manifest, ledger: Ledger) -> None:
    """With a key of another secret every match differs, by a card."""
    key = dealing.key_of(manifest, boards.seeded_secret("another"))
    checked = check_all(manifest, key, zip(Schedule(manifest), ledger.matches(), strict=True))
    assert all(each.difference.startswith("deal 0: card ") for each in checked)


@pytest.mark.parametrize("key", ["nonce", "beacon", "rounds"])
def test_another_manifest_gives_other_matches(key: str, manifest: Manifest, ledger: Ledger) -> None:
    """A key of the manifest that was changed, its hash refitted: no match has the id that follows from it."""
    first, *others = manifest.entrants
    forged = {
        "nonce": replace(manifest, entrants=(replace(first, nonce="11" * 32), *others)),
        "beacon": replace(manifest, beacon="draw"),
        "rounds": replace(manifest, rounds=manifest.rounds + 1),
    }[key]
    checked = check_all(forged, dealing.key_of(forged, SECRET), zip(Schedule(forged), ledger.matches(), strict=False))
    assert checked
    assert all(each.difference.startswith("match id: expected ") for each in checked)


def test_a_record_in_another_form_is_found(manifest: Manifest, ledger: Ledger) -> None:
    """The same content in other bytes, with a fitting hash: an unknown field, a field twice, a long number."""
    row = list(ledger.matches())[3]
    assert row.record.startswith(b"\x08\x01")  # format: 1
    for record in (row.record + b"\xf8\x7f\x01", b"\x08\x01" + row.record, b"\x08\x81\x00" + row.record[2:]):
        with sqlite3.connect(ledger.path) as connection:
            connection.execute(
                'UPDATE matches SET record = ?, sha256 = ? WHERE "index" = 3', (record, records.sha256(record))
            )
        connection.close()
        assert _differences(manifest, ledger) == [(3, "not in its one form: other bytes than this record has")]


def _try(match_id: str, number: int, ended: float = 2.0) -> Attempt:
    return Attempt(match_id, number, 1.0, ended, "here", "lost")


@pytest.mark.parametrize(
    ("attempts", "says"),
    [
        ([], ""),
        ([_try("a", 0), _try("b", 0), _try("a", 1)], ""),
        ([_try("a", 0), _try("a", 0)], "match a: attempts: expected 0, 1, found 0, 0"),
        ([_try("a", 1)], "match a: attempts: expected 0, found 1"),
        ([_try("a", -1)], "match a: attempts: expected 0, found -1"),
        ([_try("x", 0)], "match x: attempts: the schedule has no such match"),
        ([_try("a", 0, 0.5)], "match a: attempt 0 ended before it began"),
        ([_try("a", 0, float("-inf"))], "match a: attempt 0 ended before it began"),
    ],
)
def test_attempts_that_can_not_be_are_found(attempts: list[Attempt], says: str) -> None:
    """They are numbered from 0 for each match of the schedule."""
    assert wrong_attempts(attempts, ["a", "b"]) == says
