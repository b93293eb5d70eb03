"""A ``leaderboard.json`` that was written, beside the one that the results give now."""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple


class Compared(NamedTuple):
    """What became of ``leaderboard.json``: it differs, it wasn't compared, or neither; either is a line for people."""

    difference: str = ""
    stale: str = ""


def compare(path: Path, expected: str, played: int, *, final: bool) -> Compared:
    """Compare ``leaderboard.json`` with what the results give, line by line; it may have been deleted.

    It is written when a session ends. So in a run that goes on, or was killed, it may tell of other matches than the
    ledger has by now; ``final`` says that the run is complete, after which it may not.
    """
    try:
        if path.exists() and not path.is_file():
            return Compared(f"{path.name}: is no file")
        found = path.read_bytes()
    except FileNotFoundError:
        return Compared()
    except OSError as error:
        return Compared(f"{path.name}: can't be read: {error.strerror}")
    its = _played(found)
    if not final and its not in (None, played):
        many = f"{its:,} match{'es' * (its != 1)}"
        return Compared(stale=f"{path.name} is of another state of the run ({many}); not compared")
    lines = zip_longest(expected.encode().split(b"\n"), found.split(b"\n"))
    for number, (wanted, line) in enumerate(lines, 1):
        if wanted != line:
            return Compared(f"{path.name}, line {number}: expected {_line(wanted)}, found {_line(line)}")
    return Compared()


def _played(leaderboard: bytes) -> int | None:
    """Return of how many matches a ``leaderboard.json`` tells; None if it is none."""
    try:
        played = json.loads(leaderboard)["tournament"]["matches"]["played"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return played if type(played) is int else None


def _line(line: bytes | None) -> str:
    return "the end" if line is None else repr(line.decode(errors="backslashreplace").strip(" ")[:80])
