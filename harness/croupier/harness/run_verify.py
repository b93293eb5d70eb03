"""Checks every match of a run, in parallel on Ray."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from croupier.harness import verify
from croupier.harness.errors import MachineError
from croupier.harness.ledger_rows import MatchRow
from croupier.harness.manifest import Manifest
from croupier.harness.run_cluster import ray_cluster
from croupier.harness.schedule import Schedule, ScheduledMatch
from croupier.harness.verify import Checked

CHUNK = 100
"""Matches in one task: about half a second's worth."""

_CHECK: Any = ray.remote(num_cpus=1)(verify.check_all)  # ray's types don't say what a decorated function becomes


def check_run(
    manifest: Manifest,
    key: bytes | None,
    void: verify.Void,
    rows: Iterator[MatchRow],
    *,
    workers: int | None,
    temporary: Path,
    mark: str,
    notify: Callable[[int], None],
) -> Iterator[Checked]:
    """Yield what became of each match in the order of the schedule; matches without a record are left out.

    Args:
        manifest: of the run.
        key: the tournament's, or None before the reveal.
        void: match id and number of each void try.
        rows: all matches of the ledger, by index.
        workers: how many at once; None for as many as there are cores.
        temporary: a folder that a local Ray may make.
        mark: marks its processes.
        notify: is told how many matches have been checked.

    Raises:
        MachineError: Ray can't be started, or lost its tasks.
        InterruptedRunError: SIGINT or SIGTERM came before Ray was up.
    """
    with ray_cluster("", workers, temporary, mark) as count:
        jobs = _paired(Schedule(manifest), rows)
        pending: list[Any] = []
        done = 0
        while True:
            while len(pending) < 2 * count and (chunk := list(islice(jobs, CHUNK))):
                pending.append(_CHECK.remote(manifest, key, chunk, void))
            if not pending:
                return
            checked = _checked(pending.pop(0))
            done += len(checked)
            notify(done)
            yield from checked


def _checked(task: Any) -> list[Checked]:
    """Return what a task found out."""
    try:
        checked: list[Checked] = ray.get(task)
    except RayTaskError:  # ours
        raise
    except RayError as error:
        raise MachineError(
            f"Ray failed while matches were checked ({type(error).__name__}); give the same command again"
        ) from error
    return checked


def _paired(schedule: Schedule, rows: Iterator[MatchRow]) -> Iterator[tuple[ScheduledMatch, MatchRow]]:
    """Yield each row with the match that the schedule has at its index.

    A row whose index the schedule doesn't have is paired with the last match, which it can't be.
    """
    match = None
    scheduled = iter(schedule)
    for row in rows:
        while match is None or match.index < row.index:
            following = next(scheduled, None)
            if following is None:
                break
            match = following
        assert match is not None  # a schedule is never empty
        yield match, row
