"""What is killed or interrupted, and when: the run that goes on ends in the same leaderboard, byte for byte."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.harness.ledger import FILE, Ledger
from tournaments import SAMPLES, WAIT_S, Small, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

WEB = r"""
import socket, sys
listening = socket.socket(fileno=int(sys.argv[1]))
while True:
    connection, _ = listening.accept()
    connection.recv(99)
    connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    connection.close()
"""

RUDE = "import sys; print('no bot at all', file=sys.stderr); sys.exit(7)"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """Yield a tournament that can be held up."""
    with Small(tmp_path) as small:
        small.write_gated()
        yield small


def _half_way(small: Small, run: str) -> subprocess.Popen[str]:
    """Start a run and return when some matches are finished and others stand still."""
    small.gate.touch()
    process = small.start(run, "--workers", "2")
    wait_until(lambda: small.finished(run) >= 4 or process.poll() is not None, "matches of the others")
    assert process.poll() is None
    return process


def test_the_driver_is_killed(small: Small) -> None:
    """Killed half-way, again when it has gone on, then played to its end: nothing differs, nothing is left."""
    assert small.run("whole", "--workers", "1")[0] == 0
    for _ in range(2):
        process = _half_way(small, "cut")
        process.kill()
        process.communicate()
    before = small.finished("cut")
    assert 4 <= before < 24
    small.gate.unlink()
    code, _, err = small.run("cut", "--workers", "2")
    assert code == 0, err
    assert f"{before} of 24 matches" in err
    assert small.result("cut") == small.result("whole")
    assert small.left("cut") == []


def test_a_worker_is_killed(small: Small) -> None:
    """Workers that die are replaced and their matches are played again; the void tries are written down."""
    assert small.run("whole", "--workers", "1")[0] == 0
    process = _half_way(small, "cut")
    workers = set(small.processes("cut", "ray::Worker"))  # all: one of them may have no match in play just now
    for worker in workers:
        os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not workers & set(small.processes("cut")), "their end")
    small.gate.unlink()
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    assert small.result("cut") == small.result("whole")
    with Ledger.read(small.home / "cut" / FILE) as ledger:
        # Ray says in several ways that a worker is gone; each is the same to us.
        assert {attempt.why.partition(":")[0] for attempt in ledger.attempts()} == {"the worker was lost"}
    assert small.left("cut") == []


@pytest.mark.parametrize(("number", "times", "code"), [(signal.SIGTERM, 1, 3), (signal.SIGINT, 2, 130)])
def test_interrupts(small: Small, number: int, times: int, code: int) -> None:
    """SIGTERM ends a run like ctrl-C; a second ctrl-C doesn't wait for matches. Nothing is left, nothing is lost."""
    assert small.run("whole")[0] == 0
    process = _half_way(small, "cut")
    process.send_signal(number)
    assert process.stderr is not None
    told = ""
    while not told.startswith("stopping: "):
        told = process.stderr.readline()
        assert told
    if times > 1:
        process.send_signal(number)
    out, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == code, err
    assert out.strip() == ""
    assert "Traceback" not in err
    assert small.left("cut") == []
    small.gate.unlink()
    assert small.run("cut")[0] == 0
    assert small.result("cut") == small.result("whole")


def test_bots_that_do_not_come_up_lose_by_no_show(small: Small) -> None:
    """A bot that exits, an address where nobody listens and one that speaks HTTP/1: warned of, played, forfeited."""
    with socket.socket() as deaf, socket.socket() as http:
        for each in (deaf, http):
            each.bind(("127.0.0.1", 0))
        http.listen()
        web = subprocess.Popen([sys.executable, "-c", WEB, str(http.fileno())], pass_fds=[http.fileno()])
        addresses = "".join(
            f'[[entrant]]\nid = "{id_}"\nbot = "127.0.0.1:{each.getsockname()[1]}"\n'
            for id_, each in (("deaf", deaf), ("web", http))
        )
        rude = small.enter("rude", RUDE)
        small.write(SAMPLES + rude + addresses, seats=2)
        small.file.write_text(small.file.read_text().replace("move_ms = 100000", "start_ms = 5000"))
        try:
            code, _, err = small.run("a")
        finally:
            web.kill()
            web.wait()
    assert code == 0, err
    for id_ in ("deaf", "rude", "web"):
        assert f"warning: {id_} doesn't come up and will lose by no_show: " in err
    assert "exited with status 7" in err
    assert "no bot at all" in err
    assert "Traceback" not in err
    with Ledger.read(small.home / "a" / FILE) as ledger:
        rows = ledger.results()
    forfeits = {row.entrant: row.forfeit for row in rows}
    assert forfeits == {"deaf": 1, "rude": 1, "web": 1, "first": 0, "random-a": 0, "random-b": 0}
    assert all(row.no_show == row.forfeit for row in rows)
    assert small.left("a") == []
