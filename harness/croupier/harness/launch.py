"""Run as ``python -I -S launch.py PARENT COMMAND ...``: becomes COMMAND, which dies with the process PARENT.

A program of its own that imports nothing of Croupier, because what it does must happen in the child between
fork and exec, where a process with threads (gRPC, Ray) may not run Python code (``preexec_fn``).
"""

import os
import signal
import sys

NOT_FOUND = 127
"""Exit status where the command can't be started, as in a shell."""

PR_SET_PDEATHSIG = 1


def main(parent: int, command: list[str]) -> None:
    """Tie this process to its parent and become the command.

    The signal comes when the *thread* that started this process ends, so bots are started from one that lives on.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415  elsewhere there is nothing to call

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            return  # it died before the signal was set
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and a new program would inherit that
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]} can't be started: {error.strerror}\n".encode())
        os._exit(NOT_FOUND)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
