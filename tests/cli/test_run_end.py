"""How ``croupier run`` ends, and what it does with a run that has ended before; no Ray."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from pathlib import Path

import pytest

from croupier.cli.main import execute
from croupier.harness import plan
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.run_driver import Driver
from croupier.harness.secret import FILE as SECRET
from rays import plays_here, without_ray
from tournaments import Small


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Return a tournament of three sample bots."""
    small = Small(tmp_path)
    small.write()
    return small


def _prepared(small: Small, monkeypatch: pytest.MonkeyPatch, *, played: bool) -> bytes:
    """Begin a run, play it without Ray, and return its secret."""
    tournament, field = plan.load(small.file)
    folder = plan.make_folder(small.home / "run")
    with plan.open_ledger(folder) as ledger:
        prepared = plan.prepare(tournament, field, folder, ledger, seed=None, warn=pytest.fail)

        async def drive() -> bool:
            return await Driver(prepared, ledger, 1, lambda _: None).play()

        if played:
            with monkeypatch.context() as patched:
                without_ray(patched)
                assert asyncio.run(drive())
    return prepared.secret


def _run(small: Small) -> int:
    return execute(["run", str(small.file), "--dir", str(small.home / "run")])


@pytest.mark.parametrize("revealed", [False, True])
def test_a_complete_run_starts_no_ray(
    small: Small, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, revealed: bool
) -> None:
    """Killed after its last match, or between reveal and removal of the secret: it is published, the secret too."""
    secret = _prepared(small, monkeypatch, played=True)
    folder = small.home / "run"
    assert (folder / SECRET).read_bytes() == secret
    if revealed:
        with Ledger.open(folder / FILE) as ledger:
            ledger.reveal(secret)
    monkeypatch.setattr("croupier.harness.run.play", lambda *_, **__: pytest.fail("played"))
    for _ in range(2):  # the second time without the file
        assert _run(small) == 0
        assert "complete; nothing to play\n" in capsys.readouterr().err
        assert not (folder / SECRET).exists()
        with Ledger.read(folder / FILE) as ledger:
            assert ledger.revealed() == secret
    assert (folder / "leaderboard.json").exists()


def test_a_complete_run_ends_as_it_ended(
    small: Small, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Run once more, a run that goes on until it is decided says what it said: what is proven, and who is better."""
    small.file.write_text(small.file.read_text().replace("rounds = 1", 'until = "separated"\nmax_rounds = 2'))
    plays_here(monkeypatch)
    said = []
    left = plan.temporary_of((small.home / "run").resolve())
    for _ in range(2):
        assert _run(small) == 0
        said.append(capsys.readouterr())
        left.mkdir()  # as of a driver that was killed when all was played
    assert _run(small) == 0
    assert not left.exists()
    (first, second, commitment, before, *end), again = (each.err.splitlines() for each in said)
    assert "nothing is decided before 30 encounters of everybody, and max_rounds = 2 gives 2; it takes 30" in first
    assert again[:2] == [first, second]
    same, nothing, *once_more = again[2:]
    assert commitment == same
    assert nothing == "complete; nothing to play"
    assert end == once_more
    assert before == f"{end[0]} (the secret isn't revealed yet)"
    assert "kowah-3: undecided after 2 rounds, with confidence 0.95:" in end
    assert said[0].out == said[1].out


def test_matches_without_a_result(
    small: Small, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit 4, and where to look; the secret stays one."""
    secret = _prepared(small, monkeypatch, played=False)
    monkeypatch.setattr("croupier.harness.run.play", lambda *_, **__: False)
    assert _run(small) == 4
    folder = small.home / "run"
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"see {folder / 'logs' / 'errors.log'} and the table `attempts` in {folder / FILE}" in last
    assert (folder / SECRET).read_bytes() == secret


@pytest.mark.parametrize("missing", ["ray", "pandas", "scipy", "trueskill", "jinja2"])
def test_a_missing_package_shows_before_play(
    small: Small, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    """Exit 2 with the command that brings it; nothing is made."""
    monkeypatch.setattr("croupier.cli.run.find_spec", lambda name: None if name == missing else find_spec(name))
    assert _run(small) == 2
    assert "pip install '.[tournament]'" in capsys.readouterr().err
    assert not (small.home / "run").exists()
