"""``random``: a random action in any game, this one or a future one. It knows no rules and needs none.

Options of the entrant: ``salt``, a text; two copies with different salts play differently.
"""

from __future__ import annotations

from random import Random

from croupier.bot import Action, Bot, Decision, option, random_action, serve


class RandomBot(Bot):
    """Weighs every option by how many actions it offers."""

    name = "random"
    options = ("salt",)

    def __init__(self, salt: str = "") -> None:
        self.salt = salt

    def choose(self, decision: Decision) -> Action:
        """Answer with an action drawn from the decision's id and the salt alone."""
        return random_action(decision.options, Random(self.salt + decision.id))


if __name__ == "__main__":
    serve(RandomBot(option("salt", "")))
