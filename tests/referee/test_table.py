"""The table, played by scripted seats: questions, records, points, reports; misdeeds are in ``test_table_faults``."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import permutations

import pytest

from croupier.bot import Decision
from croupier.games import GAMES, Action, Game, game_named
from croupier.referee import boards
from croupier.referee.clock import Bank, Limits
from croupier.referee.fixtures import Fixture
from croupier.referee.records import FinishedMatch
from croupier.referee.replay import replay
from croupier.referee.table import play_match
from croupier.referee.verdicts import Reply
from croupier.v1 import record_pb2
from scripted import GameSeat, ScriptedSeat, fixture_of, play, record_of

KOWAH = game_named("kowah")
CHA_KAU_TSU = game_named("cha_kau_tsu")
CLAIM, PASS, CHECKI, DRAW = Action("claim"), Action("pass"), Action("checki"), Action("draw")

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def detail(deal: record_pb2.DealRecord, name: str) -> str:
    """Return a value of a deal's detail."""
    return next(setting.value for setting in deal.detail if setting.name == name)


class Rival(ScriptedSeat):
    """A seat that answers whether it claims only when all rivals are asked, and then after ``turns`` of the loop."""

    def __init__(self, everybody: asyncio.Barrier, turns: int) -> None:
        super().__init__()
        self._everybody = everybody
        self._turns = turns

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Answer, a claim or a pass in its time."""
        reply = await super().ask(decision_id, question, bank, limits)
        if reply.action in (CLAIM, PASS):
            await self._everybody.wait()
            for _ in range(self._turns):
                await asyncio.sleep(0)
        return reply


def _rival_claims() -> Fixture:
    """Return the example in which seats 1 to 3 wait for the card that seat 0 draws."""
    deck = next(example.deck for example in KOWAH.examples() if example.name == "rival_claims")
    return replace(fixture_of(KOWAH, 4), decks=(deck,))


@pytest.mark.parametrize("turns", list(permutations((0, 3, 6))))
def test_rival_claims_are_asked_at_once_and_recorded_by_seat(turns: tuple[int, int, int]) -> None:
    """No question waits for another's answer; in whatever order they come, the record and the winner are the same."""

    async def played() -> FinishedMatch:
        barrier = asyncio.Barrier(3)
        thrower = ScriptedSeat().expect(DRAW, verbs=["draw", "take"])
        thrower.expect(Action("discard", ("7H",)), verbs=["discard", "checki"])
        rivals = [Rival(barrier, each) for each in turns]
        for rival, answer in zip(rivals, (PASS, CLAIM, CLAIM), strict=True):
            rival.expect(CHECKI).expect(answer, verbs=["claim", "pass"])
        seats = [thrower, *rivals]
        finished = await asyncio.wait_for(play_match(_rival_claims(), seats, [Limits()] * 4), 5)
        for seat in seats:
            seat.assert_done()
        return finished

    (deal,) = record_of(asyncio.run(played())).deals

    assert [(d.seat, d.action.verb) for d in deal.decisions[-3:]] == [(1, "pass"), (2, "claim"), (3, "claim")]
    assert detail(deal, "winner") == "2"


def test_a_claim_question_shows_neither_the_other_questions_nor_the_passes() -> None:
    """What the three are asked ends with the same discard, and after three passes nothing of it is seen."""
    fixture = _rival_claims()
    seats = [GameSeat(_never_claims) for _ in range(4)]

    play(fixture, seats)

    claims = [d for seat in seats for d in seat.decisions if {o.verb for o in d.options} == {"claim", "pass"}]
    assert {d.seat for d in claims} >= {1, 2, 3}
    assert all(d.events[-1].verb == "discard" for d in claims)
    assert not {event.verb for seat in seats for d in seat.decisions for event in d.events} & {"pass", "claim"}


def _never_claims(decision: Decision) -> Action:
    verbs = {option.verb: option for option in decision.options}
    for verb in ("pass", "checki", "draw"):
        if verb in verbs and not verbs[verb].most:
            return Action(verb)
    return verbs["discard"].sample(decision.rng)


@every_game
def test_a_forced_decision_is_played_without_asking_and_recorded(game: Game) -> None:
    """Every game has some; their source says so, and no question has one possible answer."""
    seats = [GameSeat() for _ in range(game.seat_counts[0])]

    record = record_of(play(fixture_of(game, len(seats), deals=3), seats))

    sources = [decision.source for deal in record.deals for decision in deal.decisions]
    assert sources.count(record_pb2.SOURCE_FORCED) > 0
    assert sources.count(record_pb2.SOURCE_BOT) == sum(len(seat.questions) for seat in seats)
    assert record_pb2.SOURCE_DEFAULT not in sources


@every_game
def test_ids_number_the_decisions_of_a_seat_in_a_deal_forced_ones_too(game: Game) -> None:
    """An id follows from the match key, the seat, the deal and the number of the seat's decision, nothing else."""
    seats = [GameSeat() for _ in range(game.seat_counts[0])]
    fixture = fixture_of(game, len(seats), deals=3)

    record = record_of(play(fixture, seats))

    for number, seat in enumerate(seats):
        expected = []
        for deal, played in enumerate(record.deals):
            mine = [decision for decision in played.decisions if decision.seat == number]
            for count, decision in enumerate(mine):
                if decision.source == record_pb2.SOURCE_BOT:
                    expected.append(boards.decision_id(fixture.key, number, deal, count))
        assert [decision.id for decision in seat.decisions] == expected


