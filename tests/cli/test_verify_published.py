"""A published run in a stranger's hands: its folder alone is verified, and a forger who refits every hash is found."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cli.exits import Exit
from croupier.cli.main import execute
from croupier.harness.dealing import FRESH
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest
from croupier.referee import boards, records
from croupier.v1 import record_pb2 as pb
from tournaments import GATED, SAMPLES, Small

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

NONCE = "5a" * 32
FORGED = 3
"""The index of the match whose record is forged: of two deals."""


def croupier(*words: object, cwd: Path) -> tuple[int, str]:
    """Run a command as a stranger does: from a folder of his own, knowing nothing of where the run was played."""
    command = [sys.executable, "-m", "croupier.cli.main", *map(str, words)]
    home = cwd / "home"  # where Ray keeps something of its own
    home.mkdir(exist_ok=True)
    env = {"HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=200, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what was published of a run with a nonce; the run itself is gone."""
    home = tmp_path_factory.mktemp("played")
    with Small(home) as small:
        lucky = small.enter("lucky", GATED)
        manifest = home / "lucky" / "bot.toml"
        manifest.write_text(f'nonce = "{NONCE}"\n{manifest.read_text()}')
        small.write(SAMPLES + lucky)
        code, _, err = small.run("run", seed="")
        assert code == 0, err
        site = tmp_path_factory.mktemp("published") / "site"
        assert croupier("publish", small.home / "run", "--to", site, cwd=home)[0] == 0
    shutil.rmtree(home)
    return site


@pytest.fixture
def site(published: Path, tmp_path: Path) -> Path:
    """Return a copy of it."""
    return Path(shutil.copytree(published, tmp_path / "downloaded"))


def test_a_stranger_verifies_it(site: Path, tmp_path: Path) -> None:
    """In a new place, with nothing but the folder; nothing is written into it, and nothing is left beside it."""
    before = {path.name: path.read_bytes() for path in site.iterdir()}
    code, said = croupier("verify", site, cwd=tmp_path)
    assert (code, "24 of 24 matches refereed again" in said) == (Exit.OK, True), said
    assert {path.name: path.read_bytes() for path in site.iterdir()} == before
    assert {path.name for path in tmp_path.iterdir()} == {site.name, "home"}


def _sql(site: Path, statement: str, *values: object) -> None:
    with sqlite3.connect(site / FILE) as connection:
        assert connection.execute(statement, values).rowcount > 0
    connection.close()


def _forge(site: Path, change: Callable[[pb.MatchRecord], object]) -> None:
    """Change a record, and the hash that stands beside it."""
    with Ledger.read(site / FILE) as ledger:
        record = records.from_bytes(dict(ledger.records())[FORGED])
    change(record)
    data = records.to_bytes(record)
    _sql(site, 'UPDATE matches SET record = ?, sha256 = ? WHERE "index" = ?', data, records.sha256(data), FORGED)


def _rotated_deck(site: Path) -> None:
    def change(record: pb.MatchRecord) -> None:
        deck = list(record.deals[0].deck)
        record.deals[0].deck[:] = [*deck[1:], deck[0]]

    _forge(site, change)


def _deck_of_another_board(site: Path) -> None:
    def change(record: pb.MatchRecord) -> None:
        record.deals[0].deck[:] = record.deals[1].deck

    _forge(site, change)


def _boards_of_another_attempt(site: Path) -> None:
    """As if the match had been begun before with a bot that somebody else started."""

    def change(record: pb.MatchRecord) -> None:
        for deal in record.deals:
            deal.board += FRESH

    _forge(site, change)
    _sql(site, 'INSERT INTO attempts SELECT id, 0, 1.0, 2.0, ?, ? FROM matches WHERE "index" = ?', "n", "lost", FORGED)


def _attempt_of_no_match(site: Path) -> None:
    _sql(site, "INSERT INTO attempts VALUES (?, 0, 1.0, 2.0, 'n', 'lost')", "0" * 16)


def _attempt_of_a_higher_number(site: Path) -> None:
    _sql(site, 'INSERT INTO attempts SELECT id, 7, 1.0, 2.0, ?, ? FROM matches WHERE "index" = ?', "n", "lost", FORGED)


def _secret(site: Path) -> None:
    """With the commitment that fits it."""
    other = bytes(range(32))
    _sql(site, "UPDATE reveal SET secret = ?", other.hex())
    _sql(site, "UPDATE commitment SET sha256 = ?", boards.commitment("small", other).hex())


def _manifest(site: Path, change: Callable[[Manifest], Manifest]) -> None:
    """Change the manifest, and its hash with it."""
    with Ledger.read(site / FILE) as ledger:
        changed = change(ledger.manifest())
    _sql(site, "UPDATE manifest SET json = ?, sha256 = ?", changed.to_json(), changed.sha256)


def _nonce(site: Path) -> None:
    def change(manifest: Manifest) -> Manifest:
        assert NONCE in {one.nonce for one in manifest.entrants}
        entrants = (replace(one, nonce="00" * 32) for one in manifest.entrants)
        return replace(manifest, entrants=tuple(entrants))

    _manifest(site, change)


def _max_tables(site: Path) -> None:
    """Which leaves the schedule as it was."""
    _manifest(site, lambda manifest: replace(manifest, max_tables=1999))


def _no_number(site: Path) -> None:
    path = site / "leaderboard.json"
    tree = json.loads(path.read_text())
    tree["leaderboards"][0]["standings"][0]["mu"] = float("nan")
    path.write_text(json.dumps(tree, sort_keys=True, indent=1, ensure_ascii=False) + "\n")


MATCH = rf"match {FORGED} \([0-9a-f]{{16}}\): "
FORGERIES: dict[Callable[[Path], None], str] = {
    _rotated_deck: MATCH + r"deal 0: card \d+ of the deck: expected ",
    _deck_of_another_board: MATCH + r"deal 0: card \d+ of the deck: expected ",
    _boards_of_another_attempt: MATCH + r"deal 0: board: expected \d+, found ",
    _attempt_of_no_match: "match 0{16}: attempts: the schedule has no such match",
    _attempt_of_a_higher_number: "match [0-9a-f]{16}: attempts: expected 0, found 7",
    _secret: r"match 0 \([0-9a-f]{16}\): deal 0: card \d+ of the deck: expected ",
    _nonce: r"match 0 \([0-9a-f]{16}\): match id: expected ",
    _max_tables: r"match 0 \([0-9a-f]{16}\): match id: expected ",
    _no_number: r'leaderboard\.json, line \d+: expected \'"mu": [\d.]+,\', found \'"mu": NaN,\'',
}


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__.strip("_"))
def test_a_forgery_is_found(forge: Callable[[Path], None], site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever else was made to fit."""
    forge(site)
    code, said = execute(["verify", str(site)]), capsys.readouterr().out
    assert code == Exit.CHECK_FAILED, said
    assert re.match(f"differs: {re.escape(str(site))}: {FORGERIES[forge]}", said), said
