"""Notation that is none: whatever is wrong, an error names the line, and nothing but an error is raised."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import pytest

from croupier.referee.notation import read, read_many, write
from croupier.referee.notation_words import NotationError
from croupier.v1 import record_pb2 as pb
from referee.notated import match_of_the_page

SPOILS = '0123456789 ;="#\\-+ASKHqjx\n\t\x00é\u2028'


@pytest.fixture
def example() -> pb.MatchRecord:
    """The match of docs/notation.md."""
    return match_of_the_page()


def _lines(pattern: str, text: str) -> Iterator[int]:
    """Yield the numbers of the lines that match, from 1."""
    return (number for number, line in enumerate(text.splitlines(), 1) if re.match(pattern, line))


class Malformed(NamedTuple):
    """A line that is written instead of another one.

    Attributes:
        pattern: of the line that it stands for.
        later: so many lines further down the contradiction shows.
    """

    name: str
    pattern: str
    instead: str
    complaint: str
    later: int = 0


MALFORMED = [
    Malformed("another first line", "croupier record", "croupier game 1", "expected 'croupier record 1'"),
    Malformed("a newer format", "croupier record", "croupier record 2", "record format 2; this program reads format 1"),
    Malformed("a format that is none", "croupier record", "croupier record one", "expected 'croupier record NUMBER'"),
    Malformed("no id", "match", "match", "expected 'match ID', found 'match'"),
    Malformed("two ids", "match", "match a b", "expected 'match ID', found 'match a b'"),
    Malformed("another game's hands", "game", "game kowah", "expected no hands", 12),
    Malformed("no version", "version", "version", "expected 'version NUMBER'"),
    Malformed("a version out of range", "version", "version -1", "Value out of range"),
    Malformed("a rule without a value", "rule", "rule pots", "expected 'rule NAME=VALUE'"),
    Malformed("blanks around the sign", "rule", "rule pots = 0", "expected 'rule pots=0', found 'rule pots = 0'"),
    Malformed("a seat left out", "seat 1", "seat 2 entrant-1", "expected 'seat 1 entrant-1'"),
    Malformed(
        "a mark that a seat can't have",
        "seat 1",
        "seat 1 entrant-1 ; late",
        "expected 'seat NUMBER ENTRANT [; no_show]'",
    ),
    Malformed("a quote that doesn't end", "seat 1", 'seat 1 "entrant-1', "expected 'seat NUMBER ENTRANT [; no_show]'"),
    Malformed("needless quotes", "seat 1", 'seat 1 "entrant-1"', "expected 'seat 1 entrant-1'"),
    Malformed("a wrong escape", "seat 1", r'seat 1 "\x41"', "expected 'seat NUMBER ENTRANT [; no_show]'"),
    Malformed("half a character", "seat 1", r'seat 1 "\ud800"', "half a character, which is no text"),
    Malformed("deals as a word", "deals", "deals few", "expected 'deals NUMBER'"),
    Malformed("more deals than a record can hold", "deals", f"deals {2**32}", "Value out of range"),
    Malformed("no gap", "$", "#", "expected an empty line, found 'deal 0 board 2 dealer 0'", 1),
    Malformed("blanks in a gap", "$", " ", "expected an empty line, found ' '"),
    Malformed("a deal without a dealer", "deal ", "deal 0 board 2", "expected 'deal NUMBER board NUMBER dealer SEAT'"),
    Malformed("another number of a deal", "deal ", "deal 1 board 2 dealer 0", "expected 'deal 0 board 2 dealer 0'"),
    Malformed("a dealer who isn't there", "deal ", "deal 0 board 2 dealer 5", "expected no hands", 2),
    Malformed("a carry of words", "carry", "carry pots", "expected 'carry [NUMBER...] [NAME=VALUE...]'"),
    Malformed("an empty carry", "carry", "carry", "expected 'hand 0 "),
    Malformed("another hand", "hand 1", "hand 1 AS", "expected 'hand 1 "),
    Malformed("a hand that is a comment", "hand 1", "#", "expected 'hand 1 ", 1),
    Malformed("a card that is none", "deck", "deck ZZ", "expected no hands", -2),
    Malformed("a decision without a verb", "  3 ", "  3 1", "expected 'NUMBER SEAT VERB [CARD...] [; MARK...]'"),
    Malformed("a decision without a seat", "  3 ", "  3 play 4S", "expected 'NUMBER SEAT VERB [CARD...] [; MARK...]'"),
    Malformed("a decision's number", "  3 ", "  4 1 play 4S", "expected '  3 1 play 4S'"),
    Malformed(
        "a mark that is none", "  3 ", "  3 1 play 4S ; slow", "expected 'NUMBER SEAT VERB [CARD...] [; MARK...]'"
    ),
    Malformed("a fault before its source", "  3 ", "  3 1 play 4S ; late default", "expected 'NUMBER SEAT VERB"),
    Malformed("a no_show at a decision", "  3 ", "  3 1 play 4S ; default no_show", "expected 'NUMBER SEAT VERB"),
    Malformed("an empty mark", "  3 ", "  3 1 play 4S ;", "expected '  3 1 play 4S', found '  3 1 play 4S ;'"),
    Malformed("blanks at the end", "  3 ", "  3 1 play 4S  ", "expected 'NUMBER SEAT VERB"),
    Malformed("a word in place of a decision", "  3 ", "play 4S", "[; MARK...], or points NUMBER...'"),
    Malformed("a number that is no number", "  3 ", "  ٣ 1 play 4S", "expected 'NUMBER SEAT VERB"),
    Malformed("points as words", "points", "points many", "[; MARK...], or points NUMBER...'"),
    Malformed("points out of range", "points", f"points {2**31} 0", "Value out of range"),
    Malformed("points with a plus", "points", "points +7 -7", "or points NUMBER...'"),
    Malformed("a thousand digits", "points", f"points {'9' * 5000}", "or points NUMBER...'"),
    Malformed("sides of words", "sides", "sides we ; they", "expected 'sides SEAT... [; SEAT...]'"),
    Malformed("a detail without a value", "detail", "detail taker=", "expected 'detail [NAME=VALUE...]'"),
    Malformed("no settlement", "settlement", "settle 0 0", "expected 'deal, or settlement NUMBER...'"),
    Malformed("no total", "total", "", "expected 'total NUMBER...', found an empty line"),
]


@pytest.mark.parametrize("case", MALFORMED, ids=lambda case: str(case.name))
def test_a_malformed_line_is_named(example: pb.MatchRecord, case: Malformed) -> None:
    """The error names the line, what was expected there and what was found."""
    text = write(example)
    number = next(_lines(case.pattern, text))
    lines = text.splitlines()
    lines[number - 1] = case.instead

    with pytest.raises(NotationError) as raised:
        read("".join(f"{line}\n" for line in lines))

    place, told = str(raised.value).removeprefix("line ").split(": ", 1)
    assert int(place) == number + case.later
    assert case.complaint in told


def test_every_line_counts(example: pb.MatchRecord) -> None:
    """Without any of its lines, or with any of them twice, the text isn't that of the match any more."""
    lines = write(example).splitlines(keepends=True)
    for place, line in enumerate(lines):
        for changed in (lines[:place] + lines[place + 1 :], [*lines[:place], line, *lines[place:]]):
            try:
                assert read("".join(changed)) != example
            except NotationError:
                continue


