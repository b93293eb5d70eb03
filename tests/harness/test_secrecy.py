"""Nothing outside ``RUN`` and a worker's memory tells the cards of a run while it is played.

Before the reveal no secret and no key is anywhere else, and no deck before its board is finished in every rotation.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from croupier.cli.main import cli
from croupier.games import game_named
from croupier.harness import dealing, secret
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.plan import temporary_of
from croupier.harness.schedule import Schedule
from croupier.referee import boards, records
from croupier.referee.notation import write
from scripted import GameSeat, fixture_of, play, record_of
from searching import Place, deck_shapes, files, found, memory, processes, shapes
from tournaments import SAMPLES, WAIT_S, Small, wait_until

OWN = (FILE, f"{FILE}-wal", f"{FILE}-shm", f"{FILE}-lock", secret.FILE)
"""The files of ``RUN`` that only its owner may read."""

KEYS = ("secret", "tournament key", "match key", "deal key")
"""What nobody is told before the reveal."""

SEATS = 3
STEPPED = """
import asyncio
from pathlib import Path
from croupier.bot import Action, option, serve

HOME = Path(option("home", "nowhere"))
start = 0
while True:
    try:
        (HOME / f"start-{start}").touch(exist_ok=False)
        break
    except FileExistsError:
        start += 1
played = set()

async def choose(decision):
    played.add(decision.message.seating.match)
    if len(played) > 1 and (HOME / f"gate-{start}").exists():
        (HOME / f"waits-{start}").touch()
        while (HOME / f"gate-{start}").exists():
            await asyncio.sleep(0.02)
    first = decision.options[0]
    return Action(first.verb, first.fixed + first.choice[: first.least])

serve(choose)
"""
"""A bot that waits in the second match of each of its lives, as long as there is a gate: start 0 is the roll call."""

COMMANDS = (
    "export RUN --to DIR/exports",
    "export RUN --notation --to DIR/matches.txt",
    "publish RUN --to DIR/site",
    "matches RUN",
    "matches RUN --json",
    "show RUN",
    "show RUN --json",
    "show RUN --csv",
    "show RUN --times",
    *(f"show RUN --by {cut}" for cut in ("seat", "pair", "game", "fault")),
)


class Standing:
    """A run that stands still in each of its sittings.

    Attributes:
        run: its folder.
        place: where all temporary files are, and nothing else.
    """

    def __init__(self, small: Small, place: Path) -> None:
        self.small = small
        self.run = (small.home / "run").resolve()
        self.place = place
        stepped = small.enter("stepped", STEPPED, f'home = "{small.home}"')
        small.write(SAMPLES + stepped, more="[host]\nworkers = 1\nconcurrency = 1\n")  # one match after the other
        for sitting in range(SEATS):
            self._gate(sitting).touch()
        self.process = small.start("run", seed="")

    def sittings(self) -> Iterator[int]:
        """Yield each sitting when it stands still; then the run goes on."""
        for sitting in range(SEATS):
            waits = self.small.home / f"waits-{sitting + 1}"
            wait_until(lambda: waits.exists() or self.process.poll() is not None, f"sitting {sitting}")  # noqa: B023
            assert self.process.poll() is None, self.process.communicate()
            yield sitting
            self._gate(sitting).unlink()

    def end(self) -> list[Place]:
        """Wait for the end, and return what the run has printed."""
        printed = self.process.communicate(timeout=WAIT_S)
        assert self.process.returncode == 0, printed
        return [(name, text.encode()) for name, text in zip(("stdout", "stderr"), printed, strict=True)]

    def manifest(self) -> Manifest:
        """Return what is played."""
        with Ledger.read(self.run / FILE) as ledger:
            return ledger.manifest()

    def unfinished(self) -> set[str]:
        """Return the tables with boards that are still to be played."""
        with Ledger.read(self.run / FILE) as ledger:
            done = ledger.done()
        return {table for table, matches in _tables(self.manifest()).items() if not matches <= done}

    def printed(self, folder: Path) -> Iterator[Place]:
        """Yield what commands print of the run, and what they write."""
        for command in COMMANDS:
            words = [word.replace("RUN", str(self.run)).replace("DIR", str(folder)) for word in command.split()]
            with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
                cli.main(words, prog_name="croupier", standalone_mode=False)
            yield command, (out.getvalue() + err.getvalue()).encode()
        yield from files(folder)

    def _gate(self, sitting: int) -> Path:
        return self.small.home / f"gate-{sitting + 1}"


def _tables(manifest: Manifest) -> dict[str, set[int]]:
    """Return the matches on the same boards, by the table that plays them."""
    tables = defaultdict(set)
    for match in Schedule(manifest):
        tables[f"table {match.round} {match.leaderboard} {match.table}"].add(match.index)
    return tables


def _keys(manifest: Manifest, kept: bytes) -> dict[bytes, str]:
    """Return the secret and all keys, raw."""
    key = dealing.key_of(manifest, kept)
    keys = {kept: "secret", key: "tournament key"}
    for match in Schedule(manifest):
        keys[boards.match_key(key, match.match_id)] = "match key"
        for board in match.boards:
            keys[boards.deal_key(key, manifest.games[match.leaderboard].name, board)] = "deal key"
    return keys


def _shaped(keys: Mapping[bytes, str]) -> dict[bytes, str]:
    return {shape: what for key, what in keys.items() for shape in shapes(key)}


def _decks(manifest: Manifest, kept: bytes) -> dict[bytes, str]:
    """Return the decks in all shapes; of each is told the table at which it is played."""
    key = dealing.key_of(manifest, kept)
    decks: dict[bytes, str] = {}
    for match in Schedule(manifest):
        pack = game_named(manifest.games[match.leaderboard].name).pack
        for deck in dealing.fixture(manifest, key, match).decks:
            told = f"table {match.round} {match.leaderboard} {match.table}"
            decks |= dict.fromkeys(deck_shapes(deck, pack), told)
    return decks


@pytest.mark.parametrize("shape", sorted(shapes(bytes(range(32)))))
def test_the_search_finds_what_is_planted(shape: bytes, tmp_path: Path) -> None:
    """A key in a file, in each of its shapes."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "log").write_bytes(b"before" + shape + b"after")
    needles = _shaped({bytes(range(32)): "key"})
    assert found(needles, files(tmp_path)) == {(str(tmp_path / "deep" / "log"), "key")}


