"""Honest, but takes its time; prints when each call began and ended, by a clock that all processes share."""

import asyncio
import sys
import time

from croupier.bot import Action, Decision, option
from rogues.moment import honest, serve_rogue

SECONDS = option("seconds", 0.05)


async def choose(decision: Decision) -> Action:
    began = time.monotonic()
    await asyncio.sleep(SECONDS)
    print("thought", began, time.monotonic(), file=sys.stderr, flush=True)
    return honest(decision)


serve_rogue(choose)
