"""Which matches have a result: a byte for each match of the schedule, so a million of them take a megabyte. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator


class Done(Collection[int]):
    """A set of indexes below a bound; it only grows."""

    def __init__(self, total: int, indexes: Iterable[int] = ()) -> None:
        """Begin with some indexes of a schedule of so many matches."""
        self._marks = bytearray(total)
        self.update(indexes)

    def update(self, indexes: Iterable[int]) -> None:
        """Add indexes."""
        for index in indexes:
            self._marks[index] = 1

    def covers(self, indexes: range) -> bool:
        """Return whether all of a range are in it."""
        return self._marks.count(1, indexes.start, indexes.stop) == len(indexes)

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and self._marks[index] == 1

    def __iter__(self) -> Iterator[int]:
        return (index for index, mark in enumerate(self._marks) if mark)

    def __len__(self) -> int:
        return self._marks.count(1)
