"""Killed at random instants, a run ends as it would have; `benchmarks/kills.py` does the same more often."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

KILLS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks/kills.py"))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_ten_kills(tmp_path: Path) -> None:
    """1, 2 and 4 workers; driver, workers and raylet killed in turn: the same bytes, nothing left."""
    lines = list(KILLS["kill_all"](tmp_path, 10))
    assert "\n".join(lines).count(" at ") == 10
