"""A run on several nodes: bots are started where they are refereed, and a lost node costs no result."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from signal import SIGKILL, SIGSTOP, Signals
from typing import Any

import croupier.harness  # noqa: F401  isort: skip  first: it sets what Ray reads at its import
import pytest
from ray._private.services import get_node
from ray.cluster_utils import Cluster

from croupier.harness.ledger import FILE, Attempt, Ledger
from tournaments import WAIT_S, Small, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LOSE_NODES_SOON = {
    "health_check_initial_delay_ms": 1000,
    "health_check_period_ms": 1000,
    "health_check_timeout_ms": 5000,
    "health_check_failure_threshold": 3,
}
"""By default Ray gives a node up that is silent for a quarter of a minute or more."""


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Yield a cluster of two nodes of one core each, on this machine."""
    # It would tell every Ray program of this machine, and at the end make them forget another cluster.
    monkeypatch.setattr("ray._private.utils.write_ray_address", lambda _: None)
    monkeypatch.setattr("ray._common.utils.reset_ray_address", lambda: None)
    monkeypatch.setattr("ray._private.services.get_node", _patient(get_node))
    # Sockets need a short path, and where this fails what has begun is still writing there.
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as place:
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
            for node in cluster.worker_nodes:
                _raylet(node).kill()  # one that was stopped doesn't hear the kinder words
            cluster.shutdown()  # type: ignore[no-untyped-call]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Small]:
    """Yield a tournament that can be held up, and was played in the run "whole" by one worker."""
    with Small(tmp_path_factory.mktemp("nodes")) as small:
        small.write_gated(more='[host]\naddress = ""')
        code, _, err = small.run("whole", "--workers", "1")
        assert code == 0, err
        yield small


def _patient(look: Callable[..., Any]) -> Callable[..., Any]:
    """Return what looks for a node until it is there; on a busy machine Ray's half a minute isn't enough."""

    def patient(*args: Any) -> Any:
        found = []

        def there() -> bool:
            with contextlib.suppress(RuntimeError):
                found.append(look(*args))
            return bool(found)

        wait_until(there, "a node")
        return found[0]

    return patient


def _raylet(node: Any) -> Any:
    return node.all_processes["raylet"][0].process


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


@pytest.mark.parametrize(
    ("number", "reaped"),
    [(SIGKILL, True), (SIGKILL, False), (SIGSTOP, False)],
    ids=["dead", "zombie", "silent"],
)
def test_a_node_is_lost(small: Small, cluster: Any, number: Signals, *, reaped: bool) -> None:
    """Its matches are void and played again on the other node, which alone ends the run with the same bytes.

    The worker of a raylet that was reaped ends by itself. For that of a zombie its node seems to live; so it does for
    that of a silent one, as where the network is cut: they play on, and nobody listens to them.
    Bots run from what was sent to their node, not from a folder that only this machine might have.
    """
    run = f"{number.name}-{reaped}"
    small.gate.touch()
    small.file.write_text(re.sub('address = ".*"', f'address = "{cluster.address}"', small.file.read_text()))
    process = small.start(run, "--workers", "2")
    wait_until(lambda: len(_folders(small, run)) == 2 or process.poll() is not None, "a gated bot on each node")
    wait_until(lambda: small.finished(run) >= 4 or process.poll() is not None, "matches of the others")
    assert process.poll() is None
    assert not any(folder.is_relative_to(small.home) for folder in _folders(small, run))
    workers = set(small.processes(run, "ray::Worker"))
    assert len(workers) == 2
    (lost,) = cluster.worker_nodes
    _raylet(lost).send_signal(number)
    if reaped:
        _raylet(lost).wait()
    wait_until(lambda: _voids(small, run) or process.poll() is not None, "the loss")
    assert reaped or workers <= set(small.processes(run, "ray::Worker"))
    small.gate.unlink()
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert {void.why.partition(":")[0] for void in _voids(small, run)} == {"the worker was lost"}
    assert {void.node.rpartition(" ")[2] for void in _voids(small, run)} == {lost.node_id}
    assert small.result(run) == small.result("whole")
    assert small.left(run) == []
