"""docs/bots.md against what it tells of."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from bot.processes import running
from bot.questions import OPTIONS, question
from croupier.bot import observations
from croupier.games import offered
from croupier.harness import samples

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_first_bot_is_shown_as_it_is() -> None:
    """Program and manifest on the page are the files in examples/."""
    folder = ROOT / "examples" / "bots"
    assert PROGRAMS[0] == (folder / "first_bot.py").read_text(encoding="utf-8")
    assert f"```toml\n{(folder / 'bot.toml').read_text(encoding='utf-8')}```" in PAGE


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs_on_the_page_run(program: str, tmp_path: Path) -> None:
    """Each is a bot that answers."""
    path = tmp_path / "bot.py"
    path.write_text(program, encoding="utf-8")
    with running([str(path)]) as bot:
        ((_, action),) = bot.decide(question())
    assert offered(OPTIONS, action)


def test_helpers_and_samples_are_all_named() -> None:
    """Every observation helper, with its parameters, and every sample bot is on the page."""
    helpers = [
        name for name, value in vars(observations).items() if getattr(value, "__module__", "") == observations.__name__
    ]
    functions = [name for name in helpers if name.islower()]
    assert functions
    for name in functions:
        parameters = ", ".join(inspect.signature(getattr(observations, name)).parameters)
        assert f"| `{name}({parameters})` | " in PAGE
    for name in samples.names():
        assert f"`{name}`" in PAGE
