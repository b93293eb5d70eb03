"""The words that a match's notation is made of: written, and read one by one. Pure; it knows no record.

A word stands as it is, or in quotes (a JSON string) where it would be read differently or can't be seen. ``;`` and
``=`` outside quotes are signs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from croupier import wire

COMMENT = "#"
"""A line that begins with it isn't read."""

SHOWN = 120
"""Characters of a wrong line that are shown."""

_LEXEME = re.compile(r' *(?:("(?:[^"\\]|\\.)*")|([;=])|([^ ";=]+))')
_NUMBER = re.compile(r"-?[0-9]{1,20}")

NumberedLines = Sequence[tuple[int, str]]


class NotationError(ValueError):
    """Text that is no match; the message names the line, what was expected and what was found."""


def word(text: str) -> str:
    """Return a text as one word."""
    lexeme = _LEXEME.fullmatch(text)
    bare = lexeme is not None and lexeme[3] == text and text[0] != COMMENT and text.isprintable()
    return text if bare else json.dumps(text)


def words(keyword: str, texts: Iterable[str]) -> str:
    """Return a line of words."""
    return " ".join([keyword, *map(word, texts)])


def numbers(keyword: str, values: Iterable[int]) -> str:
    """Return a line of numbers."""
    return " ".join([keyword, *map(str, values)])


def pairs(keyword: str, settings: wire.Texts) -> str:
    """Return a line of name and value pairs."""
    return " ".join([keyword, *(f"{word(name)}={word(value)}" for name, value in settings)])


def numbered(text: str) -> NumberedLines:
    """Return the lines of a text with their numbers, from 1, comments left out."""
    lines = text.removesuffix("\n").split("\n")
    return [(number, line) for number, line in enumerate(lines, 1) if not line.startswith(COMMENT)]


def wrong(number: int, expected: str | None, found: str | None) -> NotationError:
    """Return the error of a line that isn't what was expected; None is the end of the text."""
    shown = [
        "the end" if line is None else repr(line[:SHOWN]) if line else "an empty line" for line in (expected, found)
    ]
    return NotationError(f"line {number}: expected {shown[0]}, found {shown[1]}")


class Line:
    """What of a line hasn't been read; each method reads some of it.

    All raise NotationError where the line goes on differently; the message says its form.
    """

    def __init__(self, number: int, text: str | None, form: str) -> None:
        self._number, self._text, self._form = number, text, form
        self._left: list[str] = []
        place = 0
        while text and place < len(text):
            lexeme = _LEXEME.match(text, place)
            if lexeme is None:
                raise self._wrong()
            self._left.append(lexeme[1] or lexeme[2] or lexeme[3])
            place = lexeme.end()

    def _wrong(self) -> NotationError:
        return wrong(self._number, self._form, self._text)

    def next(self) -> str:
        """Return the next word or sign as it stands there, or nothing; it stays unread."""
        return self._left[0] if self._left else ""

    def skip(self, *expected: str) -> Line:
        """Read these words or signs."""
        for each in expected:
            if self.next() != each:
                raise self._wrong()
            del self._left[0]
        return self

    def word(self) -> str:
        """Read a word."""
        lexeme = self.next()
        if lexeme in ("", ";", "="):
            raise self._wrong()
        del self._left[0]
        try:
            found = str(json.loads(lexeme)) if lexeme.startswith('"') else lexeme
            found.encode()
        except json.JSONDecodeError:
            raise self._wrong() from None
        except UnicodeEncodeError:
            raise NotationError(f"line {self._number}: half a character, which is no text: {lexeme[:SHOWN]}") from None
        return found

    def number(self) -> int:
        """Read a whole number."""
        if not _NUMBER.fullmatch(self.next()):
            raise self._wrong()
        return int(self.word())

    def words(self) -> list[str]:
        """Read words up to the next sign."""
        found = []
        while self.next() not in ("", ";", "="):
            found.append(self.word())
        return found

    def numbers(self) -> list[int]:
        """Read whole numbers up to whatever isn't one."""
        found = []
        while _NUMBER.fullmatch(self.next()):
            found.append(self.number())
        return found

    def pairs(self) -> list[tuple[str, str]]:
        """Read name and value pairs up to the end."""
        found = []
        while self.next():
            name = self.word()
            self.skip("=")
            found.append((name, self.word()))
        return found

    def one_of(self, known: Iterable[str]) -> str:
        """Read one of these words."""
        if self.next() not in known:
            raise self._wrong()
        return self.word()

    def end(self) -> None:
        """Find that all of it was read."""
        if self._left:
            raise self._wrong()


class Lines:
    """The lines of a match that haven't been read."""

    def __init__(self, lines: NumberedLines) -> None:
        self._lines = lines
        self._place = 0

    @property
    def number(self) -> int:
        """The number of the line read last."""
        return self._lines[max(0, self._place - 1)][0]

    def next(self) -> str:
        """Return the first word of the next line, or nothing; the line stays unread."""
        text = self._lines[self._place][1] if self._place < len(self._lines) else ""
        return text.split(maxsplit=1)[0] if text.strip() else ""

    def take(self, form: str) -> Line:
        """Return the next line, which is to be of this form, from its first word on."""
        if self._place == len(self._lines):
            raise wrong(self.number + 1, form, None)
        number, text = self._lines[self._place]
        self._place += 1
        return Line(number, text, form)

    def gap(self) -> None:
        """Read an empty line."""
        self.take("").end()
