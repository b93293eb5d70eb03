"""Bot processes as real processes: what they print, what they are told, and that nothing of them stays."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from croupier.harness import launch
from croupier.harness.entrants import Entrant, Launch
from croupier.harness.errors import ConfigError
from croupier.harness.output import LOG_BYTES, TAIL_BYTES
from croupier.harness.supervise import BotProcess, peer_of, sweep
from croupier.referee.peers import AddressPeer, PeerError

RUN = f"test-{os.getpid()}"

READY = "import os, signal, sys, time; print(os.environ['CROUPIER_ADDRESS'])\n"
WAIT = "signal.pause()\n"

Make = Callable[..., BotProcess]


@pytest.fixture
def sockets() -> Iterator[Path]:
    """Yield a private folder with a short path; the test leaves no socket in it."""
    folder = Path(tempfile.mkdtemp(prefix="cr-"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
async def make(sockets: Path) -> AsyncIterator[Make]:
    """Yield a function that makes the process of a Python script, ended after the test."""
    made: list[BotProcess] = []

    def python(script: str, *, run: str = RUN, log: Path | None = None) -> BotProcess:
        bot = BotProcess(Launch((sys.executable, "-c", script)), run=run, sockets=sockets, log=log)
        made.append(bot)
        return bot

    yield python
    for bot in made:
        await bot.end()
    assert list(sockets.iterdir()) == []


async def _until(condition: Callable[[], bool]) -> None:
    """Wait for something another process does."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)


def _lives(pid: int) -> bool:
    """Return whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


async def test_start_returns_the_address_that_was_asked_for(make: Make, sockets: Path) -> None:
    """The socket lies in the given folder, and each start has one of its own."""
    bot = make(READY + WAIT)
    first = await bot.start(10)
    second = await bot.start(10)

    assert first != second
    assert Path(first.removeprefix("unix:")).parent == sockets
    assert bot.exit_status() is None


@pytest.mark.parametrize("line", ["127.0.0.1:4711", "localhost:4711", "[::1]:4711"])
async def test_a_loopback_address_is_accepted(make: Make, line: str) -> None:
    """For languages that can't listen on a Unix socket."""
    assert await make(f"import signal; print({line!r});" + WAIT).start(10) == line


@pytest.mark.parametrize("line", ["10.0.0.1:80", "unix:/etc/passwd", "hello", "", "evil.example:80"])
async def test_another_first_line_is_refused(make: Make, line: str) -> None:
    """A bot can't send the referee elsewhere; the message quotes what it printed, and the process is ended."""
    bot = make(f"import signal; print({line!r});" + WAIT)
    with pytest.raises(PeerError, match="first, where the address was expected") as caught:
        await bot.start(10)

    assert repr(line) in str(caught.value)
    assert bot.exit_status() == -signal.SIGKILL


async def test_an_endless_first_line_is_refused(make: Make) -> None:
    """A flood without a line end doesn't fill the memory."""
    bot = make("import sys\nwhile True: sys.stdout.write('x' * 10000)")
    with pytest.raises(PeerError, match="first, where the address was expected"):
        await bot.start(10)
    assert len(bot.output()) <= TAIL_BYTES


async def test_a_process_that_exits_says_why(make: Make) -> None:
    """The message holds exit status and last line."""
    with pytest.raises(PeerError, match="exited with status 3 before it printed an address; its last line: 'no model'"):
        await make(
            "import sys; print('loading', file=sys.stderr); print('no model', file=sys.stderr); sys.exit(3)"
        ).start(10)


async def test_a_missing_program_says_so(sockets: Path) -> None:
    """As the shell does: status 127 and the name."""
    bot = BotProcess(Launch(("no-such-program", "x")), run=RUN, sockets=sockets)
    with pytest.raises(PeerError, match=r"status 127 .*no-such-program can't be started: No such file"):
        await bot.start(10)


