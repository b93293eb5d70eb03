"""``python benchmarks/kills.py [KILLS]``: a tournament that is killed at random instants, against one that isn't.

Six entrants play three games. In turn a driver, all referees' workers or the raylet gets SIGKILL, each some random
time after matches began to end; then the run is resumed. Whatever was hit: records, leaderboards and exports are those
of the undisturbed run, byte for byte, and no process or temporary folder is left. Instants follow from a seed, but
what they hit doesn't.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from tournaments import WAIT_S, Small, wait_until  # noqa: E402  where tests find it too

KILLS = 50
LATEST_S = 1.5
"""After the first finished match of a session."""

ENTRANTS = "".join(
    f'[[entrant]]\nid = "{name}"\nbot = "sample:{bot}"\n{options}'
    for name, bot, options in (
        *((f"random-{salt}", "random", f'options = {{ salt = "{salt}" }}\n') for salt in "abcd"),
        ("first", "first", ""),
        ("sensible", "sensible", ""),
    )
)
TOURNAMENT = f"""id = "kills"
[schedule]
rounds = 1
duplicate = true
[[game]]
name = "kowah"
seats = 3
deals = 1
[[game]]
name = "cha_kau_tsu"
seats = 2
deals = 2
[[game]]
name = "doppelkopf"
seats = 4
deals = 1
[time]
move_ms = 60000
{ENTRANTS}"""

TARGETS = {"driver": "", "workers": "ray::Worker", "raylet": "raylet/raylet"}

Content = dict[str, bytes]


MOST_MISSED = 3
"""Runs in a row that may be over before they are hit."""


def kill_all(home: Path, kills: int, seed: str = "kills") -> Iterator[str]:
    """Play the tournament undisturbed by 1 and 4 workers, then kill it so many times, and compare.

    Args:
        home: an empty folder.
        kills: how many, over as many runs as it takes.
        seed: of instants and targets.

    Yields:
        A line for each run.

    Raises:
        AssertionError: something differs or is left.
    """
    drawn = random.Random(seed)
    with Small(home) as small:
        small.file.write_text(TOURNAMENT)
        whole = _played(small, "whole", workers=1)
        yield "undisturbed, 1 worker"
        assert _played(small, "four", workers=4) == whole
        yield "undisturbed, 4 workers: the same"
        done = number = missed = 0
        while done < kills:
            run, hit = f"killed-{number}", list[str]()
            while done + len(hit) < kills:
                target = list(TARGETS)[(done + len(hit)) % len(TARGETS)]
                if not _killed(small, run, target, drawn.uniform(0, LATEST_S)):
                    break
                hit.append(f"{target} at {small.finished(run)}")
            assert _played(small, run, workers=2) == whole, f"{run} differs after {hit}"
            missed = 0 if hit else missed + 1
            assert missed < MOST_MISSED, f"{missed} runs in a row were over before a part was hit"
            done, number = done + len(hit), number + 1
            yield f"{run}: {', '.join(hit) or 'over before it was hit'}: the same"


def _killed(small: Small, run: str, target: str, after_s: float) -> bool:
    """Start or resume a run and kill a part of it; return whether that part was there to be killed."""
    before = small.finished(run)
    process = small.start(run, "--workers", "2")
    wait_until(lambda: small.finished(run) > before or process.poll() is not None, "a match")
    threading.Event().wait(after_s)
    numbers = [process.pid] if target == "driver" else list(small.processes(run, TARGETS[target]))
    there = process.poll() is None and bool(numbers)
    for number in numbers if there else ():
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            there = False
    if (
        target == "raylet"
    ):  # Ray ends a driver that has lost its only node, or the driver ends first; both may take long
        try:
            process.wait(WAIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
    _, err = process.communicate(timeout=WAIT_S)
    assert "internal error" not in err, err
    return there


def _played(small: Small, run: str, workers: int) -> Content:
    """Play a run to its end and return what must be the same."""
    code, _, err = small.run(run, "--workers", str(workers))
    assert code == 0, err
    assert small.left(run) == [], small.left(run)
    folder = small.home / run
    subprocess.run(
        [sys.executable, "-m", "croupier.cli.main", "export", str(folder)], check=True, stdout=subprocess.DEVNULL
    )
    records, leaderboard = small.result(run)
    exports = {path.name: path.read_bytes() for path in (folder / "exports").iterdir()}
    return {f"record {index}": record for index, record in records} | exports | {"leaderboard.json": leaderboard}


def main() -> None:
    """Do it, and print a line for each run."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else KILLS
    with tempfile.TemporaryDirectory(prefix="kills-") as home:
        for line in kill_all(Path(home), kills):
            print(line, flush=True)  # noqa: T201  the result


if __name__ == "__main__":
    main()
