"""Who sits where in ``play``, which matches ``check`` plays, and how a person is shown options: pure."""

from __future__ import annotations

from itertools import product

import pytest

from croupier.cli.bots import NamedBot, name_bots
from croupier.cli.human import action_text, each_action, event_text, option_text
from croupier.cli.sittings import plan, seat_count, seating
from croupier.cli.text import plain
from croupier.cli.trials import trials
from croupier.games import GAMES, TABLE, Action, Event, Game, Option, game_named
from croupier.harness.errors import ConfigError
from croupier.referee import boards
from croupier.wire import Description, Playable

KOWAH, CHA_KAU_TSU, DOPPELKOPF = game_named("kowah"), game_named("cha_kau_tsu"), game_named("doppelkopf")


@pytest.mark.parametrize(
    ("game", "bots", "wanted", "seats"),
    [
        (KOWAH, 1, None, 2),
        (KOWAH, 5, None, 5),
        (KOWAH, 2, 6, 6),
        (DOPPELKOPF, 1, None, 4),
        (DOPPELKOPF, 3, None, 4),
        (CHA_KAU_TSU, 3, None, 3),
    ],
)
def test_seats_by_default(game: Game, bots: int, wanted: int | None, seats: int) -> None:
    """As many seats as bots where the game has that count, else the next higher one, else what is wanted."""
    assert seat_count(game, bots, wanted) == seats


def _labels(bots: list[str], seats: int) -> list[str]:
    return [bot.label for bot in seating(name_bots(bots), seats)]


def test_bots_are_repeated_in_turn_and_a_person_never() -> None:
    """A B becomes A B A B; with a person only the others are repeated."""
    assert _labels(["sample:first", "sample:random"], 4) == ["first", "random", "first", "random"]
    assert _labels(["sample:first", "sample:random"], 3) == ["first", "random", "first"]
    assert _labels(["human", "sample:first", "sample:random"], 5) == ["human", "first", "random", "first", "random"]


def test_labels_are_distinct() -> None:
    """Bots of one id are called as they were written, and numbered where even that is the same."""
    texts = ["sample:first", "sample:random", "sample:random,salt=1", "sample:random"]
    labels = [bot.label for bot in name_bots(texts)]
    assert labels == ["first", "sample:random", "sample:random,salt=1", "sample:random #2"]


def test_all_problems_are_told_at_once() -> None:
    """Two bots that can't be found: one error with a line for each."""
    with pytest.raises(ConfigError) as caught:
        name_bots(["sample:nobody", "sample:first", "sample:noone"])
    assert len(str(caught.value).splitlines()) == 2


@pytest.mark.parametrize(("game", "duplicate"), list(product((KOWAH, CHA_KAU_TSU), (False, True))))
def test_every_rotation_has_the_same_decks_and_other_ids(game: Game, duplicate: bool) -> None:
    """Every place sits at every seat once, on the boards that the seed gives, and no decision id comes twice."""
    places = [NamedBot("human", str(number), None) for number in range(3)]
    sittings = plan(game, game.rules(), places, 2, "x", duplicate=duplicate)
    seated = [[bot.label for bot in sitting.bots] for sitting in sittings]
    assert seated == [["0", "1", "2"], ["1", "2", "0"], ["2", "0", "1"]][: 3 if duplicate else 1]
    assert [list(sitting.fixture.entrants) for sitting in sittings] == seated
    assert {sitting.fixture.decks for sitting in sittings} == {sittings[0].fixture.decks}
    ids = {boards.decision_id(s.fixture.key, seat, 0, n) for s in sittings for seat in range(3) for n in range(5)}
    assert len(ids) == len(sittings) * 15


def _description(*games: Playable) -> Description:
    return Description("b", "1", 1, games, 1, wants_reports=False)


def test_a_bot_for_everything_tries_every_game() -> None:
    """``*``: smallest and largest table of each registered game, and no decision id twice."""
    found, problems = trials(_description(Playable("*")), (), 2)
    assert problems == []
    played = [(trial.fixture.game, trial.fixture.seats) for trial in found if trial.fixture.deals == 2]
    expected = [
        (game.name, seats) for game in GAMES for seats in sorted({min(game.seat_counts), max(game.seat_counts)})
    ]
    assert played == expected
    assert len({trial.fixture.key for trial in found}) == len(found)


def test_rules_that_a_bot_needs_are_played() -> None:
    """An entry's rules are set in its matches; one that the game doesn't have is a problem."""
    found, problems = trials(_description(Playable("doppelkopf", (), (("profile", "ddv"),))), (), 1)
    assert problems == []
    assert {trial.fixture.rules["profile"] for trial in found} == {"ddv"}
    _, problems = trials(_description(Playable("kowah", (), (("profile", "ddv"),))), (), 1)
    assert problems == ["kowah has no option 'profile'"]


def test_every_action_of_an_option_is_listed_once() -> None:
    """Copies of a card give one action; fixed cards are in each; the number is the one that the option counts."""
    option = Option("play", ("AS",), ("9H", "9H", "KC"), 0, 2)
    actions = list(each_action(option))
    assert len(actions) == option.count() == len(set(actions))
    assert all(option.allows(action) for action in actions)
    assert actions[0] == Action("play", ("AS",))


def test_texts_for_people() -> None:
    """Options, actions and events as the prompt shows them."""
    assert option_text(Option("play", ("AS",), ("9H", "KC"), 1, 2)) == "play AS with 1 to 2 of 9H KC"
    assert option_text(Option("discard", (), ("9H", "KC"), 1, 1)) == "discard 1 of 9H KC"
    assert option_text(Option("pass")) == "pass"
    assert action_text(Action("play", ("9H", "KC"))) == "play 9H KC"
    assert event_text(Event(TABLE, "closed", ("9H",), 12, "double")) == "closed 9H double (12)"


def test_what_cannot_be_seen_is_escaped() -> None:
    """Control, format and line-end characters and lone surrogates become escapes; letters of all scripts stay."""
    assert plain("Kowah ♥ \u00e4\u4e2d") == "Kowah ♥ \u00e4\u4e2d"
    assert plain("\x1b[2J\r\n\u202e\ud800") == "\\x1b[2J\\r\\n\\u202e\\ud800"
