"""Never answers: sleeps for ever, stops itself, or spins."""

import asyncio
import os
import signal

from croupier.bot import Action, Decision
from rogues.moment import HOW, honest, now, serve_rogue


async def choose(decision: Decision) -> Action:
    if now(decision):
        if HOW == "announce":
            print("asked", flush=True)
        if HOW == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        while HOW == "spin":
            pass
        await asyncio.Event().wait()
    return honest(decision)


serve_rogue(choose)