async def test_a_missing_folder_says_so(sockets: Path) -> None:
    """A folder that was deleted under the run is a bot that doesn't come up, not a crash."""
    bot = BotProcess(Launch(("true",), sockets / "gone"), run=RUN, sockets=sockets)
    with pytest.raises(PeerError, match="can't be started: No such file or directory"):
        await bot.start(10)
    await bot.end()
    assert bot.exit_status() is None


async def test_a_silent_process_is_given_up(make: Make) -> None:
    """After the limit it is ended, not left behind."""
    bot = make("import signal;" + WAIT)
    with pytest.raises(PeerError, match=r"printed no address within 0\.2 s"):
        await bot.start(0.2)
    assert bot.exit_status() == -signal.SIGKILL


async def test_a_cancelled_start_leaves_nothing(make: Make) -> None:
    """Whoever gives up waiting has no process to clean up."""
    bot = make("import signal;" + WAIT)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(bot.start(60), 0.1)
    assert bot.exit_status() == -signal.SIGKILL


async def test_the_environment_is_small(make: Make, sockets: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gets what it needs, its options and its manifest's variables; none of the harness's own."""
    monkeypatch.setenv("SECRET_TOKEN", "x")
    script = READY + "print(*sorted(os.environ)); print(os.environ['CROUPIER_OPTION_ERROR'], os.environ['MODEL'])\n"
    how = Launch((sys.executable, "-c", script + WAIT), None, (("MODEL", "small"),))
    bot = BotProcess(how, run=RUN, sockets=sockets, options=(("error", "0.1"),))
    try:
        await bot.start(10)
        await _until(lambda: bot.output().count("\n") == 3)
    finally:
        await bot.end()
    _, names, values = bot.output().splitlines()

    assert names.split() == [
        "CROUPIER_ADDRESS",
        "CROUPIER_OPTION_ERROR",
        "CROUPIER_RUN",
        "CROUPIER_SOCKET",
        "HOME",
        "LANG",
        "MODEL",
        "PATH",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONUNBUFFERED",
    ]
    assert values == "0.1 small"


async def test_output_is_read_all_the_time_and_capped(make: Make, tmp_path: Path) -> None:
    """A bot that prints megabytes doesn't block; memory keeps the end, the file the beginning."""
    log = tmp_path / "logs" / "bot" / "1.log"
    bot = make(READY + "sys.stderr.write('begin\\n' + 'x' * 3_000_000 + 'end\\xff')\n", log=log)
    await bot.start(10)
    await _until(lambda: bot.exit_status() is not None)

    assert bot.exit_status() == 0
    assert len(bot.output().encode()) <= TAIL_BYTES + 10
    assert bot.output().endswith("endÿ")
    assert log.read_text().startswith("unix:") or log.read_text().startswith("begin")
    assert LOG_BYTES <= log.stat().st_size < LOG_BYTES + 100
    assert log.read_text().endswith("no more output is kept here]\n")


async def test_bytes_that_are_no_text_are_escaped(make: Make) -> None:
    """Output is for people's eyes, whatever it was."""
    bot = make(READY + "sys.stdout.buffer.write(b'\\xff\\n')\n")
    await bot.start(10)
    await _until(lambda: bot.exit_status() is not None)
    assert bot.output().endswith("\\xff\n")


async def test_a_log_that_cannot_be_written_costs_no_match(make: Make) -> None:
    """The bot starts all the same."""
    assert (await make(READY + WAIT, log=Path("/proc/nowhere/1.log")).start(10)).startswith("unix:")


async def test_end_kills_the_group_at_once(make: Make) -> None:
    """A bot that ignores SIGTERM and its child are gone, and reaped, when ``end`` returns; ending twice is harmless."""
    bot = make(
        READY + "signal.signal(signal.SIGTERM, signal.SIG_IGN); child = os.fork() or os.getpid()\n"
        "print(os.getpid(), flush=True)\n" + WAIT
    )
    await bot.start(10)
    await _until(lambda: bot.output().count("\n") == 3)
    leader, child = map(int, bot.output().split()[1:])
    start = time.monotonic()
    await bot.end()
    await bot.end()

    assert time.monotonic() - start < 1
    assert bot.exit_status() == -signal.SIGKILL
    assert not Path(f"/proc/{leader}").exists()  # not even a zombie
    await _until(lambda: not _lives(child))


async def test_a_stopped_process_is_ended_too(make: Make) -> None:
    """SIGSTOP doesn't protect it."""
    bot = make(READY + "os.kill(os.getpid(), signal.SIGSTOP)")
    await bot.start(10)
    await bot.end()
    assert bot.exit_status() == -signal.SIGKILL


async def test_what_a_dead_bot_leaves_in_its_group_is_killed(make: Make) -> None:
    """A leader that exits doesn't leave its children behind; its status is kept."""
    bot = make(READY + "child = os.fork()\nif not child: signal.pause()\nprint(child, flush=True)\nos._exit(5)")
    await bot.start(10)
    await _until(lambda: bot.exit_status() is not None)
    child = int(bot.output().split()[-1])

    assert bot.exit_status() == 5
    await _until(lambda: not _lives(child))


async def test_a_bot_that_is_killed_is_seen_at_once(make: Make) -> None:
    """The exit status is there without anybody waiting for it, and the process is no zombie."""
    bot = make(READY + "print(os.getpid())\n" + WAIT)
    await bot.start(10)
    await _until(lambda: bot.output().count("\n") == 2)
    pid = int(bot.output().split()[-1])
    os.kill(pid, signal.SIGSEGV)
    await _until(lambda: bot.exit_status() is not None)

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
    assert _lives(pid)
    harness.kill()
    await harness.wait()
    await _until(lambda: not _lives(pid))


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
    await _until(lambda: ours.output().count("\n") == other.output().count("\n") == 3)
    ours_pids, other_pids = ([int(pid) for pid in bot.output().split()[1:]] for bot in (ours, other))

    assert sweep(RUN + "-a") == 2
    assert not any(map(_lives, ours_pids))
    assert all(map(_lives, other_pids))
    assert sweep(RUN + "-a") == 0
    await other.end()
    assert sweep(RUN + "-ab") == 1  # the one that left the group


async def test_the_peer_of_an_entrant(sockets: Path, tmp_path: Path) -> None:
    """An address is only an address; a command becomes a process with options and a log of its own."""
    far = Entrant("far", "Far", "remote", address="127.0.0.1:1")
    near = Entrant("near", "Near", "0" * 64, options=(("salt", "7"),), launch=Launch((sys.executable, "-c", READY)))
    remote, process = (peer_of(each, run=RUN, sockets=sockets, logs=tmp_path) for each in (far, near))
    target = await process.start(10)
    await process.end()

    assert isinstance(remote, AddressPeer)
    assert await remote.start(1) == "127.0.0.1:1"
    assert [path.read_text() for path in (tmp_path / "near").iterdir()] == [f"{target}\n"]


async def test_too_long_a_socket_path_is_refused(tmp_path: Path) -> None:
    """The kernel's limit would show as a bot that can't listen; the message names the remedy."""
    with pytest.raises(ConfigError, match="set TMPDIR to a shorter one"):
        BotProcess(Launch(("true",)), run=RUN, sockets=tmp_path / ("x" * 90))


async def test_many_bots_start_at_once(make: Make) -> None:
    """Fifty processes at a time, each with its own address, none left afterwards."""
    bots = [
        make("print(__import__('os').environ['CROUPIER_ADDRESS']); __import__('signal').pause()") for _ in range(50)
    ]
    addresses = await asyncio.gather(*(bot.start(60) for bot in bots))
    await asyncio.gather(*(bot.end() for bot in bots))

    assert len(set(addresses)) == 50
    assert {bot.exit_status() for bot in bots} == {-signal.SIGKILL}
