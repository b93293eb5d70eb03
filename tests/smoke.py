"""What `make test-pythons` runs with every other Python: an import, a match between processes, a rating.

Not collected by pytest, which those Pythons don't have.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from croupier.games import GAMES
from croupier.harness.ledger import ResultRow
from croupier.leaderboards.ratings import encounters, rate


def main() -> None:
    """Play a match of every game, and rate one encounter."""
    croupier = str(Path(sys.executable).with_name("croupier"))
    with tempfile.TemporaryDirectory(prefix="croupier-") as folder:
        for game in GAMES:
            command = [croupier, "play", "--game", game.name, "--seed", "smoke", "sample:random", "sample:sensible"]
            subprocess.run(command, cwd=folder, check=True)
    rows = [
        ResultRow(index, 0, index, 0, 0, f"{index:016x}", seat, entrant, points, 1, 0, 0, 0, 0, 0, 0)
        for index in range(2)
        for seat, (entrant, points) in enumerate((("a", 5), ("b", -5)) if index == 0 else (("b", -1), ("a", 1)))
    ]
    ratings = rate(encounters(rows).finished, {"a", "b"}, {"a", "b"})
    assert ratings.of["a"].mu > 25 > ratings.of["b"].mu, ratings
    print(f"Python {sys.version.split()[0]}: plays and rates")  # noqa: T201  the result


if __name__ == "__main__":
    main()
