"""Bot processes: started, listened to, ended as a group on every way out. The ``Peer`` of a started bot.

Knows what a process does, not what a bot says: whether it answers is the referee's business.
Needs a POSIX system; the parent-death signal and the sweep need Linux (5.3, for pidfd).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from croupier.harness import launch
from croupier.harness.entrants import Entrant, Launch, Pairs, loopback, search_path
from croupier.harness.errors import ConfigError, MachineError
from croupier.harness.output import Output
from croupier.referee.peers import AddressPeer, Peer, PeerError

RUN_VARIABLE = "CROUPIER_RUN"
"""Marks every process of a run, so that the next start of that run can find what was left over."""

LONGEST_SOCKET = 100
"""Bytes in the path of a socket: the kernel's limit is 108 on Linux and 104 on macOS."""

END_S = 5.0
"""A killed process that is still there after this is stuck in the kernel: nothing more can be done."""

_numbers = count()


class BotProcess:
    """A bot that is started here: one process at a time, with all that it starts.

    Lives in the event loop that calls ``start``, in a thread that lives on (``launch``).

    Raises:
        ConfigError: the path of the socket would be too long.
    """

    def __init__(
        self,
        launch_: Launch,
        *,
        run: str,
        sockets: Path,
        options: Pairs = (),
        log: Path | None = None,
    ) -> None:
        """Take what is needed to start.

        Args:
            launch_: command, folder, environment.
            run: marks the process (``sweep``).
            sockets: a private folder of the caller's.
            options: reach the bot as ``CROUPIER_OPTION_<NAME>``.
            log: a file to which all output is appended, up to a limit.
        """
        self._launch = launch_
        self._run = run
        self._sockets = sockets
        self._options = options
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._output: Output | None = None
        self._socket: Path | None = None
        self._ended = asyncio.Event()
        longest = len(os.fsencode(sockets / "b999999.sock"))
        if longest > LONGEST_SOCKET:
            raise ConfigError(f"{sockets}: too long a path for sockets; set TMPDIR to a shorter one")

    async def start(self, limit_s: float) -> str:
        """Start the process and return the gRPC target that it prints as its first line.

        A process that is still there is ended first.

        Raises:
            PeerError: it exits, or prints no acceptable address within ``limit_s`` seconds.
            MachineError: this machine can't start it; that is never the bot's fault (a program that isn't there is:
                ``launch``).
        """
        await self.end()
        # A name never used before: gRPC would go on waiting out its backoff for one that has failed.
        self._socket = self._sockets / f"b{next(_numbers)}.sock"
        self._output = Output(self._log)
        self._ended = asyncio.Event()
        self._process = None
        try:
            self._process = self._spawn(self._socket, self._output)
            _when_it_ends(self._process, asyncio.get_running_loop(), self._poll)
            return await asyncio.wait_for(self._address(self._socket, self._output.first_line), limit_s)
        except TimeoutError:
            await self.end()
            raise PeerError(f"printed no address within {limit_s:g} s{self._last_words()}") from None
        except OSError as error:
            await self.end()
            what = f" ({error.filename})" if error.filename else ""
            raise MachineError(f"this machine can't start a bot: {error.strerror}{what}") from error
        except BaseException:
            await self.end()
            raise

    async def end(self) -> None:
        """Kill the process and its group at once, wait for it, and remove its socket."""
        if self._process is not None and self._poll() is None:
            _kill_group(self._process.pid)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), END_S)
            self._poll()  # where there was no handle left to watch it by
        if self._output is not None:
            self._output.close()
        if self._socket is not None:
            with contextlib.suppress(OSError):  # gone, or replaced by the bot; the folder is removed in the end
                self._socket.unlink()

    def exit_status(self) -> int | None:
        """Return the exit status of the process, -N if signal N ended it, or None while it runs."""
        return None if self._process is None else self._poll()

    def output(self) -> str:
        """Return the last 64 KiB of what the process printed."""
        return "" if self._output is None else self._output.text()

    def _spawn(self, socket: Path, output: Output) -> subprocess.Popen[bytes]:
        """Start the launcher in a session of its own, and listen to it."""
        with contextlib.ExitStack() as theirs:
            stdout = output.pipe(first_line=True)
            theirs.callback(os.close, stdout)
            stderr = output.pipe()
            theirs.callback(os.close, stderr)
            return subprocess.Popen(
                (sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), *self._launch.command),
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                cwd=self._launch.cwd or self._sockets,
                env=self._environment(socket),
                start_new_session=True,
            )

    def _environment(self, socket: Path) -> dict[str, str]:
        """Return the little that a bot may know of this machine."""
        return {
            "PATH": search_path(),
            "HOME": os.environ.get("HOME", "/"),
            "LANG": os.environ.get("LANG", "C.UTF-8"),
            "PYTHONUNBUFFERED": "1",  # or the line with the address would wait in a buffer
            "PYTHONDONTWRITEBYTECODE": "1",  # its folder is a copy that stays as it is
            **dict(self._launch.env),
            RUN_VARIABLE: self._run,
            "CROUPIER_ADDRESS": f"unix:{socket}",
            "CROUPIER_SOCKET": str(socket),
            **{f"CROUPIER_OPTION_{name.upper()}": value for name, value in self._options},
        }

    async def _address(self, socket: Path, first_line: asyncio.Future[str]) -> str:
        """Wait for the first line, or the end of the process, and return the address."""
        ended = asyncio.ensure_future(self._ended.wait())
        either: set[asyncio.Future[Any]] = {first_line, ended}
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
        if not first_line.done():
            status = self.exit_status()
            raise PeerError(f"exited with status {status} before it printed an address{self._last_words()}")
        line = first_line.result()
        if line in (f"unix:{socket}", f"unix://{socket}"):
            return f"unix:{socket}"
        if loopback(line) and not line.startswith("unix:"):
            return line
        raise PeerError(
            f"printed {line[:200]!r} first, where the address was expected that CROUPIER_ADDRESS asks for; "
            "print only after that (which `serve` does), or on stderr"
        )

    def _poll(self) -> int | None:
        """Return the exit status, or None while it runs; whatever it left in its group is killed before it is reaped.

        Until it is reaped no other process can get its number.
        """
        process, output = self._process, self._output
        assert process is not None
        assert output is not None
        if not self._ended.is_set() and _has_exited(process):
            _kill_group(process.pid)
            process.wait()
            output.drain()
            self._ended.set()
        return process.returncode if self._ended.is_set() else None

    def _last_words(self) -> str:
        """Return the last line of its output, for a message."""
        lines = self.output().strip().splitlines()
        return f"; its last line: {lines[-1].strip()[:200]!r}" if lines else ""


