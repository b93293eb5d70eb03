"""Asking one bot over gRPC: a queue, batches, a watchdog around every call. The only gRPC client code.

A ``BotLink`` belongs to one bot process and serves all its tables. Whatever waits goes into the next
``Decide`` call, and one such call is in flight at a time, so batches form by themselves. It says what came
back (an action, or late, gone, garbled); it doesn't judge, and it knows no game.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections import deque

import grpc
from grpc import aio

from croupier import wire
from croupier.referee.batches import EXCERPT, CallResult, Question, deliver, take_batch
from croupier.referee.clock import Bank, Limits, call_limit_ms
from croupier.referee.peers import Peer, PeerError
from croupier.referee.verdicts import FaultKind, Reply
from croupier.referee.watch import watch
from croupier.v1 import bot_pb2 as pb

MAX_REPLY_BYTES = 64 * 1024
MAX_METADATA_BYTES = 16 * 1024
MAX_REPORT_BYTES = 512 * 1024
"""Finished deals in one ``Report`` call, in bytes, about."""

QUICK_MS = 10.0
"""Calls of bots that answer faster than this aren't counted as thinking."""

SUSPEND_AFTER = 3
"""After so many failed starts in a row a bot is not started again: its seats are ``no_show`` at once."""

RETRY_S = 0.05
"""Between attempts to reach a bot that has named its address but doesn't listen yet."""

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


class NoShowError(Exception):
    """A bot that can't take its seat; the message says why, in one line."""


