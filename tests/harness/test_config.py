"""The tournament file: defaults, and a message with file, key and remedy for everything that is wrong."""

from pathlib import Path

import pytest

from croupier.games import game_named
from croupier.harness.config import Tournament, load, option_texts
from croupier.harness.errors import ConfigError
from croupier.referee.clock import Limits

SMALL = """
id = "demo"
[[game]]
name = "kowah"
[[entrant]]
bot = "sample:random"
"""


def _load(folder: Path, text: str) -> Tournament:
    file = folder / "tournament.toml"
    file.write_text(text, encoding="utf-8")
    return load(file)


def _problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        _load(folder, text)
    return str(caught.value).splitlines()


def test_a_small_file_has_the_documented_defaults(tmp_path: Path) -> None:
    """Two tables are a tournament; the rest has the defaults of docs/tournaments.md."""
    tournament = _load(tmp_path, SMALL)
    (contest,) = tournament.contests

    assert tournament.name == "demo"
    assert (tournament.schedule.rounds, tournament.schedule.max_tables, tournament.schedule.duplicate) == (
        1,
        2000,
        "auto",
    )
    assert (contest.label, contest.game, contest.seats, contest.deals) == ("kowah-4", "kowah", 4, 2)
    assert contest.rules == game_named("kowah").rules(tournament=True)
    assert tournament.limits == Limits(1000, 10_000, 50, 10_000)
    assert (tournament.host.workers, tournament.host.concurrency, tournament.host.thinking) == ("auto", 64, "auto")
    assert (tournament.host.address, tournament.play.sandbox, tournament.entrants) == ("", "auto", None)


def test_every_key_can_be_set(tmp_path: Path) -> None:
    """Each key of the file arrives."""
    tournament = _load(
        tmp_path,
        """
        id = "cup"
        name = "Köln Cup"
        entrants = "bots"
        schedule = { rounds = 3, max_tables = 9, duplicate = false }
        time = { move_ms = 1, bank_ms = 0, grace_ms = 0, start_ms = 2 }
        play = { sandbox = "none" }
        host = { workers = 2, concurrency = 1, thinking = 3, address = "10.0.0.1:6379" }
        [[game]]
        name = "kowah"
        seats = 3
        deals = 5
        rules = { claim = "must", nine_figures = 2, return_taken = true }
        label = "forced"
        [[entrant]]
        bot = "sample:random"
        id = "ann"
        options = { salt = 3 }
        """,
    )

    assert tournament.name == "Köln Cup"
    assert tournament.entrants == tmp_path / "bots"
    assert (tournament.schedule.rounds, tournament.schedule.max_tables, tournament.schedule.duplicate) == (3, 9, False)
    assert tournament.limits == Limits(1, 0, 0, 2)
    assert (tournament.host.workers, tournament.host.thinking, tournament.host.address) == (2, 3, "10.0.0.1:6379")
    assert tournament.contests[0].label == "forced"
    assert dict(tournament.contests[0].rules) | {"claim": "must", "nine_figures": 2, "return_taken": True} == dict(
        tournament.contests[0].rules
    )
    assert (tournament.lines[0].id, tournament.lines[0].options) == ("ann", {"salt": 3})


