"""Bots that tests start as processes: ``python bots.py KIND``."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence

from croupier.bot import Action, Answer, Bot, Decision, Playable, Report, option, random_action, serve


def plain(decision: Decision) -> Action:
    """Answer at random."""
    return random_action(decision.options, decision.rng)


async def waiting(decision: Decision) -> Action:
    """Answer only when the whole batch has arrived here: possible only if its decisions wait together."""
    waiting_now.append(decision.id)
    while len(waiting_now) < 3:
        await asyncio.sleep(0)
    return Action("pass")


waiting_now: list[str] = []


def raising(decision: Decision) -> Action:
    """Fail on one verb, answer otherwise."""
    if decision.options[0].verb == "raise":
        raise ZeroDivisionError("as planned")
    return Action("pass")


def nothing(decision: Decision) -> Action:
    """Return what is no action, as an untyped bot might."""
    del decision
    answer: Action = None  # type: ignore[assignment]
    return answer


def half_async(decision: Decision) -> Answer:
    """Promise an answer, but forget the first decision's."""
    return nothing(decision) if decision.id.startswith("0") else promised(decision)


async def promised(decision: Decision) -> Action:
    """Keep the promise."""
    return Action(decision.id)


def endless(decision: Decision) -> Action:
    """Think for ever."""
    sys.stderr.write("thinking\n")
    sys.stderr.flush()
    while decision.id:
        pass
    return Action("pass")


CHOOSERS: Mapping[str, Callable[[Decision], Answer]] = {
    "plain": plain,
    "waiting": waiting,
    "raising": raising,
    "nothing": nothing,
    "half_async": half_async,
    "promised": promised,
    "endless": endless,
}


class Particular(Bot):
    """Says everything that can be said of a bot, answers batches as a whole, and wants reports."""

    name = "particular"
    version = "3.1"
    games = (Playable("kowah", (2, 3), (("claim", "must"),)), Playable("doppelkopf"))
    max_batch = 7

    def choose_all(self, decisions: Sequence[Decision]) -> Sequence[Answer]:
        """Answer with the size of the batch."""
        return [Action(f"{len(decisions)}") for _ in decisions]

    def report(self, report: Report) -> None:
        """Tell stderr what was reported."""
        for deal in report.deals:
            sys.stderr.write(f"{deal.seating.match} {deal.events[-1].verb} {deal.points} {deal.reason}\n")
        for record in report.records:
            sys.stderr.write(f"{record.match} {record.sha256}\n")


def main(kind: str) -> None:
    """Serve a bot."""
    address = os.environ.get("CROUPIER_ADDRESS", "127.0.0.1:0")
    if kind == "particular":
        serve(Particular(), address=address)
    elif kind == "option":
        depth = option("depth", 4)
        serve(lambda decision: Action("deeper" * (depth > 4)), address=address)
    elif kind == "greedy":
        greedy = Particular()
        greedy.max_batch = option("max_batch", 256)
        serve(greedy, address=address)
    else:
        serve(CHOOSERS[kind], address=address)


if __name__ == "__main__":
    main(sys.argv[1])
