"""Goes away: exits in the middle of a deal, after an answer or leaving a child behind, is killed, raises."""

import asyncio
import os
import signal

from croupier.bot import Action, Decision
from rogues.moment import HOW, honest, now, serve_rogue


def choose(decision: Decision) -> Action:
    if now(decision):
        if HOW == "exit":
            os._exit(3)
        if HOW == "leave_child":
            if os.fork():
                os._exit(4)
            signal.pause()
        if HOW == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if HOW == "raise":
            raise ArithmeticError("lost count")
        if HOW == "after":
            asyncio.get_running_loop().call_later(0.05, os._exit, 0)
    return honest(decision)


serve_rogue(choose)
