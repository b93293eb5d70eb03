"""Views of matches, and the lines that tell them: everything for everybody, nothing a seat didn't know for a seat."""

from __future__ import annotations

from dataclasses import replace

import pytest

from conformance.choosing import choose
from conformance.profiles import Case, cases
from croupier.bot import Decision
from croupier.games import HIDDEN, Action, Event, game_named
from croupier.referee import show
from croupier.referee.replay import ReplayError, replay
from croupier.referee.views import Kind, MatchView, view
from croupier.v1 import record_pb2 as pb
from referee.notated import match_of_the_page
from scripted import GameSeat, choose_at_random, fixture_of, play, record_of

every_profile = pytest.mark.parametrize("case", cases(), ids=str)


def _match(case: Case) -> tuple[pb.MatchRecord, list[GameSeat]]:
    """Play a match of two deals, all seats told how they ended."""
    seats = [GameSeat(choose if seat % 2 else choose_at_random, wants_reports=True) for seat in range(case.seats)]
    fixture = fixture_of(case.game, case.seats, deals=max(2, case.deals), rules=case.rules, board=5)
    names = tuple(f"{fixture.game}-bot-with-a-long-name-{seat}" for seat in range(case.seats))
    return record_of(play(replace(fixture, entrants=names), seats)), seats


def _events(seen: MatchView, deal: int) -> list[Event]:
    return [event for scene in seen.deals[deal].scenes for moment in scene.moments for event in moment.events]


@every_profile
def test_everybody_sees_everything_once(case: Case) -> None:
    """All events in order, all decisions by number, hands as they were, points, sides and detail."""
    record, _ = _match(case)
    replayed = replay(record)

    seen = view(record)

    assert (seen.points, seen.settlement) == (replayed.points, replayed.settlement)
    for number, deal in enumerate(seen.deals):
        assert _events(seen, number) == list(replayed.deals[number].events)
        decided = [each for scene in deal.scenes for moment in scene.moments for each in moment.decided]
        assert [each.number for each in decided] == list(range(len(record.deals[number].decisions)))
        outcome = replayed.deals[number].outcome
        assert (deal.points, deal.sides, deal.detail) == (outcome.points, outcome.sides, outcome.detail)
        dealt = {event.seat: event.cards for event in deal.scenes[0].moments[0].events if event.verb == "dealt"}
        begun = next(scene for scene in deal.scenes if scene.kind in (Kind.TRICK, Kind.TURN))
        assert begun.hands.items() <= dealt.items()


@every_profile
def test_scenes_are_tricks_or_turns(case: Case) -> None:
    """A trick ends with the event that says so; a turn is what one seat does, but for claims of what it discarded."""
    seen = view(_match(case)[0])

    for deal in seen.deals:
        for kind in (Kind.TRICK, Kind.TURN):
            numbers = [scene.number for scene in deal.scenes if scene.kind is kind]
            assert numbers == list(range(1, len(numbers) + 1))
        for scene in deal.scenes[1:]:
            events = [event for moment in scene.moments for event in moment.events]
            if scene.kind is Kind.TRICK:
                assert [event.verb for event in events].count("trick") == 1
                assert "trick" in [event.verb for event in scene.moments[-1].events]
                assert scene.hands.keys() == set(range(case.seats))
            elif scene.kind is Kind.TURN:
                assert len({event.seat for event in events} - {-1}) == 1


@every_profile
def test_a_seat_sees_what_it_was_told(case: Case) -> None:
    """Its own hand and decisions, the events that its bot was told, points; nothing else that depends on others."""
    record, seats = _match(case)
    for seat in range(case.seats):
        seen = view(record, seat=seat)
        for number, deal in enumerate(seen.deals):
            told = seats[seat].reports[number].events
            shown = [(e.seat, e.verb, e.cards, e.amount, e.word) for e in _events(seen, number)]
            assert shown == [(e.seat, e.verb, tuple(e.cards), e.amount, e.word) for e in told]
            assert (deal.board, deal.sides, deal.detail) == (None, (), ())
            for scene in deal.scenes:
                assert scene.hands.keys() <= {seat}
                assert all(moment.decided for moment in scene.moments[1:])  # no trace of what others were asked
                for moment in scene.moments:
                    assert all((each.seat, each.number) == (seat, None) for each in moment.decided)


def _eager(decision: Decision) -> Action:
    """Announce, draw, throw the card that the rivals wait for, claim."""
    verbs = [option.verb for option in decision.options]
    if "discard" in verbs:
        return Action("discard", ("7H",))
    return Action(next(verb for verb in ("claim", "checki", "draw") if verb in verbs))


