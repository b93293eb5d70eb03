"""``play --until separated``: encounters between the same bots, until their bounds part or enough was played.

Law: which encounters are played, and when to stop; a match is ``play``'s business, the bounds are
``croupier.harness.stopping``'s. Encounters are played in parts that grow, each part like a round of a tournament: one
rotation after the other, and bots started anew in between, so that none remembers a board.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from croupier.cli.bots import NamedBot
from croupier.cli.results import Results
from croupier.cli.sittings import Sitting, rotation, rotations
from croupier.cli.text import Column, plain, print_table
from croupier.cli.verdicts import verdict_lines
from croupier.games import Game, Rules
from croupier.harness.errors import ConfigError
from croupier.harness.stopping import FEWEST, Scores, Verdict
from croupier.referee import records
from croupier.referee.fixtures import single_match
from croupier.referee.records import FinishedMatch

GROWTH = 4
"""A part is a fourth of all before it: starting bots costs little then, and the end comes a fourth late at most."""

Sit = Callable[[Sequence[Sitting]], Awaitable[list[FinishedMatch]]]
"""Plays matches in which the same bots sit in the same seats, with bots that are new."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is played.

    Attributes:
        places: the bots, by place; at least two different ones.
        deals: of a match.
        seed: encounter i is played on the boards of the seed "SEED i".
        most: encounters after which it ends undecided.
    """

    game: Game
    rules: Rules
    places: tuple[NamedBot, ...]
    deals: int
    seed: str
    confidence: float
    most: int

    @property
    def deals_each(self) -> int:
        """Deals of an encounter: of a match, times the rotations in which somebody sits elsewhere."""
        return rotations(self.places) * self.deals

    def scores(self) -> Scores:
        """Return the sums of nothing played yet."""
        labels = [bot.label for bot in self.places]
        return Scores({label: labels.count(label) * self.deals_each for label in labels}, self.confidence)

    def sitting(self, encounter: int, number: int) -> Sitting:
        """Return the match of an encounter's rotation."""
        bots = rotation(self.places, number)
        labels = [bot.label for bot in bots]
        match = encounter * rotations(self.places) + number
        return Sitting(single_match(self.game, self.rules, labels, self.deals, f"{self.seed} {encounter}", match), bots)


def comparison(
    game: Game, rules: Rules, places: tuple[NamedBot, ...], deals: int, seed: str, confidence: float, max_deals: int
) -> Comparison:
    """Return what is to be played, at most ``max_deals`` deals counted over all rotations.

    Raises:
        ConfigError: there is nothing to compare, or too few deals to see anything.
    """
    if len({bot.label for bot in places}) < 2:
        raise ConfigError("--until separated compares bots: name another one")
    found = Comparison(game, rules, places, deals, seed, confidence, 0)
    most = max_deals // found.deals_each
    if most < FEWEST:
        fewest = FEWEST * found.deals_each
        raise ConfigError(f"--max-deals {max_deals}: nothing is decided before {fewest} deals ({FEWEST} encounters)")
    return replace(found, most=most)


async def compare(wanted: Comparison, sit: Sit, tell: Callable[[str], None]) -> tuple[Results, Verdict]:
    """Play until the best bot is separated from all others, or the most encounters are played.

    Args:
        wanted: what is played.
        sit: plays the matches of one rotation.
        tell: takes a line for people after each part.
    """
    scores, results = wanted.scores(), Results(wanted.places)
    done = 0
    verdict = scores.verdict()
    while done < wanted.most and not verdict.decided(1):
        part = range(done, min(wanted.most, done + max(FEWEST, done // GROWTH)))
        points: dict[int, list[tuple[str, int]]] = {encounter: [] for encounter in part}
        for number in range(rotations(wanted.places)):
            sittings = [wanted.sitting(encounter, number) for encounter in part]
            for encounter, sitting, match in zip(part, sittings, await sit(sittings), strict=True):
                results.add(sitting, match, f"encounter {encounter}, rotation {number}, ")
                labels = [bot.label for bot in sitting.bots]
                points[encounter] += zip(labels, records.from_bytes(match.record).points, strict=True)
        for of_encounter in points.values():
            scores.add(of_encounter)
        done = part.stop
        verdict = scores.verdict()
        tell(f"{done * wanted.deals_each:,} deals: {'; '.join(_bounds(verdict))}")
    return results, verdict


def print_comparison(wanted: Comparison, results: Results, verdict: Verdict) -> None:
    """Print scores with their bounds and faults by bot, best first, and what is decided."""
    encounters = verdict.bounds[0].encounters
    title = (
        f"{wanted.game.title}, {len(wanted.places)} seats, {encounters:,} encounters of {wanted.deals_each} deals, "
        f"seed {wanted.seed}"
    )
    columns = ("bot", "seats", "points", "per deal", "at least", "at most", "faults", "forfeits")
    rows = []
    for each in verdict.bounds:
        tally = results.tallies[each.entrant]
        numbers = (f"{number:+.2f}" for number in (each.score, each.low, each.high))
        rows.append((tally.label, tally.sat(), f"{tally.points:+d}", *numbers, *tally.conduct()))
    print_table(title, [Column(name, number=name not in {"bot", "seats", "faults"}) for name in columns], rows)
    results.print_faults()


def outcome(wanted: Comparison, verdict: Verdict) -> list[str]:
    """Return for people who is better than whom, and who wasn't told apart."""
    deals = verdict.bounds[0].encounters * wanted.deals_each
    word = "decided" if verdict.decided(1) else "undecided"
    first = f"{word} after {deals:,} deals, with confidence {wanted.confidence}:"
    return [first, *(f"  {line}" for line in verdict_lines(verdict))]


def _bounds(verdict: Verdict) -> list[str]:
    return [f"{plain(each.entrant)} {each.score:+.2f} ({each.low:+.2f} to {each.high:+.2f})" for each in verdict.bounds]
