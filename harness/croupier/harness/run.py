"""Plays a tournament on Ray, from this process: the cluster, the driver, and what signals do to them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from croupier.harness.interrupts import held
from croupier.harness.ledger import Ledger
from croupier.harness.plan import RunPlan, workplace
from croupier.harness.run_cluster import ray_cluster
from croupier.harness.run_driver import Driver, Progress

__all__ = ["Progress", "play"]


def play(plan: RunPlan, ledger: Ledger, notify: Callable[[Progress], None], *, stopping: Callable[[], None]) -> bool:
    """Play what the ledger lacks, from this process; the caller holds the ledger open for writing.

    Args:
        plan: what is played.
        ledger: of the same run.
        notify: is told how far it is.
        stopping: is called when a first signal came, and matches in play get ``STOP_S`` to finish.

    Returns:
        Whether every match has a result: false leaves a provisional leaderboard.

    Raises:
        InterruptedRunError: after SIGINT or SIGTERM; what was finished is in the ledger.
        ConfigError: the cluster can't be joined.
        MachineError: a Ray of this machine's own can't be started.
        ClusterLostError: all its nodes are lost.
        LedgerStorageError: the ledger or the temporary folder can't be written.
        KeyboardInterrupt: after a second one, or one that came where nothing has to be put off.
    """
    host = plan.host
    workers = None if host.workers == "auto" else host.workers
    with workplace(plan.folder) as place, ray_cluster(host.address, workers, place / "ray", plan.mark) as count:
        return asyncio.run(_drive(Driver(plan, ledger, count, notify), stopping))


async def _drive(driver: Driver, stopping: Callable[[], None]) -> bool:
    """Run a driver; the first SIGINT or SIGTERM asks it to stop."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        driver.stop.set()
        stopping()

    with held(lambda: loop.call_soon_threadsafe(stop)):
        return await driver.play()
