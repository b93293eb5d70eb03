"""One call: what it may carry back, and that it is made once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from croupier.referee.calls import MAX_METADATA_BYTES, MAX_REPLY_BYTES, Connection
from croupier.referee.peers import AddressPeer
from croupier.referee.seats import BotLink
from croupier.referee.verdicts import FaultKind
from referee.asking import PATIENT, ask
from rogues.peer import process

pytestmark = pytest.mark.usefixtures("no_complaints")


@pytest.mark.parametrize(("size", "failure"), [(MAX_REPLY_BYTES, None), (MAX_REPLY_BYTES + 1, FaultKind.GARBLED)])
async def test_a_reply_holds_64_kib(tmp_path: Path, size: int, failure: FaultKind | None) -> None:
    """The last byte decides."""
    link = BotLink(process("garbled", tmp_path, how="exact", size=size), PATIENT)
    await link.open()
    reply = await ask(link, 0)
    await link.close()
    assert reply.failure is failure


@pytest.mark.parametrize(
    ("size", "failure"), [(MAX_METADATA_BYTES - 1024, None), (MAX_METADATA_BYTES + 1, FaultKind.GONE)]
)
@pytest.mark.parametrize("where", ["initial", "trailing"])
async def test_metadata_holds_16_kib(tmp_path: Path, where: str, size: int, failure: FaultKind | None) -> None:
    """The metadata of gRPC's own, of every reply, counts too; with more the call fails, as with any bad status."""
    link = BotLink(process("metadata", tmp_path, how=where, size=size), PATIENT)
    await link.open()
    reply = await ask(link, 0)
    await link.close()
    assert reply.failure is failure
    assert ("metadata" in reply.evidence) is (failure is not None)


SETTINGS, SETTINGS_READ = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00", b"\x00\x00\x00\x04\x01\x00\x00\x00\x00"
GOAWAY = b"\x00\x00\x08\x07\x00\x00\x00\x00\x00" + bytes(8)
HEADERS = 1


async def test_a_refused_call_is_not_made_again(tmp_path: Path) -> None:
    """A bot that says it hasn't seen the call, which gRPC would then make anew, has refused it."""
    streams: list[int] = []
    hung_up = asyncio.Event()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(24)  # HTTP/2's preface
        writer.write(SETTINGS + SETTINGS_READ)
        while head := await reader.read(9):
            await reader.readexactly(int.from_bytes(head[:3]))
            if head[3] == HEADERS:
                streams.append(int.from_bytes(head[5:]))
                writer.write(GOAWAY)  # the last stream it has seen: none
        writer.close()
        hung_up.set()

    target = f"unix:{tmp_path}/bot.sock"
    async with await asyncio.start_unix_server(refuse, f"{tmp_path}/bot.sock"):
        connection = Connection(target, AddressPeer(target))
        result = await connection.call("Decide", b"", 5)
        await connection.close()
        await asyncio.wait_for(hung_up.wait(), 10)
    assert result.failure is FaultKind.GONE
    assert len(streams) == 1
