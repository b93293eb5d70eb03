"""``sensible``: one plain strategy per game behind one name; a game without a strategy is played at random.

Options of the entrant: ``error``, the probability of a random action (0 to 1); it makes weaker copies of known order.
"""

from __future__ import annotations

from croupier.bot import Action, Bot, Decision, option, random_action, serve
from croupier.sample_bots.strategies import STRATEGIES


class Sensible(Bot):
    """Plays by the strategy of the game, but for its errors."""

    name = "sensible"
    options = ("error",)

    def __init__(self, error: float = 0.0) -> None:
        if not 0 <= error <= 1:
            raise SystemExit(f"option 'error' is a probability from 0 to 1, not {error:g}")
        self.error = error

    def choose(self, decision: Decision) -> Action:
        """Answer as a function of the question alone: errors are drawn from its id."""
        strategy = STRATEGIES.get(decision.game)
        if strategy is None or (self.error and decision.rng.random() < self.error):
            return random_action(decision.options, decision.rng)
        return strategy(decision)


if __name__ == "__main__":
    serve(Sensible(option("error", 0.0)))
