"""A match as text, for people and their diffs: hands at the top, then a line for each decision. Pure.

``write`` and ``read`` are inverses. Whatever is read is written again and compared, so there is one text for a record
and nothing in it is decoration: hands that aren't those of the deck are an error. Whether the match keeps the rules is
the business of ``replay``. docs/notation.md describes the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from croupier import wire
from croupier.games import Cards, Game, RulesError, game_named
from croupier.referee import records
from croupier.referee.notation_words import (
    Line,
    Lines,
    NotationError,
    NumberedLines,
    numbered,
    numbers,
    pairs,
    word,
    words,
    wrong,
)
from croupier.referee.verdicts import FaultKind
from croupier.v1 import record_pb2 as pb

MAGIC = "croupier record"
"""What the first line of a match begins with; the number of the record's format follows."""

BETWEEN = "\n"
"""What stands between the texts of matches that are one text for ``read_many``."""

ROW = 24
"""Cards in a line of the deck."""

SOURCES = {pb.SOURCE_FORCED: "forced", pb.SOURCE_DEFAULT: "default"}
"""The marks of decisions that no bot took."""

NO_SHOW = FaultKind.NO_SHOW.value

_SOURCE_OF = {mark: source for source, mark in SOURCES.items()}
_FAULT_OF = {kind.value: number for kind, number in records.FAULT_KINDS.items()}


def write(record: pb.MatchRecord) -> str:
    """Return a match as text.

    Raises:
        NotationError: it can't be written without loss; no record of a referee is like that.
    """
    text = "".join(f"{line}\n" for line in _match(record))
    try:
        same = records.to_bytes(_parse(numbered(text))) == records.to_bytes(record)
    except NotationError:
        same = False
    if not same:
        raise NotationError("no referee of this version wrote this record: the notation has no place for all of it")
    return text


def read(text: str) -> pb.MatchRecord:
    """Return the match in a text.

    Raises:
        NotationError: there is not exactly one, or it isn't written as ``write`` does, comments apart.
    """
    matches = read_many(text)
    if len(matches) != 1:
        raise NotationError(f"expected one match, found {len(matches)}")
    return matches[0]


def read_many(text: str) -> list[pb.MatchRecord]:
    """Return the matches in a text, at least one.

    Raises:
        NotationError: a match isn't written as ``write`` does, comments apart.
    """
    lines = numbered(text)
    starts = [place for place, (_, line) in enumerate(lines) if line.startswith(MAGIC)]
    if not starts or starts[0]:
        number, found = lines[0] if lines else (1, None)
        raise wrong(number, f"{MAGIC} {records.FORMAT}", found)
    matches = []
    for start, end in zip_longest(starts, starts[1:]):
        block = list(lines[start:end])
        if end is not None:
            number, gap = block.pop()
            if gap:
                raise wrong(number, "", gap)
        matches.append(_read(block))
    return matches


def _read(lines: NumberedLines) -> pb.MatchRecord:
    record = _parse(lines)
    past = (lines[-1][0] + 1, None)
    for expected, line in zip_longest(_match(record), lines):
        number, found = line or past
        if expected != found:
            if found is not None and found.startswith("hand ") and not (expected or "").startswith("hand "):
                raise NotationError(
                    f"line {number}: expected no hands: this game, seat count, dealer or deck can't be dealt"
                )
            raise wrong(number, expected, found)
    return record


def _match(record: pb.MatchRecord) -> Iterator[str]:
    """Yield the lines of a match."""
    yield f"{MAGIC} {record.format}"
    yield f"match {word(record.match_id)}"
    yield f"game {word(record.game)}"
    yield f"version {record.rules_version}"
    yield from (pairs("rule", (rule,)) for rule in wire.texts(record.rules))
    absent = {fault.seat for fault in record.faults if fault.kind == pb.FAULT_KIND_NO_SHOW}
    for seat, entrant in enumerate(record.entrants):
        yield f"seat {seat} {word(entrant)}" + f" ; {NO_SHOW}" * (seat in absent)
    yield f"deals {record.deals_agreed}"
    for number, deal in enumerate(record.deals):
        yield ""
        yield from _deal(record, number, deal)
    yield ""
    yield numbers("settlement", record.settlement)
    yield numbers("total", record.points)
    if record.forfeits:
        yield numbers("forfeits", record.forfeits)


def _deal(record: pb.MatchRecord, number: int, deal: pb.DealRecord) -> Iterator[str]:
    yield f"deal {number} board {deal.board} dealer {deal.dealer}"
    carry = wire.carry(deal.carry)
    if any(carry):
        yield pairs(numbers("carry", carry.by_seat), carry.pairs)
    for seat, hand in enumerate(_hands(record, deal)):
        yield words(f"hand {seat}", hand)
    for start in range(0, len(deal.deck), ROW):
        yield words("deck", deal.deck[start : start + ROW])
    faults = records.faults_by_decision(record, number)
    for place, decision in enumerate(deal.decisions):
        marks = [SOURCES[decision.source]] if decision.source in SOURCES else []
        marks += [records.KIND_OF[fault.kind].value for fault in faults.get(place, ()) if fault.kind in records.KIND_OF]
        done = words(f"{place:>3} {decision.seat}", (decision.action.verb, *decision.action.cards))
        yield " ".join([done, ";", *marks] if marks else [done])
    yield numbers("points", deal.points)
    yield "sides " + " ; ".join(" ".join(map(str, side.seats)) for side in deal.sides)
    yield pairs("detail", wire.texts(deal.detail))


