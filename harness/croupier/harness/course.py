"""How many rounds a run has: those that its file says, or as many as it takes until its leaderboards are decided.

Law: result rows in, a number of rounds out; pure. The driver asks after every round, a resumed run and ``verify`` ask
the same of the ledger's rows, and all get the same answer: only whole rounds count, in their order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from croupier.harness.ledger_rows import ResultRow
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.harness.stopping import Scores, Verdict


@dataclass(frozen=True, slots=True)
class Terms:
    """When a run ends.

    Attributes:
        rounds: that are played in any case.
        max_rounds: after which it ends undecided; not less than ``rounds``, and the same where nothing is looked at.
        top: so many first places must be separated from all below.
        confidence: of the bounds.
        leaderboards: of each, by entrant, the deals of one encounter over all its rotations; without house bots.
    """

    rounds: int
    max_rounds: int
    top: int
    confidence: float
    leaderboards: tuple[Mapping[str, int], ...]


def terms_of(manifest: Manifest) -> Terms:
    """Return when a run ends."""
    house = {bot.id for bot in manifest.house}
    leaderboards = tuple(
        {entrant: game.seats * game.deals for entrant in manifest.field(game) if entrant not in house}
        for game in manifest.games
    )
    most = max(manifest.rounds, manifest.most_rounds)
    return Terms(manifest.rounds, most, manifest.top, manifest.confidence, leaderboards)


class Course:
    """The whole rounds of a run so far.

    Attributes:
        rounds: their number.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._scores = [Scores(deals, terms.confidence) for deals in terms.leaderboards]
        self.rounds = 0

    def add(self, rows: Iterable[ResultRow]) -> None:
        """Add the results of the next round, all of them, in any order."""
        tables: defaultdict[tuple[int, int], list[tuple[str, int]]] = defaultdict(list)
        for row in rows:
            tables[row.leaderboard, row.table].append((row.entrant, row.points))
        for (leaderboard, _), points in tables.items():
            self._scores[leaderboard].add(points)
        self.rounds += 1

    def verdicts(self) -> tuple[Verdict, ...]:
        """Return what is separated and what is tied, by leaderboard."""
        return tuple(scores.verdict() for scores in self._scores)

    @property
    def ended(self) -> bool:
        """Whether the run ends after these rounds."""
        terms = self._terms
        if not terms.rounds <= self.rounds < terms.max_rounds:
            return self.rounds >= terms.max_rounds
        return all(verdict.decided(terms.top) for verdict in self.verdicts())

    @property
    def due(self) -> int:
        """The rounds that the run has, as far as these results say: one more than now if it hasn't ended."""
        return self.rounds if self.ended else max(self._terms.rounds, self.rounds + 1)


def course_of(terms: Terms, matches_in: Callable[[int], int], rows: Iterable[ResultRow]) -> Course:
    """Return the course of a run up to the round after which it ends, or up to the first one that isn't whole.

    Args:
        terms: when it ends.
        matches_in: gives the number of matches in so many first rounds.
        rows: all results, in any order; those of rounds after the end are left out.
    """
    by_round: defaultdict[int, list[ResultRow]] = defaultdict(list)
    for row in rows:
        by_round[row.round].append(row)
    course = Course(terms)
    while not course.ended:
        following = by_round[course.rounds]
        whole = matches_in(course.rounds + 1) - matches_in(course.rounds)
        if len({row.index for row in following}) < whole:
            break
        course.add(following)
    return course


def rounds_due(schedule: Schedule, rows: Callable[[], Iterable[ResultRow]]) -> int:
    """Return the rounds that a run has, as far as its results say.

    Args:
        schedule: of the run.
        rows: gives all results; they are read only where they matter.
    """
    manifest = schedule.manifest
    if manifest.until == "rounds":
        return manifest.rounds
    return course_of(terms_of(manifest), schedule.matches_in, rows()).due


def wrong_end(schedule: Schedule, rows: Sequence[ResultRow], *, revealed: bool) -> str:
    """Return what is wrong with where a run ended, by its results, or nothing.

    Args:
        schedule: of the run.
        rows: all results.
        revealed: whether its secret is public, which says that it has ended.
    """
    rounds = rounds_due(schedule, lambda: rows)
    due, played = schedule.matches_in(rounds), {row.index for row in rows}
    if beyond := sum(index >= due for index in played):
        return (
            f"ended too late: by its results after round {rounds - 1}, but {beyond:,} matches of later rounds are there"
        )
    if revealed and len(played) < due:
        first = next(index for index in range(due) if index not in played)
        return (
            f"match {first} ({schedule.match_id(first)}): has no result, but the secret is revealed, which a run does "
            f"when all its {due:,} matches have one ({due - len(played):,} are missing)"
        )
    return ""
