"""The bots of a worker: who is ended when there are too many, who never is, and what they find in their folders."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from croupier import wire
from croupier.harness import folders
from croupier.harness.entrants import Entrant, Launch
from croupier.harness.errors import MachineError
from croupier.harness.run_bots import Bots, Store, free_memory
from croupier.harness.run_parcels import pack
from croupier.referee.seats import BotLink
from folders import Write
from tournaments import SAMPLES, Small

FORGETFUL = """
import sys
from pathlib import Path
from croupier.bot import Action, serve

notes = Path("notes")
print("found", notes.exists(), file=sys.stderr)
with notes.open("a") as file:
    file.write("the boards of this sitting")
me = Path(__file__)
changed = "print('another', file=sys.stderr)" + me.read_text()
me.unlink()
me.write_text(changed)

def choose(decision):
    first = decision.options[0]
    return Action(first.verb, first.fixed + first.choice[: first.least])

serve(choose)
"""
"""A bot that would remember boards in a file, and become another bot."""


class Line:
    """A line that is up at once."""

    def __init__(self, entrant: Entrant) -> None:
        self.entrant = entrant
        self.description = cast("wire.Description", object())
        self.closed = False

    async def close(self) -> None:
        """End it."""
        self.closed = True


class Place:
    """Bots of five entrants and an address, of whom so many may live; and more whose folders are sent."""

    def __init__(self, most: int, sent: Sequence[Entrant] = (), folder: Path = Path("nowhere")) -> None:
        entrants = {id_: Entrant(id_, id_, "0" * 64, launch=Launch(("x",))) for id_ in "abcde"}
        entrants["far"] = Entrant("far", "Far", "remote", address="127.0.0.1:1")
        self.made: list[Line] = []
        self.store = Store({id_: _sent(parcel) for id_, parcel in pack(sent).items()}, folder)
        self.bots = Bots(entrants | {each.id: each for each in sent}, self.store, self._line, lambda bots: bots >= most)

    def _line(self, entrant: Entrant) -> BotLink:
        self.made.append(Line(entrant))
        return cast("BotLink", self.made[-1])

    async def play(self, *ids: str) -> None:
        """Seat them at a table for a moment."""
        async with self.bots.seated(ids):
            pass

    @property
    def alive(self) -> list[str]:
        """The bots that live, in the order in which they were started."""
        return [line.entrant.id for line in self.made if not line.closed]

    @property
    def cwd(self) -> Path:
        """The folder of the bot that was started last."""
        launch = self.made[-1].entrant.launch
        assert launch is not None
        assert launch.cwd is not None
        return launch.cwd


def _sent(parcel: bytes) -> asyncio.Future[bytes]:
    """Return a parcel that has arrived; it may be awaited again, as a Ray object may."""
    arrived = asyncio.get_running_loop().create_future()
    arrived.set_result(parcel)
    return arrived


def _entered(folder: Path) -> Entrant:
    digest = folders.digest(folders.files(folder))
    return Entrant("alice", "Alice", digest, launch=Launch(("python3", "bot.py"), folder))


async def test_the_least_recently_seated_is_ended() -> None:
    """Whoever sat last lives on; who is ended is started anew when it is seated again."""
    place = Place(2)
    await place.play("a")
    await place.play("b")
    await place.play("a")
    await place.play("c")
    assert place.alive == ["a", "c"]
    await place.play("b")
    assert place.alive == ["c", "b"]


async def test_nobody_is_ended_at_a_table() -> None:
    """Rather there are more than should be; they go when they have got up."""
    place = Place(2)
    async with place.bots.seated(["a", "b", "c"]):
        await place.play("d")
        assert set("abc") <= set(place.alive)
    await place.play("e")
    assert place.alive == ["d", "e"]


async def test_a_line_to_an_address_stays() -> None:
    """It is no process of ours, and takes no place of one."""
    place = Place(1)
    await place.play("far")
    await place.play("a")
    await place.play("b")
    assert place.alive == ["far", "b"]


@pytest.mark.parametrize(
    ("most", "free"), [(None, 0.5), ("max", 0.5), ("1000", 0.25), ("4000", 0.5)], ids=["none", "max", "small", "large"]
)
def test_free_memory(tmp_path: Path, most: str | None, free: float) -> None:
    """The node's, or its container's where that is less; pages that can be given up are free."""
    node = tmp_path / "meminfo"
    node.write_text("MemTotal:  2000 kB\nMemFree: 10 kB\nMemAvailable: 1000 kB\nHugePages_Total: 0\n")
    if most is not None:
        (tmp_path / "memory.max").write_text(f"{most}\n")
        (tmp_path / "memory.current").write_text("950\n")
        (tmp_path / "memory.stat").write_text("anon 700\ninactive_file 200\n")
    assert free_memory(node, tmp_path) == free
    assert free_memory(tmp_path / "no", tmp_path / "no") == 1


@pytest.mark.parametrize("ended", ["renewed", "crowded"])
async def test_a_bot_that_is_started_finds_what_was_entered(write: Write, tmp_path: Path, ended: str) -> None:
    """What it wrote before it was ended is gone, its own program is the one that was entered; at tables all stays."""
    folder = write()
    place = Place(1 if ended == "crowded" else 9, [_entered(folder)], tmp_path / "node")
    await place.play("alice")
    first = place.cwd
    (first / "note").write_text("the cards of board 1")
    (first / "bot.py").unlink()
    (first / "bot.py").write_text("another")
    await place.play("alice")
    assert len(place.made) == 1
    assert (first / "note").exists()
    if ended == "renewed":
        await place.bots.renew()
    else:
        await place.play("a")
    await place.play("alice")
    assert sorted(path.name for path in place.cwd.iterdir()) == ["bot.py", "bot.toml"]
    assert (place.cwd / "bot.py").read_bytes() == (folder / "bot.py").read_bytes()
    assert [path.name for path in place.cwd.parent.iterdir()] == [place.cwd.name]  # the first one's is gone
    await place.bots.close()
    assert not (tmp_path / "node").exists()


async def test_other_tables_play_on_while_a_folder_is_unpacked(write: Write, tmp_path: Path) -> None:
    """It isn't done in the event loop, which all of a worker's tables share."""
    place = Place(9, [_entered(write())], tmp_path / "node")
    delivery = asyncio.create_task(place.play("alice"))
    await asyncio.sleep(0)  # as far as it comes without waiting
    assert not delivery.done()
    await delivery
    assert place.cwd.is_dir()


async def test_another_parcel_is_refused_each_time(write: Write, tmp_path: Path) -> None:
    """What was left of the first try isn't taken for the bot at the next one."""
    place = Place(9, [replace(_entered(write()), digest="0" * 64)], tmp_path / "node")
    for _ in range(2):
        with pytest.raises(MachineError, match="unpacked with digest"):
            await place.play("alice")
    assert place.made == []


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_no_sitting_sees_what_another_wrote(tmp_path: Path) -> None:
    """Duplicates: a bot that writes beside itself, from the roll call on, finds nothing of it in any sitting."""
    with Small(tmp_path) as small:
        small.write(SAMPLES + small.enter("forgetful", FORGETFUL))
        code, _, err = small.run("run", "--workers", "1")
        logs = [path.read_text() for path in (tmp_path / "run" / "logs" / "forgetful").iterdir()]
        assert code == 0, err
        starts = [line for log in logs for line in log.splitlines() if line.startswith(("found", "another"))]
        assert starts == ["found False"] * 4  # the roll call, and a sitting for each of three seats
        assert sorted(path.name for path in (tmp_path / "run/entrants/forgetful").iterdir()) == ["bot.py", "bot.toml"]
        assert small.left("run") == []
