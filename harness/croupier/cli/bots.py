"""From BOT arguments to bots that are up: finds them, starts a process for each copy, ends them on every way out.

What a BOT may be is ``croupier.harness.entrants``' business; how a process is started and ended,
``croupier.harness.supervise``'s. This module gives them a folder that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from croupier.cli.probe import ProbedPeer
from croupier.cli.text import plain
from croupier.harness.entrants import Entrant, resolve
from croupier.harness.errors import ConfigError
from croupier.harness.supervise import peer_of, sweep
from croupier.referee.clock import Limits
from croupier.referee.peers import Peer
from croupier.referee.seats import BotLink, NoShowError

HUMAN = "human"
"""The BOT that sits at the terminal."""


@dataclass(frozen=True, slots=True)
class NamedBot:
    """A BOT argument.

    Attributes:
        text: the BOT as it was written.
        label: what it is called here, unlike all others.
        entrant: None for the human.
    """

    text: str
    label: str
    entrant: Entrant | None


def name_bots(texts: Sequence[str]) -> list[NamedBot]:
    """Return the bots that arguments name.

    Raises:
        ConfigError: one can't be found or used; a line for each.
    """
    found: list[Entrant | None] = []
    problems: list[str] = []
    for text in texts:
        try:
            found.append(None if text == HUMAN else resolve(text, Path()))
        except ConfigError as error:
            problems += str(error).splitlines()
    if problems:
        raise ConfigError("\n".join(problems))
    ids = [HUMAN if entrant is None else entrant.address or entrant.id for entrant in found]
    shared = Counter(ids)
    labels = [text if shared[each] > 1 else each for each, text in zip(ids, texts, strict=True)]
    return [NamedBot(*named) for named in zip(texts, _distinct(labels), found, strict=True)]


@contextmanager
def workshop() -> Iterator[Path]:
    """Make a folder for sockets; at the end it is gone, and so is every process that is marked with its name."""
    with tempfile.TemporaryDirectory(prefix="croupier-", ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        finally:
            sweep(Path(folder).name)


class Crew:
    """The bots of one sitting: a process for each copy; an address has one line however many seats it takes."""

    def __init__(self, folder: Path, limits: Limits, thinking: asyncio.Semaphore | None = None) -> None:
        """Take the folder of a ``workshop``, whose name marks the bots, their time, and what their lines share."""
        self.folder = folder
        self.limits = limits
        self._thinking = thinking
        self._links: list[tuple[str, BotLink]] = []
        self._addresses: dict[str, BotLink] = {}

    def hire(self, label: str, entrant: Entrant) -> BotLink:
        """Return the line to a new copy of a bot, or to its address; nothing is started yet."""
        link = self._addresses.get(entrant.address)
        if link is not None:
            return link
        link = BotLink(self._peer(entrant), entrant.limits(self.limits), self._thinking)
        self._links.append((label, link))
        if entrant.address:
            self._addresses[entrant.address] = link
        return link

    async def come_up(self) -> None:
        """Start all that were hired.

        Raises:
            ConfigError: bots that don't come up; a line for each.
        """
        found = await asyncio.gather(*(_why_not(link) for _, link in self._links))
        problems = dict.fromkeys(
            f"{label}: {plain(why)}" for (label, _), why in zip(self._links, found, strict=True) if why
        )
        if problems:
            raise ConfigError("\n".join(problems))

    async def __aenter__(self) -> Crew:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        """End all bots."""
        await asyncio.gather(*(link.close() for _, link in self._links))

    def _peer(self, entrant: Entrant) -> Peer:
        if entrant.address:
            return ProbedPeer(entrant.address)
        own = Path(tempfile.mkdtemp(prefix="", dir=self.folder))
        return peer_of(entrant, run=self.folder.name, sockets=own)


async def _why_not(link: BotLink) -> str:
    """Start a bot; return why it doesn't come up, or nothing."""
    try:
        await link.open()
    except NoShowError as error:
        return str(error)
    return ""


def _distinct(labels: Sequence[str]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for label in labels:
        seen[label] += 1
        yield label if seen[label] == 1 else f"{label} #{seen[label]}"
