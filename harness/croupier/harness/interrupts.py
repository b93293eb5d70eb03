"""SIGINT and SIGTERM to a run: put off where nothing can be left half-way, ignored when all is over.

Law: main thread only, as Python's signal handlers are. Outside ``held`` a signal is a ``KeyboardInterrupt``, anywhere.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What ends a run: ctrl-C, and everybody else's polite way."""


class InterruptedRunError(KeyboardInterrupt):
    """The operator ended the run; what was finished is kept."""


@contextlib.contextmanager
def held(then: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Put off a first signal to the end of the block; a second one does at once what it would do without us.

    For what must be whole: Ray while it starts or ends, clearing up, and the imports of C extensions, which make an
    ``ImportError`` of a ``KeyboardInterrupt``. Handlers that are set meanwhile (by Ray) are gone at the end.

    Args:
        then: is called at the first signal, between any two steps of the block.

    Raises:
        InterruptedRunError: at the end of the block, when one has come and no second; the block's own error otherwise.
    """
    before = {each: signal.getsignal(each) for each in SIGNALS}
    came = 0

    def put_back() -> None:
        for each, handler in before.items():
            signal.signal(each, handler)

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal came
        del frame
        came += 1
        if came == 1:
            then()
        else:
            put_back()
            signal.raise_signal(number)

    for each in SIGNALS:
        signal.signal(each, note)
    try:
        yield
    finally:
        put_back()
    if came == 1:  # not where something else ends the block: that must be told
        raise InterruptedRunError


def ignore() -> None:
    """Ignore signals until the interpreter has exited: the exit code is known, and nothing is left to do.

    A handler that does nothing is no substitute: the interpreter takes it away before its very end.
    """
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