def _shy(decision: Decision) -> Action:
    """Do so too, but let others win."""
    verbs = [option.verb for option in decision.options]
    return Action("pass") if "pass" in verbs else _eager(decision)


def _rivals(*claims: bool) -> pb.MatchRecord:
    kowah = game_named("kowah")
    deck = next(example.deck for example in kowah.examples() if example.name == "rival_claims")
    fixture = replace(fixture_of(kowah, 4), decks=(deck,))
    return record_of(play(fixture, [GameSeat(_eager if claim else _shy) for claim in claims]))


def test_a_seat_does_not_see_who_else_was_asked() -> None:
    """A claim that loses, and one that was not made, are seen by those who might have made it and by nobody else."""
    one, other = _rivals(True, True, True, False), _rivals(True, True, False, False)

    assert view(one) != view(other)
    assert view(one, seat=2) != view(other, seat=2)
    for seat in (0, 1, 3):
        assert view(one, seat=seat) == view(other, seat=seat)


@every_profile
def test_lines_fit_a_terminal(case: Case) -> None:
    """No line is longer than 80 characters, whatever the bots are called; hidden cards are hidden."""
    record, _ = _match(case)
    for seat in (None, 1):
        lines = list(show.lines(view(record, seat=seat)))
        assert max(map(len, lines)) <= show.WIDTH
        assert (HIDDEN in " ".join(lines)) == (seat is not None)


def test_lines_tell_a_deal() -> None:
    """Dealing, hands that have changed, tricks, why an action wasn't a bot's choice, points and their detail."""
    lines = list(show.lines(view(match_of_the_page("ann", "bob\x1b[2J"))))

    late = lines.index("trick 6, from decision 10")
    assert [*lines[:13], *lines[late : late + 6], *lines[-8:]] == TOLD.splitlines()


TOLD = """\
Cha Kau Tsu, 2 seats, 1 of 1 deal, match 00000000000000aa
rules: pots 0, pot_includes_this_deal true, figures_fill_suits false, open_pot
  refund

deal 0: dealer 0 ann
carry: 0 0, pots_taken 0
  0 ann      dealt 2S 2S 3S 4S 5S 6S 7S 9S 6H 7H 8H 3D 5D 6D QC
  1 bob?[2J  dealt AS AS 4S 2H 3H 5H 6H 9H AD AD 3D 6D 8D 9D KC

trick 1, from decision 0
  1 bob?[2J  play 4S
  0 ann      play 4S
  1 bob?[2J  trick (1)
trick 6, from decision 10
  0 ann      holds 2S 2S 3S 5S 6S 7S 6H 7H 5D 6D
  1 bob?[2J  holds AS AS 3H 6H 9H AD AD 3D 6D 9D
  1 bob?[2J  play AS  (late, default)
  0 ann      play 3S
  0 ann      trick (1)

points     +7  -7
  tricks: 11 4
  pot: 0
  taker: 0

0 ann      +7
1 bob?[2J  -7
"""


def test_a_deal_alone() -> None:
    """With ``deal`` only this one is shown, and the match's points all the same."""
    record, _ = _match(cases()[0])
    whole, second = view(record), view(record, deal=1)
    assert second == replace(whole, deals=whole.deals[1:])
    assert [line for line in show.lines(second) if line.startswith("deal ")] == [
        f"deal 1: dealer {show.short(f'1 {record.entrants[1]}')}"
    ]


def test_absence_and_forfeit_are_told() -> None:
    """To everybody, and in the view of a seat only of itself."""
    fixture = fixture_of(game_named("cha_kau_tsu"), 3)
    record = record_of(play(fixture, [GameSeat(), GameSeat(refusal="ill"), GameSeat()]))

    for seat in (None, 1):
        lines = list(show.lines(view(record, seat=seat)))
        assert "1 entrant-1 never came: no_show" in lines
        assert lines[-2].endswith("   forfeited by faults")
    assert "no_show" not in "\n".join(show.lines(view(record, seat=0)))
    assert "forfeited" not in "\n".join(show.lines(view(record, seat=0)))


def test_only_what_replays_is_shown() -> None:
    """A record that contradicts the rules is refused before anything of it is shown; so are seats it lacks."""
    record, _ = _match(cases()[0])
    for wrong in ({"seat": 2}, {"seat": -1}, {"deal": 2}, {"deal": -1}):
        with pytest.raises(ValueError, match="there is no "):
            view(record, **wrong)
    record.deals[1].points[0] += 1
    with pytest.raises(ReplayError, match="deal 1: points"):
        view(record, deal=0)
