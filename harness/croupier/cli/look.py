"""How a match looks at this terminal: suit symbols and colours where they can be shown, codes elsewhere."""

from __future__ import annotations

from functools import lru_cache, partial

import click

from croupier.cli.text import on_terminal, shows
from croupier.referee.show import PLAIN, Look

SYMBOLS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
RED = "HD"


def look(*, plain: bool = False) -> Look:
    """Return how a match is to be printed here."""
    if plain or not on_terminal():
        return PLAIN
    symbols = SYMBOLS if shows("".join(SYMBOLS.values())) else {}
    style = click.style
    return Look(
        card=lru_cache(partial(_card, symbols)),
        title=partial(style, bold=True),
        aside=partial(style, dim=True),
        alarm=partial(style, fg="yellow"),
    )


def _card(symbols: dict[str, str], card: str) -> str:
    suit = card[-1]
    text = card[:-1] + symbols.get(suit, suit)
    return click.style(text, fg="red") if suit in RED else text
