"""The run on real Ray: however it is played, by however many workers, the records and the leaderboard are the same."""

from __future__ import annotations

import os
import pickle
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.harness import plan
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.run_driver import Driver
from croupier.harness.schedule import Schedule
from croupier.harness.secret import FILE as SECRET
from croupier.leaderboards.build import build
from croupier.leaderboards.exports import write_json
from croupier.referee.records import FinishedMatch, MatchTimings
from tournaments import Small, wait_until


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Run a Ray cluster as an operator does, and yield its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    place = tempfile.mkdtemp(prefix="ray-")  # sockets need a short path
    options = (
        f"--temp-dir={place}",
        "--num-cpus=2",
        "--include-dashboard=false",
        "--disable-usage-stats",
        "--object-store-memory=100000000",
    )
    head = subprocess.Popen(
        [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", f"--port={port}", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    def listens() -> bool:
        assert head.poll() is None
        with socket.socket() as client:
            return client.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(listens, "the cluster")
        yield f"127.0.0.1:{port}"
    finally:
        head.terminate()  # which ends what it has started
        head.wait(30)
        shutil.rmtree(place)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """Yield a tournament in a folder of its own."""
    with Small(tmp_path) as small:
        yield small


def test_workers_and_order_change_nothing(small: Small, cluster: str) -> None:
    """Two workers of an operator's cluster, one of a local Ray, or any order of arrival: the same, to a byte.

    On stderr are Croupier's own plain lines and nothing of Ray.
    """
    small.write(more=f'[host]\naddress = "{cluster}"\n')
    code, out, err = small.run("two", "--workers", "2")
    assert code == 0, err
    assert "small: 9 of 9 matches" in out
    commitment, promise, *others, last = err.splitlines()
    assert re.fullmatch("commitment [0-9a-f]{64}", commitment)
    assert promise == last == "seeded: reproducible, not fair"
    assert others
    assert all(re.fullmatch(r"\d of 9 matches, (starting|[\d,]+ decisions/s)(, \d+ s left)?", line) for line in others)
    small.write()
    code, _, err = small.run("one", "--workers", "1", "--concurrency", "3")
    assert code == 0, err
    assert small.result("one") == small.result("two")
    _copy_backwards(small.home / "one", small.home / "backwards")
    assert small.result("backwards") == small.result("two")
    assert small.left("one") == small.left("two") == []


def _copy_backwards(source: Path, target: Path) -> None:
    """Write the ledger of a run anew, as if its matches had ended last to first; and its leaderboard."""
    with Ledger.read(source / FILE) as old, plan.open_ledger(plan.make_folder(target)) as new:
        manifest = old.manifest()
        scheduled = {match.index: match for match in Schedule(manifest)}
        new.create(manifest)
        if bound := old.commitment():
            new.commit(bound)
        for index, record in reversed(list(old.records())):
            timings = MatchTimings(0.0, (), ())
            new.append([(scheduled[index], FinishedMatch(scheduled[index].match_id, record, timings))])
        for secret in filter(None, [old.revealed()]):
            new.reveal(secret)
    write_json(build(target / FILE), target / "leaderboard.json")


def test_a_run_that_stands_still(small: Small) -> None:
    """While it is played: no secret outside RUN, no second writer; a killed bot is `gone`, and all is played."""
    small.write_gated()
    small.gate.touch()
    process = small.start("a", seed="")
    wait_until(lambda: small.finished("a") >= 4 or process.poll() is not None, "matches of the others")
    folder = small.home / "a"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / SECRET).stat().st_mode) == 0o600
    secret = (folder / SECRET).read_bytes()
    for place in (plan.temporary_of(folder.resolve()), folder / "logs"):
        for path in place.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                assert secret not in content
                assert secret.hex().encode() not in content
    code, _, err = small.run("a", seed="")
    assert (code, "another process is writing this ledger" in err) == (75, True)
    bots = small.processes("a", "bot.py")
    assert bots
    for number in bots:
        os.kill(number, signal.SIGKILL)
    small.gate.unlink()
    _, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    with Ledger.read(folder / FILE) as ledger:
        rows = ledger.results()
        assert ledger.revealed() == secret
    assert len({row.index for row in rows}) == 24
    assert {row.entrant for row in rows if row.gone} == {"gated"}
    assert not any(row.late or row.garbled or row.illegal or row.no_show for row in rows)
    assert small.left("a") == []


def test_ctrl_c_once(small: Small) -> None:
    """The run ends soon with exit code 3 and says the command that goes on; it leaves nothing, and lost nothing."""
    small.write_gated()
    small.gate.touch()
    process = small.start("cut")
    wait_until(lambda: small.finished("cut") >= 4 or process.poll() is not None, "matches of the others")
    os.killpg(process.pid, signal.SIGINT)  # as the terminal does: Ray gets it too
    out, err = process.communicate(timeout=20)
    assert process.returncode == 3, err
    assert out == ""
    last = err.splitlines()[-1]
    assert last.startswith("interrupted; what was finished is kept. To go on: croupier run ")
    assert last.endswith(" --seed s")
    assert "Traceback" not in err
    assert small.left("cut") == []
    assert 4 <= small.finished("cut") < 24


def test_a_worker_is_told_no_secret(small: Small) -> None:
    """Neither the tournament's secret nor its key is in what goes to workers; decks and the match's own key are."""
    small.write()
    tournament, field = plan.load(small.file)
    folder = plan.make_folder(small.home / "run")
    with plan.open_ledger(folder) as ledger:
        prepared = plan.prepare(tournament, field, folder, ledger, seed=None, warn=pytest.fail)
        driver = Driver(prepared, ledger, 1, lambda _: None)
        fixtures = [driver._fixture(match) for match in driver._schedule]
        sent = pickle.dumps((driver._workers.spec(), fixtures))
    for hidden in (prepared.secret, prepared.key):
        assert hidden not in sent
        assert hidden.hex().encode() not in sent
    assert fixtures[0].key in sent
    assert len({fixture.key for fixture in fixtures}) == 9
