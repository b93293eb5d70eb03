"""The leaderboard as a value: standings and crosstable, and what a tournament's leaderboards share.

Law: from result rows to frozen values that pages, exports and the terminal show; pandas does the sums. Holds no date,
path, host or worker count, so equal results give equal values. Knows nothing of the ledger's file nor of looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd

from croupier.harness.balance import Balance
from croupier.harness.ledger_rows import ResultRow
from croupier.leaderboards.cuts import Cuts, cuts
from croupier.leaderboards.intervals import Interval, Paired, Sums
from croupier.leaderboards.overall import Overall
from croupier.leaderboards.ratings import (
    Encounters,
    PlayedEncounter,
    better,
    better_than_next,
    encounters,
    ordered,
    paired,
    ranks,
    rate,
)
from croupier.leaderboards.stopping import Stopping
from croupier.referee.records import FaultCounts


@dataclass(frozen=True, slots=True)
class ListedEntrant:
    """Who is listed: the id that counts, and what is shown beside it."""

    id: str
    name: str = ""
    owner: str = ""
    remote: bool = False
    house: bool = False


@dataclass(frozen=True, slots=True)
class GameSetting:
    """What a leaderboard is about: a game in one setting, as the tournament file's ``[[game]]`` says."""

    label: str
    name: str
    title: str
    seats: int
    deals: int
    rules: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a leaderboard. What can't be said yet is None; every number is finite.

    Attributes:
        rank: from 1, shared by those who can't be told apart; None for a house bot.
        shared: whether somebody else has the same rank.
        rating: mu - 3 sigma.
        points: points per deal.
        interval: of the points per deal, with the encounters as clusters.
        win_share: share of (other seat, encounter) pairs beaten, a tie counting half; 0 to 1.
        forfeits: matches lost by faults.
        better: probability of being stronger than the next ranked entrant; 0 to 1.
    """

    rank: int | None
    shared: bool
    entrant: ListedEntrant
    rating: float
    mu: float
    sigma: float
    points: float | None
    interval: Interval | None
    win_share: float | None
    encounters: int
    deals: int
    forfeits: int
    faults: FaultCounts
    better: float | None


class Meeting(NamedTuple):
    """A cell of the crosstable: mean difference of points per deal, row minus column, and the common encounters.

    The interval is paired by encounter; None where they met only once.
    """

    points: float
    tables: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """The leaderboard of one game in one setting.

    Attributes:
        standings: ranked entrants in order, then the house bots in theirs.
        crosstable: by row and column in the order of the standings; None where two never met.
        better: probability that row is stronger than column, by the ratings, in the same order; None on the diagonal.
        encounters: finished ones: all that the leaderboard rests on.
        unfinished: encounters begun of which matches are missing; not counted in any column.
        skipped: encounters whose result was certain beforehand, so that TrueSkill learned nothing.
    """

    game: GameSetting
    standings: tuple[Standing, ...]
    crosstable: tuple[tuple[Meeting | None, ...], ...]
    better: tuple[tuple[float | None, ...], ...]
    encounters: int
    unfinished: int
    skipped: int
    draw_probability: float
    cuts: Cuts


@dataclass(frozen=True, slots=True)
class Timing:
    """Decision times of an entrant in one leaderboard: milliseconds of the calls that carried its decisions."""

    label: str
    entrant: ListedEntrant
    decisions: int
    mean_ms: float | None
    max_ms: float | None


@dataclass(frozen=True, slots=True)
class Facts:
    """What all leaderboards of a tournament share.

    Attributes:
        manifest: SHA-256 of the manifest, hexadecimal.
        seed: the text all decks come from, or None for a secret drawn at random.
        beacon: the public value mixed into the decks, or "".
        commitment: what the secret was bound by, hexadecimal, or "".
        promise: what that proves of the cards, in words.
        played, scheduled: numbers of matches.
        fresh: of those played, the matches that were dealt fresh boards after void tries; only with remote bots.
        before: the void tries of these.
    """

    id: str
    name: str
    manifest: str
    seed: str | None
    beacon: str
    commitment: str
    promise: str
    rounds: int
    duplicate: bool
    sandbox: str
    played: int
    scheduled: int
    fresh: int
    before: int


@dataclass(frozen=True, slots=True)
class Leaderboards:
    """All of a tournament's leaderboards, in the order of the tournament file, and all of them together.

    ``balance`` says of each of them how even its schedule is, ``stopping`` how far it is decided, where the run goes on
    until it is. ``timings`` and ``void_tries`` alone depend on the machine, and are apart in every export.
    """

    facts: Facts
    marks: tuple[str, ...]
    boards: tuple[Leaderboard, ...]
    timings: tuple[Timing, ...]
    overall: Overall | None
    balance: tuple[Balance, ...]
    stopping: tuple[Stopping | None, ...]
    void_tries: int


def leaderboard(
    game: GameSetting,
    entrants: Sequence[ListedEntrant],
    rows: Sequence[ResultRow],
    played: Encounters | None = None,
    *,
    duplicate: bool = True,
) -> Leaderboard:
    """Return the leaderboard of one ``[[game]]``.

    Args:
        game: its setting.
        entrants: everyone in its field.
        rows: its result rows, in any order.
        played: the same rows gathered by ``encounters``, where the caller has them already.
        duplicate: whether the rotations of an encounter share their boards.
    """
    finished, unfinished = played or encounters(rows)
    ranked = [entrant.id for entrant in entrants if not entrant.house]
    house = [entrant.id for entrant in entrants if entrant.house]
    ratings = rate(finished, ranked + house, ranked)
    pairs = paired(finished)
    order = ordered(ratings.of, ranked)
    everybody = order + ordered(ratings.of, house)
    rank = dict(zip(order, ranks(order, pairs), strict=True))
    holders = Counter(rank.values())
    chance = better_than_next(ratings.of, order)
    by_id = {entrant.id: entrant for entrant in entrants}
    totals = _totals(finished)
    standings = []
    for id_ in everybody:
        rating, total = ratings.of[id_], totals.get(id_, NOTHING)
        standings.append(
            Standing(
                rank=rank.get(id_),
                shared=id_ in rank and holders[rank[id_]] > 1,
                entrant=by_id[id_],
                rating=rating.conservative,
                mu=rating.mu,
                sigma=rating.sigma,
                points=total.sums.points_per_deal,
                interval=total.sums.interval(),
                win_share=total.beaten / (2 * total.met) if total.met else None,
                encounters=total.sums.encounters,
                deals=total.sums.deals,
                forfeits=total.forfeits,
                faults=total.faults,
                better=chance.get(id_),
            )
        )
    return Leaderboard(
        game=game,
        standings=tuple(standings),
        crosstable=tuple(tuple(_meeting(pairs.get((row, column))) for column in everybody) for row in everybody),
        better=tuple(
            tuple(None if row == column else better(ratings.of[row], ratings.of[column]) for column in everybody)
            for row in everybody
        ),
        encounters=len(finished),
        unfinished=unfinished,
        skipped=ratings.skipped,
        draw_probability=ratings.draw_probability,
        cuts=cuts(rows, game.seats, game.deals, duplicate=duplicate),
    )


class _Total(NamedTuple):
    """What the columns of an entrant are made of; `beaten` counts twice, so that a tie is worth 1."""

    sums: Sums
    beaten: int
    met: int
    forfeits: int
    faults: FaultCounts


NOTHING = _Total(Sums(0, 0, 0, 0, 0, 0), 0, 0, 0, FaultCounts())


def _totals(finished: Iterable[PlayedEncounter]) -> dict[str, _Total]:
    """Return sums over encounters by entrant; whole numbers throughout, hence exact."""
    shares = [
        (
            share.entrant,
            *Sums.of(share.points, share.deals),
            sum(2 * (place < other) + (place == other) for other in places) - 1,  # it ties with itself
            len(places) - 1,
            share.forfeits,
            *share.faults,
        )
        for encounter in finished
        for places in [encounter.places()]
        for share, place in zip(encounter.shares, places, strict=True)
    ]
    columns = ["entrant", *Sums._fields, "beaten", "met", "forfeits", *FaultCounts._fields]
    frame = pd.DataFrame(shares, columns=columns).groupby("entrant").sum()
    kinds = len(FaultCounts._fields)
    totals = {}
    for entrant, *numbers in frame.itertuples(name=None):
        whole = [int(number) for number in numbers]  # Python's own, whose products can't overflow
        *sums, beaten, met, forfeits = whole[:-kinds]
        totals[str(entrant)] = _Total(Sums(*sums), beaten, met, forfeits, FaultCounts(*whole[-kinds:]))
    return totals


def _meeting(pair: Paired | None) -> Meeting | None:
    if pair is None or pair.points_per_deal is None:
        return None
    return Meeting(pair.points_per_deal, pair.tables, pair.interval())
