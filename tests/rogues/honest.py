"""An honest bot: the first action of the first option. Prints the size of every call, for tests that count them."""

import sys
from collections.abc import Sequence

from croupier.bot import Action, Bot, Decision, Report, option, serve
from rogues.moment import honest


class Honest(Bot):
    max_batch = option("max_batch", 64)

    def choose_all(self, decisions: Sequence[Decision]) -> list[Action]:
        print("call", len(decisions), file=sys.stderr, flush=True)
        return [honest(decision) for decision in decisions]


class Told(Honest):
    def report(self, report: Report) -> None:
        if option("raises", default=False):
            raise ArithmeticError("a report that it can't read")
        print("told", len(report.deals), *(deal.reason for deal in report.deals), file=sys.stderr, flush=True)


serve(Told() if option("reports", default=False) else Honest())
