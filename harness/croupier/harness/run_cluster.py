"""The Ray that a run plays on: the operator's cluster, or a local one that ends with the run."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

# Read by ray when it is imported: no guessing of an environment from `uv run`, no nice +15, no telemetry.
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
os.environ.setdefault("RAY_worker_niceness", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray

from croupier.harness.errors import ConfigError

OBJECT_STORE_BYTES = 128 * 2**20
"""Of a local Ray: chunks and results are small, and by default it would take a third of the memory."""


@contextlib.contextmanager
def ray_cluster(address: str, workers: int | None, temporary: Path) -> Iterator[int]:
    """Join the Ray cluster of ``[host] address``, or run a local one for as long as the context lasts.

    Args:
        address: of a cluster, or "" for a local Ray.
        workers: how many are wanted; None for as many as there are cores.
        temporary: a folder that a local Ray may make; the path is short, as sockets demand.

    Yields:
        The number of workers to use.

    Raises:
        ConfigError: nobody listens at the address.
    """
    cores = os.cpu_count() or 1
    try:
        if address:
            ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        else:
            ray.init(
                num_cpus=workers or cores,
                include_dashboard=False,
                object_store_memory=OBJECT_STORE_BYTES,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=str(temporary),
            )
    except ConnectionError as error:
        raise ConfigError(f"[host] address: no Ray cluster at {address!r}: {error}") from error
    try:
        yield workers or int(ray.cluster_resources().get("CPU", 1))  # type: ignore[no-untyped-call]  # ray has no types here
    finally:
        ray.shutdown()
