"""docs/architecture.md against the tree: its lists of modules are complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from layers import modules

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("package", ["referee", "harness", "leaderboards"])
def test_every_module_is_listed(package: str) -> None:
    """The page has a line for each module of a package, and none for one that is gone."""
    section = re.search(rf"^\| `{package}` \| does \|\n(.*?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None
    listed = re.findall(r"`(\w+)\.py`", section[1])
    there = {name.partition(".")[2] for name in modules(ROOT) if name.startswith(f"{package}.")} - {"__main__"}
    assert sorted(listed) == sorted(there)
