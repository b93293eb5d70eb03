"""No question tells a seat what it may not know: every game, seat count and profile, by dealing again."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from conformance.choosing import choose
from conformance.profiles import Case, cases, fewest_deals
from croupier.bot import Decision
from croupier.games import GAMES, Action, Example, Game
from croupier.referee import boards
from leak.probing import Findings, board_of, probe
from scripted import KEY

DEALS = 5
MORE_DEALS = 25

# Tournament defaults change what passes between deals, nothing of what is seen in one.
every_case = pytest.mark.parametrize("case", [case for case in cases() if case.profile != "tournament"], ids=str)


def mixtures() -> list[Case]:
    """Return every game under every combination of its switches that can be played."""
    found = []
    for game in GAMES:
        switches = [option.name for option in game.options if isinstance(option.default, bool)]
        seats = game.seat_counts[-1]
        for values in product((False, True), repeat=len(switches)):
            given = dict(zip(switches, values, strict=True))
            deals = fewest_deals(game, game.rules(given), seats)
            if deals is not None:
                name = ",".join(name for name, value in given.items() if value) or "none"
                found.append(Case(game, seats, name, game.rules(given), deals))
    return found


def _probe(case: Case, boards: range) -> Findings:
    """Return what was found on some boards: no leak, at questions nearly all of which prove something."""
    found = Findings()
    for board in boards:
        found += probe(case, board_of(case, board))
    print(f"{case}: {found.rates()}")  # noqa: T201 - the rates that were reached, shown with -s
    assert found.leaks == []
    assert found.accepted >= 0.95 * found.questions > 0
    assert found.compared > found.questions
    return found


def _check(case: Case, boards: range) -> None:
    """Demand in many deals what a few may miss: the last tricks, and hands that have announced."""
    found = _probe(case, boards)
    assert found.late_accepted >= 0.75 * found.late
    assert (found.after_announcement > 0) == (case.game.name == "kowah")
    assert found.exchanged >= 0.80 * found.after_announcement


@every_case
def test_a_seat_is_asked_the_same_in_deals_that_it_cannot_tell_apart(case: Case) -> None:
    """Byte for byte; and such a deal is found at nearly every question, or the test would prove nothing."""
    _check(case, range(DEALS))


@pytest.mark.slow
@pytest.mark.timeout(600)
@every_case
def test_a_seat_is_asked_the_same_in_many_more_deals(case: Case) -> None:
    """The same on other boards."""
    _check(case, range(DEALS, DEALS + MORE_DEALS))


def _once(varied: list[Case]) -> list[tuple[Case, int]]:
    """Return each set of rules at one seat count, one after the other, and a board of its own."""
    by_rules: dict[tuple[str, str], list[Case]] = {}
    for case in varied:
        by_rules.setdefault((case.game.name, case.profile), []).append(case)
    return [(each[number % len(each)], number) for number, each in enumerate(by_rules.values())]


ONCE = _once(cases(varied=True))


@pytest.mark.parametrize(("case", "board"), ONCE, ids=[str(case) for case, _ in ONCE])
def test_no_option_tells_anything(case: Case, board: int) -> None:
    """One deal under each value of each option."""
    _probe(case, range(board, board + 1))


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(varied=True), ids=str)
def test_no_option_tells_anything_at_any_seat_count(case: Case) -> None:
    """Two more deals at each."""
    _probe(case, range(DEALS + MORE_DEALS, DEALS + MORE_DEALS + 2))


@pytest.mark.slow
@pytest.mark.parametrize("case", mixtures(), ids=str)
def test_no_mixture_of_switches_tells_anything(case: Case) -> None:
    """One deal under every combination of the options that are true or false, at the most seats."""
    _probe(case, range(1))


def _bold(decision: Decision) -> Action:
    """Answer with the last word offered, half of the time: reservations, solos, marriages, announcements."""
    words = [option for option in decision.options if not option.most]
    return Action(words[-1].verb, words[-1].fixed) if words and decision.rng.random() < 0.5 else choose(decision)


EXAMPLES = [(game, example) for game in GAMES for example in game.examples()]


@pytest.mark.parametrize(
    ("game", "example"), EXAMPLES, ids=[f"{game.name}-{example.name}" for game, example in EXAMPLES]
)
def test_rare_positions_leak_nothing(game: Game, example: Example) -> None:
    """The decks of the examples, played boldly: what is seldom announced is seldom tested otherwise."""
    rules = game.rules(example.rules)
    deals = fewest_deals(game, rules, example.seats)
    assert deals is not None
    case = Case(game, example.seats, example.name, rules, deals)
    fixture = replace(board_of(case, 0), decks=(example.deck,) * deals)

    found = Findings()
    for number in range(3):
        found += probe(case, replace(fixture, key=boards.match_key(KEY, str(number))), _bold)

    assert found.leaks == []
    assert found.compared > found.questions / 2