def peer_of(entrant: Entrant, *, run: str, sockets: Path, logs: Path | None = None) -> Peer:
    """Return the peer of an entrant: a process to start, or an address where somebody else has started one.

    Args:
        entrant: the one to start, as ``entrants.take_copy`` returned it.
        run: marks its processes (``sweep``).
        sockets: a private folder of the caller's, with a short path.
        logs: a folder in which its output is kept, in one of its own.
    """
    if entrant.launch is None:
        return AddressPeer(entrant.address)
    log = logs / entrant.id / f"{os.getpid()}.log" if logs is not None else None
    return BotProcess(entrant.launch, run=run, sockets=sockets, options=entrant.options, log=log)


def sweep(run: str) -> int:
    """Kill what a killed run left over on this machine, and return how many processes that were.

    Only processes that carry the mark of this run, and never this one. Call it before bots are started.
    """
    if sys.platform != "linux":
        return 0
    swept = 0
    while left := _marked(run):  # again until none is left: one may have been starting another
        for handle in left:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            gone, _, _ = select.select([handle], [], [], END_S)
            os.close(handle)
            swept += 1
            if not gone:
                return swept  # stuck in the kernel: nothing more can be done
    return swept


def _marked(run: str) -> list[int]:
    """Return a handle of each living process of this user that carries a run's mark."""
    mark = f"{RUN_VARIABLE}={run}".encode()
    handles = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            handle = os.pidfd_open(int(folder.name))  # first: the mark read after it is that of the handle's process
        except OSError:
            continue  # it ended, or it is a thread
        try:
            marked = mark in (folder / "environ").read_bytes().split(b"\0") or _is_rays(folder, run)
        except OSError:
            marked = False  # it ended, or it is somebody else's
        if marked:
            handles.append(handle)
        else:
            os.close(handle)
    return handles


def _is_rays(process: Path, run: str) -> bool:
    """Return whether a process calls itself one of Ray's and has files open in a folder of this run.

    Agents of a Ray that had ended were seen without the mark: whoever changes its title may lose its environment.
    """
    if not (process / "cmdline").read_bytes().startswith(b"ray::"):
        return False
    for file in (process / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # closed since
            if f"{run}/" in str(file.readlink()):
                return True
    return False


def _when_it_ends(
    process: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, then: Callable[[], object]
) -> None:
    """Call ``then`` in the loop when a child has ended."""
    if sys.platform == "linux":
        handle = os.pidfd_open(process.pid)

        def ended() -> None:
            loop.remove_reader(handle)
            os.close(handle)
            then()

        loop.add_reader(handle, ended)
    else:

        def wait() -> None:
            process.wait()
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
                loop.call_soon_threadsafe(then)

        threading.Thread(target=wait, daemon=True).start()


def _has_exited(process: subprocess.Popen[bytes]) -> bool:
    """Return whether a child has ended; on Linux without reaping it."""
    if sys.platform != "linux":
        return process.poll() is not None  # macOS has no waitid before Python 3.13
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def _kill_group(pid: int) -> None:
    """Kill a process group; macOS says EPERM where only the dead leader is left in it."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
