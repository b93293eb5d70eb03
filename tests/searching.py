"""Searching for what should be nowhere: how bytes and cards may be written down, and all places where they could be."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from croupier.games import Cards, Pack
from croupier.leaderboards.archive import read_lines

MOST_BYTES = 64 * 2**20
"""Of a file; the larger ones are sparse."""

PREFIX = 16
"""So many cards from the top tell a deck; notation has no more than 24 in a line."""

PIECE = 2**20
OVERLAP = 1024
"""Of the pieces in which memory is read."""

Place = tuple[str, bytes]
"""Where bytes were found, and all that is there."""


def shapes(data: bytes) -> set[bytes]:
    """Return bytes as they may be written down: raw, hexadecimal, base64, numbers in lists."""
    listed = list(data)
    return {
        data,
        data.hex().encode(),
        data.hex().upper().encode(),
        base64.b64encode(data).rstrip(b"="),
        json.dumps(listed).strip("[]").encode(),
        json.dumps(listed, separators=(",", ":")).strip("[]").encode(),
    }


def deck_shapes(deck: Cards, pack: Pack) -> set[bytes]:
    """Return the top of a deck: as numbers in all shapes, and as names in a row, in JSON and in a record."""
    top = deck[:PREFIX]
    names = {separator.join(top).encode() for separator in ("", " ", ",", ", ", '","', '", "', "', '", "\n")}
    indented = {f'",\n{" " * blanks}"'.join(top).encode() for blanks in range(1, 13)}
    return shapes(bytes(pack.cards.index(card) for card in top)) | names | indented | {packed(top)}


def packed(cards: Cards) -> bytes:
    """Return cards as they stand in a serialised ``DealRecord``, whose second field they are."""
    return b"".join(bytes((0x12, len(card.encode()))) + card.encode() for card in cards)


def files(*folders: Path) -> Iterator[Place]:
    """Yield each file below folders, as long as it is there, and what is compressed in it; sockets are none."""
    for folder in folders:
        for path in folder.rglob("*"):
            try:
                if path.is_file() and path.stat().st_size <= MOST_BYTES:
                    yield str(path), path.read_bytes()
                    if path.suffix == ".zst":
                        yield str(path), read_lines(path).encode()
            except OSError:
                continue  # it was there a moment ago


def processes() -> Iterator[Place]:
    """Yield command line and environment of every process that may be read."""
    for process in Path("/proc").iterdir():
        for name in ("cmdline", "environ"):
            try:
                if process.name.isdecimal():
                    yield str(process / name), (process / name).read_bytes()
            except OSError:
                continue  # it has ended


class _Region(NamedTuple):
    """A part of a process's memory that it may write: its addresses, and the file that it shares with others."""

    start: int
    end: int
    shared: str


def memory(numbers: Iterable[int]) -> Iterator[Place]:
    """Yield what processes hold in memory, each region that they share (Ray's objects) once; nothing where none may."""
    seen: set[str] = set()
    for number in numbers:
        try:
            with Path(f"/proc/{number}/mem").open("rb", buffering=0) as content:
                for region in _regions(number):
                    if region.shared not in seen:
                        seen |= {region.shared} - {""}
                        yield from _read(number, content, region)
        except OSError:
            continue  # it has ended, or isn't ours to look into


def _regions(number: int) -> Iterator[_Region]:
    for line in Path(f"/proc/{number}/maps").read_text().splitlines():
        addresses, rights, _, device, inode, *_ = line.split()
        if rights.startswith("rw"):
            start, end = (int(address, 16) for address in addresses.split("-"))
            yield _Region(start, end, f"{device} {inode}" if rights.endswith("s") else "")


def _read(number: int, content: FileIO, region: _Region) -> Iterator[Place]:
    """Yield a region in pieces that overlap."""
    for start in range(region.start, region.end, PIECE):
        try:
            content.seek(start)
            data = content.read(min(PIECE + OVERLAP, region.end - start))
        except OSError:
            continue  # a page that can't be read
        if data.strip(b"\0"):  # most of what a process reserves it never touches
            yield f"memory of {number} at {start:x}", data


def found(needles: Mapping[bytes, str], places: Iterable[Place]) -> set[tuple[str, str]]:
    """Return where something was found, and what."""
    return {(place, what) for place, data in places for needle, what in needles.items() if needle in data}
