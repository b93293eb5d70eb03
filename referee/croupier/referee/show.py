"""A match as lines for people: trick by trick or turn by turn, hands before each. Pure.

It lays out what a view holds and knows nothing more; how cards and words look is the caller's ``Look``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple

from croupier.games import TABLE, Action, Card, Cards, Event
from croupier.referee.verdicts import Source
from croupier.referee.views import DealView, Decided, Kind, MatchView, Moment, Scene

WIDTH = 80
NAME_WIDTH = 20
"""Characters that a seat's name takes at most: a hand of 15 cards fits beside it into ``WIDTH``."""

TITLES = {Kind.DEALING: "", Kind.TALK: "before trick {}", Kind.TRICK: "trick {}", Kind.TURN: "turn {}"}


def _as_it_is(text: str) -> str:
    return text


class Look(NamedTuple):
    """How things are written; none of it changes how wide they are.

    Attributes:
        card: two characters for a card's code.
        title: what stands above.
        aside: what isn't an event: hands, who was not asked.
        alarm: faults.
    """

    card: Callable[[Card], str] = _as_it_is
    title: Callable[[str], str] = _as_it_is
    aside: Callable[[str], str] = _as_it_is
    alarm: Callable[[str], str] = _as_it_is


PLAIN = Look()


def lines(view: MatchView, look: Look = PLAIN) -> Iterator[str]:
    """Yield the lines that tell a match."""
    teller = _Teller(view.entrants, look)
    played = f"{view.deals_played} of {view.deals_agreed} deal{'s' * (view.deals_agreed != 1)}"
    yield look.title(f"{view.title}, {len(view.entrants)} seats, {played}, match {_harmless(view.match_id)}")
    rules = ", ".join(f"{name} {value}" for name, value in view.rules)
    yield from map(look.aside, wrap(f"rules: {rules}", WIDTH, subsequent_indent="  ") if rules else ())
    if view.seat is not None:
        yield f"as far as seat {teller.names[view.seat].strip()} knew"
    for seat in view.absent:
        yield look.alarm(f"{teller.names[seat].strip()} never came: no_show")
    for deal in view.deals:
        yield ""
        yield from teller.deal(deal)
    yield ""
    if any(view.settlement):
        yield f"settlement: {points_text(view.settlement)}"
    for seat, points in enumerate(view.points):
        lost = look.alarm("   forfeited by faults") if seat in view.forfeits else ""
        yield f"{teller.names[seat]}  {points:+d}{lost}"


def points_text(points: Sequence[int]) -> str:
    """Return points by seat."""
    return "  ".join(f"{each:+d}" for each in points)


class _Teller:
    """Tells deals of one match; remembers which hands it has shown."""

    def __init__(self, entrants: Sequence[str], look: Look) -> None:
        self._look = look
        names = [short(f"{seat} {entrant}") for seat, entrant in enumerate(entrants)]
        width = max(map(len, [*names, "the table"]))
        self.names = [name.ljust(width) for name in names]
        self._table = "the table".ljust(width)
        self._shown: dict[int, Cards] = {}

    def deal(self, deal: DealView) -> Iterator[str]:
        """Yield the lines of a deal."""
        self._shown.clear()
        yield self._look.title(f"deal {deal.number}: dealer {self.names[deal.dealer].strip()}")
        carried = [" ".join(map(str, deal.carry.by_seat)), *(" ".join(pair) for pair in deal.carry.pairs)]
        if any(carried):
            yield self._look.aside(f"carry: {', '.join(filter(None, carried))}")
        for scene in deal.scenes:
            yield from self._scene(scene)
        yield ""
        yield f"{'points'.ljust(len(self._table))}  {points_text(deal.points)}"
        for name, value in deal.detail:
            if value:
                yield self._look.aside(f"  {name.replace('_', ' ')}: {value}")

    def _scene(self, scene: Scene) -> Iterator[str]:
        title = TITLES[scene.kind].format(scene.number)
        if title:
            first = scene.moments[0].decided[0].number if scene.moments[0].decided else None
            yield ""
            yield title + ("" if first is None else self._look.aside(f", from decision {first}"))
        for seat, hand in scene.hands.items():
            if self._shown.get(seat) != hand:
                self._shown[seat] = hand
                yield f"  {self._look.aside(f'{self.names[seat]}  holds')} {self._cards(hand)}"
        for moment in scene.moments:
            yield from self._moment(moment)
            if scene.kind == Kind.DEALING:
                self._shown.update((event.seat, event.cards) for event in moment.events)

    def _moment(self, moment: Moment) -> Iterator[str]:
        """Yield decisions that no event tells, then the events."""
        silent = {each.seat: each for each in moment.decided}
        told = [
            silent.pop(event.seat) if event.seat in silent and silent[event.seat].action.verb == event.verb else None
            for event in moment.events
        ]
        for each in silent.values():
            yield f"  {self.names[each.seat]}  {self._action(each.action)}{self._mark(each)}"
        for event, decided in zip(moment.events, told, strict=True):
            who = self._table if event.seat == TABLE else self.names[event.seat]
            yield f"  {who}  {self._event(event)}{self._mark(decided)}"

    def _mark(self, decided: Decided | None) -> str:
        """Return why an action isn't a bot's free choice, or nothing."""
        if decided is None or (decided.source == Source.BOT and not decided.faults):
            return ""
        text = f"  ({', '.join((*decided.faults, decided.source))})"
        return self._look.aside(text) if decided.source == Source.FORCED else self._look.alarm(text)

    def _event(self, event: Event) -> str:
        word = [event.word] if event.word else []
        amount = [f"({event.amount})"] if event.amount else []
        return " ".join([self._action(Action(event.verb, event.cards)), *word, *amount])

    def _action(self, action: Action) -> str:
        return " ".join([action.verb, *map(self._look.card, action.cards)])

    def _cards(self, cards: Cards) -> str:
        return " ".join(map(self._look.card, cards))


def _harmless(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def short(name: str) -> str:
    """Return a stranger's text harmless and not too long."""
    seen = _harmless(name)
    return seen if len(seen) <= NAME_WIDTH else f"{seen[: NAME_WIDTH - 2]}.."
