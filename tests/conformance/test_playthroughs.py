"""Golden playthroughs: whole deals of every game, seat count and profile, compared line by line.

After a deliberate change of rules: ``PYTHONPATH=tests python -m playthroughs.regenerate``, and raise ``Game.version``.
"""

from __future__ import annotations

import pytest

from croupier.referee.notation import read_many
from croupier.referee.replay import replay
from playthroughs.regenerate import FOLDER, playthroughs

TEXTS = playthroughs()


@pytest.mark.parametrize("name", TEXTS)
def test_a_playthrough_is_as_it_was(name: str) -> None:
    """The same decks and the same choices give the same events, points and carries, today and after a change."""
    path = FOLDER / name
    assert path.is_file(), f"{name} is missing; write it: PYTHONPATH=tests python -m playthroughs.regenerate"
    assert TEXTS[name]().splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_no_playthrough_is_left_over() -> None:
    """Every file in the folder belongs to a game, a seat count and a profile that there are."""
    assert {path.name for path in FOLDER.glob("*.txt")} == set(TEXTS)


@pytest.mark.parametrize("name", TEXTS)
def test_a_playthrough_can_be_read(name: str) -> None:
    """The files are notation; their matches replay (examples don't begin as matches do)."""
    matches = read_many((FOLDER / name).read_text(encoding="utf-8"))
    assert matches
    for match in matches:
        if not name.endswith("-examples.txt"):
            assert replay(match).points == tuple(match.points)
