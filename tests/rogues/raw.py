"""A bot for which the kit is too polite: it answers in bytes of its own, with a status of its own."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import grpc.aio

from croupier import wire
from croupier.bot import Decision
from croupier.v1 import bot_pb2 as pb
from rogues.moment import honest

Context = grpc.aio.ServicerContext[Any, Any]
Call = Callable[[bytes, Context], Awaitable[bytes]]


def choices(data: bytes) -> pb.DecideResponse:
    """Return the honest answer to a call."""
    response = pb.DecideResponse()
    for message in pb.DecideRequest.FromString(data).decisions:
        response.choices.add(id=message.id, action=wire.action_message(honest(Decision(message))))
    return response


def description(**changes: int) -> bytes:
    """Return what an honest bot says of itself, but for the changes."""
    message = pb.DescribeResponse(name="raw", protocol=wire.PROTOCOL, games=[pb.Playable(game="*")], max_batch=64)
    for name, value in changes.items():
        setattr(message, name, value)
    return message.SerializeToString()


async def _describe(data: bytes, context: Context) -> bytes:
    del data, context
    return description()


async def _decide(data: bytes, context: Context) -> bytes:
    del context
    return choices(data).SerializeToString()


def serve_raw(*, decide: Call = _decide, describe: Call = _describe) -> None:
    """Serve for ever, with these calls."""
    asyncio.run(_serve({"Decide": decide, "Describe": describe}))


async def _serve(calls: dict[str, Call]) -> None:
    server = grpc.aio.server(options=(("grpc.max_send_message_length", -1),))
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_unary_rpc_method_handler(call) for name, call in calls.items()
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("croupier.v1.BotService", handlers),))
    address = os.environ["CROUPIER_ADDRESS"]
    server.add_insecure_port(address)
    await server.start()
    print(address, flush=True)
    await server.wait_for_termination()
