"""Twenty thousand deals of each game and profile, spread over its seat counts, under the laws."""

from __future__ import annotations

from collections import defaultdict

import pytest

from conformance.profiles import Case, cases
from properties.playing import Batch, Count, batches, play, play_all

DEALS = 20_000

AT_RANDOM = {"kowah": 4_000}
"""Of those, how many at random, else half; random bots play long deals of Kowah and void most of them."""

SENSIBLE = {
    "cha_kau_tsu": {2: 20, 3: 27, 4: 34},
    "kowah": {2: 24, 3: 29, 4: 35, 5: 40, 6: 46},
}
"""Decisions a deal of ``sensible`` by seats, as the rules pages tell them (Kowah at 3 to 5 seats interpolated)."""

# Tournament defaults change what passes between deals, nothing of what happens in one.
CASES = [case for case in cases() if case.profile != "tournament"]
PROFILES = dict.fromkeys(f"{case.game.name}-{case.profile}" for case in CASES)


def _spread(name: str, deals: int) -> dict[tuple[Case, bool], range]:
    """Return which boards are played at which seat count, and whether sensibly."""
    chosen = [case for case in CASES if f"{case.game.name}-{case.profile}" == name]
    at_random = deals * AT_RANDOM.get(chosen[0].game.name, DEALS // 2) // DEALS
    shares = [(False, at_random), (True, deals - at_random)]
    return {
        (case, sensible): range(share * number // len(chosen), share * (number + 1) // len(chosen))
        for sensible, share in shares
        for number, case in enumerate(chosen)
    }


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", PROFILES)
def test_the_laws_hold_in_thousands_of_deals(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """At every fiftieth decision and at the end of each deal; the decisions per deal are told."""
    spread = _spread(name, DEALS)
    everything = [
        batch for (case, sensible), boards in spread.items() for batch in batches(case, boards, sensible=sensible)
    ]

    counts: defaultdict[tuple[Case, bool], Count] = defaultdict(lambda: Count(0, 0, 0))
    for batch, count in zip(everything, play_all(everything), strict=True):
        counts[batch.case, batch.sensible] += count

    with capsys.disabled():
        print()  # noqa: T201 - the figures are reported, with or without -s
        for (case, sensible), count in counts.items():
            means = f"{count.mean:.1f} decisions a deal, {count.idle / count.deals:.0%} without points"
            print(f"{case} {'sensible' if sensible else 'random'}: {count.deals} deals, {means}")  # noqa: T201
    assert sum(count.deals for count in counts.values()) == DEALS
    for (case, sensible), count in counts.items():
        told = SENSIBLE.get(case.game.name, {}).get(case.seats)
        assert not sensible or told is None or count.mean == pytest.approx(told, rel=0.2)


@pytest.mark.parametrize("name", PROFILES)
def test_the_laws_hold_in_some_deals(name: str) -> None:
    """The same on few boards, in this process."""
    for (case, sensible), boards in _spread(name, 50).items():
        assert play(Batch(case, boards, sensible)).decisions >= len(boards)
