"""One strategy per game: pure functions from a decision to an action, each short enough to be read at one sitting."""

from collections.abc import Callable, Mapping

from croupier.bot import Action, Decision
from croupier.sample_bots.strategies import cha_kau_tsu, doppelkopf, kowah

STRATEGIES: Mapping[str, Callable[[Decision], Action]] = {
    "cha_kau_tsu": cha_kau_tsu.choose,
    "doppelkopf": doppelkopf.choose,
    "kowah": kowah.choose,
}
"""By game; any other game has none."""
