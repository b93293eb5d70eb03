"""Where workers run: a slot for each, spread over the nodes of the cluster; who is lost is replaced elsewhere.

Knows actors and nodes, no match.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import Counter
from itertools import count
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from croupier.harness.errors import LedgerStorageError
from croupier.harness.plan import RunPlan
from croupier.harness.run_parcels import pack
from croupier.harness.run_worker import Worker, WorkerSpec

CLOSE_S = 1.5
"""The time for a worker to end its bots and remove its folder; then it is killed, and they with it."""

# Of no CPU: the slots are spread here, and a worker that asked for one would wait for ever when its node is lost.
_ACTOR: Any = ray.remote(num_cpus=0)(Worker)  # ray's types don't say what a decorated class becomes


class Slot:
    """A place for a worker; the actor in it may be replaced.

    Attributes:
        actor: None before the first match and after a loss.
        node: Ray's id of the node for which the actor is meant.
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
        self._parcels: dict[str, Any] = {}

    def actor(self, slot: Slot) -> Any:
        """Return the worker in a slot; start one where there is none."""
        if slot.actor is None:
            slot.node = self._node()
            where = NodeAffinitySchedulingStrategy(slot.node, soft=True) if slot.node else "DEFAULT"
            slot.actor = _ACTOR.options(scheduling_strategy=where).remote(self.spec())
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

    async def renew_bots(self) -> None:
        """End all bots; where that fails they end with their worker."""
        await asyncio.gather(*(self._renew_bots(slot) for slot in self.slots))

    async def close(self) -> None:
        """End all workers: kindly, then for certain."""
        await asyncio.gather(*(self._close(slot) for slot in self.slots))

    def log(self, error: RayTaskError) -> None:
        """Keep the traceback of an error of ours in a worker.

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
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]  # type: ignore[no-untyped-call]  # ray has no types here
        there = Counter(slot.node for slot in self.slots if slot.actor is not None)
        best = max(nodes, key=lambda node: node["Resources"]["CPU"] / (1 + there[node["NodeID"]]), default=None)
        return best["NodeID"] if best else ""

    async def _renew_bots(self, slot: Slot) -> None:
        actor = slot.actor
        if actor is None:
            return
        try:
            await actor.renew_bots.remote()
        except RayError as error:
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
