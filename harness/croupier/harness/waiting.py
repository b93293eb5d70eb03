"""What a sitting still has to play: drawn from the schedule as it is needed, so a million matches cost no memory.

Pure; knows whose seats are remote, not why a match is played again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator

from croupier.harness.schedule import ScheduledMatch, Sitting


class Waiting:
    """The matches of a sitting that are not yet handed out, and those that were cut short.

    They come in two lines: ``pinned`` ones have a remote seat. All of them go to one worker, because the bot there
    is one process, and each worker would have a call of its own open to it.

    Attributes:
        left: how many matches are in both lines.
    """

    def __init__(self, sitting: Sitting, done: Collection[int], remote: Collection[str]) -> None:
        """Begin a sitting.

        Args:
            sitting: of the schedule.
            done: indexes of the matches that have a result; what is added later is not in question.
            remote: ids of the entrants that somebody else starts.
        """
        self._remote = frozenset(remote)
        self.left = sum(index not in done for index in sitting.indexes)
        self._again: dict[bool, deque[ScheduledMatch]] = {True: deque(), False: deque()}
        self._new = {True: self._missing(sitting, done, pinned=True), False: self._missing(sitting, done, pinned=False)}

    def take(self, most: int, *, pinned: bool) -> list[ScheduledMatch]:
        """Return up to so many matches of a line: those of the schedule first, then those cut short."""
        again, chunk = self._again[pinned], list[ScheduledMatch]()
        while len(chunk) < most and (match := next(self._new[pinned], None) or (again.popleft() if again else None)):
            chunk.append(match)
        self.left -= len(chunk)
        return chunk

    def put_back(self, match: ScheduledMatch) -> None:
        """Let a match that was cut short wait again."""
        self._again[self._pinned(match)].append(match)
        self.left += 1

    def _missing(self, sitting: Sitting, done: Collection[int], *, pinned: bool) -> Iterator[ScheduledMatch]:
        if pinned and not self._remote:
            return iter(())  # or the whole sitting would be gone through to find none
        return (match for match in sitting if match.index not in done and self._pinned(match) == pinned)

    def _pinned(self, match: ScheduledMatch) -> bool:
        return not self._remote.isdisjoint(match.entrants)
