"""What the rules pages call public, verb by verb: written down here and never read off an event's own flag.

Two deals that agree in these facts and in a seat's own cards must look the same to that seat. What follows from
them (a party that becomes known) and what stays secret (a pass on a claim) is no fact: it has to come out alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from croupier.games import Event, State
from croupier.games.doppelkopf.state import DoppelkopfState

Fact = tuple[object, ...]
Reading = Callable[[State, Event], Fact | None]


def _all(state: State, event: Event) -> Fact:
    """Everything about it is public, its cards too."""
    del state
    return (event.seat, event.verb, tuple(map(str, event.cards)), event.amount, event.word)


def _all_but_cards(state: State, event: Event) -> Fact:
    """That it happened is public, and how many cards it moved, but not which."""
    del state
    return (event.seat, event.verb, len(event.cards), event.amount, event.word)


def _shows_party(state: State, event: Event) -> Fact:
    """It tells the speaker's true party (Doppelkopf 3.4: every step shows it)."""
    assert isinstance(state, DoppelkopfState)
    return (event.seat, event.verb, event.seat in state.re_seats)


def _no_fact(state: State, event: Event) -> None:
    """It is secret, or follows from other facts."""
    del state, event


_SOLOS = ("diamonds", "hearts", "spades", "clubs", "queens", "jacks", "aces")

PUBLIC: dict[tuple[str, str], Reading] = {
    # Cha Kau Tsu, section 8: everything but the other hands and the undealt cards.
    ("cha_kau_tsu", "dealt"): _all_but_cards,
    ("cha_kau_tsu", "play"): _all,
    ("cha_kau_tsu", "trick"): _all,
    # Kowah, sections 3, 6 and 9.
    ("kowah", "dealt"): _all_but_cards,
    ("kowah", "draw"): _all_but_cards,
    ("kowah", "take"): _all,
    ("kowah", "discard"): _all,
    ("kowah", "checki"): _all_but_cards,
    ("kowah", "closed"): _all,
    ("kowah", "void"): _all,
    ("kowah", "pass"): _no_fact,
    ("kowah", "claim"): _no_fact,
    # Doppelkopf, section 3.7.
    ("doppelkopf", "dealt"): _all_but_cards,
    ("doppelkopf", "healthy"): _all,
    ("doppelkopf", "reservation"): _all,
    **{("doppelkopf", f"solo_{kind}"): _all for kind in _SOLOS},
    ("doppelkopf", "marriage"): _all,
    ("doppelkopf", "pass"): _no_fact,
    ("doppelkopf", "game"): _all,
    ("doppelkopf", "play"): _all,
    ("doppelkopf", "trick"): _all,
    **{("doppelkopf", word): _shows_party for word in ("re", "kontra", "no90", "no60", "no30", "schwarz")},
    ("doppelkopf", "party"): _no_fact,
}

SECRET_ANSWER = "pass"
"""The answer that leaves no trace: not part of what happened, and what a question gets that only a replay has."""

LAST_TRICKS = {"doppelkopf": 3}
"""Games whose duties leave few deals possible at the end: with so many cards in hand less is demanded."""


def reading(state: State, event: Event) -> Reading:
    """Return how a verb is read.

    Raises:
        LookupError: this page doesn't say what of it is public.
    """
    try:
        return PUBLIC[state.game.name, event.verb]
    except KeyError as error:
        raise LookupError(
            f"say in {__name__} what the rules page of {state.game.name} calls public in {error}"
        ) from error


def shows_cards(state: State, event: Event) -> bool:
    """Tell whether everybody sees the event's cards."""
    return reading(state, event) is _all


def stock_is_drawn(state: State) -> bool:
    """Tell whether undealt cards are drawn later, so that their order counts."""
    return (state.game.name, "draw") in PUBLIC


def facts(state: State, events: Sequence[Event], seat: int) -> Iterator[Fact]:
    """Yield what a seat knows of these events: the public facts, and its own cards."""
    for event in events:
        read = reading(state, event)
        fact = read(state, event)
        if fact is not None:
            yield _all(state, event) if event.seat == seat and read is _all_but_cards else fact
