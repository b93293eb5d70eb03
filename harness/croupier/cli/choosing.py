"""Which match is meant: one of a run or of a file of records, as MATCH names it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from croupier.cli.record_files import read_records
from croupier.cli.text import plain
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import FILE, Ledger
from croupier.referee import records
from croupier.v1 import record_pb2 as pb

MOST_NAMED = 3
"""So many of several matches that could be meant are named."""

SHOWN = 80
"""Characters of a MATCH that names none that are shown."""


def chosen(source: Path, match: str | None) -> pb.MatchRecord:
    """Return the record of a match.

    Args:
        source: the folder of a run, or a file of records.
        match: an index, or the beginning of an id; may be left out where there is one match only.

    Raises:
        ConfigError: no such run, file or match; or several are meant.
        LedgerStorageError: it can't be read.
    """
    return _in_run(source, match) if source.is_dir() else _in_file(source, match)


def _in_run(run: Path, match: str | None) -> pb.MatchRecord:
    """Return a match of a run."""
    if not (run / FILE).is_file():
        raise ConfigError(
            f"{run}: holds no {FILE}; name the folder of a run, for example runs/demo, or a record's file"
        )
    with Ledger.read(run / FILE) as ledger:
        ids = {row.index: row.match_id for row in ledger.results()}
        index = _meant(str(run), ids, match)
        row = next(row for row in ledger.matches() if row.index == index)
    try:
        return records.from_bytes(row.record)
    except records.RecordError as error:
        raise LedgerStorageError(f"{run}: match {index}: {error}") from error


def _in_file(path: Path, match: str | None) -> pb.MatchRecord:
    """Return a match of a file."""
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file or folder; name the folder of a run or a record's file")
    found = read_records(path)
    return found[_meant(str(path), {place: record.match_id for place, record in enumerate(found)}, match)]


def _meant(where: str, ids: Mapping[int, str], match: str | None) -> int:
    """Return the index of the match that is meant.

    Args:
        where: what they are in, for people.
        ids: of all matches, by index.
        match: an index, or the beginning of an id; may be left out where there is one match only.
    """
    if not ids:
        raise ConfigError(f"{where}: no match is finished yet")
    if match is None:
        found = list(ids)
    elif match in ids.values():
        found = [index for index, id_ in ids.items() if id_ == match]
    elif at := [index for index in ids if str(index) == match]:
        found = at
    else:
        found = [index for index, id_ in ids.items() if match and id_.startswith(match)]
    if len(found) == 1:
        return found[0]
    named = ", ".join(f"{index} ({ids[index]})" for index in found[:MOST_NAMED]) + ", ..." * (len(found) > MOST_NAMED)
    if found:
        raise ConfigError(f"{plain(where)}: {len(found)} matches: {plain(named)}; name one as MATCH")
    raise ConfigError(
        f"{plain(where)}: no match {(match or '')[:SHOWN]!r}; MATCH is an index, an id, or the beginning of one"
    )
