"""``make bench-statistics``: how soon leaderboards are right, what duplicates are worth, how often a verdict is wrong.

Eight ``sensible`` bots whose true order is known by their errors play in this process; the tables are those of
docs/statistics.md. Cards and errors are seeded, so the figures come out the same wherever they are made. The file isn't
called after the page: `statistics` is a module of Python that others here import.
"""

from __future__ import annotations

from multiprocessing import Pool as Processes
from random import Random
from statistics import fmean, median
from typing import NamedTuple

from benchmarks.in_process import SEATS, Contest, Encounter, tournament
from benchmarks.judging import MAX_ROUNDS, Ending, Pool, coverage, ending, entrants, pool, tau, variance_cut
from croupier.games import game_named
from croupier.sample_bots.sensible import Sensible

SEEDS = 10
LENGTHS = (1, 4)
"""Deals of a match: one, to which the targets apply, and four beside it."""

BEST = 5
"""So many of the best bots make the field in which duplicates are measured again: with few random actions."""

TOURNAMENTS, STOPPED = 400, 100
"""Simulated for the coverage of intervals, and for the rule that stops."""


class Field(NamedTuple):
    """What is played, by whom, and what is asked of the figures.

    Attributes:
        errors: of the bots, the best first.
        deals: of one seed, counted over all rotations.
        least_tau: of Kendall's tau, the mean over the seeds.
        least_cut: of the variance, by duplicates; None: nothing is asked.
    """

    game: str
    errors: tuple[float, ...]
    deals: int
    least_tau: float
    least_cut: float | None


CLOSE = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6)
WIDE = (0.0, 0.1, 0.2, 0.3, 0.4, 0.55, 0.75, 1.0)
FIELDS = (
    Field("cha_kau_tsu", CLOSE, 2000, 0.92, 1.7),
    Field("doppelkopf", WIDE, 8000, 0.95, 2.5),
    Field("kowah", CLOSE, 2000, 0.9, None),
)


class Task(NamedTuple):
    """One seed's encounters, with matches of so many deals."""

    field: Field
    deals: int
    seed: int


def play(task: Task) -> list[Encounter]:
    """Play a seed's encounters."""
    field, deals, seed = task
    rules = game_named(field.game).rules(tournament=True)
    bots = {f"error-{error:.2f}": Sensible(error).choose for error in field.errors}
    contest = Contest(field.game, rules, bots, deals)
    return tournament(contest, f"{field.game} {deals} {seed}", field.deals // (SEATS * deals))


def ranking(field: Field, deals: int, seeds: list[list[Encounter]]) -> str:
    """Return the line of the first table: how right the order is, and what duplicates are worth."""
    taus = [tau(encounters, deals) for encounters in seeds]
    played = pool([each for encounters in seeds for each in encounters])
    best = set(entrants(played)[:BEST])
    among_best = {table: encounters for table, encounters in played.items() if best.issuperset(table)}
    cells = (
        game_named(field.game).title,
        f"{deals}",
        f"{field.deals:,}",
        _judged(fmean(taus), field.least_tau, deals) + f" ({min(taus):.2f})",
        _judged(variance_cut(played), field.least_cut, deals),
        f"{variance_cut(among_best):.2f}",
    )
    return "| " + " | ".join(cells) + " |"


def verdicts(field: Field, played: Pool) -> str:
    """Return the line of the second table: how often an interval or a verdict of one-deal matches is wrong."""
    covered = coverage(played, 1, TOURNAMENTS, Random(f"coverage {field.game}"))
    graded, equal = (
        [
            ending(played, 1, Random(f"ending {field.game} {equals} {number}"), equals=equals)
            for number in range(STOPPED)
        ]
        for equals in (False, True)
    )
    best = entrants(played)[0]
    right = [each.rounds for each in graded if each.leader == best]
    cells = (
        game_named(field.game).title,
        f"{covered:.1%}".replace("%", " %") + ("" if 0.92 <= covered <= 0.98 else " (missed: 92 to 98 %)"),
        f"{_named(graded) - len(right)}",
        f"{len(right)}" + (f", after {median(right):g} rounds" if right else ""),
        f"{_named(equal)}",
    )
    return "| " + " | ".join(cells) + " |"


def _named(endings: list[Ending]) -> int:
    return sum(each.leader is not None for each in endings)


def _judged(value: float, least: float | None, deals: int) -> str:
    """Return a figure, and where a target applies to it whether it is reached."""
    if least is None or deals != 1:
        return f"{value:.2f}"
    return f"{value:.2f} (at least {least:g})" if value >= least else f"**{value:.2f}** (missed: at least {least:g})"


def main() -> None:
    """Print the tables, as Markdown."""
    tasks = [Task(field, deals, seed) for field in FIELDS for deals in LENGTHS for seed in range(SEEDS)]
    with Processes() as processes:
        of_task = dict(zip(tasks, processes.imap(play, tasks), strict=True))
    print("| game | deals of a match | deals of a seed | Kendall's tau, mean of 10 seeds (worst) ", end="")  # noqa: T201
    print(f"| duplicates cut the variance | among the {BEST} best |\n|---|---|---|---|---|---|")  # noqa: T201
    for field in FIELDS:
        for deals in LENGTHS:
            print(ranking(field, deals, [of_task[Task(field, deals, seed)] for seed in range(SEEDS)]))  # noqa: T201
    print(f"\n| game | intervals that hold | wrong leaders of {STOPPED} ", end="")  # noqa: T201
    print(f"| right leaders by round {MAX_ROUNDS} | leaders of {STOPPED} fields of equals |\n|---|---|---|---|---|")  # noqa: T201
    for field in FIELDS:
        print(verdicts(field, pool([each for seed in range(SEEDS) for each in of_task[Task(field, 1, seed)]])))  # noqa: T201


if __name__ == "__main__":
    main()
