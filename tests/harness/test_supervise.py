"""Bot processes as real processes: how they start, what they print, what they are told."""

import asyncio
import errno
import os
import signal
import sys
from pathlib import Path

import pytest

from croupier.harness.entrants import Entrant, Launch
from croupier.harness.errors import ConfigError, MachineError
from croupier.harness.output import LOG_BYTES
from croupier.harness.supervise import BotProcess, peer_of
from croupier.referee.peers import OUTPUT_KEPT, AddressPeer, PeerError
from processes import READY, RUN, WAIT, Make, until


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
    assert str(caught.value).endswith("print only after that (which `serve` does), or on stderr")
    assert bot.exit_status() == -signal.SIGKILL


async def test_an_endless_first_line_is_refused(make: Make) -> None:
    """A flood without a line end doesn't fill the memory."""
    bot = make("import sys\nwhile True: sys.stdout.write('x' * 10000)")
    with pytest.raises(PeerError, match="first, where the address was expected"):
        await bot.start(10)
    assert len(bot.output()) <= OUTPUT_KEPT


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


async def test_a_machine_that_can_not_start_a_bot_is_no_fault_of_the_bot(sockets: Path) -> None:
    """A copy that isn't there (on another node, or deleted) is our trouble: it costs nobody a match."""
    bot = BotProcess(Launch(("true",), sockets / "gone"), run=RUN, sockets=sockets)
    with pytest.raises(MachineError, match=r"this machine can't start a bot: No such file or directory .*gone"):
        await bot.start(10)
    await bot.end()
    assert bot.exit_status() is None


async def test_too_many_open_files(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has run out in the middle of a start: nothing stays open, and once it has some the bot starts."""
    bot = make(READY + WAIT)
    await bot.start(10)
    await bot.end()
    before, pipe, made = set(Path("/proc/self/fd").iterdir()), os.pipe, list[tuple[int, int]]()

    def one_pipe() -> tuple[int, int]:
        if made:
            raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        made.append(pipe())
        return made[0]

    with monkeypatch.context() as limited:
        limited.setattr(os, "pipe", one_pipe)
        with pytest.raises(MachineError, match="this machine can't start a bot: Too many open files"):
            await bot.start(10)
    assert set(Path("/proc/self/fd").iterdir()) == before
    assert (await bot.start(10)).startswith("unix:")


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
        await until(lambda: bot.output().count("\n") == 3)
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
    await until(lambda: bot.exit_status() is not None)

    assert bot.exit_status() == 0
    assert len(bot.output().encode()) <= OUTPUT_KEPT + 10
    assert bot.output().endswith("endÿ")
    assert log.read_text().startswith("unix:") or log.read_text().startswith("begin")
    assert LOG_BYTES <= log.stat().st_size < LOG_BYTES + 100
    assert log.read_text().endswith("no more output is kept here]\n")


async def test_bytes_that_are_no_text_are_escaped(make: Make) -> None:
    """Output is for people's eyes, whatever it was."""
    bot = make(READY + "sys.stdout.buffer.write(b'\\xff\\n')\n")
    await bot.start(10)
    await until(lambda: bot.exit_status() is not None)
    assert bot.output().endswith("\\xff\n")


async def test_a_log_that_cannot_be_written_costs_no_match(make: Make) -> None:
    """The bot starts all the same."""
    assert (await make(READY + WAIT, log=Path("/proc/nowhere/1.log")).start(10)).startswith("unix:")


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