@pytest.mark.parametrize("name", ["cha_kau_tsu", "kowah", "doppelkopf"])
def test_the_search_finds_the_deck_of_a_record(name: str) -> None:
    """In bytes, as JSON of one line and of many, and as text for people; another deck it doesn't find."""
    game = game_named(name)
    fixture = fixture_of(game, 4)
    record = record_of(play(fixture, [GameSeat() for _ in fixture.entrants]))
    texts = (records.to_json(record), records.to_json(record, one_line=True), write(record))
    forms = [("bytes", records.to_bytes(record)), *(("text", text.encode()) for text in texts)]
    needles = dict.fromkeys(deck_shapes(fixture.decks[0], game.pack), "deck")
    for form in forms:
        assert found(needles, [form]) == {(form[0], "deck")}
    other = fixture_of(game, 4, board=1).decks[0]
    assert found(dict.fromkeys(deck_shapes(other, game.pack), "deck"), forms) == set()


def test_the_search_reads_command_lines() -> None:
    """A word of this process's own command line is found."""
    own = Path(f"/proc/{os.getpid()}/cmdline").read_bytes().split(b"\0")[0]
    assert (f"/proc/{os.getpid()}/cmdline", "word") in found({own: "word"}, processes())


def test_the_search_reads_memory() -> None:
    """What a process holds and nobody ever wrote down is found."""
    script = "import sys; held = bytes(range(9, 41)); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        places = list(memory([process.pid]))
        process.communicate()
    if not places:
        pytest.skip("the memory of other processes can't be read here")
    assert found({bytes(range(9, 41)): "held"}, places)


@pytest.fixture
def standing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standing]:
    """Yield a run of two games that stands still in each sitting, with a folder for temporary files of its own."""
    place = Path(tempfile.mkdtemp(prefix="cr-", dir="/tmp"))  # no longer, or the run would take another
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with Small(tmp_path) as small:
        yield Standing(small, place)
    shutil.rmtree(place)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_secret_leaves_the_run(standing: Standing, tmp_path: Path) -> None:
    """In every sitting: files, logs, command lines, environments, and all that commands tell meanwhile."""
    run = standing.run
    own = {str(run / name) for name in OWN}
    needles: dict[bytes, str] = {}
    for sitting in standing.sittings():
        if not needles:
            kept = (run / secret.FILE).read_bytes()
            needles = _shaped(_keys(standing.manifest(), kept)) | _decks(standing.manifest(), kept)
        told = tmp_path / f"told-{sitting}"
        told.mkdir()
        places = (*processes(), *files(standing.place, run, Path("/dev/shm")), *standing.printed(told))
        seen = found(needles, places)
        unfinished = standing.unfinished()
        assert temporary_of(run).parent == standing.place
        hidden = unfinished.union(KEYS)
        assert {(place, what) for place, what in seen if what in hidden and place not in own} == set()
        # The same search finds the secret in its file, decks in the ledger, finished ones in exports.
        assert (str(run / secret.FILE), "secret") in seen
        assert unfinished & {what for place, what in seen if place in own}
        exported = {what for place, what in seen if Path(place).is_relative_to(told)}
        assert exported == set(_tables(standing.manifest())) - unfinished
    assert exported  # Cha Kau Tsu's tables have two sittings, and this is the third
    assert found(_shaped(_keys(standing.manifest(), kept)), standing.end()) == set()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_workers_and_bots_hold_no_key(standing: Standing) -> None:
    """In the second sitting: workers, bots and Ray's objects don't hold secret, tournament key or deal keys in memory.

    Of a match in play its worker holds the match's own key and decks; a bot holds no key of any match.
    """
    for sitting in standing.sittings():
        if sitting != 1:
            continue
        kept = (standing.run / secret.FILE).read_bytes()
        if not found({kept: "secret"}, memory([standing.process.pid])):
            pytest.skip("the memory of other processes can't be read here")
        keys = _keys(standing.manifest(), kept)
        raylets, workers, bots = (
            [number for name in names for number in standing.small.processes("run", name)]
            for names in (["raylet/raylet"], ["ray::Worker"], ["bot.py", "sample_bots"])
        )
        assert raylets
        assert bots
        assert {what for _, what in found(keys, memory(workers))} == {"match key"}
        drivers = {key: what for key, what in keys.items() if what != "match key"}
        assert found(drivers, memory(raylets)) == set()
        assert found(keys, memory(bots)) == set()
    standing.end()
