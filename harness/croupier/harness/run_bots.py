"""The bots of one worker: started when they are first seated, ended least recently used first when there are many.

Knows who sits where, not what is played. A bot that is ended here is started anew when it is next seated, in a folder
unpacked anew, and gets its time to start again; its times to move and its strikes belong to matches, so it loses none.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from croupier.harness.entrants import Entrant
from croupier.harness.run_parcels import remove, unpack
from croupier.referee.seats import BotLink

MOST_BOTS = 64
"""Bots of a worker that are kept for later: 2 to 3 GB of small Python ones, which start in half a second."""

LEAST_FREE = 0.1
"""Where less than this part of the node's memory is free, no bot is kept for later; Ray ends workers at 0.05."""


class Store(NamedTuple):
    """Where entrants' folders come from and go to on this node.

    Attributes:
        parcels: by id, of the entrants that have a folder (``run_parcels.pack``); awaited whenever one is started.
        folder: of this worker's own.
    """

    parcels: Mapping[str, Awaitable[bytes]]
    folder: Path

    async def delivered(self, entrant: Entrant) -> Entrant:
        """Return the entrant as it runs on this node: from a folder in which nobody has run before.

        Raises:
            MachineError: it can't.
        """
        if entrant.id not in self.parcels:
            return entrant
        parcel = await self.parcels[entrant.id]
        return await asyncio.to_thread(unpack, parcel, entrant, self.folder)  # a big one takes a second


class Bots:
    """The lines to the bots of a worker, one for each entrant."""

    def __init__(
        self,
        entrants: Mapping[str, Entrant],
        store: Store,
        line: Callable[[Entrant], BotLink],
        crowded: Callable[[int], bool],
    ) -> None:
        """Begin with none.

        Args:
            entrants: by id.
            store: of their folders.
            line: makes a line to an entrant.
            crowded: tells whether so many bots are too many to start another.
        """
        self._entrants = entrants
        self._store = store
        self._line = line
        self._crowded = crowded
        self._links: dict[str, BotLink] = {}  # the least recently seated first
        self._tables: Counter[str] = Counter()
        self._seating = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def seated(self, ids: Sequence[str]) -> AsyncIterator[list[BotLink]]:
        """Seat entrants at a table, and yield the lines to them; none of them is ended meanwhile."""
        self._tables.update(ids)
        try:
            yield [await self._seat(id_) for id_ in ids]
        finally:
            self._tables.subtract(ids)

    async def renew(self) -> None:
        """End the bots that are started here; each is started anew when it is next seated, and remembers nothing."""
        await self._end([id_ for id_ in self._links if not self._entrants[id_].remote])

    async def close(self) -> None:
        """End all lines and bots, and remove their folders."""
        await self._end(list(self._links))
        remove(self._store.folder)

    async def _seat(self, id_: str) -> BotLink:
        async with self._seating:
            if id_ not in self._links:
                entrant = await self._store.delivered(self._entrants[id_])
                await self._make_room()
                self._links[id_] = self._line(entrant)
            link = self._links[id_] = self._links.pop(id_)
            return link

    async def _make_room(self) -> None:
        """End bots that sit nowhere for as long as there are too many."""
        up = [id_ for id_, link in self._links.items() if link.description and not self._entrants[id_].remote]
        for id_ in [id_ for id_ in up if not self._tables[id_]]:
            if not self._crowded(len(up)):
                return
            up.remove(id_)
            await self._end([id_])

    async def _end(self, ids: Sequence[str]) -> None:
        links = [self._links.pop(id_) for id_ in ids]
        await asyncio.gather(*(link.close() for link in links))


def crowded(bots: int) -> bool:
    """Return whether so many bots of a worker are too many to start another one on this node."""
    return bots >= MOST_BOTS or free_memory() < LEAST_FREE


def free_memory(node: Path = Path("/proc/meminfo"), group: Path = Path("/sys/fs/cgroup")) -> float:
    """Return which part of the memory is free: of the node's or its container's, the lesser; 1 where none says.

    Args:
        node: of Linux, in kB.
        group: of the container (cgroup v2), in bytes; file pages that can be given up count as free.
    """
    parts = [1.0]
    with contextlib.suppress(OSError):
        words = [line.split() for line in node.read_text().splitlines()]
        kb = {word[0]: int(word[1]) for word in words}
        parts.append(kb["MemAvailable:"] / kb["MemTotal:"])
    with contextlib.suppress(OSError):
        most = (group / "memory.max").read_text().strip()
        if most != "max":
            stat = dict(line.split() for line in (group / "memory.stat").read_text().splitlines())
            used = int((group / "memory.current").read_text()) - int(stat["inactive_file"])
            parts.append(1 - used / int(most))
    return min(parts)