def _hands(record: pb.MatchRecord, deal: pb.DealRecord) -> list[Cards]:
    """Return the hands as dealt, by seat; none where the game, its rules or the deck are none that can be dealt."""
    try:
        return _dealt(game_named(record.game), record, deal)
    except RulesError:
        return []


def _dealt(game: Game, record: pb.MatchRecord, deal: pb.DealRecord) -> list[Cards]:
    seats = len(record.entrants)
    rules = game.rules(dict(wire.texts(record.rules)))
    game.check(rules, seats, record.deals_agreed)
    if deal.dealer >= seats or sorted(deal.deck) != sorted(game.pack.cards):
        return []
    # What the record carries on may be nonsense; who gets which cards doesn't depend on it.
    _, carry = game.first(rules, seats, record.deals_agreed)
    state = game.start(rules, seats, tuple(deal.deck), deal.dealer, carry)
    return [state.hand(seat) for seat in range(seats)]


def _parse(lines: NumberedLines) -> pb.MatchRecord:
    """Return the match that the lines tell, where they stray from the one way of writing it too."""
    left = Lines(lines)
    try:
        return _parse_match(left)
    except NotationError:
        raise
    except ValueError as error:  # a number or a text that a record can't hold
        raise NotationError(f"line {left.number}: {error}") from error


def _parse_match(lines: Lines) -> pb.MatchRecord:
    line = lines.take(f"{MAGIC} NUMBER").skip(*MAGIC.split())
    record = pb.MatchRecord(format=line.number())
    line.end()
    try:
        records.check_format(record.format)
    except records.RecordError as error:
        raise NotationError(f"line {lines.number}: {error}") from error
    record.match_id = _last_word(lines.take("match ID").skip("match"))
    record.game = _last_word(lines.take("game NAME").skip("game"))
    record.rules_version = _last_number(lines.take("version NUMBER").skip("version"))
    while lines.next() == "rule":
        record.rules.extend(wire.settings(lines.take("rule NAME=VALUE").skip("rule").pairs()))
    while lines.next() == "seat":
        _parse_seat(lines.take("seat NUMBER ENTRANT [; no_show]").skip("seat"), record)
    record.deals_agreed = _last_number(lines.take("deals NUMBER").skip("deals"))
    lines.gap()
    while lines.next() == "deal":
        _parse_deal(lines, record)
        lines.gap()
    record.settlement.extend(_all_numbers(lines, "settlement", "deal, or settlement NUMBER..."))
    record.points.extend(_all_numbers(lines, "total", "total NUMBER..."))
    if lines.next():
        record.forfeits.extend(_all_numbers(lines, "forfeits", "forfeits SEAT..., or the end"))
    return record


def _parse_seat(line: Line, record: pb.MatchRecord) -> None:
    seat = line.number()
    record.entrants.append(line.word())
    if line.next():
        kind = _FAULT_OF[line.skip(";").one_of((NO_SHOW,))]
        record.faults.add(kind=kind, seat=seat)
    line.end()


def _parse_deal(lines: Lines, record: pb.MatchRecord) -> None:
    line = lines.take("deal NUMBER board NUMBER dealer SEAT").skip("deal")
    number = line.number()
    deal = record.deals.add(board=line.skip("board").number(), dealer=line.skip("dealer").number())
    line.end()
    deal.carry.SetInParent()  # it is there even if nothing is carried
    if lines.next() == "carry":
        line = lines.take("carry [NUMBER...] [NAME=VALUE...]").skip("carry")
        deal.carry.by_seat.extend(line.numbers())
        deal.carry.pairs.extend(wire.settings(line.pairs()))
    while lines.next() == "hand":
        lines.take("hand SEAT CARD...")  # compared when the whole match is written again
    while lines.next() == "deck":
        line = lines.take("deck CARD...").skip("deck")
        deal.deck.extend(line.words())
        line.end()
    while lines.next().isdecimal():
        _parse_decision(lines.take("NUMBER SEAT VERB [CARD...] [; MARK...]"), record, number, deal)
    deal.points.extend(_all_numbers(lines, "points", "NUMBER SEAT VERB [CARD...] [; MARK...], or points NUMBER..."))
    line = lines.take("sides SEAT... [; SEAT...]").skip("sides")
    deal.sides.add(seats=line.numbers())
    while line.next():
        deal.sides.add(seats=line.skip(";").numbers())
    deal.detail.extend(wire.settings(lines.take("detail [NAME=VALUE...]").skip("detail").pairs()))


def _parse_decision(line: Line, record: pb.MatchRecord, deal_number: int, deal: pb.DealRecord) -> None:
    number, seat = line.number(), line.number()
    verb, *cards = [line.word(), *line.words()]
    decision = deal.decisions.add(seat=seat, source=pb.SOURCE_BOT)
    decision.action.verb = verb
    decision.action.cards.extend(cards)
    if not line.next():
        return
    line.skip(";")
    if line.next() in _SOURCE_OF:
        decision.source = _SOURCE_OF[line.word()]
    while line.next():
        kind = _FAULT_OF[line.one_of(_FAULT_OF.keys() - {NO_SHOW})]
        record.faults.add(kind=kind, seat=seat, deal=deal_number, decision=number)


def _last_word(line: Line) -> str:
    found = line.word()
    line.end()
    return found


def _last_number(line: Line) -> int:
    found = line.number()
    line.end()
    return found


def _all_numbers(lines: Lines, keyword: str, form: str) -> list[int]:
    line = lines.take(form).skip(keyword)
    found = line.numbers()
    line.end()
    return found