def test_every_beginning_is_refused(example: pb.MatchRecord) -> None:
    """A text that was cut off anywhere is no match, its last character apart, which is an end of line."""
    text = write(example)
    assert read(text[:-1]) == example
    for end in range(0, len(text) - 1, 7):
        with pytest.raises(NotationError):
            read(text[:end])


@pytest.mark.parametrize("text", ["", "\n", "#\n", "\x00", "{}", "[Event]", "\ufeffcroupier record 1", "deal 0"])
def test_what_is_no_match_is_refused(text: str) -> None:
    """The message says with what a match begins."""
    with pytest.raises(NotationError, match=r"^line \d: expected 'croupier record 1', found "):
        read_many(text)


def test_spoilt_text_is_refused_or_another_match(example: pb.MatchRecord) -> None:
    """A text with a few characters changed, left out or put in is either refused or the notation of what it says."""
    text = write(example)
    rng = Random(11)
    refused = []
    for _ in range(400):
        spoilt = text
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(spoilt))
            spoilt = spoilt[:place] + rng.choice(("", rng.choice(SPOILS))) + spoilt[place + rng.randint(0, 1) :]
        try:
            record = read(spoilt)
        except NotationError as error:
            refused.append(str(error))
        else:
            kept = [line for line in spoilt.removesuffix("\n").split("\n") if not line.startswith("#")]
            assert write(record) == "".join(f"{line}\n" for line in kept)
    assert 200 < len(refused) < 400
    assert [message for message in refused if not re.match(r"line \d+: |expected one match", message)] == []
