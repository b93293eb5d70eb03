"""Every ruling of the rules pages and every option value has a test: this one finds those without."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from croupier.games import GAMES, Game, RuleOption, RuleValue

TESTS = Path(__file__).parent
PAGES = TESTS.parents[1] / "docs" / "rules"

RULINGS = {"cha_kau_tsu": ("C", 11), "kowah": ("K", 14), "doppelkopf": ("D", 18)}
"""Letter and number of the rulings that the games were agreed with; a page may add to them."""


def _functions() -> list[ast.FunctionDef]:
    """Return the test functions of this folder, this file's left out."""
    trees = [
        ast.parse(path.read_text()) for path in sorted(TESTS.glob("test_*.py")) if path.name != Path(__file__).name
    ]
    found = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [function for function in found if function.name.startswith("test_")]


def _said(function: ast.FunctionDef) -> set[tuple[type, object]]:
    """Return the constants and the names of keyword arguments in a function and its decorators."""
    nodes = list(ast.walk(function))
    constants = {(type(node.value), node.value) for node in nodes if isinstance(node, ast.Constant)}
    return constants | {(str, node.arg) for node in nodes if isinstance(node, ast.keyword)}


FUNCTIONS = _functions()
SAID = [_said(function) for function in FUNCTIONS]


def _rulings(game: Game) -> list[str]:
    """Return the numbers of the rulings in the table of a game's page."""
    page = (PAGES / f"{game.name}.md").read_text()
    letter, _ = RULINGS[game.name]
    return re.findall(rf"^\| ({letter}\d+) \|", page, flags=re.MULTILINE)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_page_has_every_ruling(game: Game) -> None:
    """Numbered without a gap, at least as many as were agreed."""
    letter, count = RULINGS[game.name]
    numbers = _rulings(game)

    assert numbers == [f"{letter}{n}" for n in range(1, len(numbers) + 1)]
    assert len(numbers) >= count


@pytest.mark.parametrize("ruling", [ruling for game in GAMES for ruling in _rulings(game)])
def test_a_ruling_has_a_test(ruling: str) -> None:
    """A test bears its number in its name."""
    name = re.compile(rf"test_(?:[ckd]\d+_)*{ruling.lower()}_")

    assert any(name.match(function.name) for function in FUNCTIONS), f"no test is named after ruling {ruling}"


def _values(option: RuleOption) -> list[RuleValue]:
    """Return the values that need a test of their own: all words, else what isn't the default."""
    if isinstance(option.default, bool):
        return [not option.default]
    return [] if isinstance(option.default, int) else list(option.words)


CASES = [(game.name, option, value) for game in GAMES for option in game.options for value in _values(option)]


@pytest.mark.parametrize(("game", "option", "value"), CASES, ids=[f"{g}-{o.name}-{v}" for g, o, v in CASES])
def test_an_option_value_has_a_test(game: str, option: RuleOption, value: RuleValue) -> None:
    """A test, or its parameters, names the option together with the value."""
    del game
    wanted = {(str, option.name), (type(value), value)}

    assert any(wanted <= said for said in SAID), f"no test sets {option.name} = {value}"


@pytest.mark.parametrize(
    ("game", "option"),
    [(game.name, option) for game in GAMES for option in game.options if type(option.default) is int],
    ids=lambda each: each if isinstance(each, str) else each.name,
)
def test_a_number_has_a_test(game: str, option: RuleOption) -> None:
    """A test names the option together with a number that isn't its default."""
    del game
    numbers = [
        {value for kind, value in said if kind is int and value != option.default}
        for said in SAID
        if (str, option.name) in said
    ]

    assert any(numbers), f"no test sets {option.name}"
