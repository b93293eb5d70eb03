"""Doppelkopf, split by the chapters of its rule book; ``docs/rules/doppelkopf.md`` numbers the rules.

Inside: orders < scoring < parties; bidding, announcements, compulsory < state; orders < examples; all < game.
"""

from croupier.games.doppelkopf.game import Doppelkopf

__all__ = ["Doppelkopf"]
