"""A look at an address before it is called: does anybody listen there, and does it speak what gRPC is spoken in?

gRPC itself would try again until the start allowance is over, and then say less. No gRPC here: an HTTP/2
server answers the opening of a connection with its settings, and nobody else does.
"""

from __future__ import annotations

import asyncio
import contextlib
import os

from croupier.referee.peers import AddressPeer, PeerError

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""The opening of an HTTP/2 connection with empty settings (RFC 9113, 3.4)."""

SETTINGS = 4
"""The type of the first frame that an HTTP/2 server sends."""


class ProbedPeer(AddressPeer):
    """A bot that somebody else started, looked at before the first call."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._seen = False

    async def start(self, limit_s: float) -> str:
        """Return the address.

        Raises:
            PeerError: nobody listens there, or not with HTTP/2.
        """
        if not self._seen:
            await probe(self.address, limit_s)
            self._seen = True
        return self.address


async def probe(address: str, limit_s: float) -> None:
    """Look at ``unix:/path`` or ``host:port``.

    Raises:
        PeerError: nobody listens there, or not with HTTP/2; one line for people.
    """
    try:
        async with asyncio.timeout(limit_s):
            reader, writer = await _connect(address)
    except TimeoutError:
        raise PeerError(f"no connection within {round(limit_s * 1000)} ms") from None
    except OSError as error:
        why = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)  # names have negative ones
        raise PeerError(f"nobody listens there ({why}); start the bot first") from None
    try:
        async with asyncio.timeout(limit_s):
            writer.write(PREFACE)
            head = await reader.readexactly(9)
    except TimeoutError:
        raise PeerError(f"what listens there says nothing within {round(limit_s * 1000)} ms") from None
    except asyncio.IncompleteReadError as error:
        head = error.partial
    except OSError:
        head = b""
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    if head.startswith((b"HTTP/", b"<")):
        raise PeerError("what listens there speaks HTTP/1, not gRPC: is it a web server?")
    if len(head) < 9 or head[3] != SETTINGS:
        raise PeerError("what listens there doesn't speak gRPC")


async def _connect(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if address.startswith("unix:"):
        return await asyncio.open_unix_connection(address.removeprefix("unix:"))
    host, _, port = address.rpartition(":")
    return await asyncio.open_connection(host.strip("[]"), int(port))
