"""Doppelkopf, classic and ``ddv``: what to bid, to announce and to play, each a function of the question alone.

Inside: cards < bidding < look < announcing, playing. Each knows the rules' orders of cards, none an opponent.
"""

from __future__ import annotations

from croupier.bot import Action, Decision
from croupier.sample_bots.strategies.doppelkopf import announcing, bidding, playing
from croupier.sample_bots.strategies.doppelkopf.look import Look

PLAY = "play"


def choose(decision: Decision) -> Action:
    """Answer any question of the game."""
    offered = {option.verb: option for option in decision.options}
    if PLAY not in offered:
        return Action(bidding.word(decision, offered))
    cards = tuple(dict.fromkeys(offered[PLAY].choice))
    if len(cards) == len(offered) == 1:
        return Action(PLAY, cards)
    look = Look(decision)
    step = announcing.step(look, offered) if len(offered) > 1 else None
    return Action(step) if step else Action(PLAY, (playing.best(look, cards),))
