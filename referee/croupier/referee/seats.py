"""Asking one bot over gRPC: a queue, batches, a watchdog around every call. The only gRPC client code.

A ``BotLink`` belongs to one bot process and serves all its tables. Whatever waits goes into the next
``Decide`` call, and one such call is in flight at a time, so batches form by themselves. It says what came
back (an action, or late, gone, garbled); it doesn't judge, and it knows no game.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from dataclasses import dataclass, replace

import grpc
from grpc import aio

from croupier import wire
from croupier.games import Action
from croupier.referee.batches import EXCERPT, GarbledError, Question, read_answers, take_batch
from croupier.referee.clock import Bank, Limits, call_limit_ms, overrun_ms
from croupier.referee.peers import Peer, PeerError
from croupier.referee.verdicts import FaultKind, Reply
from croupier.v1 import bot_pb2 as pb

MAX_REPLY_BYTES = 64 * 1024
MAX_METADATA_BYTES = 16 * 1024
QUICK_MS = 10.0
"""Calls of bots that answer faster than this aren't counted as thinking."""

SUSPEND_AFTER = 3
"""After so many failed starts in a row a bot is not started again: its seats are ``no_show`` at once."""

RETRY_S = 0.05
"""Between attempts to reach a bot that has named its address but doesn't listen yet."""

STALL_S = 0.005
"""A watchdog that wakes later than this was held up by the referee, which is not the bot's fault."""