def test_a_label_says_what_differs_from_the_usual_rules(tmp_path: Path) -> None:
    """Options at their tournament default are not in it, whether they are written or not."""
    tournament = _load(
        tmp_path,
        SMALL
        + """
        [[game]]
        name = "kowah"
        rules = { claim = "must", next_dealer = "clockwise" }
        [[game]]
        name = "kowah"
        seats = 2
        rules = { next_dealer = "winner" }
        """,
    )

    assert [contest.label for contest in tournament.contests] == [
        "kowah-4",
        "kowah-4-claim-must",
        "kowah-2-next_dealer-winner",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SMALL + "[schedule]\nround = 2\n", "unknown key [schedule] round (did you mean 'rounds'?)"),
        (SMALL.replace("id =", "ID ="), "unknown key ID (did you mean 'id'?)"),
        (SMALL + "[game]\nname = 'kowah'\n", "; write [[game]], each time"),
        (SMALL.replace("[[game]]", "[game]") + "[game]\nname = 'kowah'\n", "; write [[game]], each time"),
        (SMALL + "[time]\n[time]\n", "Cannot declare ('time',) twice (at line "),
        (SMALL + "[[game]]\nname = 'kowah'\nrules = { base = true }\n", "or closing_trio or unit, not true"),
        (SMALL.replace("id =", "identity ="), "id is missing: it takes the id of the tournament"),
        (
            SMALL + "[schedule]\nrounds = 1000001\n",
            "[schedule] rounds takes a whole number from 1 to 1000000, not 1000001",
        ),
        (SMALL + "[schedule]\nformat = 'gauntlet'\n", 'format = "gauntlet" needs `seeds`'),
        (SMALL + "[schedule]\nseeds = ['random']\n", "seeds are those of a gauntlet"),
        (
            SMALL + "[schedule]\nuntil = 'separated'\nrounds = 9\nmax_rounds = 8\n",
            "[schedule] max_rounds = 8 is less than rounds = 9",
        ),
        (
            SMALL + "[schedule]\nuntil = 'separated'\nformat = 'gauntlet'\nseeds = ['random']\n",
            'until = "separated" compares mean points, which takes the same opponents for all',
        ),
        (
            SMALL + "[schedule]\nuntil = 'separated'\nsame_owner = 'apart'\n",
            'until = "separated" compares mean points, which takes the same opponents for all',
        ),
        (SMALL + "[schedule]\nconfidence = 1\n", "[schedule] confidence takes a number above 0.5 and below 1, not 1"),
        (
            SMALL + "[schedule]\nformat = 'swiss'\n",
            '[schedule] format takes "round-robin" or "gauntlet", not \'swiss\'',
        ),
        (SMALL + "[zzz]\n", "unknown key zzz; the keys here are id, name, entrants, beacon, schedule"),
        (SMALL + "[schedule]\nrounds = 0\n", "[schedule] rounds takes a whole number from 1 to 1000000, not 0"),
        (SMALL + "[schedule]\nrounds = '2'\n", "[schedule] rounds takes a whole number from 1 to 1000000, not '2'"),
        (SMALL + "[schedule]\nrounds = true\n", "[schedule] rounds takes a whole number from 1 to 1000000, not true"),
        (SMALL + "[schedule]\nduplicate = 1\n", '[schedule] duplicate takes "auto", true or false, not 1'),
        (SMALL + "[host]\nworkers = 0\n", "[host] workers: takes 'auto' or a whole number from 1, not 0"),
        (SMALL + "[play]\nsandbox = 'strict'\n", "(this version has no sandbox), not 'strict'"),
        (SMALL.replace("demo", "Demo"), "id: 'Demo' is no id: 1 to 32 of a-z"),
        (SMALL.replace('"kowah"', '"kowha"'), "[[game]] number 1: unknown game 'kowha' (did you mean 'kowah'?)"),
        (SMALL + "[[game]]\nname = 'kowah'\nseats = 7\n", "[[game]] number 2: kowah is played by 2, 3, 4, 5, 6 seats"),
        (SMALL + "[[game]]\nname = 'kowah'\ndeals = 0\n", "[[game]] number 2: a match has at least 1 deal, not 0"),
        (
            SMALL + "[[game]]\nname = 'kowah'\nrules = {clam = 1}\n",
            "kowah has no option 'clam' (did you mean 'claim'?)",
        ),
        (SMALL + "[[game]]\nname = 'kowah'\nrules = {claim = 1}\n", "option 'claim' takes may or must, not 1"),
        (SMALL + "[[game]]\nname = 'kowah'\n", "two [[game]] are called 'kowah-4'; give one of them another `label`"),
        (SMALL + "[[game]]\nname = 'kowah'\nlabel = 'index'\n", "[[game]] number 2: label: 'index' names a page"),
        (SMALL + "[[entrant]]\nbot = 'x'\nid = 'house-1'\n", "[[entrant]] number 2: id: 'house-1' is reserved"),
        (SMALL + "[[entrant]]\nbott = 'x'\n", "[[entrant]] number 2: unknown key bott (did you mean 'bot'?)"),
        (SMALL + "[[entrant]]\nbot = 'x'\noptions = {'A B' = 1}\n", "options: 'A B' is no option name"),
        (SMALL.split("[[entrant]]", maxsplit=1)[0], "nobody enters; add an [[entrant]] with `bot`"),
        ('id = "demo"\n', "game is missing: it takes a list of tables: [[game]]"),
        ("id = \n", "not valid TOML: Invalid value (at line 1, column 6)"),
        (SMALL.replace("id =", 'name = "a\\u202eb"\nid ='), "name: a name holds no control or format characters"),
    ],
)
def test_each_mistake_has_its_message(tmp_path: Path, text: str, expected: str) -> None:
    """A mistake is named with the file, the key and what to write instead."""
    problems = _problems(tmp_path, text)

    assert any(expected in problem for problem in problems), problems
    assert all(problem.startswith(f"{tmp_path / 'tournament.toml'}: ") for problem in problems)


def test_several_mistakes_are_told_at_once(tmp_path: Path) -> None:
    """Nobody has to run it once per mistake."""
    assert len(_problems(tmp_path, SMALL.replace("demo", "Ü") + "[time]\nmove_ms = 0\nbank = 3\n")) == 3
    assert len(_problems(tmp_path, SMALL + "[[game]]\nname = 'chess'\n[[game]]\nname = 'go'\n")) == 2
    game = "[[game]]\nname = 'kowah'\nrules = { clam = 'may', base = 'gold' }\n"
    assert [problem.partition("number 2: ")[2] for problem in _problems(tmp_path, SMALL + game)] == [
        "kowah has no option 'clam' (did you mean 'claim'?)",
        "option 'base' takes cards or closing_trio or unit, not 'gold'",
    ]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """No such file, a folder, and bytes that are not UTF-8."""
    with pytest.raises(ConfigError, match=r"no\.toml: there is no such file"):
        load(tmp_path / "no.toml")
    with pytest.raises(ConfigError, match="can't be read: Is a directory"):
        load(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'id = "k\xf6ln"')
    with pytest.raises(ConfigError, match="byte 7 is not UTF-8"):
        load(tmp_path / "latin.toml")


def test_options_become_texts() -> None:
    """Bots read options as text, whichever way the organiser wrote them."""
    assert option_texts({"a": 0.1, "b": True, "c": 3, "d": "x"}) == {"a": "0.1", "b": "true", "c": "3", "d": "x"}


def test_a_number_of_thousands_of_digits_is_a_problem_of_the_file(tmp_path: Path) -> None:
    """Named like any other: Python's own parser lets a plain ValueError through."""
    (problem,) = _problems(tmp_path, f"rounds = {'9' * 5000}\n{SMALL}")

    assert problem == f"{tmp_path / 'tournament.toml'}: not valid TOML: a number is too long"
