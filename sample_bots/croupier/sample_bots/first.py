"""``first``: always the first action of the first option, in any game. The simplest bot that never breaks a rule."""

from croupier.bot import Action, Bot, Decision, serve


class First(Bot):
    """Takes of the first option as few cards as it may, and of those the first."""

    name = "first"
    options = ()

    def choose(self, decision: Decision) -> Action:
        """Answer without looking at anything but the options."""
        option = decision.options[0]
        return Action(option.verb, option.fixed + option.choice[: option.least])


if __name__ == "__main__":
    serve(First())
