"""A run with a bot that somebody else started, killed half-way: it goes on with fresh boards, and everybody is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli.main import execute
from croupier.harness.ledger import FILE
from croupier.leaderboards import build
from tournaments import GATED, SAMPLES, WAIT_S, Small, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def test_a_killed_run_with_a_remote_bot_tells_of_fresh_boards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the leaderboard and by ``verify``, which finds nothing wrong with them."""
    address = f"unix:{tmp_path / 'bot.sock'}"
    env = {**os.environ, "CROUPIER_OPTION_GATE": str(tmp_path / "gate"), "CROUPIER_OPTION_AFTER": "30"}
    command = [sys.executable, "-c", GATED, "--address", address]
    with (
        Small(tmp_path) as small,
        subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as bot,
    ):
        try:
            small.write(SAMPLES + f'[[entrant]]\nid = "far"\nbot = "{address}"\n')
            small.gate.touch()
            process = small.start("run", "--workers", "2")
            wait_until(lambda: small.finished("run") >= 4 or process.poll() is not None, "matches of the others")
            assert process.poll() is None
            process.kill()
            process.communicate(timeout=WAIT_S)
            small.gate.unlink()
            code, out, err = small.run("run", "--workers", "2")
        finally:
            bot.kill()
    assert code == 0, err
    facts = build(tmp_path / "run" / FILE).facts
    assert facts.fresh > 0
    (said,) = (line for line in out.splitlines() if "dealt fresh boards" in line)
    assert said.startswith(f"! {facts.fresh} match")
    assert execute(["verify", str(tmp_path / "run")]) == 0
    assert said.removeprefix("! ") in capsys.readouterr().out.splitlines()
