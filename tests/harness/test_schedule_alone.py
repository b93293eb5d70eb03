"""An entrant whom ``same_owner = "apart"`` keeps from everybody: it has a place and numbers, and hurts nobody's."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.cli.show import print_leaderboards, publish_run
from croupier.harness import dealing
from croupier.harness.ledger import FILE, Commitment, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.leaderboards import build
from croupier.referee import boards
from scripted import GameSeat, play

SECRET = boards.seeded_secret("alone")
ALONE = "bot-1"


@pytest.mark.parametrize(("game", "seats"), [("cha_kau_tsu", 2), ("kowah", 3)])
def test_who_meets_nobody_is_listed(
    game: str, seats: int, tmp_path: Path, make_manifest: Callable[..., Manifest], capsys: pytest.CaptureFixture[str]
) -> None:
    """In a gauntlet whose seed belongs to the same owner: no match, no points, and the rating of a beginner."""
    manifest = make_manifest(((game, seats, 1),), entrants=5)
    owners = {"bot-0": "ann", ALONE: "ann"}
    listed = tuple(replace(one, owner=owners.get(one.id, "")) for one in manifest.entrants)
    manifest = replace(manifest, entrants=listed, seeds=("bot-0",), same_owner="apart")
    matches = list(Schedule(manifest))
    assert {entrant for match in matches for entrant in match.entrants} == {one.id for one in listed} - {ALONE}

    key = dealing.key_of(manifest, SECRET)
    folder = tmp_path / "run"
    folder.mkdir()
    with Ledger.open(folder / FILE) as ledger:
        ledger.create(manifest)
        ledger.commit(Commitment(boards.commitment(manifest.id, SECRET).hex(), manifest.id, "run"))
        for match in matches:
            fixture = dealing.fixture(manifest, key, match)
            ledger.append([(match, play(fixture, [GameSeat() for _ in match.entrants]))])
        ledger.reveal(SECRET)
    publish_run(folder)
    print_leaderboards(build(folder / FILE))
    printed = capsys.readouterr().out
    assert "nan" not in printed
    assert "inf" not in printed

    def no_number(text: str) -> float:
        raise AssertionError(text)

    tree = json.loads((folder / "leaderboard.json").read_text(), parse_constant=no_number)
    (row,) = (row for row in tree["leaderboards"][0]["standings"] if row["entrant"] == ALONE)
    assert (row["encounters"], row["deals"], row["points_per_deal"], row["interval"], row["win_share"]) == (
        *(0, 0),
        *(None, None, None),
    )
    assert row["sigma"] == pytest.approx(25 / 3, abs=1e-6)
    assert isinstance(row["rank"], int)
