"""A run on several nodes: bots are started where they are refereed, and a lost node costs no result."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import croupier.harness.run_cluster  # noqa: F401  isort: skip  first: it sets what Ray reads at its import
import pytest
from ray.cluster_utils import Cluster

from croupier.harness.ledger import FILE, Attempt, Ledger
from tournaments import WAIT_S, Small, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LOSE_NODES_SOON = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 1000,
    "health_check_timeout_ms": 5000,
    "health_check_failure_threshold": 2,
}
"""By default Ray gives a node up that is silent for a quarter of a minute or more."""


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield a cluster of two nodes of one core each, on this machine."""
    # It would tell every Ray program of this machine, and at the end make them forget another cluster.
    monkeypatch.setattr("ray._private.utils.write_ray_address", lambda _: None)
    monkeypatch.setattr("ray._common.utils.reset_ray_address", lambda: None)
    place = tempfile.mkdtemp(prefix="ray-")  # sockets need a short path
    cluster = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 1,
            "temp_dir": place,
            "include_dashboard": False,
            "_system_config": LOSE_NODES_SOON,
        },
    )
    try:
        cluster.add_node(num_cpus=1)
        yield cluster
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]
        shutil.rmtree(place, ignore_errors=True)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """Yield a tournament in a folder of its own."""
    with Small(tmp_path) as small:
        yield small


def _folders(small: Small, run: str) -> set[Path]:
    """Return the folders in which a run's bots run that have one."""
    found = set()
    for number in small.processes(run, "bot.py"):
        with contextlib.suppress(FileNotFoundError):  # it has ended
            found.add(Path(f"/proc/{number}/cwd").readlink())
    return found


def _voids(small: Small, run: str) -> list[Attempt]:
    with Ledger.read(small.home / run / FILE) as ledger:
        return ledger.attempts()


def test_a_node_is_lost(small: Small, cluster: Any) -> None:
    """Its matches are void and played again on the other node, which alone ends the run with the same bytes.

    Bots run from what was shipped to their node, not from a folder that only this machine might have.
    """
    small.write_gated()
    assert small.run("whole", "--workers", "1")[0] == 0
    small.gate.touch()
    text = small.file.read_text()
    small.file.write_text(text.replace("[time]", f'[host]\naddress = "{cluster.address}"\n[time]'))
    process = small.start("cut", "--workers", "2")
    wait_until(lambda: len(_folders(small, "cut")) == 2 or process.poll() is not None, "a gated bot on each node")
    wait_until(lambda: small.finished("cut") >= 4 or process.poll() is not None, "matches of the others")
    assert process.poll() is None
    assert not any(folder.is_relative_to(small.home) for folder in _folders(small, "cut"))
    (lost,) = cluster.worker_nodes
    raylet = lost.all_processes["raylet"][0].process
    raylet.kill()
    raylet.wait()  # as a zombie it looks alive to its workers, which then stay, and Ray never fails what they run
    wait_until(lambda: _voids(small, "cut") or process.poll() is not None, "the loss")
    small.gate.unlink()
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert {void.why.partition(":")[0] for void in _voids(small, "cut")} == {"the worker was lost"}
    assert {void.node.rpartition(" ")[2] for void in _voids(small, "cut")} == {lost.node_id}
    assert small.result("cut") == small.result("whole")
    assert small.left("cut") == []
