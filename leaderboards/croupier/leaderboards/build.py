"""From the ledger of a run to its leaderboards.

Law: the only module here that opens a ledger and reads a manifest. It opens them for reading, so it can be called while
the run goes on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pandas as pd

from croupier.games import game_named
from croupier.harness import fairness
from croupier.harness.balance import balance
from croupier.harness.course import rounds_due
from croupier.harness.errors import DamagedLedgerError
from croupier.harness.ledger import Ledger
from croupier.harness.ledger_rows import ResultRow
from croupier.harness.manifest import Manifest, ManifestEntrant, ManifestGame
from croupier.harness.schedule import Schedule
from croupier.harness.tries import Tries, told, tries_of
from croupier.leaderboards.overall import Part, overall
from croupier.leaderboards.ratings import encounters
from croupier.leaderboards.stopping import stopping
from croupier.leaderboards.tables import Facts, GameSetting, Leaderboards, ListedEntrant, Timing, leaderboard
from croupier.referee.records import SeatTimes


def build(ledger: Path) -> Leaderboards:
    """Return the leaderboards of a run, made from its ledger, however far the run has come.

    Args:
        ledger: the ledger's file; it is opened for reading only.

    Raises:
        ConfigError: there is none, or nothing was begun.
        LedgerStorageError: it can't be read.
    """
    with Ledger.read(ledger) as opened:
        return build_from(opened)


def build_from(ledger: Ledger) -> Leaderboards:
    """Return the leaderboards of a run, made from its ledger as it stood when it was opened for reading.

    Raises:
        ConfigError: nothing was begun.
        LedgerStorageError: it can't be read.
    """
    manifest, rows = ledger.manifest(), ledger.results()
    bound, revealed = ledger.commitment(), ledger.revealed() is not None
    tries = tries_of(manifest, rows, ledger.attempts())
    fields = [(_setting(game), _entrants(manifest, game)) for game in manifest.games]
    _check_entrants(ledger.path, fields, rows)
    timings = _timings(fields, _seat_times(ledger, rows))
    promise = fairness.promise(manifest, bound, revealed=revealed)
    facts = _facts(manifest, rows, tries, commitment=bound.sha256 if bound else "", promise=promise)
    boards, parts = [], []
    for number, (setting, entrants) in enumerate(fields):
        own = [row for row in rows if row.leaderboard == number]
        played = encounters(own)
        board = leaderboard(setting, entrants, own, played, duplicate=manifest.duplicate)
        boards.append(board)
        shares = {row.entrant.id: row.win_share for row in board.standings}
        parts.append(Part(played.finished, board.draw_probability, shares))
    together = overall(parts, [entrant.id for entrant in manifest.entrants])
    return Leaderboards(
        facts=facts,
        marks=marks(facts, manifest),
        boards=tuple(boards),
        timings=timings,
        overall=together,
        balance=balance(manifest, facts.rounds),
        stopping=stopping(manifest, rows),
        void_tries=tries.void,
    )


def marks(facts: Facts, manifest: Manifest) -> tuple[str, ...]:
    """Return what a reader must know before trusting a leaderboard, the gravest first."""
    everybody = manifest.entrants + manifest.house
    said = (
        (
            facts.played < facts.scheduled,
            f"provisional: {facts.scheduled - facts.played:,} of {facts.scheduled:,} matches have no result",
        ),
        (True, facts.promise),
        (facts.fresh > 0, told(facts.fresh, facts.before)),
        (facts.sandbox == "none", "no sandbox: nothing kept bots from each other's files or from the network"),
        (
            facts.duplicate and any(entrant.remote for entrant in everybody),
            "duplicates with remote bots: these aren't started anew and may know the boards they play again",
        ),
        (not facts.duplicate, "no duplicates: every match has boards of its own"),
    )
    return (*(text for holds, text in said if holds), *_filled(manifest))


def _filled(manifest: Manifest) -> Iterator[str]:
    """Yield which leaderboards have house bots, and why."""
    house, entrants = {bot.id for bot in manifest.house}, len(manifest.entrants)
    labels: defaultdict[str, list[str]] = defaultdict(list)
    for game in manifest.games:
        if house.isdisjoint(manifest.field(game)):
            continue
        if manifest.seeds:
            why = "beside the seeds there are too few entrants for one"
        elif entrants < game.seats:
            why = "there are fewer entrants than seats"
        else:
            places = manifest.design(game).places
            why = f"only a part of all combinations is played, which is even with {places} places, not with {entrants}"
        labels[why].append(game.label)
    yield from (f"house bots fill tables of {', '.join(names)}: {why}" for why, names in labels.items())


def _facts(manifest: Manifest, rows: list[ResultRow], tries: Tries, *, commitment: str, promise: str) -> Facts:
    schedule = Schedule(manifest)
    rounds = rounds_due(schedule, lambda: rows)
    return Facts(
        id=manifest.id,
        name=manifest.name,
        manifest=manifest.sha256,
        seed=manifest.seed,
        beacon=manifest.beacon,
        commitment=commitment,
        promise=promise,
        rounds=rounds,
        duplicate=manifest.duplicate,
        sandbox=manifest.sandbox,
        played=len({row.index for row in rows}),
        scheduled=schedule.matches_in(rounds),
        fresh=tries.fresh,
        before=tries.before,
    )


def _setting(game: ManifestGame) -> GameSetting:
    return GameSetting(game.label, game.name, game_named(game.name).title, game.seats, game.deals, game.rules)


def _entrants(manifest: Manifest, game: ManifestGame) -> tuple[ListedEntrant, ...]:
    """Return everyone in the field of a leaderboard."""
    listed: dict[str, ManifestEntrant] = {one.id: one for one in manifest.entrants + manifest.house}
    house = {one.id for one in manifest.house}
    return tuple(
        ListedEntrant(id_, listed[id_].name, listed[id_].owner, listed[id_].remote, id_ in house)
        for id_ in manifest.field(game)
    )


def _check_entrants(
    path: Path, fields: Sequence[tuple[GameSetting, tuple[ListedEntrant, ...]]], rows: Iterable[ResultRow]
) -> None:
    """Refuse results of somebody who doesn't play that leaderboard."""
    known = [{entrant.id for entrant in entrants} for _, entrants in fields]
    for row in rows:
        if row.entrant not in known[row.leaderboard]:
            who = f"results, match {row.index}, seat {row.seat}: {row.entrant!r}"
            raise DamagedLedgerError(path, f"{who} doesn't play there")


