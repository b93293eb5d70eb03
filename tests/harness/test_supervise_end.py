"""The end of bot processes: on every way out nothing of them stays."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from croupier.harness import launch
from croupier.harness.supervise import sweep
from processes import READY, RUN, WAIT, Make, lives, until


async def test_end_kills_the_group_at_once(make: Make) -> None:
    """A bot that ignores SIGTERM and its child are gone, and reaped, when ``end`` returns; ending twice is harmless."""
    bot = make(
        READY + "signal.signal(signal.SIGTERM, signal.SIG_IGN); child = os.fork() or os.getpid()\n"
        "print(os.getpid(), flush=True)\n" + WAIT
    )
    await bot.start(10)
    await until(lambda: bot.output().count("\n") == 3)
    leader, child = map(int, bot.output().split()[1:])
    start = time.monotonic()
    await bot.end()
    await bot.end()

    assert time.monotonic() - start < 1
    assert bot.exit_status() == -signal.SIGKILL
    assert not Path(f"/proc/{leader}").exists()  # not even a zombie
    await until(lambda: not lives(child))


async def test_a_stopped_process_is_ended_too(make: Make) -> None:
    """SIGSTOP doesn't protect it."""
    bot = make(READY + "os.kill(os.getpid(), signal.SIGSTOP)")
    await bot.start(10)
    await bot.end()
    assert bot.exit_status() == -signal.SIGKILL


def test_a_process_of_rays_is_swept_without_its_mark(tmp_path: Path) -> None:
    """Known by its name and by the files that it has open in the run's folder; another's is left alone."""
    own, other = tmp_path / "croupier-0123456789ab", tmp_path / "croupier-ba9876543210"
    code = "import sys, time; kept = open(sys.argv[1], 'w'); print(flush=True); time.sleep(600)"
    agents = []
    for place in (own, other):
        place.mkdir()
        command = ["ray::Agent", "-c", code, str(place / "log")]
        agents.append(
            subprocess.Popen(
                command, executable=sys.executable, stdout=subprocess.PIPE, env={"PATH": os.environ["PATH"]}
            )
        )
    try:
        for agent in agents:
            assert agent.stdout is not None
            agent.stdout.readline()
        assert sweep("0123456789ab") == 1
        assert agents[0].wait(10) == -signal.SIGKILL
        assert agents[1].poll() is None
    finally:
        for agent in agents:
            agent.kill()
            agent.communicate()


async def test_what_a_dead_bot_leaves_in_its_group_is_killed(make: Make) -> None:
    """A leader that exits doesn't leave its children behind; its status is kept."""
    bot = make(READY + "child = os.fork()\nif not child: signal.pause()\nprint(child, flush=True)\nos._exit(5)")
    await bot.start(10)
    await until(lambda: bot.exit_status() is not None)
    child = int(bot.output().split()[-1])

    assert bot.exit_status() == 5
    await until(lambda: not lives(child))


async def test_a_bot_that_is_killed_is_seen_at_once(make: Make) -> None:
    """The exit status is there without anybody waiting for it, and the process is no zombie."""
    bot = make(READY + "print(os.getpid())\n" + WAIT)
    await bot.start(10)
    await until(lambda: bot.output().count("\n") == 2)
    pid = int(bot.output().split()[-1])
    os.kill(pid, signal.SIGSEGV)
    await until(lambda: bot.exit_status() is not None)

    assert bot.exit_status() == -signal.SIGSEGV
    assert not Path(f"/proc/{pid}").exists()


async def test_bots_die_with_the_harness(sockets: Path) -> None:
    """SIGKILL of the process that started it ends a bot."""
    script = f"""
import asyncio, sys
from pathlib import Path
from croupier.harness.entrants import Launch
from croupier.harness.supervise import BotProcess

async def main():
    bot = BotProcess(Launch((sys.executable, "-c", {READY + "print(os.getpid());" + WAIT!r})), run={RUN!r},
                     sockets=Path({str(sockets)!r}))
    await bot.start(10)
    while bot.output().count("\\n") < 2:
        await asyncio.sleep(0.01)
    print(bot.output().split()[-1], flush=True)
    await asyncio.Event().wait()

asyncio.run(main())
"""
    harness = await asyncio.create_subprocess_exec(sys.executable, "-c", script, stdout=subprocess.PIPE)
    assert harness.stdout is not None
    pid = int(await harness.stdout.readline())
    assert lives(pid)
    harness.kill()
    await harness.wait()
    await until(lambda: not lives(pid))


def test_a_launch_whose_parent_is_gone_starts_nothing(tmp_path: Path) -> None:
    """If the harness died before the signal was set, the bot isn't started at all."""
    command = [sys.executable, "-I", "-S", str(launch.__file__), "1", "touch", str(tmp_path / "started")]

    assert subprocess.run(command, check=False).returncode == 0
    assert not (tmp_path / "started").exists()


async def test_a_sweep_ends_this_run_s_leftovers_only(make: Make) -> None:
    """Processes that left their group are found by the mark of their run; those of another run are not touched."""
    script = READY + "pid = os.fork()\nif not pid: os.setsid()\nprint(os.getpid(), flush=True)\n" + WAIT
    ours, other = make(script, run=RUN + "-a"), make(script, run=RUN + "-ab")
    for bot in (ours, other):
        await bot.start(10)
    await until(lambda: ours.output().count("\n") == other.output().count("\n") == 3)
    ours_pids, other_pids = ([int(pid) for pid in bot.output().split()[1:]] for bot in (ours, other))

    assert sweep(RUN + "-a") == 2
    assert not any(map(lives, ours_pids))
    assert all(map(lives, other_pids))
    assert sweep(RUN + "-a") == 0
    await other.end()
    assert sweep(RUN + "-ab") == 1  # the one that left the group


async def test_many_bots_start_at_once(make: Make) -> None:
    """Fifty processes at a time, each with its own address, none left afterwards."""
    bots = [
        make("print(__import__('os').environ['CROUPIER_ADDRESS']); __import__('signal').pause()") for _ in range(50)
    ]
    addresses = await asyncio.gather(*(bot.start(60) for bot in bots))
    await asyncio.gather(*(bot.end() for bot in bots))

    assert len(set(addresses)) == 50
    assert {bot.exit_status() for bot in bots} == {-signal.SIGKILL}
