"""``croupier commit``: the secret is bound when entries open, and the run keeps to it."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.cli.main import execute
from croupier.harness import plan
from croupier.harness.errors import ConfigError
from croupier.harness.fairness import difference, promise
from croupier.harness.ledger import FILE, Ledger
from croupier.referee import boards
from tournaments import Small


def croupier(*arguments: object) -> tuple[int, str, str]:
    """Run ``croupier`` as a process, and return exit code, stdout and stderr."""
    command = [sys.executable, "-m", "croupier.cli.main", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Return a tournament of three sample bots."""
    small = Small(tmp_path)
    small.write()
    return small


def test_it_binds_once(small: Small) -> None:
    """Twice the same commitment, that of the secret on the disk; another id is refused, a lost secret too."""
    run = small.home / "run"
    code, out, err = croupier("commit", small.file, "--dir", run)
    kept = run / "secret"
    assert (code, out) == (0, f"commitment {boards.commitment('small', kept.read_bytes()).hex()}\n")
    assert "Publish this commitment" in err
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert croupier("commit", small.file, "--dir", run)[:2] == (0, out)

    secret = kept.read_bytes()
    kept.write_bytes(bytes(32))
    code, _, err = croupier("commit", small.file, "--dir", run)
    assert (code, "not the secret that was committed to" in err) == (2, True)
    kept.unlink()
    code, _, err = croupier("commit", small.file, "--dir", run)
    assert (code, "the secret is lost" in err) == (2, True)
    kept.write_bytes(secret)

    small.file.write_text(small.file.read_text().replace('id = "small"', 'id = "other"'))
    code, _, err = croupier("run", small.file, "--dir", run)
    assert (code, "the commitment of this folder is for 'small'" in err) == (2, True)


def test_a_seed_is_no_secret_drawn_at_random(small: Small) -> None:
    """A run that was committed to can't be made reproducible afterwards."""
    folder = plan.make_folder(small.home / "run")
    with plan.open_ledger(folder) as ledger:
        plan.commit("small", folder, ledger, seed=None, made_by="commit")
        with pytest.raises(ConfigError, match="leave --seed out"):
            plan.commit("small", folder, ledger, seed="s", made_by="run")


@pytest.mark.slow
def test_strangers_verify_a_published_run(small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The published folder is enough; a changed commitment, secret, nonce or hash of the manifest is found in it."""
    assert croupier("commit", small.file, "--dir", small.home / "run")[0] == 0
    code, _, err = small.run("run", seed="")
    assert code == 0, err
    with Ledger.read(small.home / "run" / FILE) as ledger:
        bound, secret, manifest = ledger.commitment(), ledger.revealed(), ledger.manifest()
    assert bound is not None
    assert bound.made_by == "commit"
    assert secret is not None
    assert difference(manifest, bound, secret) == ""
    assert promise(manifest, bound, revealed=True).startswith("protects against changes during play")

    public = tmp_path / "public"
    assert croupier("publish", small.home / "run", "--to", public)[0] == 0
    assert [path.name for path in public.glob(f"*{FILE}*")] == [FILE]
    code, out, _ = croupier("verify", public)
    assert (code, f"commitment {bound.sha256}" in out) == (0, True)

    for statement, says in (
        ("UPDATE commitment SET sha256 = 'ff'", "commitment: expected "),
        ("UPDATE commitment SET tournament = 'other'", "commitment: expected one for small"),
        ("DELETE FROM commitment", "commitment: there is none"),
        (f"UPDATE reveal SET secret = '{'00' * 32}'", "commitment: expected "),
        ("UPDATE manifest SET sha256 = 'ff'", "manifest hash: expected "),
        ('UPDATE manifest SET json = replace(json, \'"beacon":""\', \'"beacon":"x"\')', "manifest hash: expected "),
        (f"UPDATE manifest SET json = replace(json, '{'0' * 64}', '{'1' * 64}')", "manifest hash: expected "),
    ):
        forged = tmp_path / "forged.sqlite"
        forged.write_bytes((public / FILE).read_bytes())
        with sqlite3.connect(public / FILE) as connection:
            assert connection.execute(statement).rowcount, statement
        connection.close()
        code, out = execute(["verify", str(public)]), capsys.readouterr().out
        assert (code, says in out) == (1, True), (statement, out)
        forged.replace(public / FILE)
