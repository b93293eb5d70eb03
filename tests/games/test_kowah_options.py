"""The options of Kowah: factors, who deals next, and what the rules page says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.games.rules import RulesError, as_text, parse_settings
from croupier.games.values import Carry
from games.kowah_table import GAME, SEVENS, closed, play, start


@pytest.mark.parametrize(
    ("name", "hand", "cards", "plain"),
    [
        ("nine_of_a_rank", "9S 9S 9S 9H 9H 9H 9D 9D", "9D", 81),
        ("six_of_a_rank", "9S 9S 9S 9H 9H 9H 2D 2D", "2H", 60),
        ("nine_figures", "JC JC JC QC QC QC KC KC", "KC", 9),
        ("nine_figures_or_aces", "JC JC JC QC QC QC KC KC", "KC", 9),
        ("nine_figures_or_aces", "JC JC JC QC QC QC AS AS", "AH", 9),
        ("consecutive_ranks", "AS AS AS 2S 2S 2S 3D 3D", "3H", 18),
        ("consecutive_ranks", "9S 9S 9S 7S 7S 7S 8D 8D", "8H", 72),
    ],
)
def test_k16_k17_factors(name: str, hand: str, cards: str, plain: int) -> None:
    """Each agreed factor multiplies the score of the closing that earns it, and is off by default."""
    assert closed(play(start([hand, ""], 1, cards), "checki"))[2] == str(3 * plain)
    assert closed(play(start([hand, ""], 1, cards, **{name: 7}), "checki"))[2] == str(21 * plain)


@pytest.mark.parametrize(
    ("name", "hand", "card"),
    [
        ("six_of_a_rank", "9S 9S 9S 9H 9H 9H 9D 9D", "9D"),
        ("nine_of_a_rank", "9S 9S 9S 9H 9H 9H 2D 2D", "2H"),
        ("nine_figures", "JC JC JC QC QC QC AS AS", "AH"),
        ("nine_figures_or_aces", "AS AS AS AH AH AH AD AD", "AD"),
        ("consecutive_ranks", "JC JC JC QC QC QC KC KC", "KC"),
        ("consecutive_ranks", "9S 9S 9S 8S 8S 8S 6D 6D", "6H"),
        ("consecutive_ranks", "9S 9S 9S 9H 9H 9H 8D 8D", "8H"),
    ],
)
def test_k16_k17_factors_not_earned(name: str, hand: str, card: str) -> None:
    """A factor leaves closings alone that only resemble its own."""
    plain = closed(play(start([hand, ""], 1, card), "checki"))
    assert closed(play(start([hand, ""], 1, card, **{name: 7}), "checki")) == plain


def test_k17_factors_multiply_and_all_figures_come_first() -> None:
    """Factors multiply; nine figures earn their own factor instead of the one for figures and aces."""
    agreed = {"six_of_a_rank": 2, "nine_figures": 5, "nine_figures_or_aces": 3}
    aces = play(start(["AS AS AS AH AH AH JC JC", ""], 1, "JC", **agreed), "checki")
    figures = play(start(["JC JC JC QC QC QC KC KC", ""], 1, "KC", **agreed), "checki")
    assert (closed(aces)[2], closed(figures)[2]) == (str(27 * 2 * 3), str(27 * 5))


def test_unknown_options_and_values_are_refused() -> None:
    """An option that Kowah doesn't have, or a value that it doesn't take, is an error."""
    for given in ({"sequences": True}, {"base": "trios"}, {"nine_figures": 0}, {"claim": "never"}):
        with pytest.raises(RulesError):
            GAME.rules(given)


@pytest.mark.parametrize(("option", "dealer"), [("winner", 1), ("clockwise", 0)])
def test_section_2_next_dealer_after_a_win(option: str, dealer: int) -> None:
    """The winner deals next, or always the next seat."""
    state = play(start(["", SEVENS, ""], 2, "AH 7D"), "draw", "discard AH", "checki")
    assert closed(state)[1] == "1"
    assert GAME.after(GAME.rules({"next_dealer": option}), 2, state.outcome(), 1) == (dealer, Carry())


def test_section_2_tournaments_deal_clockwise() -> None:
    """Tournaments pass the deal on clockwise unless told otherwise, after a void deal too."""
    assert GAME.rules()["next_dealer"] == "winner"
    rules = GAME.rules(tournament=True)
    assert rules["next_dealer"] == "clockwise"
    state = start(["", ""], 1)
    while state.asks():
        state.apply({seat: state.default(seat) for seat in state.asks()})
    assert GAME.after(rules, 1, state.outcome(), 1) == (0, Carry())


def test_the_rules_page_names_every_option_with_its_default() -> None:
    """docs/rules/kowah.md lists the options of the game, no others, with values and default."""
    page = (Path(__file__).parents[2] / "docs" / "rules" / "kowah.md").read_text(encoding="utf-8")
    table = page.split("## 12. Options", 1)[1].split("## 13.", 1)[0]
    rows = [[cell.strip() for cell in line.split("|")[1:4]] for line in table.splitlines() if line.startswith("| `")]
    assert [name for name, _, _ in rows] == [f"`{option.name}`" for option in GAME.options]
    for option, (_, values, default) in zip(GAME.options, rows, strict=True):
        assert default.startswith(f"`{as_text(option.default)}`")
        assert all(f"`{word}`" in values for word in option.words)


@pytest.mark.parametrize("given", ["9" * 5000, "-1", "1" * 20, "\u0662", " 1", ""])
def test_what_is_no_number_is_refused(given: str) -> None:
    """Thousands of digits too, which Python's own ``int`` refuses otherwise."""
    with pytest.raises(RulesError, match=r"option 'nine_figures' takes "):
        GAME.rules({"nine_figures": given})


@pytest.mark.parametrize("text", ["nine_figures", "=7", "="])
def test_a_rule_is_written_with_name_and_value(text: str) -> None:
    """A text without a sign or without a name is none."""
    with pytest.raises(RulesError, match="a rule is written name=value, not "):
        parse_settings([text])
