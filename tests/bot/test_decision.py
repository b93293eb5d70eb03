"""A decision says exactly what its message says, and its random numbers depend on its id alone."""

from __future__ import annotations

from random import Random

from bot.questions import EVENTS, HAND, IDENTITY, OPTIONS, SEATING, decision
from croupier.bot import Action, Option, random_action


def test_every_part_of_the_question_is_read() -> None:
    """Hand, events, options, seating, rules and times arrive as they were put."""
    asked = decision()
    assert (asked.id, asked.hand, asked.options) == (IDENTITY, HAND, OPTIONS)
    assert asked.events == tuple(event._replace(public=False) for event in EVENTS)
    assert asked.seating == SEATING
    assert (asked.game, asked.seats, asked.seat, asked.dealer) == ("any_game", 3, 1, 2)
    assert (asked.deal, asked.deals, asked.points, asked.carry) == (4, 8, SEATING.points, SEATING.carry)
    assert asked.rules == {"pots": "3", "open_pot": "keep"}
    assert (asked.time_ms, asked.bank_ms) == (1000, 250)


def test_an_action_is_checked_against_the_options() -> None:
    """Cards must be offered, as many as asked for, with the right verb."""
    asked = decision(options=(Option("play", (), HAND, 2, 2), Option("pass")))
    assert asked.allows(Action("pass"))
    assert asked.allows(Action("play", ("QC", "AS")))
    assert not asked.allows(Action("play", ("QC",)))
    assert not asked.allows(Action("play", ("QC", "QC")))
    assert not asked.allows(Action("pass", ("QC",)))


def test_random_numbers_are_a_function_of_the_id() -> None:
    """The same question gives the same numbers, another one others."""
    first, again, other = decision(), decision(), decision("0123456789abcdee")
    numbers = [asked.rng.getrandbits(64) for asked in (first, again, other)]
    assert numbers[0] == numbers[1] != numbers[2]
    assert first.rng.getrandbits(64) != numbers[0], "one decision has one generator, which goes on"


def test_a_random_action_is_offered_and_reaches_every_option() -> None:
    """All options come up, each action is one of theirs."""
    options = (
        Option("pass"),
        Option("play", ("AS",), ("AS", "2S", "2S"), 0, 3),
        Option("play", (), tuple(HAND * 8), 12, 12),
        Option("discard", (), ("KC", "KC"), 1, 1),
    )
    rng = Random("reach")
    actions = [random_action(options, rng) for _ in range(400)]
    reached = {next(place for place, option in enumerate(options) if option.allows(action)) for action in actions}
    assert reached == {0, 1, 2, 3}


def test_a_random_action_weighs_options_by_what_they_offer() -> None:
    """Of nine single cards and one word, the word comes up about one time in ten."""
    options = (Option("play", (), tuple(f"{rank}S" for rank in "A23456789"), 1, 1), Option("pass"))
    rng = Random("weigh")
    words = sum(random_action(options, rng).verb == "pass" for _ in range(2000))
    assert 140 < words < 260
