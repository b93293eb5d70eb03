"""A terminal for each test, which fails if a command leaves a process or a file behind."""

import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.terminal import Terminal


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """Yield a terminal; pytest's own folders have paths too long for sockets."""
    with tempfile.TemporaryDirectory(prefix="cli-") as folder:
        terminal = Terminal(Path(folder))
        try:
            yield terminal
            assert terminal.left_over() == []
        finally:
            terminal.kill_left_over()


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Put back the handlers that ``execute`` sets."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
