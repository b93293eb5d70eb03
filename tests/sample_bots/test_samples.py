"""Every sample bot by its name: what it answers is offered, the same everywhere, under every rule option."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import pytest

from bot.processes import running
from bot.questions import deal, decision
from croupier.bot import Action, Bot, Decision, Option, Options
from croupier.games import GAMES, Game, game_named, offered
from croupier.harness import samples
from croupier.sample_bots.first import First
from croupier.sample_bots.random import RandomBot
from croupier.sample_bots.sensible import Sensible
from croupier.sample_bots.strategies import STRATEGIES

BOTS: Mapping[str, Bot] = {
    "first": First(),
    "random": RandomBot("pepper"),
    "sensible": Sensible(),
    "sensible with errors": Sensible(0.5),
}


CARELESS = BOTS["sensible with errors"]
"""Plays deals for the tests: sound enough to announce and close, wild enough to reach odd positions."""


def answer(bot: Bot, asked: Decision) -> Action:
    """Return the action of a bot that answers at once."""
    action = bot.choose(asked)
    assert isinstance(action, Action)
    return action


def rule_sets(game: Game) -> Iterator[Mapping[str, object]]:
    """Yield the defaults, another value of each option by itself, and all of these together."""
    others: dict[str, object] = {}
    yield others
    for option in game.options:
        if option.words:
            others[option.name] = next(word for word in option.words if word != option.default)
        elif isinstance(option.default, bool):
            others[option.name] = not option.default
        else:
            others[option.name] = option.low + 3
        yield {option.name: others[option.name]}
    yield others


TABLES = [(game, seats) for game in GAMES for seats in game.seat_counts]


@pytest.mark.parametrize(("game", "seats"), TABLES, ids=lambda value: getattr(value, "name", value))
def test_every_answer_is_offered(game: Game, seats: int) -> None:
    """At every question of a deal under every rule option, in every game, at every seat count."""
    for seed, rules in enumerate(rule_sets(game)):
        for asked, options in islice(deal(game, seats, rules, seed, CARELESS), 150):
            for name, bot in BOTS.items():
                action = answer(bot, Decision.parse(asked))
                assert offered(options, action), f"{name}, {rules}: {action}"


@pytest.mark.parametrize("name", BOTS)
def test_a_future_game_is_played(name: str) -> None:
    """Verbs and cards that nobody has heard of are answered from the options alone."""
    options: Options = (Option("swap", ("XX",), ("YY", "ZZ", "ZZ"), 1, 3), Option("sing"))
    for number in range(50):
        assert offered(options, answer(BOTS[name], decision(f"{number:016x}", options)))


@pytest.mark.parametrize("name", samples.names())
def test_a_question_has_one_answer(name: str) -> None:
    """Asked twice, in other company and in another process, each bot answers the same."""
    questions = [asked for game in GAMES for asked, _ in islice(deal(game, 4, {}, 5, CARELESS), 40)]
    module = ["-m", f"{samples.PACKAGE}.{name}"]
    settings = {"random": {"CROUPIER_OPTION_SALT": "pepper"}, "sensible": {"CROUPIER_OPTION_ERROR": "0.3"}}.get(
        name, {}
    )
    with running(module, **settings) as one, running(module, **settings) as two:
        assert one.describe().name == name
        assert one.describe().plays("any_game", (), 9)
        answers = one.decide(*questions)
        assert one.decide(*questions) == answers
        assert two.decide(*reversed(questions)) == answers[::-1]
    assert [identity for identity, _ in answers] == [Decision.parse(asked).id for asked in questions]
    assert all(Decision.parse(asked).allows(action) for asked, (_, action) in zip(questions, answers, strict=True))


def test_salt_tells_random_bots_apart() -> None:
    """Two copies with different salts differ at many questions."""
    questions = [Decision.parse(asked) for asked, _ in deal(game_named("cha_kau_tsu"), 4, {}, 1, CARELESS)]
    salt, pepper = RandomBot("salt"), RandomBot("pepper")
    differing = sum(salt.choose(asked) != pepper.choose(asked) for asked in questions)
    assert differing > len(questions) / 2


def test_the_error_is_the_share_of_random_answers() -> None:
    """Without error the strategy answers, with error 1 chance does, in between now this, now that."""
    questions = [asked for asked, _ in deal(game_named("cha_kau_tsu"), 4, {}, 2, CARELESS)]
    strategy = STRATEGIES["cha_kau_tsu"]
    for asked in questions:
        assert Sensible(0.0).choose(Decision.parse(asked)) == strategy(Decision.parse(asked))
    half = [Sensible(0.5).choose(Decision.parse(asked)) for asked in questions]
    wholly = [Sensible(1.0).choose(Decision.parse(asked)) for asked in questions]
    sound = [strategy(Decision.parse(asked)) for asked in questions]
    assert set(half) <= set(sound) | set(wholly)
    assert half not in (sound, wholly)


@pytest.mark.parametrize("error", ["-0.1", "1.5", "often"])
def test_an_impossible_error_is_refused(error: str) -> None:
    """The bot ends with one line that says what the option takes."""
    with running(["-m", f"{samples.PACKAGE}.sensible"], CROUPIER_OPTION_ERROR=error) as bot:
        assert bot.address == ""
        assert bot.process.wait(30) == 1
        told = bot.error()
    assert told.startswith("option 'error' ")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("sensible", "no option 'eror' (did you mean 'error'?)\n"),
        ("random", "no option 'eror'; its options are salt\n"),
        ("first", "no option 'eror'; it has none\n"),
    ],
)
def test_a_misspelt_option_is_refused(name: str, said: str) -> None:
    """A bot that declares its options ends at its start when it is given another one, and says which it has."""
    with running(["-m", f"{samples.PACKAGE}.{name}"], CROUPIER_OPTION_EROR="0.3") as bot:
        assert bot.address == ""
        assert bot.process.wait(30) == 1
        assert bot.error() == said


@pytest.mark.parametrize(("name", "option"), [("sensible", "error"), ("random", "salt")])
def test_a_declared_option_is_taken(name: str, option: str) -> None:
    """What a sample bot reads is among what it declares."""
    with running(["-m", f"{samples.PACKAGE}.{name}"], **{f"CROUPIER_OPTION_{option.upper()}": "0.3"}) as bot:
        assert bot.describe().name == name
