"""A game's settings: which options there are, and a checked set of their values.

Values are ``true``/``false``, whole numbers or words, on the wire always as text.
This module knows no game; what an option means is the game's own business.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

RuleValue = bool | int | str

DIGITS = 20
"""No number of a rule has more digits; Python's ``int`` refuses a text of thousands."""


class RulesError(ValueError):
    """A setting that the game doesn't have, a value it doesn't take, or a seat count it isn't played with."""


def nearest(word: str, known: list[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the known word that is closest, capitals or not, or nothing."""
    folded = {each.lower(): each for each in known}
    match = difflib.get_close_matches(word.lower(), list(folded), n=1, cutoff=0.5)
    return f" (did you mean {folded[match[0]]!r}?)" if match else ""


def is_number(text: str) -> bool:
    """Tell whether a text from outside is a whole number without a sign, and short enough for ``int`` to take it."""
    return len(text) <= DIGITS and text.isascii() and text.isdecimal()


def as_text(value: RuleValue) -> str:
    """Return the form of a value on the wire: ``true``, ``false``, a decimal integer, or a word."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def parse_settings(texts: Sequence[str]) -> dict[str, str]:
    """Return ``name=value`` texts as settings.

    Raises:
        RulesError: a text without ``=``, or a name given twice.
    """
    given: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise RulesError(f"a rule is written name=value, not {text!r}")
        if not name:
            raise RulesError(f"a rule is written name=value, not {text!r}")
        if name in given:
            raise RulesError(f"rule {name!r} is given twice")
        given[name] = value
    return given


@dataclass(frozen=True)
class RuleOption:
    """One setting of a game.

    Attributes:
        name: as written in tournament files and sent to bots.
        default: what the rules page plays; its type says which values there are.
        meaning: one line for people.
        ruling: number of the ruling or section of the rules page that it belongs to.
        words: the values of an option whose default is a word.
        low, high: the bounds, both included, of an option whose default is a number.
        tournament: the default in tournaments where it differs.
    """

    name: str
    default: RuleValue
    meaning: str
    ruling: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int = 1_000_000
    tournament: RuleValue | None = None

    @property
    def values(self) -> str:
        """The possible values, for people: ``true or false``, ``0..100``, ``winner or clockwise``."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            return f"{self.low}..{self.high}"
        return " or ".join(self.words)

    def parse(self, given: object) -> RuleValue:
        """Return the value meant by ``given``, typed (from TOML) or text (from the command line or the wire).

        Raises:
            RulesError: the option doesn't take this value.
        """
        text = as_text(given) if isinstance(given, bool | int | str) else None
        if isinstance(self.default, bool):
            if text in ("true", "false"):
                return text == "true"
        elif isinstance(self.default, int):
            if text is not None and is_number(text) and self.low <= int(text) <= self.high:
                return int(text)
        elif text in self.words:
            return text
        shown = text if isinstance(given, bool) else repr(given)
        raise RulesError(f"option {self.name!r} takes {self.values}, not {shown}")


@dataclass(frozen=True)
class Rules(Mapping[str, RuleValue]):
    """A complete, checked set of option values of one game, in the order in which the game lists them."""

    pairs: tuple[tuple[str, RuleValue], ...] = ()

    def __getitem__(self, name: str) -> RuleValue:
        for known, value in self.pairs:
            if known == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def flag(self, name: str) -> bool:
        """Return the value of an option that is true or false."""
        value = self[name]
        assert isinstance(value, bool)
        return value

    def number(self, name: str) -> int:
        """Return the value of an option that is a number."""
        value = self[name]
        assert isinstance(value, int)
        return value

    def word(self, name: str) -> str:
        """Return the value of an option that is a word."""
        value = self[name]
        assert isinstance(value, str)
        return value

    def texts(self) -> tuple[tuple[str, str], ...]:
        """Return name and value pairs as they are sent to bots and kept in records."""
        return tuple((name, as_text(value)) for name, value in self.pairs)
