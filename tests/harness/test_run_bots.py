"""The bots of a worker: who is ended when there are too many, and who never is."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from croupier import wire
from croupier.harness.entrants import Entrant, Launch
from croupier.harness.run_bots import Bots, Store, free_memory
from croupier.referee.seats import BotLink


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
    """Bots of five entrants and an address, of whom so many may live."""

    def __init__(self, most: int) -> None:
        entrants = {id_: Entrant(id_, id_, "0" * 64, launch=Launch(("x",))) for id_ in "abcde"}
        entrants["far"] = Entrant("far", "Far", "remote", address="127.0.0.1:1")
        self.made: list[Line] = []
        self.bots = Bots(entrants, Store({}, Path("nowhere")), self._line, lambda bots: bots >= most)

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
