"""Answers what is no answer: raw bytes, too many of them, wrong or repeated or missing ids."""

from collections.abc import Callable

import grpc

from croupier.bot import Decision, option
from croupier.v1 import bot_pb2 as pb
from rogues.moment import HOW, now
from rogues.raw import Context, choices, serve_raw


def _wrong_id(answer: pb.DecideResponse) -> bytes:
    answer.choices[0].id = "0123456789abcdef"
    return answer.SerializeToString()


def _hostile_id(answer: pb.DecideResponse) -> bytes:
    answer.choices.add(id="\x1b[2J\n" * 100)
    return answer.SerializeToString()


def _repeated(answer: pb.DecideResponse) -> bytes:
    answer.choices.append(answer.choices[0])
    return answer.SerializeToString()


def _missing(answer: pb.DecideResponse) -> bytes:
    del answer.choices[0]
    return answer.SerializeToString()


def _padded(size: int) -> Callable[[pb.DecideResponse], bytes]:
    """Return a valid answer to which an unknown field of this size is appended."""
    return lambda answer: answer.SerializeToString() + bytes([0x7A]) + _varint(size) + bytes(size)


def _varint(number: int) -> bytes:
    return bytes([number & 0x7F | 0x80, number >> 7 & 0x7F | 0x80, number >> 14 & 0x7F | 0x80, number >> 21])


def _exact(answer: pb.DecideResponse) -> bytes:
    """Return a valid answer of exactly the size that the options name."""
    size = option("size", 0)
    return _padded(size - len(_padded(0)(answer)))(answer)


ANSWERS: dict[str, Callable[[pb.DecideResponse], bytes]] = {
    "bytes": lambda _: b"\xff\x00\x1b[2J" * 30,
    "cut": lambda answer: answer.SerializeToString()[:-1],
    "nothing": lambda _: b"",
    "large": _padded(5 << 20),
    "zipped": _padded(5 << 20),
    "over": _padded(64 * 1024),
    "exact": _exact,
    "wrong_id": _wrong_id,
    "hostile_id": _hostile_id,
    "repeated": _repeated,
    "missing": _missing,
}


async def decide(data: bytes, context: Context) -> bytes:
    answer = choices(data)
    if any(now(Decision(message)) for message in pb.DecideRequest.FromString(data).decisions):
        if HOW == "zipped":
            context.set_compression(grpc.Compression.Gzip)
        return ANSWERS[HOW](answer)
    return answer.SerializeToString()


serve_raw(decide=decide)
