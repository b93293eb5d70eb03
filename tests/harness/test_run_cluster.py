"""The Ray of a run where it can't be had: a sentence for the operator, not one of our bugs."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.harness.errors import ConfigError, MachineError
from croupier.harness.run_cluster import ray_cluster


def test_a_ray_that_can_not_be_started_is_told(tmp_path: Path) -> None:
    """Ray's own reason, here a path too long for its sockets, and what to do."""
    with (
        pytest.raises(MachineError, match=r"Ray can't be started on this machine \(.*107 bytes.*give the same command"),
        ray_cluster("", 1, tmp_path / ("x" * 120), "0" * 12),
    ):
        pass


def test_a_client_address_is_refused(tmp_path: Path) -> None:
    """Ray's client doesn't stream what workers yield; the remedy is named."""
    with (
        pytest.raises(ConfigError, match=r"'ray://127\.0\.0\.1:10001' is for Ray's client.*on a node of the cluster"),
        ray_cluster("ray://127.0.0.1:10001", 1, tmp_path, "0" * 12),
    ):
        pass
