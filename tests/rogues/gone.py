"""Goes away: exits in the middle of a deal or after an answer, is killed, or raises."""

import asyncio
import os
import signal

from croupier.bot import Action, Decision
from rogues.moment import HOW, honest, now, serve_rogue


def choose(decision: Decision) -> Action:
    if now(decision):
        if HOW == "exit":
            os._exit(3)
        if HOW == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if HOW == "raise":
            raise ArithmeticError("lost count")
        if HOW == "after":
            asyncio.get_running_loop().call_later(0.05, os._exit, 0)
    return honest(decision)


serve_rogue(choose)
