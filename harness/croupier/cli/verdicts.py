"""What bounds have separated and what is tied, as lines for people: of ``play`` and of ``run``. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from croupier.cli.text import plain
from croupier.harness.stopping import FEWEST, Verdict


def verdict_lines(verdict: Verdict) -> Iterator[str]:
    """Yield who is better than whom, neighbour by neighbour, and who wasn't told apart."""
    fewest = min((each.encounters for each in verdict.bounds), default=0)
    if fewest < FEWEST:
        yield f"too few encounters to judge: {fewest}, where {FEWEST} are the fewest"
        return
    groups = [(", ".join(map(plain, group)), "is" if len(group) == 1 else "are") for group in verdict.groups]
    for (above, verb), (below, _) in pairwise(groups):
        yield f"{above} {verb} better than {below}"
    yield from (f"{group} {verb} not told apart" for group, verb in groups if verb == "are")
