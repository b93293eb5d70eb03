"""Goes away: exits in the middle of a deal, after an answer or leaving a child behind, is killed, raises."""

import asyncio
import os
import signal
import stat
import subprocess
from pathlib import Path

from croupier.bot import Action, Decision
from rogues.moment import HOW, honest, now, serve_rogue


def _is_socket(file: int) -> bool:
    try:
        return stat.S_ISSOCK(os.fstat(file).st_mode)
    except OSError:  # the file with which the folder was read
        return False


def choose(decision: Decision) -> Action:
    if now(decision):
        if HOW == "exit":
            os._exit(3)
        if HOW == "leave_child":
            files = [int(file.name) for file in Path("/proc/self/fd").iterdir()]
            sockets = [file for file in files if file > 2 and _is_socket(file)]
            subprocess.Popen(["sleep", "600"], pass_fds=sockets)
            os._exit(4)
        if HOW == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if HOW == "raise":
            raise ArithmeticError("lost count")
        if HOW == "after":
            asyncio.get_running_loop().call_later(0.05, os._exit, 0)
    return honest(decision)


serve_rogue(choose)
