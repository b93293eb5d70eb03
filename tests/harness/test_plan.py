"""From a tournament file and a folder to a run that can be played: what is refused, and what is left then."""

from __future__ import annotations

import sqlite3
import stat
import tempfile
from pathlib import Path

import pytest

from croupier.harness import folders, plan
from croupier.harness.errors import ConfigError, LedgerStorageError
from croupier.harness.ledger import FILE
from croupier.harness.plan import RunPlan
from croupier.harness.secret import FILE as SECRET
from croupier.referee import boards
from tournaments import SAMPLES, Small

ODD = """
from croupier.bot import Bot, Playable, serve

class Odd(Bot):
    games = (Playable("doppelkopf", (4,)),)

    def choose(self, decision):
        raise AssertionError("nothing is played")

serve(Odd())
"""

RUDE = "import sys; print('no bot at all', file=sys.stderr); sys.exit(7)"


UNTIDY = """
from pathlib import Path
from croupier.bot import serve

for place in (Path(), Path(__file__).parent):
    with (place / "notes").open("a") as notes:
        notes.write("here")
serve(lambda decision: None)
"""
"""A bot that comes up only once it has written beside itself."""


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Return a tournament of three sample bots."""
    small = Small(tmp_path)
    small.write()
    return small


def _prepare(small: Small, *, seed: str | None = "s", warnings: list[str] | None = None) -> RunPlan:
    tournament, field = plan.load(small.file)
    folder = plan.make_folder(small.home / "run")
    with plan.open_ledger(folder) as ledger:
        warn = pytest.fail if warnings is None else warnings.append
        return plan.prepare(tournament, field, folder, ledger, seed=seed, warn=warn)


def test_a_run_begins_once(small: Small) -> None:
    """The first start makes a private folder and a secret; the next one finds both, and asks no bot."""
    first = _prepare(small, seed=None)
    assert stat.S_IMODE(first.folder.stat().st_mode) == 0o700
    (small.home / "run" / "logs" / "first").joinpath("kept").touch()
    logs = sorted((small.home / "run" / "logs").rglob("*"))
    again = _prepare(small, seed=None)
    assert (again.secret, again.key, again.manifest) == (first.secret, first.key, first.manifest)
    assert sorted((small.home / "run" / "logs").rglob("*")) == logs
    assert small.left("run") == []


def test_rounds_that_can_never_decide_are_warned_of(small: Small) -> None:
    """Before thirty encounters nothing is looked at: that is told before anything is played, with what it takes."""
    text = small.file.read_text()
    small.file.write_text(text.replace("[schedule]", '[schedule]\nuntil = "separated"\nmax_rounds = 4'))
    warnings: list[str] = []
    plan_ = _prepare(small, warnings=warnings)
    assert plan_.manifest.max_rounds == 4
    assert any(
        "nothing is decided before 30 encounters of everybody, and max_rounds = 4 gives" in one for one in warnings
    )


def test_a_complete_run_without_its_commitment_is_damaged(small: Small) -> None:
    """It was taken out: nothing is played or promised, and no assertion of ours fails."""
    _prepare(small)
    with plan.open_ledger(small.home / "run") as ledger:
        ledger.reveal(bytes(32))
    with sqlite3.connect(small.home / "run" / FILE) as connection:
        connection.execute("DELETE FROM commitment")
    connection.close()
    with pytest.raises(LedgerStorageError, match="commitment: there is none: damaged"):
        _prepare(small)


def test_a_resumed_run_keeps_its_seed(small: Small) -> None:
    """The seed comes from the ledger; another one is refused."""
    first = _prepare(small, seed="s")
    assert _prepare(small, seed=None).key == first.key
    with pytest.raises(ConfigError, match="was begun with --seed 's'"):
        _prepare(small, seed="t")


def test_a_seed_for_a_fair_run_is_refused(small: Small) -> None:
    """A run without a seed can't be given one later."""
    _prepare(small, seed=None)
    with pytest.raises(ConfigError, match="was begun without a seed"):
        _prepare(small, seed="s")


def test_another_tournament_is_refused(small: Small) -> None:
    """The keys that differ are named."""
    _prepare(small)
    small.write(rounds=2)
    small.file.write_text(small.file.read_text().replace("move_ms = 100000", "move_ms = 5"))
    with pytest.raises(ConfigError, match=r"other settings \(schedule.rounds, time.move_ms\); put them back"):
        _prepare(small)


def test_a_bot_that_does_not_play_the_game(small: Small) -> None:
    """Nothing is begun: no manifest, no secret, no process; mended, the same folder takes another start."""
    small.write(SAMPLES + small.enter("odd", ODD))
    with pytest.raises(ConfigError) as refused:
        _prepare(small)
    lines = str(refused.value).splitlines()
    assert [line.partition(" (")[0] for line in lines] == [
        "odd doesn't play cha_kau_tsu-2",
        "odd doesn't play kowah-3",
    ]
    assert not (small.home / "run" / SECRET).exists()
    assert small.left("run") == []
    small.write()
    assert _prepare(small, seed="another").manifest.seed == "another"


