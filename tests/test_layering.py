"""The source keeps to the table of layers, and the check of it finds what breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from layers import ROOTS, TABLE, imports, modules, violations

REPOSITORY = Path(__file__).parents[1]


def _plant(folder: Path, path: str, source: str) -> None:
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(source)


def test_every_import_keeps_to_the_table() -> None:
    """Lower layers never import higher ones, and foreign packages stay where they belong."""
    assert violations(REPOSITORY) == []


def test_the_table_names_no_module_that_is_gone() -> None:
    """What the table lists exists."""
    listed = {
        package if name == "." else f"{package}.{name}"
        for package, entry in TABLE.items()
        for name in entry.layers.split()
    }
    assert listed - set(modules(REPOSITORY)) == set()


def test_every_source_root_is_walked() -> None:
    """Each root holds modules, and most of them import something."""
    for root in ROOTS:
        assert any((REPOSITORY / root) in path.parents for path in modules(REPOSITORY).values())
    assert len(list(imports(REPOSITORY))) > 200


@pytest.mark.parametrize(
    ("path", "source", "complaint"),
    [
        ("referee/croupier/games/base.py", "from croupier import wire", "games may import no other package"),
        ("referee/croupier/games/base.py", "import grpc", "doesn't let it use grpc"),
        ("referee/croupier/games/cards.py", "from croupier.games.base import State", "not in a lower line"),
        ("referee/croupier/games/cards.py", "from .base import State", "not in a lower line"),
        ("referee/croupier/games/kowah.py", "import croupier.games.doppelkopf.orders", "don't know each other"),
        ("protocol/croupier/wire.py", "from croupier.referee import boards", "wire may import"),
        ("protocol/croupier/bot/server.py", "import croupier.v1.record_pb2", "bot may import"),
        ("sample_bots/croupier/sample_bots/first.py", "from croupier.wire import event", "sample_bots may import"),
        ("sample_bots/croupier/sample_bots/first.py", "import numpy", "doesn't let it use numpy"),
        ("referee/croupier/referee/table.py", "from croupier.referee.replay import replay", "not in a lower line"),
        ("referee/croupier/referee/table.py", "import grpc.aio", "doesn't let it use grpc"),
        ("referee/croupier/referee/seats.py", "from croupier.referee import table", "not in a lower line"),
        ("harness/croupier/harness/plan.py", "def f():\n    import ray", "doesn't let it use ray"),
        ("harness/croupier/harness/run.py", "from croupier.leaderboards import tables", "harness may import"),
        ("harness/croupier/harness/config.py", "from croupier.harness import ledger", "not in a lower line"),
        ("leaderboards/croupier/leaderboards/tables.py", "from croupier.harness.run import play", "may import"),
        ("leaderboards/croupier/leaderboards/tables.py", "from . import site", "not in a lower line"),
        ("harness/croupier/cli/show.py", "import pandas", "doesn't let it use pandas"),
        ("leaderboards/croupier/leaderboards/site.py", "from croupier.cli import main", "nobody imports cli"),
        ("harness/croupier/harness/magic.py", "", "harness.magic is not in TABLE of tests/layers.py"),
        ("protocol/croupier/magic.py", "", "magic is not in TABLE of tests/layers.py"),
        ("harness/croupier/cli/main.py", "import croupier.magic", "no such module"),
    ],
)
def test_a_planted_import_is_found(tmp_path: Path, path: str, source: str, complaint: str) -> None:
    """One line that breaks the table gives one complaint that says why."""
    for module in modules(REPOSITORY).values():
        _plant(tmp_path, str(module.relative_to(REPOSITORY)), "")
    assert violations(tmp_path) == []

    _plant(tmp_path, path, source)

    (found,) = violations(tmp_path)
    assert complaint in found


def test_what_the_table_allows_is_no_violation(tmp_path: Path) -> None:
    """Lower lines, packages that may be used, the standard library, and foreign packages in their place."""
    _plant(tmp_path, "referee/croupier/games/cards.py", "import json")
    _plant(tmp_path, "referee/croupier/games/base.py", "from croupier.games.cards import Card\nimport os.path")
    _plant(tmp_path, "referee/croupier/games/__init__.py", "from .base import State")
    _plant(tmp_path, "referee/croupier/referee/calls.py", "import grpc\nfrom croupier.games import State")
    _plant(tmp_path, "harness/croupier/harness/run.py", "import ray\nfrom croupier.referee import seats")
    _plant(tmp_path, "harness/croupier/cli/anything.py", "import click\nfrom croupier.harness import run")

    assert violations(tmp_path) == []