_SERVICE = "/croupier.v1.BotService/"
_CHANNEL_OPTIONS = (
    ("grpc.max_receive_message_length", MAX_REPLY_BYTES),
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


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a call gave: bytes, or a failure."""

    data: bytes = b""
    failure: FaultKind | None = None
    evidence: str = ""
    unavailable: bool = False


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
        self._channel: aio.Channel | None = None
        self._waiting: deque[Question] = deque()
        self._arrived = asyncio.Event()
        self._opening = asyncio.Lock()
        self._failed_starts = 0
        self._why_not = ""
        self._pump: asyncio.Task[None] | None = None
        self._untold: list[pb.DealReport] = []
        self._reports: set[asyncio.Task[None]] = set()

    async def open(self) -> wire.Description:
        """Start the bot if it isn't up, and return what it says of itself.

        Raises:
            NoShowError: it doesn't come up within ``start_ms``, or speaks another protocol.
        """
        async with self._opening:
            if self._channel is not None and self.description is not None:
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
            return self.description

    async def ask(self, decision_id: str, question: bytes, bank: Bank, limits: Limits) -> Reply:
        """Put a serialised ``Decision`` into the bot's next call and return what comes back for it."""
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
            with contextlib.suppress(asyncio.CancelledError):
                await self._pump
            self._pump = None
        if self._untold:
            self._tell()
        if self._reports:
            _, unsent = await asyncio.wait(self._reports, timeout=self.limits.move_ms / 1000)
            for task in unsent:
                task.cancel()
        for question in self._waiting:
            question.reply.cancel()
        self._waiting.clear()
        await self._drop()

    async def _start(self) -> wire.Description:
        deadline = time.monotonic() + self.limits.start_ms / 1000
        target = await self.peer.start(self.limits.start_ms / 1000)
        self._channel = aio.insecure_channel(
            target, options=_CHANNEL_OPTIONS, compression=grpc.Compression.NoCompression
        )
        request = pb.DescribeRequest(protocol=wire.PROTOCOL).SerializeToString()
        answer = await self._call("Describe", request, deadline - time.monotonic())
        while answer.unavailable and self.peer.exit_status() is None and time.monotonic() < deadline:
            await asyncio.sleep(RETRY_S)  # it may have named its address before it listens
            answer = await self._call("Describe", request, deadline - time.monotonic())
        if answer.failure is FaultKind.LATE:
            raise NoShowError(f"it did not answer Describe within {self.limits.start_ms} ms{self._exit_note()}")
        if answer.failure is not None:
            raise NoShowError(f"it failed in Describe: {answer.evidence}{self._exit_note()}")
        try:
            description = wire.describe_response(answer.data)
        except wire.WireError as error:
            raise NoShowError(f"its answer to Describe is {error}") from error
        if description.protocol != wire.PROTOCOL:
            raise NoShowError(f"it speaks protocol {description.protocol}, the referee {wire.PROTOCOL}")
        return description

    def _exit_note(self) -> str:
        status = self.peer.exit_status()
        return "" if status is None else f" (its process ended with status {status})"

    async def _drop(self) -> None:
        """End the process first, then close the channel: closing first can hang on a peer that floods."""
        await self.peer.end()
        channel, self._channel = self._channel, None
        if channel is not None:
            await channel.close()

    async def _run(self) -> None:
        while True:
            await self._arrived.wait()
            self._arrived.clear()
            while self._waiting:
                await asyncio.sleep(0)  # tables woken by the same reply get their questions into this call
                batch = take_batch(self._waiting, self.description.max_batch if self.description else 1)
                try:
                    await self._serve(batch)
                except BaseException:
                    for question in batch:
                        question.reply.cancel()
                    raise
            if self._untold:
                self._tell()

    def _tell(self) -> None:
        """Send the reports that wait, beside later ``Decide`` calls."""
        request = pb.ReportRequest(deals=self._untold).SerializeToString()
        self._untold = []
        task = asyncio.create_task(self._report(request))
        self._reports.add(task)
        task.add_done_callback(self._reports.discard)

    async def _serve(self, batch: list[Question]) -> None:
        """Ask a batch of questions and give each its reply; start the bot anew if the call failed."""
        try:
            await self.open()
        except NoShowError as error:
            for question in batch:
                question.reply.set_result(Reply(None, FaultKind.GONE, evidence=f"it could not be restarted: {error}"))
            return
        limits = batch[0].limits
        limit_ms = call_limit_ms(limits, (question.bank for question in batch))
        request = wire.decide_request(question.data for question in batch)
        slow = self._thinking is not None and self._last_call_ms > QUICK_MS
        async with self._thinking if slow and self._thinking else contextlib.nullcontext():
            sent = time.monotonic()
            answer = await self._call("Decide", request, limit_ms / 1000)
            choices: dict[str, Action] = {}
            if answer.failure is None:
                try:
                    choices = read_answers(answer.data, batch)
                except GarbledError as error:
                    answer = _Answer(failure=FaultKind.GARBLED, evidence=str(error))
            elapsed_ms = (time.monotonic() - sent) * 1000
        self._last_call_ms = elapsed_ms
        overrun = overrun_ms(limits, len(batch), elapsed_ms)
        for question in batch:
            question.bank.charge(overrun)
            action = choices.get(question.id)
            failure, evidence = answer.failure, answer.evidence
            if action is None and failure is None:
                failure, evidence = FaultKind.GARBLED, "the answer holds no choice for this decision"
            if not question.reply.done():
                question.reply.set_result(Reply(action, failure, elapsed_ms, limit_ms, evidence))
        if answer.failure in (FaultKind.LATE, FaultKind.GONE):
            await self._drop()

    async def _call(self, method: str, request: bytes, limit_s: float) -> _Answer:
        """Make one call under a watchdog of our own: gRPC's deadline does not protect the caller."""
        assert self._channel is not None
        due = time.monotonic() + max(0.0, limit_s)
        call: aio.UnaryUnaryCall[bytes, bytes] = _method(self._channel, method)(request)
        task = asyncio.ensure_future(_outcome(call))
        try:
            await asyncio.wait({task}, timeout=due - time.monotonic())
            stall = time.monotonic() - due
            if not task.done() and stall > STALL_S:
                await asyncio.wait({task}, timeout=stall)  # we slept too long ourselves: read what has come
            if not task.done():
                await self.peer.end()  # before the call is cancelled: see _drop
                return _Answer(failure=FaultKind.LATE, evidence=f"no answer within {round(limit_s * 1000)} ms")
        finally:
            call.cancel()
            task.cancel()
        answer = task.result()
        if answer.failure is FaultKind.GONE:
            return replace(answer, evidence=answer.evidence + self._exit_note())
        return answer

    async def _report(self, request: bytes) -> None:
        if self._channel is None:
            return
        with contextlib.suppress(aio.AioRpcError):  # by the protocol the failure of a report is no fault
            await _method(self._channel, "Report")(request, timeout=self.limits.move_ms / 1000)


def _method(channel: aio.Channel, name: str) -> aio.UnaryUnaryMultiCallable[bytes, bytes]:
    """Return a method of the service that takes and gives bytes: replies are parsed by us."""
    method: aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_SERVICE + name)
    return method


async def _outcome(call: aio.UnaryUnaryCall[bytes, bytes]) -> _Answer:
    """Wait for a call and return its bytes, or what went wrong."""
    try:
        return _Answer(await call)
    except aio.AioRpcError as error:
        text = f"{error.code().name}: {error.details()}"
        evidence = text.encode("unicode_escape").decode()[:EXCERPT]
        too_large = error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED and not _from_peer(error)
        return _Answer(
            failure=FaultKind.GARBLED if too_large else FaultKind.GONE,
            evidence=evidence,
            unavailable=error.code() is grpc.StatusCode.UNAVAILABLE,
        )


def _from_peer(error: aio.AioRpcError) -> bool:
    """Tell a status that the bot sent from one that our own side of the channel made."""
    return (error.debug_error_string() or "").startswith("UNKNOWN:Error received from peer")
