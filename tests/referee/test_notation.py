"""Notation: every record survives it byte for byte, and text that is none is refused by line."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from conformance.choosing import choose
from conformance.profiles import Case, cases
from croupier.bot import Decision
from croupier.games import GAMES, game_named
from croupier.referee import records
from croupier.referee.notation import BETWEEN, read, read_many, write
from croupier.referee.notation_words import NotationError
from croupier.referee.replay import replay
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import record_pb2 as pb
from referee.notated import match_of_the_page
from scripted import GameSeat, choose_at_random, failing, fixture_of, play, record_of

PAGE = Path(__file__).parents[2] / "docs/notation.md"

FEW, MANY = 20, 1000
"""Matches of each game and profile: in every run of the tests, and in the long one."""

KINDS = tuple(kind for kind in FaultKind if kind is not FaultKind.NO_SHOW)


class Faulty(GameSeat):
    """A seat that fails now and then, in any of the ways there are; with luck it never comes at all."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng.choice((choose, choose_at_random)), refusal="ill" if rng.random() < 0.05 else "")
        self._rng = rng
        self._often = rng.choice((0.0, 0.01, 0.05))

    def reply(self, decision: Decision) -> Reply:
        """Answer, or not."""
        if self._rng.random() < self._often:
            return failing(self._rng.choice(KINDS))
        return super().reply(decision)


def _match(case: Case, number: int) -> pb.MatchRecord:
    rng = Random(f"{case} {number}")
    fixture = fixture_of(case.game, case.seats, deals=case.deals, rules=case.rules, board=number * case.deals)
    return record_of(play(fixture, [Faulty(rng) for _ in range(case.seats)]))


def _survive(name: str, profile: str, matches: int) -> None:
    """Write and read matches of a game and profile, at all its seat counts in turn."""
    tables = [case for case in cases() if (case.game.name, case.profile) == (name, profile)]
    for number in range(matches):
        record = _match(tables[number % len(tables)], number)
        text = write(record)
        assert records.to_bytes(read(text)) == records.to_bytes(record)
        assert write(read(text)) == text


PROFILES = sorted({(case.game.name, case.profile) for case in cases()})


@pytest.mark.parametrize(("name", "profile"), PROFILES)
def test_records_survive(name: str, profile: str) -> None:
    """Matches with all kinds of faults come back byte for byte, and as the same text."""
    _survive(name, profile, FEW)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "profile"), PROFILES)
def test_a_thousand_records_survive(name: str, profile: str) -> None:
    """So do a thousand of each game and profile."""
    _survive(name, profile, MANY)


@pytest.fixture
def example() -> pb.MatchRecord:
    """The match of docs/notation.md."""
    return match_of_the_page()


def test_the_page_shows_a_match_as_it_is_written(example: pb.MatchRecord) -> None:
    """The complete example of docs/notation.md is what the code writes."""
    (shown,) = re.findall(
        r"^```text\n(croupier record .*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    assert shown == write(example)
    replay(read(shown))


def test_comments_are_skipped(example: pb.MatchRecord) -> None:
    """Lines that begin with # change nothing, wherever they stand; errors still name the right line."""
    lines = write(example).splitlines()
    text = "".join(f"# {line}\n{line}\n" for line in lines) + "# the end\n"
    assert read(text) == example
    with pytest.raises(NotationError, match=r"^line 4: expected 'match ID', found 'match'"):
        read(text.replace("\nmatch 00000000000000aa\n", "\nmatch\n"))


def test_many_matches_are_one_text(example: pb.MatchRecord) -> None:
    """Matches with an empty line between them are read in order; without one, or with two, they aren't."""
    other = record_of(play(fixture_of(game_named("kowah"), 3), [GameSeat() for _ in range(3)]))
    texts = [write(example), write(other), write(example)]
    assert read_many(BETWEEN.join(texts)) == [example, other, example]
    with pytest.raises(NotationError, match="expected one match, found 3"):
        read(BETWEEN.join(texts))
    for between in ("", BETWEEN * 2):
        with pytest.raises(NotationError, match=r"^line \d+: expected "):
            read_many(between.join(texts))


def test_strangers_texts_survive(example: pb.MatchRecord) -> None:
    """Whatever an entrant or a match is called."""
    for name in ("", " ", "a b", "a=b", "a;b", '"', "#1", "é", "\x1b[2J", "a\nb", "a\u2028b", "7", "\u202eevil", "\\"):
        example.entrants[0] = example.match_id = name
        example.deals[0].detail.add(name=name, value=name)
        text = write(example)
        assert read(text) == example
        assert all(line.isprintable() for line in text.split("\n"))


def _unknown_source(record: pb.MatchRecord) -> None:
    record.deals[0].decisions[0].source = pb.SOURCE_UNSPECIFIED


def _fault_at_no_decision(record: pb.MatchRecord) -> None:
    record.faults.add(kind=pb.FAULT_KIND_LATE, seat=0, deal=3, decision=1)


def _fault_of_another_seat(record: pb.MatchRecord) -> None:
    record.faults[0].seat = 0


def _no_carry(record: pb.MatchRecord) -> None:
    record.deals[0].ClearField("carry")


def _newer_format(record: pb.MatchRecord) -> None:
    record.format = 2


def _newer_field(record: pb.MatchRecord) -> None:
    record.MergeFromString(b"\xa0\x06\x01")


@pytest.mark.parametrize(
    "change",
    [_unknown_source, _fault_at_no_decision, _fault_of_another_seat, _no_carry, _newer_format, _newer_field],
)
def test_what_would_be_lost_is_refused(example: pb.MatchRecord, change: object) -> None:
    """A record that no referee wrote, and that the notation has no place for, isn't written."""
    assert callable(change)
    change(example)
    with pytest.raises(NotationError, match="no referee of this version wrote this record"):
        write(example)


def _unknown_game(record: pb.MatchRecord) -> None:
    record.game = "skat"


def _unknown_rule(record: pb.MatchRecord) -> None:
    record.rules.add(name="jokers", value="2")


def _foreign_card(record: pb.MatchRecord) -> None:
    record.deals[0].deck[5] = "a card"


def _no_such_dealer(record: pb.MatchRecord) -> None:
    record.deals[0].dealer = 2


def _odd_carry(record: pb.MatchRecord) -> None:
    record.deals[0].carry.by_seat.append(3)
    record.deals[0].carry.pairs.add(name="debts", value="")


def _nobody(record: pb.MatchRecord) -> None:
    record.ClearField("entrants")
    record.ClearField("faults")


@pytest.mark.parametrize(
    ("change", "dealt"),
    [
        (_unknown_game, False),
        (_unknown_rule, False),
        (_foreign_card, False),
        (_no_such_dealer, False),
        (_odd_carry, True),
        (_nobody, False),
    ],
)
def test_forged_records_can_be_written(example: pb.MatchRecord, change: object, dealt: bool) -> None:
    """Notation tells what a record says, true or not; hands are told where they can be dealt."""
    assert callable(change)
    change(example)
    text = write(example)
    assert read(text) == example
    assert ("\nhand 0 " in text) == dealt


def test_examples_of_rare_positions_are_there() -> None:
    """The profiles that are tried are those of all games."""
    assert {name for name, _ in PROFILES} == {game.name for game in GAMES}
