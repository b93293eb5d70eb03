"""Doesn't take its seat: never binds, says nothing, ends at once or in Describe, speaks another protocol, refuses."""

import os
import signal
import sys

import grpc

from croupier.bot import Action, Bot, Decision, Playable, serve
from rogues.moment import HOW, honest
from rogues.raw import Context, description, serve_raw


class Specialist(Bot):
    """Plays only a game that isn't played."""

    games = (Playable("doppelkopf", (4,)),)

    def choose(self, decision: Decision) -> Action:
        return honest(decision)


async def describe(data: bytes, context: Context) -> bytes:
    del data
    if HOW == "exit_in_describe":
        os._exit(7)
    if HOW == "unavailable":
        await context.abort(grpc.StatusCode.UNAVAILABLE, "not yet")
    if HOW == "hang":
        os.kill(os.getpid(), signal.SIGSTOP)
    if HOW == "protocol":
        return description(protocol=99)
    if HOW == "max_batch":
        return description(max_batch=257)
    return b"\xff\xfe"


if HOW == "silent":
    signal.pause()
if HOW == "unbound":
    print(os.environ["CROUPIER_ADDRESS"], flush=True)
    signal.pause()
if HOW == "exit":
    sys.exit(5)
if HOW == "refuses":
    serve(Specialist())
else:
    serve_raw(describe=describe)
