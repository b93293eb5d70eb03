"""Signals that are put off, and signals that come too late."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from croupier.harness.interrupts import SIGNALS, InterruptedRunError, held, ignore


@pytest.fixture(autouse=True)
def handlers() -> Iterator[dict[signal.Signals, object]]:
    """Set handlers as ``croupier`` does, yield them, and put back what was there."""
    before = {each: signal.getsignal(each) for each in SIGNALS}
    for each in SIGNALS:
        signal.signal(each, signal.default_int_handler)
    yield {each: signal.getsignal(each) for each in SIGNALS}
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.parametrize("number", SIGNALS)
def test_a_first_signal_waits_for_the_end(number: int, handlers: dict[signal.Signals, object]) -> None:
    """The block is whole, what is to be told is told at once, and the exception says that it was put off."""
    told: list[str] = []

    def interrupted() -> None:
        with held(lambda: told.append("first")):
            signal.raise_signal(number)
            told.append("whole")

    with pytest.raises(InterruptedRunError):
        interrupted()
    assert told == ["first", "whole"]
    assert {each: signal.getsignal(each) for each in SIGNALS} == handlers


@pytest.mark.parametrize("number", SIGNALS)
def test_a_second_signal_ends_the_block(number: int) -> None:
    """It meets the handler from before, whichever signal was the first."""

    def interrupted() -> None:
        with held():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(number)
            pytest.fail("went on")

    with pytest.raises(KeyboardInterrupt) as raised:
        interrupted()
    assert not isinstance(raised.value, InterruptedRunError)


def test_without_a_signal(handlers: dict[signal.Signals, object]) -> None:
    """Nothing happens, and handlers that somebody set meanwhile are gone."""
    with held():
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
    assert {each: signal.getsignal(each) for each in SIGNALS} == handlers


def test_an_error_of_the_block_is_its_own(handlers: dict[signal.Signals, object]) -> None:
    """Without a signal it comes through, and the handlers are put back."""
    with pytest.raises(ZeroDivisionError), held():
        raise ZeroDivisionError
    assert {each: signal.getsignal(each) for each in SIGNALS} == handlers


def test_ignored() -> None:
    """Both do nothing any more, as the kernel sees it too: the interpreter's end can't change that."""
    ignore()
    for each in SIGNALS:
        signal.raise_signal(each)
        assert signal.getsignal(each) == signal.SIG_IGN


def test_an_error_after_a_signal_is_told() -> None:
    """A full disk is no interrupt: nobody may say that what was finished is kept."""

    def fails() -> None:
        with held():
            signal.raise_signal(signal.SIGINT)
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        fails()
