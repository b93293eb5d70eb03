"""One gRPC channel to one process of a bot: its calls, each under a watchdog. The only gRPC client code.

It says what a call gave, or how it failed; which questions are in it, and what follows, is not its business.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets

import grpc
from grpc import aio

from croupier.referee.batches import EXCERPT, CallResult
from croupier.referee.peers import Peer
from croupier.referee.verdicts import FaultKind
from croupier.referee.watch import watch

MAX_REPLY_BYTES = 64 * 1024
MAX_METADATA_BYTES = 16 * 1024

CLOSE_S = 1.0
"""How long the closing of a connection may take: a peer that floods can hold it up."""

_SERVICE = "/croupier.v1.BotService/"
_CHANNEL_OPTIONS = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.absolute_max_metadata_size", MAX_METADATA_BYTES),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
    ("grpc.use_local_subchannel_pool", 1),  # a restarted bot must not inherit the old connection's backoff
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
)


class Connection:
    """The gRPC channel to one process of a bot."""

    def __init__(self, target: str, peer: Peer) -> None:
        self.target = target
        self._peer = peer
        # Beyond what is allowed by a number that a bot can't know: so it can't write gRPC's word on too large replies.
        self._ceiling = MAX_REPLY_BYTES + secrets.randbelow(MAX_REPLY_BYTES)
        options = (*_CHANNEL_OPTIONS, ("grpc.max_receive_message_length", self._ceiling))
        self._channel = aio.insecure_channel(target, options=options, compression=grpc.Compression.NoCompression)
        # Methods that take and give bytes: replies are parsed by us.
        self._methods: dict[str, aio.UnaryUnaryMultiCallable[bytes, bytes]] = {
            name: self._channel.unary_unary(_SERVICE + name) for name in ("Describe", "Decide", "Report")
        }

    async def call(self, method: str, request: bytes, limit_s: float) -> CallResult:
        """Make one call under a watchdog of our own: gRPC's deadline does not protect the caller."""
        call = self._methods[method](request)
        done = asyncio.Event()
        call.add_done_callback(lambda _: done.set())
        try:
            spent = await watch(done, limit_s)
            if spent <= limit_s and done.is_set():
                return (await self._result(call))._replace(elapsed_ms=spent * 1000)
            failure = FaultKind.LATE if self._peer.exit_status() is None else FaultKind.GONE
            evidence = f"no answer within {round(limit_s * 1000)} ms{self._exit_note()}"
            await self._peer.end()  # before the call is cancelled: see ``BotLink._drop``
            return CallResult(failure=failure, evidence=evidence, elapsed_ms=spent * 1000)
        finally:
            call.cancel()

    async def tell(self, request: bytes, limit_s: float) -> None:
        """Send reports; by the protocol it is no fault that this fails."""
        with contextlib.suppress(aio.AioRpcError, TimeoutError, asyncio.CancelledError):
            await asyncio.wait_for(self._methods["Report"](request), limit_s)

    async def close(self) -> None:
        """Give the channel up."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._channel.close(), CLOSE_S)

    async def _result(self, call: aio.UnaryUnaryCall[bytes, bytes]) -> CallResult:
        """Return what a call gave that has ended."""
        try:
            data = await call
        except aio.AioRpcError as error:
            code, text = error.code(), error.details() or ""
            evidence = f"{code.name}: {text}".encode("unicode_escape").decode()[:EXCERPT]
            if code is grpc.StatusCode.RESOURCE_EXHAUSTED and f"vs. {self._ceiling})" in text:
                return CallResult(failure=FaultKind.GARBLED, evidence=evidence)
            unreachable = code is grpc.StatusCode.UNAVAILABLE
            return CallResult(failure=FaultKind.GONE, evidence=evidence + self._exit_note(), unreachable=unreachable)
        if len(data) > MAX_REPLY_BYTES:
            return CallResult(failure=FaultKind.GARBLED, evidence=f"a reply of {len(data)} bytes")
        return CallResult(data)

    def _exit_note(self) -> str:
        status = self._peer.exit_status()
        return "" if status is None else f" (its process ended with status {status})"
