"""The bare gRPC server that everything is compared with: one unary method that returns what it was sent."""

from __future__ import annotations

import asyncio
import sys

import grpc
from grpc import aio


async def _echo(request: bytes, context: aio.ServicerContext[bytes, bytes]) -> bytes:
    del context
    return request


async def main(address: str) -> None:
    """Serve ``/ping.Ping/Ping`` at an address until the process is ended."""
    server = aio.server()
    handler = grpc.method_handlers_generic_handler("ping.Ping", {"Ping": grpc.unary_unary_rpc_method_handler(_echo)})
    server.add_generic_rpc_handlers((handler,))
    server.add_insecure_port(address)
    await server.start()
    print(address, flush=True)  # noqa: T201  tells the parent that it listens
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
