"""The Ray that a run plays on: the operator's cluster, or a local one that ends with the run."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from croupier.harness.errors import ConfigError, MachineError
from croupier.harness.interrupts import InterruptedRunError, held
from croupier.harness.supervise import RUN_VARIABLE, sweep

OBJECT_STORE_BYTES = 128 * 2**20
"""Of a local Ray: chunks and results are small, and by default it would take a third of the memory."""

SWEEP_S = 30.0
"""How long the nodes of a cluster may take to remove what is left of a run."""

CONNECT_S = 5.0
"""How long a cluster may take to accept a connection."""

HANDLER_S = 0.001
"""While Ray ends: how long SIGTERM may have another handler than ours."""


@contextlib.contextmanager
def ray_cluster(address: str, workers: int | None, temporary: Path, run: str) -> Iterator[int]:
    """Join the Ray cluster of ``[host] address``, or run a local one for as long as the context lasts.

    On the nodes of a cluster that is joined, what a killed run left is ended and removed before and after.

    Args:
        address: of a cluster, or "" for a local Ray.
        workers: how many are wanted; None for as many as there are cores.
        temporary: a folder that a local Ray may make; the path is short, as sockets demand.
        run: marks the processes of a local Ray (``supervise.sweep``).

    Yields:
        The number of workers to use.

    Raises:
        ConfigError: nobody listens at the address, or it can't be joined.
        MachineError: a local Ray can't be started.
        InterruptedRunError: SIGINT or SIGTERM came before there was a cluster.
    """
    try:
        try:
            with held():
                if address:
                    _join(address)
                else:
                    _start(workers or os.cpu_count() or 1, temporary, run)
        except (KeyboardInterrupt, SystemExit):  # ray answers SIGTERM with sys.exit
            raise InterruptedRunError from None
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))  # type: ignore[no-untyped-call]  # ray has no types here
        if address:
            _sweep_nodes(run, temporary.parent)
        try:
            yield min(workers or cores, cores)
        finally:
            if address:
                _sweep_nodes(run, temporary.parent)
    finally:
        with held():
            _shut_down()


def _shut_down() -> None:
    """Leave Ray, and end a local one.

    In the middle of that Ray gives SIGTERM its default action back, which would end this process: so it is done in
    a thread, and meanwhile this one, which alone may, sets the handler again and again.
    """
    leaving = threading.Thread(target=ray.shutdown)
    leaving.start()
    while leaving.is_alive():
        signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        leaving.join(HANDLER_S)


def _sweep_nodes(run: str, place: Path) -> None:
    """End and remove what is left of a run on every node that can be reached."""
    task = ray.remote(num_cpus=0, max_retries=0)(_sweep)
    nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]  # type: ignore[no-untyped-call]
    swept = [
        task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)).remote(run, str(place))
        for node in nodes
    ]
    with contextlib.suppress(RayError):  # a node that is lost just now: a later run of that mark sweeps it
        ray.wait(swept, num_returns=len(swept), timeout=SWEEP_S)


def _sweep(run: str, place: str) -> None:
    """End the processes that a run left on this node, and remove its folder."""
    sweep(run)
    shutil.rmtree(place, ignore_errors=True)


def _start(workers: int, temporary: Path, run: str) -> None:
    """Start a local Ray, whatever cluster the environment names."""
    os.environ[RUN_VARIABLE] = run
    try:
        ray.init(
            address="local",
            num_cpus=workers,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE_BYTES,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _temp_dir=str(temporary),
        )
    except Exception as error:  # which Ray raises itself, and no class of it, where its start takes too long
        reason = str(error).strip().partition("\n")[0]
        raise MachineError(
            f"Ray can't be started on this machine ({reason}); wait until it has less to do, and give the same command "
            "again"
        ) from error
    finally:
        del os.environ[RUN_VARIABLE]


def _join(address: str) -> None:
    """Join a cluster. Its port is tried first: where nobody listens, ray ends this process after two minutes."""
    if address.startswith("ray://"):
        raise ConfigError(
            f"[host] address: {address!r} is for Ray's client, through which workers can't stream results; start "
            "`croupier run` on a node of the cluster, with the address of its head: host:port"
        )
    host, colon, port = address.rpartition(":")
    try:
        if colon:
            socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_S).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, OverflowError, ValueError, RuntimeError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise ConfigError(
            f"[host] address: no Ray cluster can be joined at {address!r} ({reason}); start one with "
            "`ray start --head`, bring its token (`ray get-auth-token`), or leave `address` out for a Ray of its own"
        ) from error
