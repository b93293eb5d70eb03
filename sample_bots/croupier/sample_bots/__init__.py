"""The sample bots by name; each is a module that serves itself: ``python -m croupier.sample_bots.sensible``.

They have what a contestant has, the kit and the games, and nothing more; each is a function of its question.
Nothing is imported here, so that their names cost nothing.
"""

from collections.abc import Mapping

SAMPLES: Mapping[str, str] = {
    "first": "croupier.sample_bots.first",
    "random": "croupier.sample_bots.random",
    "sensible": "croupier.sample_bots.sensible",
}
"""Name, as in ``sample:NAME``, and module."""
