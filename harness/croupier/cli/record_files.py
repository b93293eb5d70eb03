"""Records that were exported to files, read back: JSON or notation, one match or several. Judges none of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from croupier.cli.text import plain
from croupier.games.rules import DIGITS
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.referee import records
from croupier.referee.notation import read_many
from croupier.v1 import record_pb2 as pb

VIEW_ONLY = "deals_played"
"""A field that a view of a match has and a record hasn't."""


def read_records(path: Path) -> list[pb.MatchRecord]:
    """Return the records in a file, at least one.

    Raises:
        ConfigError: it holds no record, or one that can't be read; the message says where.
        LedgerStorageError: the file can't be read.
    """
    try:
        text = _text(path)
        found = list(_json(text)) if text.lstrip().startswith("{") else read_many(text)
    except OSError as error:
        raise LedgerStorageError(f"{path}: can't be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not a record: neither JSON nor notation") from None
    except ValueError as error:  # RecordError and NotationError too
        raise ConfigError(f"{path}: {plain(str(error))}") from error
    return found


def _text(path: Path) -> str:
    """Return the text of a file, which may be compressed.

    Raises:
        ValueError: it isn't whole, or no text.
        OSError: it can't be read.
    """
    if path.suffix != ".zst":
        return path.read_text(encoding="utf-8-sig")
    from croupier.leaderboards.archive import read_lines  # noqa: PLC0415  contestants have no pandas

    return read_lines(path)


def _json(text: str) -> Iterator[pb.MatchRecord]:
    """Yield the records in a text: JSON objects, one after the other."""
    decoder = json.JSONDecoder(parse_int=_number, object_pairs_hook=_once)
    place = _space(text, 0)
    while place < len(text):
        try:
            value, after = decoder.raw_decode(text, place)
            yield _record(value, text[place:after])
        except json.JSONDecodeError as error:
            raise records.RecordError(f"line {error.lineno}: not a record: {error.msg}") from error
        except (RecursionError, records.RecordError) as error:
            line = text.count("\n", 0, place) + 1
            origin = "records are written by `croupier export` and by `play --record`"
            raise records.RecordError(f"the record in line {line}: {error}; {origin}") from error
        place = _space(text, after)


def _number(digits: str) -> int:
    """Return a number of a record: ``int`` would name a setting of Python's where it has thousands of digits."""
    if len(digits) > DIGITS:
        raise records.RecordError(f"no number of a record has {len(digits)} digits")
    return int(digits)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object in which no field stands twice: each has two names, ``match_id`` and ``matchId``."""
    names = [re.sub("[A-Z]", lambda capital: f"_{capital[0].lower()}", name) for name, _ in pairs]
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise records.RecordError(f"{twice} stands there twice")
    return dict(pairs)


def _record(value: object, text: str) -> pb.MatchRecord:
    """Return the record in a JSON text of this value."""
    if isinstance(value, dict) and VIEW_ONLY in value:
        raise records.RecordError("this is a view, as `croupier replay --json` prints it, and no record")
    return records.from_json(text)


def _space(text: str, place: int) -> int:
    """Return where the blanks end that begin at a place."""
    while place < len(text) and text[place].isspace():
        place += 1
    return place