def test_a_bot_that_does_not_come_up(small: Small) -> None:
    """It is warned of, with what it said last, and plays: by default actions."""
    small.write(SAMPLES + small.enter("rude", RUDE))
    warnings: list[str] = []
    _prepare(small, warnings=warnings)
    (warning,) = warnings
    assert warning.startswith("rude doesn't come up and will lose by no_show: exited with status 7 ")
    assert "no bot at all" in warning


def test_the_roll_call_changes_no_copy(small: Small) -> None:
    """A bot that writes beside itself does so in a folder that is thrown away: what is sent is what was entered."""
    small.write(SAMPLES + small.enter("untidy", UNTIDY))
    prepared = _prepare(small)
    copy = prepared.folder / "entrants" / "untidy"
    assert sorted(path.name for path in copy.iterdir()) == ["bot.py", "bot.toml"]
    assert folders.digest(folders.files(copy)) == prepared.entrants["untidy"].digest
    assert small.left("run") == []


def test_house_bots_fill_up(small: Small) -> None:
    """Fewer entrants than seats: the house bots are started like all others."""
    small.write('[[entrant]]\nbot = "sample:first"\n', seats=3)
    assert set(_prepare(small).entrants) == {"first", "house-1", "house-2"}


def test_the_cards_follow_from_the_secret_and_the_entrants_nonces(small: Small) -> None:
    """Each entrant adds its nonce, house bots nothing: anybody can derive the key of the tournament."""
    lines = small.enter("lone", RUDE)
    manifest = small.home / "lone" / "bot.toml"
    manifest.write_text(f'nonce = "{"ab" * 32}"\n' + manifest.read_text())
    small.write(lines, seats=3)
    prepared = _prepare(small, seed=None, warnings=[])
    assert set(prepared.entrants) == {"lone", "house-1", "house-2"}
    entropy = boards.entropy("", {"lone": b"\xab" * 32})
    assert prepared.key == boards.tournament_key(prepared.secret, "small", entropy)


def test_a_plan_does_not_show_its_secret(small: Small) -> None:
    """Neither in a traceback nor in a log."""
    prepared = _prepare(small, seed=None)
    for hidden in (prepared.secret, prepared.key):
        assert repr(hidden) not in repr(prepared)
        assert hidden.hex() not in repr(prepared)


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    """It is left as it was, its permissions too."""
    (tmp_path / "mine").write_text("precious")
    before = tmp_path.stat().st_mode
    with pytest.raises(ConfigError, match="holds other files and no run; choose another folder with --dir"):
        plan.make_folder(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert tmp_path.stat().st_mode == before


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    """The path is named, and the remedy."""
    (tmp_path / "file").touch()
    with pytest.raises(
        LedgerStorageError, match=r"file/run: the run's folder can't be made.* choose another with --dir"
    ):
        plan.make_folder(tmp_path / "file" / "run")


def test_a_run_s_folder_is_closed_to_others(tmp_path: Path) -> None:
    """A run that was copied with open permissions is private again when it goes on."""
    (tmp_path / FILE).touch()
    tmp_path.chmod(0o755)
    assert stat.S_IMODE(plan.make_folder(tmp_path).stat().st_mode) == 0o700


def test_the_workplace_is_gone_afterwards(tmp_path: Path) -> None:
    """Whatever a killed run left there is removed first; what this one leaves, last."""
    place = plan.temporary_of(tmp_path)
    place.mkdir()
    (place / "b0.sock").touch()
    with plan.workplace(tmp_path) as made:
        assert made == place
        assert stat.S_IMODE(place.stat().st_mode) == 0o700
        assert list(place.iterdir()) == []
        (place / "b1.sock").touch()
    assert not place.exists()


def test_a_workplace_that_somebody_else_has_taken(tmp_path: Path) -> None:
    """A link in its place is followed by nobody: the run is refused."""
    place = plan.temporary_of(tmp_path)
    place.symlink_to(tmp_path)
    try:
        with pytest.raises(LedgerStorageError, match="set TMPDIR to another folder"), plan.workplace(tmp_path):
            pytest.fail("made")
    finally:
        place.unlink()


def test_a_long_tmpdir_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray's sockets need a short path: with a long TMPDIR the workplace is in /tmp."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / ("long" * 10)))
    assert plan.temporary_of(tmp_path).parent == Path("/tmp")
    monkeypatch.setattr(tempfile, "tempdir", "/var/tmp")
    assert plan.temporary_of(tmp_path).parent == Path("/var/tmp")
