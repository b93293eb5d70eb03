"""The wheel as a contestant gets it: in an empty environment with the base dependencies and nothing else.

Offline: the dependencies are those that are installed here, linked file by file.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


class Empty:
    """An environment without anything.

    Attributes:
        installed: what the wheel has put into its ``site-packages``.
    """

    def __init__(self, home: Path) -> None:
        venv.create(home, symlinks=True)
        self.bin = home / "bin"
        (self.packages,) = home.glob("lib/python*/site-packages")
        self.installed: set[str] = set()

    def install(self, wheel: Path) -> None:
        """Install a wheel, then link what it needs."""
        before = set(self.packages.iterdir())
        pip = (sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "--disable-pip-version-check")
        subprocess.run((*pip, "install", "--quiet", "--no-index", "--no-deps", str(wheel)), check=True, timeout=60)
        self.installed = {path.name for path in set(self.packages.iterdir()) - before}
        (metadata,) = self.packages.glob("croupier-*.dist-info")
        for needed in _closure(Distribution.at(metadata)):
            self._link(needed)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program of this environment."""
        program, *arguments = command
        return subprocess.run(
            (str(self.bin / program), *arguments),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            cwd=self.bin.parent,
            timeout=60,
            check=False,
        )

    def _link(self, needed: Distribution) -> None:
        for file in needed.files or ():
            source, target = Path(str(needed.locate_file(file))), self.packages / file
            if ".." not in file.parts and source.is_file() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(source)


def _closure(wheel: Distribution) -> Iterator[Distribution]:
    """Yield what a distribution needs without any extra, and what that needs."""
    waiting, seen = [wheel], set()
    while waiting:
        for text in waiting.pop().requires or ():
            requirement = Requirement(text)
            wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
            if wanted and requirement.name not in seen:
                seen.add(requirement.name)
                found = distribution(requirement.name)
                assert requirement.specifier.contains(found.version)
                waiting.append(found)
                yield found


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Empty:
    """Build the wheel and return an environment with it."""
    dist = tmp_path_factory.mktemp("dist")
    build = (sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(dist))
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=60)
    (wheel,) = dist.iterdir()
    empty = Empty(tmp_path_factory.mktemp("empty"))
    empty.install(wheel)
    return empty


def test_it_brings_one_package(empty: Empty) -> None:
    """Beside its metadata there is only ``croupier``, with everything that types and pages need, and no test."""
    metadata = {name for name in empty.installed if name.startswith("croupier-") and name.endswith(".dist-info")}
    assert len(metadata) == 1
    assert empty.installed - metadata == {"croupier"}
    package = empty.packages / "croupier"
    assert not (package / "__init__.py").exists()
    assert {path.name for path in package.iterdir()} - {"__pycache__"} == {
        path.name for root in ROOT.glob("*/croupier") for path in root.iterdir() if path.name != "__pycache__"
    }
    for data in ("v1/bot.proto", "v1/bot_pb2.pyi", "bot/py.typed", "games/py.typed"):
        assert (package / data).is_file()
    assert list((package / "leaderboards").rglob("*.html*"))


def test_it_brings_no_tournament_extra(empty: Empty) -> None:
    """What is tried here is tried without Ray, pandas and the rest."""
    for name in ("ray", "pandas", "trueskill", "jinja2", "pytest"):
        assert empty.run("python", "-c", f"import {name}").returncode == 1


def test_help(empty: Empty) -> None:
    """The command is on the path of the environment and lists what there is."""
    done = empty.run("croupier", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "check" in done.stdout


def test_check_and_play(empty: Empty) -> None:
    """A sample bot can be checked, and a match be played."""
    done = empty.run("croupier", "check", "sample:random", "--game", "kowah", "--deals", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "all points kept" in done.stdout
    done = empty.run("croupier", "play", "--game", "kowah", "--deals", "1", "sample:random", "sample:first")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_bot_on_the_kit(empty: Empty, tmp_path: Path) -> None:
    """The example bot runs on the installed kit: its `python3` is that of the environment."""
    bot = tmp_path / "mine"
    shutil.copytree(ROOT / "examples" / "bots", bot)
    done = empty.run("croupier", "check", str(bot), "--game", "cha_kau_tsu", "--deals", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "all points kept" in done.stdout


def test_run_says_which_extra_it_needs(empty: Empty, tmp_path: Path) -> None:
    """Exit 2 with the pip command, before anything is made."""
    done = empty.run("croupier", "run", str(ROOT / "examples" / "demo.toml"), "--dir", str(tmp_path / "run"))
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("croupier: this command needs more packages")
    assert "pip install" in line
    assert "[tournament]" in line
    assert not (tmp_path / "run").exists()
