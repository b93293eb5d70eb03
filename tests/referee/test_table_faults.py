"""What follows from a bot's misdeeds at the table: default actions, strikes, sidelining, forfeits; whoever it is."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.profiles import Case, cases
from croupier.bot import Decision
from croupier.games import GAMES, Action, Game, game_named
from croupier.referee import records
from croupier.referee.clock import Bank, Limits
from croupier.referee.records import FinishedMatch
from croupier.referee.replay import replay
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import record_pb2 as pb
from scripted import GameSeat, choose_at_random, failing, fixture_of, play, record_of

LATE, GONE, GARBLED, ILLEGAL = FaultKind.LATE, FaultKind.GONE, FaultKind.GARBLED, FaultKind.ILLEGAL

Plan = Mapping[tuple[int, int], FaultKind]
"""Which question, by deal and number among the questions asked in it, gets which misdeed."""

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


class Rogue(GameSeat):
    """A seat that misbehaves as planned, and else plays at random."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(wants_reports=True)
        self.plan = plan
        self.asked: list[tuple[int, FaultKind | None]] = []

    def reply(self, decision: Decision) -> Reply:
        """Return what the plan says for this question."""
        number = sum(deal == decision.deal for deal, _ in self.asked)
        kind = self.plan.get((decision.deal, number))
        self.asked.append((decision.deal, kind))
        if kind is None:
            return super().reply(decision)
        return Reply(Action("cheat", decision.hand)) if kind is ILLEGAL else failing(kind)


def _play(game: Game, plan: Plan, deals: int = 2) -> tuple[FinishedMatch, pb.MatchRecord, Rogue]:
    """Play a match in which seat 0 keeps to the plan."""
    rogue = Rogue(plan)
    honest = [GameSeat() for _ in range(game.seat_counts[0] - 1)]
    finished = play(fixture_of(game, len(honest) + 1, deals=deals), [rogue, *honest])
    return finished, record_of(finished), rogue


def _sources(record: pb.MatchRecord, deal: int, seat: int = 0) -> list[pb.Source.ValueType]:
    """Return the sources of a seat's decisions that were no forced ones."""
    return [d.source for d in record.deals[deal].decisions if d.seat == seat and d.source != pb.SOURCE_FORCED]


@every_game
@pytest.mark.parametrize("kind", [LATE, GONE])
def test_late_and_gone_sideline_for_the_rest_of_the_deal(game: Game, kind: FaultKind) -> None:
    """Default actions are played without asking; in the next deal the seat is asked again."""
    _, record, rogue = _play(game, {(0, 1): kind})

    first = _sources(record, 0)
    assert first == [pb.SOURCE_BOT] + [pb.SOURCE_DEFAULT] * (len(first) - 1)
    assert len(first) > 2
    assert set(_sources(record, 1)) == {pb.SOURCE_BOT}
    assert [deal for deal, _ in rogue.asked].count(0) == 2
    assert not record.forfeits


@every_game
@pytest.mark.parametrize("kind", [GARBLED, ILLEGAL])
def test_one_slip_costs_one_decision(game: Game, kind: FaultKind) -> None:
    """A garbled or illegal answer is replaced by the default action, and the seat is asked again."""
    _, record, _ = _play(game, {(0, 1): kind})

    first = _sources(record, 0)
    assert first == [pb.SOURCE_BOT, pb.SOURCE_DEFAULT] + [pb.SOURCE_BOT] * (len(first) - 2)
    assert set(_sources(record, 1)) == {pb.SOURCE_BOT}


@pytest.mark.parametrize("second", [GARBLED, ILLEGAL])
@pytest.mark.parametrize("first", [GARBLED, ILLEGAL])
@every_game
def test_a_second_slip_in_the_deal_sidelines(game: Game, first: FaultKind, second: FaultKind) -> None:
    """Garbled and illegal share one count, which begins anew with each deal."""
    _, record, rogue = _play(game, {(0, 0): first, (0, 2): second}, deals=3)

    sources = _sources(record, 0)
    assert sources[:3] == [pb.SOURCE_DEFAULT, pb.SOURCE_BOT, pb.SOURCE_DEFAULT]
    assert set(sources[3:]) == {pb.SOURCE_DEFAULT}
    assert [deal for deal, _ in rogue.asked].count(0) == 3
    assert set(_sources(record, 1)) == {pb.SOURCE_BOT}
    assert not record.forfeits