def _seat_times(ledger: Ledger, rows: Iterable[ResultRow]) -> Iterator[tuple[int, str, SeatTimes]]:
    """Yield leaderboard, entrant and decision times of each match and seat."""
    who = {(row.index, row.seat): (row.leaderboard, row.entrant) for row in rows}
    for index, timings in ledger.timings():
        for seat, times in enumerate(timings.seats):
            if (index, seat) not in who:
                raise DamagedLedgerError(ledger.path, f"match {index}, seat {seat}: there are timings, but no result")
            yield *who[index, seat], times


def _timings(
    fields: Sequence[tuple[GameSetting, tuple[ListedEntrant, ...]]], stored: Iterable[tuple[int, str, SeatTimes]]
) -> tuple[Timing, ...]:
    """Return decision times by leaderboard and entrant, from those of each match and seat."""
    times = pd.DataFrame(
        [(number, entrant, each.asked, each.total_ms, each.max_ms) for number, entrant, each in stored],
        columns=["leaderboard", "entrant", "asked", "total_ms", "max_ms"],
    )
    sums = times.groupby(["leaderboard", "entrant"]).agg({"asked": "sum", "total_ms": "sum", "max_ms": "max"})
    by_seat = {key: SeatTimes(int(asked), float(total), float(most)) for key, asked, total, most in sums.itertuples()}
    return tuple(
        _timing(setting.label, entrant, by_seat.get((number, entrant.id)))
        for number, (setting, entrants) in enumerate(fields)
        for entrant in entrants
    )


def _timing(label: str, entrant: ListedEntrant, times: SeatTimes | None) -> Timing:
    if times is None or times.asked == 0:
        return Timing(label, entrant, 0, None, None)
    return Timing(label, entrant, times.asked, times.total_ms / times.asked, times.max_ms)
