"""A match as plain text, for people: who did what, trick by trick or turn by turn. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.games import TABLE, Event
from croupier.referee.replay import Replayed
from croupier.v1 import record_pb2 as pb


def lines(record: pb.MatchRecord, replayed: Replayed) -> Iterator[str]:
    """Yield the lines that tell a match."""
    names = [f"{seat} {entrant}" for seat, entrant in enumerate(record.entrants)]
    width = max(map(len, [*names, "the table"]))
    yield f"{replayed.game.title}, {len(names)} seats, {len(replayed.deals)} of {record.deals_agreed} deals"
    for number, deal in enumerate(replayed.deals):
        yield ""
        yield f"deal {number + 1}: dealer {names[deal.dealer]}"
        for event in deal.events:
            who = "the table" if event.seat == TABLE else names[event.seat]
            yield f"  {who:<{width}}  {_told(event)}"
        detail = ", ".join(f"{name} {value}" for name, value in deal.outcome.detail if value)
        yield f"  {'points':<{width}}  {_points(deal.outcome.points)}" + (f"   ({detail})" if detail else "")
    yield ""
    if any(replayed.settlement):
        yield f"settlement: {_points(replayed.settlement)}"
    for name, points in zip(names, replayed.points, strict=True):
        yield f"{name:<{width}}  {points:+d}"


def _told(event: Event) -> str:
    parts = [event.verb, *event.cards]
    if event.word:
        parts.append(event.word)
    if event.amount:
        parts.append(f"({event.amount})")
    return " ".join(parts)


def _points(points: tuple[int, ...]) -> str:
    return "  ".join(f"{each:+d}" for each in points)
