"""Every registered game through the table: a match's record replays to the same points, and its points add up."""

from __future__ import annotations

import pytest

from conformance.choosing import choose
from conformance.profiles import Case, cases
from croupier.games import TABLE, Game
from croupier.referee.replay import replay
from croupier.v1 import record_pb2
from scripted import GameSeat, choose_at_random, fixture_of, play, record_of

PROFILES = {str(case) for case in cases()}

every_case = pytest.mark.parametrize("case", cases(varied=True), ids=str)
every_profile = pytest.mark.parametrize("case", cases(), ids=str)


def _match(case: Case, deals: int) -> tuple[record_pb2.MatchRecord, list[GameSeat]]:
    seats = [GameSeat(choose if seat % 2 else choose_at_random, wants_reports=True) for seat in range(case.seats)]
    fixture = fixture_of(case.game, case.seats, deals=deals, rules=case.rules)
    return record_of(play(fixture, seats)), seats


@every_case
def test_a_replay_equals_its_record(case: Case) -> None:
    """A match of three or more deals replays without contradiction, to the events that its seats were told."""
    record, seats = _match(case, max(3, case.deals))

    replayed = replay(record)

    assert replayed.points == tuple(record.points)
    assert not record.faults
    assert not record.forfeits
    for deal, played in enumerate(replayed.deals):
        for seat, each in enumerate(seats):
            told = each.reports[deal].events
            assert [(event.seat, event.verb) for event in told] == [(e.seat, e.verb) for e in played.events]
            mine = [e.cards for e in played.events if e.seat == seat or e.public]
            shown = [
                tuple(event.cards)
                for event, e in zip(told, played.events, strict=True)
                if event.seat == seat or e.public
            ]
            assert shown == mine


@every_case
def test_the_points_of_a_match_are_those_of_its_deals_and_the_settlement(case: Case) -> None:
    """They sum to zero; only a variant of the rules may keep chips from everybody, and none gives any away."""
    record, _ = _match(case, max(3, case.deals))

    columns = zip(*(deal.points for deal in record.deals), record.settlement, strict=True)

    assert [sum(column) for column in columns] == list(record.points)
    if str(case) in PROFILES:
        assert sum(record.points) == 0
    else:
        assert sum(record.points) <= 0


@every_profile
def test_every_decision_is_recorded_and_only_real_choices_are_asked(case: Case) -> None:
    """Questions and forced decisions add up to the record; every question offers more than one action."""
    record, seats = _match(case, case.deals)

    sources = [decision.source for deal in record.deals for decision in deal.decisions]
    asked = [decision for seat in seats for decision in seat.decisions]

    assert sources.count(record_pb2.SOURCE_BOT) == len(asked)
    assert sources.count(record_pb2.SOURCE_BOT) + sources.count(record_pb2.SOURCE_FORCED) == len(sources)
    assert all(sum(option.count() for option in decision.options) > 1 for decision in asked)
    assert len({decision.id for decision in asked}) == len(asked)


@every_profile
def test_questions_say_where_the_seat_sits(case: Case) -> None:
    """Game, rules, seats, seat and dealer; points are those before the deal, the hand is in canonical order."""
    record, seats = _match(case, max(2, case.deals))

    for number, seat in enumerate(seats):
        for decision in seat.decisions:
            seating = decision.seating
            assert (seating.game, seating.rules, seating.seats, seating.seat) == (
                case.game.name,
                case.rules.texts(),
                case.seats,
                number,
            )
            before = [sum(deal.points[each] for deal in record.deals[: seating.deal]) for each in range(case.seats)]
            assert list(seating.points) == before
            assert seating.dealer == record.deals[seating.deal].dealer
            assert decision.hand == case.game.pack.sort(decision.hand)
            assert all(TABLE <= event.seat < case.seats for event in decision.events)


@pytest.mark.parametrize("game", {case.game.name: case.game for case in cases()}.values(), ids=lambda game: game.name)
def test_examples_play_through(game: Game) -> None:
    """Every example is a whole deck at a seat count of its game, and ends within the bound however it is played."""
    names = [example.name for example in game.examples()]
    assert len(set(names)) == len(names) > 0
    for example in game.examples():
        rules = game.rules(example.rules)
        assert example.seats in game.seat_counts
        assert sorted(example.deck) == sorted(game.pack.cards)
        state = game.start(rules, example.seats, example.deck, example.dealer, example.carry)
        decisions = 0
        while asked := state.asks():
            decisions += len(asked)
            state.apply({seat: state.default(seat) for seat in asked})
        assert 0 < decisions <= game.bound(example.seats)
        assert sum(len(side) for side in state.outcome().sides) == example.seats
