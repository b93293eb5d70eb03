"""Where workers run: a slot for each, spread over the nodes of the cluster; who is lost is replaced elsewhere.

Knows actors and nodes, no match. When a node is lost, Ray ends what waits for its workers; the nodes are watched here
as well, so that no run waits for ever where it doesn't.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import ray
from ray.exceptions import NodeDiedError, RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from croupier.harness.errors import ClusterLostError, LedgerStorageError
from croupier.harness.plan import RunPlan
from croupier.harness.run_parcels import pack
from croupier.harness.run_worker import Worker, WorkerSpec
from croupier.harness.supervise import RUN_VARIABLE

CLOSE_S = 1.5
"""The time for a worker to end its bots and remove its folder; then it is killed, and they with it."""

RENEW_S = 30.0
"""The time for a worker to end its bots between sittings; longer than the slowest of them may take."""

WATCH_S = 1.0
"""Between two looks at the nodes."""

# Of no CPU: the slots are spread here, and a worker that asked for one would wait for ever when its node is lost.
_ACTOR: Any = ray.remote(num_cpus=0)(Worker)  # ray's types don't say what a decorated class becomes


class Slot:
    """A place for a worker; the actor in it may be replaced.

    Attributes:
        actor: None before the first match and after a loss.
        node: Ray's id of the node to which the actor is bound: it runs there or nowhere.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self.actor: Any = None
        self.node = ""


class Slots:
    """The workers of a run.

    Attributes:
        slots: the first one has all matches with remote seats.
    """

    def __init__(self, plan: RunPlan, workers: int) -> None:
        self.slots = [Slot(number) for number in range(workers)]
        self._plan = plan
        self._spawned = count()
        self._bound: dict[asyncio.Timeout, str] = {}
        # So that a worker which outlives its node is swept away; the processes of a local Ray are marked already.
        self._marked = {"env_vars": {RUN_VARIABLE: plan.mark}} if plan.host.address else {}
        self._parcels: dict[str, Any] = {}

    def actor(self, slot: Slot) -> Any:
        """Return the worker in a slot; start one where there is none."""
        if slot.actor is None:
            slot.node = self._node()
            where = NodeAffinitySchedulingStrategy(slot.node, soft=False)
            slot.actor = _ACTOR.options(scheduling_strategy=where, runtime_env=self._marked).remote(self.spec())
        return slot.actor

    def spec(self) -> WorkerSpec:
        """Return what the next worker may know of the tournament."""
        plan = self._plan
        if not self._parcels:
            self._parcels = {id_: ray.put(parcel) for id_, parcel in pack(plan.entrants.values()).items()}
        share = max(1, (os.cpu_count() or 1) // len(self.slots))
        return WorkerSpec(
            run=plan.mark,
            entrants=plan.entrants,
            limits=plan.manifest.time,
            concurrency=plan.host.concurrency,
            thinking=share if plan.host.thinking == "auto" else plan.host.thinking,
            place=plan.temporary / f"w{next(self._spawned)}",
            logs=plan.folder / "logs",
            parcels=self._parcels,
        )

    def retire(self, slot: Slot, actor: Any) -> bool:
        """End a worker at once, and its bots with it; return whether it was still the one in its slot."""
        ray.kill(actor)  # it may only be out of reach
        if slot.actor is not actor:
            return False
        slot.actor = None
        return True

    @contextlib.asynccontextmanager
    async def bound_to(self, node: str) -> AsyncIterator[None]:
        """Cut short what is done in this context when a node is lost; ``watch`` must be running.

        Raises:
            NodeDiedError: it was lost.
        """
        until = asyncio.timeout(None)
        try:
            async with until:
                self._bound[until] = node
                yield
        except TimeoutError:
            if not until.expired():  # a worker's own
                raise
            raise NodeDiedError(f"node {node} is lost") from None  # type: ignore[no-untyped-call]  # ray has no types here
        finally:
            self._bound.pop(until, None)

    async def watch(self) -> None:
        """Watch the nodes, for as long as it is let."""
        while True:
            await asyncio.sleep(WATCH_S)
            alive = {node["NodeID"] for node in await asyncio.to_thread(_living_nodes)}
            for until in [until for until, node in self._bound.items() if node not in alive]:
                del self._bound[until]
                until.reschedule(asyncio.get_running_loop().time())

    async def renew_bots(self) -> None:
        """End all bots; where that fails they end with their worker."""
        await asyncio.gather(*(self._renew_bots(slot) for slot in self.slots))

    async def close(self) -> None:
        """End all workers: kindly, then for certain."""
        await asyncio.gather(*(self._close(slot) for slot in self.slots))

    def log(self, error: RayError) -> None:
        """Keep what is known of an error of ours in a worker, or of how a worker was lost.

        Raises:
            LedgerStorageError: it can't be written.
        """
        try:
            with self._plan.errors.open("a", encoding="utf-8") as log:
                log.write(f"{error}\n")
        except OSError as full:
            raise LedgerStorageError(f"{self._plan.errors}: can't be written: {full.strerror}") from error

    def _node(self) -> str:
        """Return the id of the living node that has most cores for each worker there."""
        there = Counter(slot.node for slot in self.slots if slot.actor is not None)

        def share(node: dict[str, Any]) -> float:
            return float(node["Resources"].get("CPU", 0)) / (1 + there[node["NodeID"]])

        return str(max(_living_nodes(), key=share)["NodeID"])

    async def _renew_bots(self, slot: Slot) -> None:
        actor = slot.actor
        if actor is None:
            return
        try:
            await asyncio.wait_for(actor.renew_bots.remote(), RENEW_S)
        except (RayError, TimeoutError) as error:
            self.retire(slot, actor)
            if isinstance(error, RayTaskError):
                self.log(error)

    async def _close(self, slot: Slot) -> None:
        """End a worker. What is finished is in the ledger, whatever it says to that."""
        if slot.actor is None:
            return
        with contextlib.suppress(RayError, TimeoutError):
            await asyncio.wait_for(slot.actor.close.remote(), timeout=CLOSE_S)
        self.retire(slot, slot.actor)


def _living_nodes() -> list[dict[str, Any]]:
    """Return what Ray knows of the nodes that it doesn't know to be lost.

    Raises:
        ClusterLostError: there is none, not even the driver's own.
    """
    living = [node for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]  # ray has no types here
    if not living:
        raise ClusterLostError("Ray has lost its last node")
    return living