@every_game
@pytest.mark.parametrize("kind", [LATE, GONE, GARBLED, ILLEGAL])
def test_the_third_strike_forfeits_the_match(game: Game, kind: FaultKind) -> None:
    """One fault in each of three deals: from then on nothing but default actions, to the end of the match."""
    _, record, rogue = _play(game, {(0, 0): kind, (1, 0): kind, (2, 0): kind}, deals=5)

    assert list(record.forfeits) == [0]
    assert len(record.faults) == 3
    assert [deal for deal, _ in rogue.asked].count(2) == 1
    assert {deal for deal, _ in rogue.asked} == {0, 1, 2}
    for deal in (2, 3, 4):
        assert set(_sources(record, deal)) == {pb.SOURCE_DEFAULT}
    assert [report.reason for report in rogue.reports] == ["played", "played", "forfeit", "forfeit", "forfeit"]


@every_game
def test_a_no_show_forfeits_the_whole_match(game: Game) -> None:
    """It is never asked; the others play on, and the fault stands before the first decision."""
    absent = GameSeat(refusal="plays no card games", wants_reports=True)
    others = [GameSeat() for _ in range(game.seat_counts[0] - 1)]

    finished = play(fixture_of(game, len(others) + 1, deals=2), [*others, absent])
    record = record_of(finished)

    seat = len(others)
    assert absent.questions == []
    assert list(record.forfeits) == [seat]
    assert [(f.kind, f.seat, f.deal, f.decision) for f in record.faults] == [(pb.FAULT_KIND_NO_SHOW, seat, 0, 0)]
    for deal in range(2):
        assert set(_sources(record, deal, seat)) == {pb.SOURCE_DEFAULT}
        assert set(_sources(record, deal, 0)) <= {pb.SOURCE_BOT}
    assert [evidence.evidence for evidence in finished.timings.evidence] == ["plays no card games"]
    assert records.fault_counts(record)[seat].strikes == 3
    replay(record)


@every_game
def test_a_match_of_absent_bots_is_played_to_its_end(game: Game) -> None:
    """A deal always completes, even if nobody came."""
    seats = [GameSeat(refusal="no") for _ in range(game.seat_counts[-1])]

    record = record_of(play(fixture_of(game, len(seats), deals=2), seats))

    assert len(record.deals) == 2
    assert list(record.forfeits) == list(range(len(seats)))
    assert sum(record.points) == 0
    replay(record)


@every_game
def test_a_fault_is_recorded_with_its_place_and_its_evidence(game: Game) -> None:
    """Deal and decision point to the default action that was played; what was observed stays beside the record."""
    finished, record, _ = _play(game, {(0, 1): GARBLED, (1, 0): ILLEGAL})

    for fault in record.faults:
        decision = record.deals[fault.deal].decisions[fault.decision]
        assert (decision.seat, decision.source) == (0, pb.SOURCE_DEFAULT)
    assert [fault.kind for fault in record.faults] == [pb.FAULT_KIND_GARBLED, pb.FAULT_KIND_ILLEGAL]
    garbled, illegal = finished.timings.evidence
    assert (garbled.kind, garbled.seat, garbled.deal, garbled.limit_ms, garbled.elapsed_ms) == (
        "garbled",
        0,
        0,
        1050,
        7.0,
    )
    assert garbled.evidence == "as scripted"
    assert garbled.output == "printed by the bot"
    told = re.fullmatch(r"not among the options: 'cheat' '.*'; offered: (.+)", illegal.evidence)
    assert told
    assert re.search(rf"\b{decision.action.verb}\b", told[1])
    assert (illegal.deal, illegal.decision) == (1, record.faults[1].decision)


