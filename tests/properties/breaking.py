"""How a mutation is noted: a function that patches a game so that it breaks a law. It knows no game."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest

Patching = Callable[[pytest.MonkeyPatch], None]


class Mutation(NamedTuple):
    """A broken game: the machine that must find it, and how it is broken."""

    machine: str
    law: str
    apply: Patching


MUTATIONS: list[Mutation] = []
"""All that have been noted."""


def breaks(machine: str, law: str) -> Callable[[Patching], Patching]:
    """Return a decorator that notes a mutation."""

    def note(apply: Patching) -> Patching:
        MUTATIONS.append(Mutation(machine, law, apply))
        return apply

    return note
