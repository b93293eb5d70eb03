"""Bots as real processes, for the tests of the kit and of the sample bots."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import grpc

from croupier import wire
from croupier.games import Action
from croupier.v1 import bot_pb2 as pb

LIMIT = 30.0
"""Seconds that nothing here should ever need."""


@dataclass(frozen=True)
class BotProcess:
    """A running bot: its process, its address and a channel to it."""

    process: subprocess.Popen[str]
    address: str
    channel: grpc.Channel

    def call(self, name: str, request: bytes) -> bytes:
        """Return the bytes that the bot answers to a call of the service."""
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = self.channel.unary_unary(f"/croupier.v1.BotService/{name}")
        return method(request, timeout=LIMIT, wait_for_ready=True)

    def describe(self) -> wire.Description:
        """Ask the bot who it is."""
        return wire.describe_response(self.call("Describe", wire.serialise(pb.DescribeRequest(protocol=1))))

    def decide(self, *questions: bytes) -> list[tuple[str, Action]]:
        """Ask serialised questions in one call."""
        return wire.decide_response(self.call("Decide", wire.decide_request(questions)))

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        self.process.send_signal(number)
        return self.process.wait(LIMIT)

    def error(self) -> str:
        """End the bot and return what it has written to stderr."""
        self.process.terminate()
        return self.process.communicate(timeout=LIMIT)[1]


@contextmanager
def running(command: Sequence[str], **environment: str) -> Iterator[BotProcess]:
    """Start ``python COMMAND`` and wait for its first line; whatever happens, it is ended afterwards."""
    process = subprocess.Popen(
        [sys.executable, *command],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    try:
        with grpc.insecure_channel(address) as channel:
            yield BotProcess(process, address, channel)
    finally:
        process.kill()
        process.communicate()