class Forgetful(GameSeat):
    """A rival of Kowah that answers a claim illegally, and whose output is another one soon after."""

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Announce, draw, throw a 7; at a claim misbehave."""
        offered = {option.verb: option for option in Decision.parse(question).options}
        if "claim" in offered:
            words = ["of the culprit"]
            asyncio.get_running_loop().call_soon(words.append, "of the process after it")
            return Reply(Action("fly"), output=lambda: words[-1])
        if "discard" in offered:
            return Reply(Action("discard", ("7H",)))
        return Reply(Action("checki" if "checki" in offered else "draw"))


def test_output_is_taken_when_a_fault_is_found() -> None:
    """Not when the answers of all asked seats are there: by then the bot may be another process."""
    game = game_named("kowah")
    (rivals,) = (example for example in game.examples() if example.name == "rival_claims")
    fixture = replace(fixture_of(game, rivals.seats), decks=(rivals.deck,))

    finished = play(fixture, [Forgetful()] * rivals.seats)

    together = [each for each in finished.timings.evidence if "fly" in each.evidence][:3]
    assert [each.seat for each in together] == [1, 2, 3]
    assert [each.output for each in together] == ["of the culprit"] * 3


@every_game
def test_default_actions_cost_the_others_nothing(game: Game) -> None:
    """Points are those of a control match in which an honest bot answers with those very actions."""
    _, record, _ = _play(game, {(0, 2): LATE, (1, 1): GONE}, deals=3)
    mine = [[d for d in deal.decisions if d.seat == 0 and d.source != pb.SOURCE_FORCED] for deal in record.deals]
    answers = iter([Action(d.action.verb, tuple(d.action.cards)) for deal in mine for d in deal])

    honest = [GameSeat(lambda _: next(answers)), *(GameSeat() for _ in range(game.seat_counts[0] - 1))]
    control = record_of(play(fixture_of(game, game.seat_counts[0], deals=3), honest))

    assert next(answers, None) is None
    assert list(control.points) == list(record.points)
    assert not control.faults


PLANS = st.dictionaries(
    st.tuples(st.integers(0, 3), st.integers(0, 8)), st.sampled_from([LATE, GONE, GARBLED, ILLEGAL])
)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(cases()), st.lists(PLANS, min_size=6, max_size=6), st.integers(0, 50))
def test_whatever_bots_do_the_match_is_complete_and_just(case: Case, plans: list[Plan], board: int) -> None:
    """Any mixture of misdeeds in any game: the record replays, and each seat's lot follows from its own misdeeds."""
    seats = [Rogue(plan) for plan in plans[: case.seats]]
    deals = max(4, case.deals)

    finished = play(fixture_of(case.game, case.seats, deals=deals, rules=case.rules, board=board), seats)
    record = record_of(finished)

    replay(record)
    assert sum(record.points) == 0
    assert len(finished.timings.evidence) == len(record.faults)
    counts = records.fault_counts(record)
    for number, seat in enumerate(seats):
        assert [times.asked for times in finished.timings.seats][number] == len(seat.asked)
        kinds = [kind for _, kind in seat.asked if kind is not None]
        assert counts[number].strikes == len(kinds) <= 3
        assert (number in record.forfeits) == (len(kinds) == 3)
        asked = _asked_by_law(record, number, seat.plan)
        assert [deal for deal, _ in seat.asked] == asked


def _asked_by_law(record: pb.MatchRecord, seat: int, plan: Plan) -> list[int]:
    """Return the deals of the questions that a seat must have been asked, by the policy on misdeeds."""
    asked: list[int] = []
    strikes = 0
    for deal in range(len(record.deals)):
        slips = 0
        for number in range(len(_sources(record, deal, seat))):
            if strikes == 3 or slips >= 2:
                break
            kind = plan.get((deal, number))
            asked.append(deal)
            strikes += kind is not None
            slips += 2 if kind in (LATE, GONE) else kind is not None
    return asked


def test_an_honest_match_has_no_faults() -> None:
    """The control of this page: at random, in every game, nobody is struck."""
    for game in GAMES:
        record = record_of(
            play(fixture_of(game, game.seat_counts[-1]), [GameSeat(choose_at_random)] * game.seat_counts[-1])
        )
        assert not record.faults
