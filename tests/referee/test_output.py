"""The evidence of a fault has the bot's own last words. Bots are started as a tournament starts them."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.harness.entrants import Launch
from croupier.harness.supervise import BotProcess
from croupier.referee.clock import Limits
from croupier.referee.records import FaultEvidence
from croupier.referee.seats import BotLink
from croupier.referee.table import play_match
from rogues.play import Script, fixture

pytestmark = pytest.mark.usefixtures("no_complaints")

REASON = "out of luck"

BOT = """
import os, sys, time
from croupier.bot import Action, Decision, Playable, random_action, serve

def choose(decision: Decision) -> Action:
    print({reason!r}, file=sys.stderr)
    {deed}
    return random_action(decision.options, decision.rng)

serve(choose)
"""


@pytest.fixture
def sockets() -> Iterator[Path]:
    """Yield a folder with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="cr-") as folder:
        yield Path(folder)


async def _evidence(script: str, sockets: Path, deals: int, limits: Limits) -> tuple[FaultEvidence, ...]:
    """Return the evidence of a match in which one seat is a bot with this program."""
    peer = BotProcess(Launch((sys.executable, "-c", script)), run="test-output", sockets=sockets)
    link = BotLink(peer, limits)
    try:
        finished = await play_match(fixture(deals=deals), [Script(), link, Script()], [limits] * 3)
    finally:
        await link.close()
    return finished.timings.evidence


@pytest.mark.parametrize(
    ("deed", "kind", "per_deal"),
    [
        ("os._exit(3)", "gone", 1),
        ("raise ArithmeticError", "gone", 1),
        ("time.sleep(600)", "late", 1),
        ("return Action('fly')", "illegal", 2),
    ],
)
async def test_what_a_bot_printed_is_in_the_evidence(sockets: Path, deed: str, kind: str, per_deal: int) -> None:
    """To the last line, although the process that printed it is ended and another one started at once."""
    limits = Limits(move_ms=5000 if kind != "late" else 300, bank_ms=0, start_ms=60_000)
    evidence = await _evidence(BOT.format(reason=REASON, deed=deed), sockets, 2, limits)
    assert [each.kind for each in evidence] == [kind] * min(3, 2 * per_deal)
    printed = [each.output.count(REASON) for each in evidence]
    assert printed == ([1, 2, 3] if kind == "illegal" else [1, 1])  # the process goes on, or is a new one
    assert all(("ArithmeticError" in each.output) == ("Arithmetic" in deed) for each in evidence)


async def test_what_a_bot_printed_before_it_failed_to_come_up_is_in_the_evidence(sockets: Path) -> None:
    """A ``no_show`` too has the whole output, not only its last line."""
    script = f"import sys; print({REASON!r}, file=sys.stderr); print('and out', file=sys.stderr); sys.exit(1)"
    (evidence,) = await _evidence(script, sockets, 1, Limits())
    assert evidence.kind == "no_show"
    assert evidence.output.splitlines() == [REASON, "and out"]


async def test_what_a_bot_printed_before_it_failed_to_come_up_again(sockets: Path) -> None:
    """Who waits for a start that fails has the words of that start."""
    marker = sockets / "started"
    again = f"import os, sys\nif os.path.exists({str(marker)!r}): sys.exit('not again')\nopen({str(marker)!r}, 'w')\n"
    script = again + BOT.format(reason=REASON, deed="os._exit(3)")
    first, second = await _evidence(script, sockets, 2, Limits(move_ms=5000))
    assert (first.kind, first.output.strip()) == ("gone", first.output.splitlines()[0] + "\n" + REASON)
    assert (second.kind, second.output.strip()) == ("gone", "not again")
