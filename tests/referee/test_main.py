"""``python -m croupier.referee``: one match as a process of its own."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from google.protobuf import json_format

from croupier.referee.replay import replay
from croupier.v1 import record_pb2 as pb
from rogues.peer import ROGUES, Process

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Ended(NamedTuple):
    status: int
    stdout: str
    stderr: str


async def _referee(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "croupier.referee", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _run(*arguments: str) -> Ended:
    process = await _referee(*arguments)
    stdout, stderr = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, stdout.decode(), stderr.decode())


def _match(bots: list[str], *arguments: str, game: str = "cha_kau_tsu") -> tuple[str, ...]:
    return ("--game", game, *arguments, *(word for bot in bots for word in ("--bot", bot)))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bot(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The address of an honest bot; several seats may name it."""
    process = Process(ROGUES / "honest.py", tmp_path_factory.mktemp("bot"))
    yield await process.start(60)
    await process.end()


async def test_it_plays_a_match_and_prints_the_points(bot: str, tmp_path: Path) -> None:
    """Points by seat with their signs; the record it writes can be replayed to the same points."""
    file = tmp_path / "record.json"
    ended = await _run(*_match([bot] * 3, "--deals", "4", "--seed", "s", "--record", str(file)))
    assert (ended.status, ended.stderr) == (0, "")
    record = json_format.Parse(file.read_text(), pb.MatchRecord())
    assert len(record.deals) == 4
    assert ended.stdout == " ".join(f"{points:+d}" for points in replay(record).points) + "\n"


async def test_a_seed_makes_it_reproducible(bot: str, tmp_path: Path) -> None:
    """The same seed gives the same record, another one other cards."""
    files = [tmp_path / name for name in ("a", "b", "c")]
    for file, seed in zip(files, ("s", "s", "t"), strict=True):
        await _run(*_match([bot] * 3, "--seed", seed, "--record", str(file)))
    first, second, third = (file.read_text() for file in files)
    assert first == second
    assert first != third


async def test_it_shows_the_match(bot: str) -> None:
    """``--show`` prints what happened, event by event."""
    ended = await _run(*_match([bot] * 4, "--show", game="doppelkopf"))
    assert ended.status == 0
    assert len(ended.stdout.splitlines()) > 48


async def test_a_bot_that_is_not_there_loses_the_match(bot: str, tmp_path: Path) -> None:
    """Exit 1; the match is played all the same, and stderr says which seat, what and why."""
    nobody = f"unix:{tmp_path}/nobody.sock"
    ended = await _run(*_match([bot, nobody, bot], "--start-ms", "500"))
    assert ended.status == 1
    assert len(ended.stdout.split()) == 3
    assert ended.stderr.startswith(f"seat 1 ({nobody}): no_show in deal 0: ")
    assert len(ended.stderr.splitlines()) == 1


async def test_the_clock_of_the_command_line_counts(tmp_path: Path) -> None:
    """A bot that never answers is late after ``--move-ms`` and the bank, and the match goes on without it."""
    process = Process(ROGUES / "late.py", tmp_path, {"how": "sleep", "deal": "-1", "max_batch": "1"})
    address = await process.start(60)
    start = asyncio.get_running_loop().time()
    ended = await _run(*_match([address] * 3, "--move-ms", "50", "--bank-ms", "0"))
    seconds = asyncio.get_running_loop().time() - start
    await process.end()
    assert [line.split(": ")[1] for line in ended.stderr.splitlines()] == ["late in deal 0"] * 3
    assert ended.status == 0
    assert seconds < 20


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--game", "cha_kau_tsu"), "--bot"),
        (_match(["x"] * 3, game="bridge"), "bridge"),
        (_match(["x"]), "1"),
        (_match(["x"] * 3, "--rules", "pots"), "name=value"),
        (_match(["x"] * 3, "--rules", "pots=1", "--rules", "pots=2"), "given twice"),
        (_match(["x"] * 3, "--rules", "potz=1"), "potz"),
        (_match(["x"] * 3, "--deals", "0"), "at least 1 deal"),
        (_match(["x"] * 3, "--move-ms", "-1"), "--move-ms: '-1' is no number of milliseconds"),
        (_match(["x"] * 3, "--bank-ms", "1.5"), "--bank-ms: '1.5' is no number of milliseconds"),
        (_match(["x"] * 3, "--record", "/nowhere/record.json"), "/nowhere/record.json"),
    ],
)
async def test_wrong_arguments_are_refused_before_anything_is_played(arguments: tuple[str, ...], says: str) -> None:
    """Exit 2, and the message names what is wrong."""
    ended = await _run(*arguments)
    assert ended.status == 2
    assert ended.stdout == ""
    assert says in ended.stderr


async def test_it_can_be_interrupted(tmp_path: Path) -> None:
    """SIGINT in the middle of a call ends it at once, and the bot that isn't its own lives on."""
    process = Process(ROGUES / "late.py", tmp_path, {"how": "announce"})
    address = await process.start(60)
    referee = await _referee(*_match([address] * 3, "--move-ms", "60000"))
    async with asyncio.timeout(30):
        while "asked" not in process.output():
            await asyncio.sleep(0.01)
    referee.send_signal(signal.SIGINT)
    await asyncio.wait_for(referee.communicate(), 10)
    assert referee.returncode not in (0, None)
    assert process.exit_status() is None
    await process.end()
