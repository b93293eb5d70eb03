"""The watchdog: what stalls is noticed, what merely takes its time is not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from croupier.games import Action
from croupier.referee.seats import BotLink
from croupier.referee.watchdog import IDLE_S, OVERDUE_S, Watchdog
from referee.asking import PATIENT, ask, turns
from rogues.peer import process


def _seconds_to_trouble(watchdog: Watchdog, most: int) -> tuple[int, str]:
    """Tick every second and return when something was wrong, and what."""
    for second in range(1, most + 1):
        if trouble := watchdog.tick(1.0):
            return second, trouble
    return most, ""


def test_a_minute_without_a_call_is_a_stall() -> None:
    """Nothing is open, and nothing happens."""
    assert _seconds_to_trouble(Watchdog(), 100) == (IDLE_S, "nothing went on for 60 s, and no call is open")


def test_progress_begins_the_minute_anew() -> None:
    """So does a call that ends, however it ends."""
    watchdog = Watchdog()
    assert _seconds_to_trouble(watchdog, 59) == (59, "")
    watchdog.progress()
    assert _seconds_to_trouble(watchdog, 59) == (59, "")
    with pytest.raises(ZeroDivisionError), watchdog.call("Decide", 1.0):
        raise ZeroDivisionError
    assert _seconds_to_trouble(watchdog, 100)[0] == IDLE_S


def test_an_open_call_has_its_limit_and_ten_seconds() -> None:
    """However long the limit is; then all that is open is told, not only what is overdue."""
    watchdog = Watchdog()
    with watchdog.call("a bot of an hour", 3600.0):
        assert _seconds_to_trouble(watchdog, 3000) == (3000, "")
        with watchdog.call("Decide", 120.0):
            seconds, trouble = _seconds_to_trouble(watchdog, 500)
    assert seconds == 120 + OVERDUE_S + 1
    assert trouble.splitlines() == [
        "a call was not ended in time",
        "open for 3131 s of 3600 s: a bot of an hour",
        "open for 131 s of 120 s: Decide",
    ]


@pytest.mark.usefixtures("no_complaints")
async def test_a_line_tells_what_it_has_open(tmp_path: Path) -> None:
    """Its starts and its questions, with the time they may take, until they have ended."""
    watchdog = Watchdog()
    link = BotLink(process("slow", tmp_path, seconds=0.3), PATIENT, watchdog=watchdog)
    await link.open()
    assert "no call is open" in watchdog.tick(IDLE_S)
    watchdog.progress()
    async with asyncio.TaskGroup() as group:
        asking = group.create_task(ask(link, 0))
        await turns()
        trouble = watchdog.tick(IDLE_S)
    await link.close()
    assert trouble.splitlines()[1].startswith("open for 60 s of 1.05 s: Decide at unix:")
    assert asking.result().action == Action("play", ("AS",))
    assert "no call is open" in watchdog.tick(IDLE_S)
