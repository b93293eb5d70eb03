"""A bot as a gRPC server: binds its address, says so, answers until it is told to end.

All gRPC of the kit is here. Messages are taken and given as bytes: their conversion is the greatest part of
what the kit costs, so it is done by hand. It knows no game.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
from collections.abc import Awaitable, Callable, Sequence
from inspect import isawaitable
from pathlib import Path
from types import FrameType
from typing import Any

import grpc
import grpc.aio

from croupier import wire
from croupier.bot.bots import Answer, Bot, Choose, FunctionBot, Report
from croupier.bot.decision import Decision
from croupier.bot.environment import address_asked_for, refuse_unknown_options
from croupier.games import Action
from croupier.v1 import bot_pb2 as pb

SERVICE = "croupier.v1.BotService"

GRACE = 1.0
"""Seconds that calls in progress may still take at the end."""

Context = grpc.aio.ServicerContext[Any, Any]
Handler = Callable[[bytes, Context], Awaitable[bytes]]

log = logging.getLogger("croupier.bot")


def serve(bot: Bot | Choose, *, address: str | None = None) -> None:
    """Serve a bot until SIGTERM or SIGINT (control-C); a second one ends it in the middle of an answer.

    The first line on stdout is the address that was bound, so print nothing before.

    Args:
        bot: a ``Bot``, or a function (plain or ``async``) from a ``Decision`` to an ``Action``.
        address: ``unix:/path`` or ``host:port`` (port 0 = a free one); default: the command line's ``--address``,
            else ``CROUPIER_ADDRESS``, else ``127.0.0.1:0``. If it is given, the command line is not read.

    Raises:
        SystemExit: the address can't be bound, the command line is wrong, ``max_batch`` is out of its range, or
            the entrant was given an option that isn't among those that the bot declares.
    """
    served = bot if isinstance(bot, Bot) else FunctionBot(bot)
    if served.options is not None:
        refuse_unknown_options(served.options)
    max_batch = served.describe().max_batch
    if not 1 <= max_batch <= wire.MAX_BATCH:
        raise SystemExit(f"max_batch is {max_batch}: one call may bring 1 to {wire.MAX_BATCH} decisions")
    asyncio.run(_serve(served, address or address_asked_for()))


async def _serve(bot: Bot, address: str) -> None:
    stop = asyncio.Event()
    _end_on_signals(asyncio.get_running_loop(), stop)
    # Without this option two bots can bind the same port on Linux, and share its calls.
    server = grpc.aio.server(options=(("grpc.so_reuseport", 0),))
    server.add_generic_rpc_handlers((_service(bot),))
    bound = _bind(server, address)
    await server.start()
    print(bound, flush=True)  # noqa: T201 - how the harness learns where the bot is
    await stop.wait()
    await server.stop(GRACE)
    if bound.startswith("unix:"):
        Path(bound.removeprefix("unix:")).unlink(missing_ok=True)


def _bind(server: grpc.aio.Server, address: str) -> str:
    """Bind the address and return it, with the port it got."""
    try:
        port = server.add_insecure_port(address)
    except RuntimeError as error:
        raise SystemExit(f"can't bind {address!r}: {error}") from None
    if address.startswith("unix:"):
        return address
    return f"{address.rpartition(':')[0]}:{port}"


def _end_on_signals(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Let the first SIGTERM or SIGINT end the bot cleanly, the second one at once."""
    if threading.current_thread() is not threading.main_thread():
        return  # only the main thread may handle signals: whoever started this one must end it

    def end(number: int, frame: FrameType | None) -> None:
        del frame
        # Not loop.add_signal_handler: Windows has none, and an endless choose would never be left.
        signal.signal(number, signal.SIG_DFL)
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)


def _service(bot: Bot) -> grpc.GenericRpcHandler:
    """Return the three calls of the service."""

    async def describe(data: bytes, context: Context) -> bytes:
        asked = pb.DescribeRequest.FromString(data).protocol
        if asked != wire.PROTOCOL:
            refusal = f"this bot speaks protocol {wire.PROTOCOL} of croupier.v1, not {asked}"
            await context.abort(grpc.StatusCode.FAILED_PRECONDITION, refusal)
        return wire.serialise(wire.description_message(bot.describe()))

    async def decide(data: bytes, context: Context) -> bytes:
        del context
        messages = pb.DecideRequest.FromString(data).decisions
        answers = bot.choose_all([Decision(message) for message in messages])
        return _response(messages, await _actions(answers))

    async def report(data: bytes, context: Context) -> bytes:
        del context
        bot.report(Report.read(pb.ReportRequest.FromString(data)))
        return b""

    calls = {"Describe": describe, "Decide": decide, "Report": report}
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_unary_rpc_method_handler(_told(call)) for name, call in calls.items()
    }
    return grpc.method_handlers_generic_handler(SERVICE, handlers)


def _told(call: Handler) -> Handler:
    """Return the call, with whatever it raises told on stderr and to the referee."""

    async def told(data: bytes, context: Context) -> bytes:
        try:
            return await call(data, context)
        except grpc.aio.AbortError:
            raise
        except Exception as error:  # the author's code may raise anything; the bot goes on with the next call
            log.exception("the bot raised")
            return await context.abort(grpc.StatusCode.INTERNAL, f"{type(error).__name__}: {error}")

    return told


async def _actions(answers: Sequence[Answer]) -> list[Action]:
    """Return what was answered, waiting for all promised answers together.

    Raises:
        TypeError: something is no action.
    """
    given: list[object] = list(answers)
    promised = {
        place: answer for place, answer in enumerate(answers) if not isinstance(answer, Action) and isawaitable(answer)
    }
    if promised:
        for place, kept in zip(promised, await asyncio.gather(*promised.values()), strict=True):
            given[place] = kept
    return [_action(answer) for answer in given]


def _action(answer: object) -> Action:
    if isinstance(answer, Action):
        return answer
    raise TypeError(f"the answer to a decision is an Action, not {answer!r}")


def _response(messages: Sequence[pb.Decision], actions: Sequence[Action]) -> bytes:
    """Return a serialised ``DecideResponse``."""
    response = pb.DecideResponse()
    add = response.choices.add
    for message, action in zip(messages, actions, strict=True):
        # Field by field: half the price of keyword arguments.
        choice = add()
        choice.id = message.id
        chosen = choice.action
        chosen.verb = action.verb
        chosen.cards.extend(action.cards)
    return response.SerializeToString()