def test_seats_are_told_apart_by_a_token_of_their_own() -> None:
    """The same in all questions of a seat, another for each seat, derived from the match key."""
    seats = [GameSeat() for _ in range(3)]
    fixture = fixture_of(CHA_KAU_TSU, 3, deals=2)

    play(fixture, seats)

    tokens = [{decision.seating.match for decision in seat.decisions} for seat in seats]
    assert tokens == [{boards.seat_token(fixture.key, number)} for number in range(3)]


def test_a_question_tells_the_time_left() -> None:
    """The move's time and what is left in the bank, which the line to the bot charges."""

    class Slow(GameSeat):
        async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
            bank.charge(10)
            return await super().ask(decision_id, question, bank, limits)

    seats = [Slow(), GameSeat()]

    play(fixture_of(CHA_KAU_TSU, 2), seats, Limits(move_ms=700, bank_ms=35))

    assert {decision.time_ms for seat in seats for decision in seat.decisions} == {700}
    assert [decision.bank_ms for decision in seats[0].decisions][:6] == [35, 25, 15, 5, 0, 0]
    assert {decision.bank_ms for decision in seats[1].decisions} == {35}


def test_every_seat_is_asked_to_get_ready_once_with_the_rules_of_the_match() -> None:
    """Game, all settings and seat count, before the first question."""
    seats = [GameSeat() for _ in range(4)]

    play(fixture_of(CHA_KAU_TSU, 4, deals=2, rules={"pots": 3}), seats)

    rules = CHA_KAU_TSU.rules({"pots": 3}).texts()
    assert [seat.taken for seat in seats] == [[("cha_kau_tsu", rules, 4)]] * 4


def test_a_match_adds_up_its_deals_and_refunds_the_open_pot() -> None:
    """What was paid into a pot that nobody took comes back in the settlement."""
    fixture = fixture_of(CHA_KAU_TSU, 3, deals=4, board=4)

    record = record_of(play(fixture, [GameSeat() for _ in range(3)]))

    paid = [sum(column) for column in zip(*(deal.points for deal in record.deals), strict=True)]
    assert any(record.settlement)
    assert list(record.points) == [a + b for a, b in zip(paid, record.settlement, strict=True)]
    assert sum(record.points) == 0
    assert list(record.settlement) == list(replay(record).settlement)


def test_a_match_ends_early_where_its_rules_say_so() -> None:
    """With ``pots = 1`` the deal in which the pot is taken is the last; the record says how many were agreed."""
    fixture = fixture_of(CHA_KAU_TSU, 2, deals=30, rules={"pots": 1})

    record = record_of(play(fixture, [GameSeat(), GameSeat()]))

    takers = [detail(deal, "taker") for deal in record.deals]
    assert takers[-1] != ""
    assert set(takers[:-1]) <= {""}
    assert len(record.deals) < 30 == record.deals_agreed


def test_the_record_says_what_was_played() -> None:
    """Match, game, rules, entrants, boards and decks are those of the fixture."""
    fixture = fixture_of(KOWAH, 3, deals=2, board=7, rules={"payer": "discarder"})

    finished = play(fixture, [GameSeat() for _ in range(3)])
    record = record_of(finished)

    assert finished.match_id == record.match_id == fixture.match_id
    assert (record.game, record.rules_version, record.deals_agreed) == ("kowah", KOWAH.version, 2)
    assert tuple((rule.name, rule.value) for rule in record.rules) == fixture.rules.texts()
    assert tuple(record.entrants) == fixture.entrants
    assert [deal.board for deal in record.deals] == [7, 8]
    assert [tuple(deal.deck) for deal in record.deals] == list(fixture.decks)


def test_the_same_answers_give_the_same_bytes() -> None:
    """A record holds nothing of clocks, of a run or of a machine."""
    fixture = fixture_of(KOWAH, 4, deals=2)

    one, other = (play(fixture, [GameSeat() for _ in range(4)]).record for _ in range(2))

    assert one == other


def test_timings_count_the_questions_of_each_seat() -> None:
    """Number, sum and greatest of the calls' milliseconds, beside the record."""
    seats = [GameSeat(), GameSeat()]

    finished = play(fixture_of(CHA_KAU_TSU, 2), seats)

    assert [times.asked for times in finished.timings.seats] == [len(seat.questions) for seat in seats]
    assert [times.total_ms for times in finished.timings.seats] == [float(len(seat.questions)) for seat in seats]
    assert {times.max_ms for times in finished.timings.seats} == {1.0}
    assert finished.timings.evidence == ()


def test_deals_are_reported_to_those_who_want_it() -> None:
    """All events as the seat may see them, the points of the deal, and where it sat; nothing to the others."""
    seats = [GameSeat(wants_reports=True), GameSeat()]

    record = record_of(play(fixture_of(KOWAH, 2, deals=3), seats))

    assert seats[1].reports == []
    assert [list(report.points) for report in seats[0].reports] == [list(deal.points) for deal in record.deals]
    assert [report.seating.deal for report in seats[0].reports] == [0, 1, 2]
    assert {report.reason for report in seats[0].reports} == {"played"}
    dealt = {event.seat: set(event.cards) for event in seats[0].reports[0].events if event.verb == "dealt"}
    assert dealt[1] == {"??"}
    assert "??" not in dealt[0]


def test_a_seat_that_raises_ends_the_match() -> None:
    """A bot's misdeed is a value; an exception is our own bug and never a fault."""

    def broken(decision: Decision) -> Action:
        raise ZeroDivisionError(decision.id)

    with pytest.raises(ZeroDivisionError):
        play(fixture_of(CHA_KAU_TSU, 2), [GameSeat(), GameSeat(broken)])
