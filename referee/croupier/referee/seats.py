"""The line to one bot: a queue, batches, starts and restarts.

A ``BotLink`` belongs to one bot process and serves all its tables. Whatever waits goes into the next
``Decide`` call, and one such call is in flight at a time, so batches form by themselves. It says what came
back (an action, or late, gone, garbled); it doesn't judge, and it knows no game.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable

from croupier import wire
from croupier.referee.batches import Question, deliver, take_batch, take_reports
from croupier.referee.calls import Connection
from croupier.referee.clock import Bank, Limits, call_limit_ms
from croupier.referee.peers import Peer, PeerError
from croupier.referee.verdicts import FaultKind, Reply
from croupier.referee.watchdog import Watchdog
from croupier.v1 import bot_pb2 as pb

QUICK_MS = 10.0
"""Calls of bots that answer faster than this aren't counted as thinking."""

SUSPEND_AFTER = 3
"""After so many failed starts in a row a bot is not started again: its seats are ``no_show`` at once."""

RETRY_S = 0.05
"""Between attempts to reach a bot that has named its address but doesn't listen yet."""


class NoShowError(Exception):
    """A bot that can't take its seat; the message says why, in one line."""


class BotLink:
    """The line to one bot process."""

    def __init__(
        self,
        peer: Peer,
        limits: Limits,
        thinking: asyncio.Semaphore | None = None,
        watchdog: Watchdog | None = None,
    ) -> None:
        """Make a line that is not yet open.

        Args:
            peer: the bot's process or address.
            limits: its time settings; ``start_ms`` bounds each start.
            thinking: shared by the links of a worker; bounds the calls of slow bots that are open at once.
            watchdog: shared likewise; told what is open.
        """
        self.peer = peer
        self.limits = limits
        self.description: wire.Description | None = None
        self._thinking = thinking
        self._watchdog = watchdog or Watchdog()
        self._last_call_ms = 0.0
        self._connection: Connection | None = None
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
                with self._watchdog.call("a start", self.limits.start_ms / 1000):
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

    async def take(self, game: str, rules: wire.Texts, seats: int) -> Reply | None:
        """Get the bot ready for a match of this game; return None, or a reply that says in one line why not."""
        try:
            description = await self.open()
        except NoShowError as error:
            why = str(error)
        else:
            if description.plays(game, rules, seats):
                return None
            why = f"it doesn't play {game} with these rules at {seats} seats; it plays {description.told}"
        return Reply(None, FaultKind.NO_SHOW, evidence=why, output=self._output_now())

    def wants_reports(self) -> bool:
        """Tell whether the bot asked for reports of finished deals."""
        return self.description is not None and self.description.wants_reports

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
        connection = self._connection = Connection(target, self.peer)
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
        if description.max_batch > wire.MAX_BATCH:
            raise NoShowError(f"its max_batch is {description.max_batch}; at most {wire.MAX_BATCH}")
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
                    why = f"it could not be restarted: {error}"
                    gone = Reply(None, FaultKind.GONE, evidence=why, output=self._output_now())
                    while self._waiting:
                        self._waiting.popleft().settle(gone)
                    self._untold.clear()  # nobody is there to be told; a suspended bot never will be
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
            request = take_reports(self._untold).SerializeToString()
            tell = self._connection.tell(request, self.limits.move_ms / 1000)
            task = asyncio.create_task(tell)
            self._reports.add(task)
            task.add_done_callback(self._reports.discard)

    async def _serve(self, batch: list[Question]) -> None:
        """Ask a batch of questions and give each its reply; end the bot's process if the call failed."""
        assert self._connection is not None
        limit_ms = call_limit_ms(batch[0].limits, (question.bank for question in batch))
        request = wire.decide_request(question.data for question in batch)
        with self._watchdog.call(f"Decide at {self._connection.target}, decisions: {len(batch)}", limit_ms / 1000):
            result = await self._connection.call("Decide", request, limit_ms / 1000)
        self._last_call_ms = result.elapsed_ms
        output = self.peer.output
        if result.failure in (FaultKind.LATE, FaultKind.GONE):
            await self._drop()
            output = self._output_now()
        deliver(batch, result._replace(output=output), limit_ms)

    def _output_now(self) -> Callable[[], str]:
        """Return, for a reply, what the bot has printed until now: a start forgets it."""
        output = self.peer.output()
        return lambda: output
