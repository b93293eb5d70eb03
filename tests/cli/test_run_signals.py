"""One SIGINT or SIGTERM to ``croupier run``, at any moment: exit 3, and the same command goes on."""

from __future__ import annotations

import importlib
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from croupier.cli.main import execute
from croupier.harness.interrupts import SIGNALS, InterruptedRunError
from rays import plays_here
from tournaments import SAMPLES, WAIT_S, Small, wait_until

LATE = """
from pathlib import Path
import time
from croupier.bot import Action, option, serve

def choose(decision):
    first = decision.options[0]
    return Action(first.verb, first.fixed + first.choice[: first.least])

Path(option("here", "")).touch()
while Path(option("gate", "")).exists():
    time.sleep(0.02)
serve(choose)
"""
"""A bot that shows when it is started, and doesn't come up for as long as a file is there."""

PLAYED = "9 of 9 matches"


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    """Yield a tournament of three sample bots: nine matches."""
    with Small(tmp_path) as small:
        small.write()
        yield small


@pytest.fixture
def quick(small: Small, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return what runs it in this process, without Ray."""
    plays_here(monkeypatch)
    return lambda: execute(["run", str(small.file), "--dir", str(small.home / "run")])


@pytest.mark.parametrize(
    "moment",
    [
        *("plan.prepare", "manifest.build", "rollcall.call", "plan.clear_up", "ledger.Ledger.create"),
        *("run.play", "plan.reveal", "secret.forget"),
    ],
)
def test_in_every_step(
    quick: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    moment: str,
) -> None:
    """From the ledger to the leaderboards; nothing but the command that goes on is said, and it goes on."""
    *names, attribute = moment.split(".")
    holder: object = importlib.import_module(f"croupier.harness.{names[0]}")
    for name in names[1:]:
        holder = getattr(holder, name)
    step: Callable[..., object] = getattr(holder, attribute)

    def interrupted(*arguments: object, **more: object) -> object:
        signal.raise_signal(signal.SIGTERM)
        return step(*arguments, **more)

    with monkeypatch.context() as patched:
        patched.setattr(holder, attribute, interrupted)
        assert quick() == 3
    assert capsys.readouterr().err.splitlines()[-1].startswith("interrupted; what was finished is kept. To go on: ")
    assert quick() == 0


@pytest.mark.parametrize("number", SIGNALS)
def test_while_it_is_published(
    quick: Callable[[], int], monkeypatch: pytest.MonkeyPatch, small: Small, number: int
) -> None:
    """The same; and once the exit code is known, no signal changes it."""
    show = importlib.import_module("croupier.cli.show")
    with monkeypatch.context() as patched:
        patched.setattr(show, "write_site", lambda *_: signal.raise_signal(number))
        assert quick() == 3
    assert not (small.home / "run" / "site").exists()
    assert quick() == 0
    for each in SIGNALS:
        assert signal.getsignal(each) == signal.SIG_IGN


@pytest.mark.parametrize(("error", "code"), [(InterruptedRunError, 3), (KeyboardInterrupt, 130)])
def test_once_more(
    quick: Callable[[], int],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: type[BaseException],
    code: int,
) -> None:
    """A second signal while matches have a moment to finish is another exit code."""

    def play(*_: object, stopping: Callable[[], None]) -> bool:
        stopping()
        raise error

    monkeypatch.setattr("croupier.harness.run.play", play)
    assert quick() == code
    assert "stopping: matches in play have a moment to finish; once more to stop at once" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", SIGNALS)
def test_one_run_interrupted_at_every_stage(small: Small, number: int) -> None:
    """Roll call, Ray's start, Ray's end, publishing: nothing is left each time, and the end is the same."""
    here = small.home / "here"
    bots = SAMPLES.partition('[[entrant]]\nid = "first"')[0]
    small.write(bots + small.enter("late", LATE, f'here = "{here}", gate = "{small.gate}"'), more="start_ms = 100000\n")
    assert small.run("whole")[0] == 0
    here.unlink()
    small.gate.touch()
    _interrupt(small, number, lambda _: wait_until(here.exists, "the roll call"))
    small.gate.unlink()
    for line in ("commitment ", PLAYED, "complete; nothing to play"):
        _interrupt(small, number, partial(_read_until, start=line))
    assert small.run("cut")[0] == 0
    assert small.result("cut") == small.result("whole")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", SIGNALS)
def test_in_the_last_moments(small: Small, number: int) -> None:
    """All is written: signal after signal until it has ended, and each code says what came in time; no traceback."""
    process = small.start("run")
    assert process.stdout is not None
    while not process.stdout.readline().startswith("site: "):
        assert process.poll() is None
    while process.poll() is None:
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.02)
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode in {0, 3, 130}, err
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    assert small.left("run") == []


def _interrupt(small: Small, number: int, moment: Callable[[subprocess.Popen[str]], object]) -> None:
    """Start or resume the run ``cut``, and interrupt it at a moment."""
    process = small.start("cut")
    moment(process)
    process.send_signal(number)
    _, err = process.communicate(timeout=WAIT_S)
    assert process.returncode == 3, err
    assert "interrupted; what was finished is kept. To go on: croupier run " in err
    assert "Traceback" not in err
    assert "Exception ignored" not in err
    assert small.left("cut") == []


def _read_until(process: subprocess.Popen[str], start: str) -> None:
    """Read what a run says until a line that starts so."""
    assert process.stderr is not None
    while not process.stderr.readline().startswith(start):
        assert process.poll() is None, f"it never said {start!r}"