class BotLink:
    """The line to one bot process."""

    def __init__(self, peer: Peer, limits: Limits, thinking: asyncio.Semaphore | None = None) -> None:
        """Make a line that is not yet open.

        Args:
            peer: the bot's process or address.
            limits: its time settings; ``start_ms`` bounds each start.
            thinking: shared by the links of a worker; bounds the calls of slow bots that are open at once.
        """
        self.peer = peer
        self.limits = limits
        self.description: wire.Description | None = None
        self._thinking = thinking
        self._last_call_ms = 0.0
        self._connection: _Connection | None = None
        self._waiting: deque[Question] = deque()
        self._asked: list[Question] = []
        self._arrived = asyncio.Event()
        self._opening = asyncio.Lock()
        self._failed_starts = 0
        self._why_not = ""
        self._pump: asyncio.Task[None] | None = None
        self._untold: deque[pb.DealReport] = deque()
        self._reports: set[asyncio.Task[None]] = set()

    async def open(self) -> wire.Description:
        """Start the bot if it isn't up, and return what it says of itself.

        Raises:
            NoShowError: it doesn't come up within ``start_ms``, or speaks another protocol.
        """
        async with self._opening:
            if self._connection is not None and self.description is not None:
                return self.description
            if self._failed_starts >= SUSPEND_AFTER:
                raise NoShowError(self._why_not)
            try:
                self.description = await self._start()
            except (PeerError, NoShowError) as error:
                self._failed_starts += 1
                self._why_not = str(error)
                await self._drop()
                raise NoShowError(self._why_not) from error
            self._failed_starts = 0
            if self._pump is None:
                self._pump = asyncio.create_task(self._run())
                self._pump.add_done_callback(self._stopped)
            return self.description

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Put a serialised ``Decision`` into the bot's next call and return what comes back for it.

        Raises:
            RuntimeError: the line is not open.
        """
        if self._pump is None or self._pump.done():
            raise RuntimeError("a question to a bot whose line is not open")
        reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append(Question(decision_id, question, bank, limits, reply))
        self._arrived.set()
        return await reply

    async def take(self, game: str, rules: wire.Texts, seats: int) -> str:
        """Get the bot ready for a match of this game; return why not, in one line, or nothing."""
        try:
            description = await self.open()
        except NoShowError as error:
            return str(error)
        if description.plays(game, rules, seats):
            return ""
        return f"it doesn't play {game} with these rules at {seats} seats"

    def wants_reports(self) -> bool:
        """Tell whether the bot asked for reports of finished deals."""
        return self.description is not None and self.description.wants_reports

    def output(self) -> str:
        """Return the last of what the bot printed."""
        return self.peer.output()

    def report(self, report: pb.DealReport) -> None:
        """Tell the bot how a deal ended, when no decision waits; that it fails is no fault."""
        self._untold.append(report)
        self._arrived.set()

    async def close(self) -> None:
        """End the line and the bot. Questions that still wait are cancelled."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.wait({self._pump})
        self._tell()
        await asyncio.gather(*self._reports)
        await self._drop()
        if self._pump is not None and not self._pump.cancelled():
            self._pump.result()  # a bug of ours that stopped it must not pass unseen

    async def _start(self) -> wire.Description:
        deadline = time.monotonic() + self.limits.start_ms / 1000
        target = await self.peer.start(self.limits.start_ms / 1000)
        connection = self._connection = _Connection(target, self.peer)
        request = pb.DescribeRequest(protocol=wire.PROTOCOL).SerializeToString()
        result = await connection.call("Describe", request, deadline - time.monotonic())
        while result.unreachable and self.peer.exit_status() is None and time.monotonic() < deadline:
            await asyncio.sleep(RETRY_S)  # it may have named its address before it listens
            result = await connection.call("Describe", request, deadline - time.monotonic())
        if result.failure is FaultKind.LATE:
            raise NoShowError(f"it did not answer Describe within {self.limits.start_ms} ms")
        if result.failure is not None:
            raise NoShowError(f"it failed in Describe: {result.evidence}")
        try:
            description = wire.describe_response(result.data)
        except wire.WireError as error:
            raise NoShowError(f"its answer to Describe is {error}") from error
        if description.protocol != wire.PROTOCOL:
            raise NoShowError(f"it speaks protocol {description.protocol}, the referee {wire.PROTOCOL}")
        return description

    async def _drop(self) -> None:
        """End the process first, then close the connection: closing first can hang on a peer that floods."""
        connection, self._connection = self._connection, None
        await self.peer.end()
        if connection is not None:
            await connection.close()

    async def _run(self) -> None:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting or self._connection is None:  # after a failed call it is started anew at once
                try:
                    description = await self.open()
                except NoShowError as error:
                    while self._waiting:
                        reply = Reply(None, FaultKind.GONE, evidence=f"it could not be restarted: {error}")
                        self._waiting.popleft().settle(reply)
                    break
                thinking = self._thinking if self._last_call_ms > QUICK_MS else None
                async with thinking or contextlib.nullcontext():
                    await asyncio.sleep(0)  # tables woken by the same reply get their questions into this call
                    self._asked = take_batch(self._waiting, description.max_batch)
                    if self._asked:
                        await self._serve(self._asked)
            self._tell()

    def _stopped(self, pump: asyncio.Task[None]) -> None:
        """Leave nobody waiting for a reply that can't come any more."""
        error = None if pump.cancelled() else pump.exception()
        for question in (*self._asked, *self._waiting):
            if error is None:
                question.reply.cancel()
            elif not question.reply.done():
                question.reply.set_exception(error)
        self._waiting.clear()

    def _tell(self) -> None:
        """Send the reports that wait, beside later ``Decide`` calls."""
        while self._untold and self._connection is not None:
            request, size = pb.ReportRequest(), 0
            while self._untold and size < MAX_REPORT_BYTES:
                size += self._untold[0].ByteSize()
                request.deals.append(self._untold.popleft())
            tell = self._connection.tell(request.SerializeToString(), self.limits.move_ms / 1000)
            task = asyncio.create_task(tell)
            self._reports.add(task)
            task.add_done_callback(self._reports.discard)

    async def _serve(self, batch: list[Question]) -> None:
        """Ask a batch of questions and give each its reply; end the bot's process if the call failed."""
        assert self._connection is not None
        limit_ms = call_limit_ms(batch[0].limits, (question.bank for question in batch))
        request = wire.decide_request(question.data for question in batch)
        result = await self._connection.call("Decide", request, limit_ms / 1000)
        self._last_call_ms = result.elapsed_ms
        if result.failure in (FaultKind.LATE, FaultKind.GONE):
            await self._drop()
        deliver(batch, result, limit_ms)


class _Connection:
    """The gRPC channel to one process of a bot."""

    def __init__(self, target: str, peer: Peer) -> None:
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
            await self._peer.end()  # before the call is cancelled: see BotLink._drop
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
