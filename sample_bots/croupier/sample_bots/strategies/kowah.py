"""Kowah: come closer to two trios and a pair, take what helps, announce at once, throw what nobody waits for.

A rank splits into chunks of at most three cards. The two greatest chunks of a hand are its trios to be, two cards of
the third are its pair to be; those cards are useful, and a hand is ready when eight are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from croupier.bot import Action, Decision

COPIES = dict.fromkeys("A23456789", 12) | dict.fromkeys("JQK", 4)
VALUES = {rank: int(rank) if rank.isdigit() else 1 for rank in COPIES}

PROGRESS = 80.0
"""What a useful card is worth, in unseen cards that would make another one useful."""

VALUE = 0.5
"""The same for a point of a kept card's value: a win pays the sum of them."""

DANGER = 1.0
"""The same for an unseen card of a rank that may be waited for."""


def choose(decision: Decision) -> Action:
    """Answer any question of the game."""
    verbs = {option.verb for option in decision.message.options}
    if "claim" in verbs:
        return Action("claim")
    if "draw" not in verbs:
        return _discard(decision)
    if "checki" in verbs:  # dealt a ready hand
        return Action("checki")
    if "take" in verbs and _is_progress(decision):
        return Action("take")
    return Action("draw")


def chunks(counts: Mapping[str, int]) -> list[int]:
    """Return the sizes of the chunks that these ranks split into, the greatest first, at least three of them."""
    sizes = [0, 0, 0]
    for count in counts.values():
        trios, rest = divmod(count, 3)
        sizes += [3] * trios
        sizes.append(rest)
    sizes.sort(reverse=True)
    return sizes


def useful(sizes: Sequence[int]) -> int:
    """Return how many cards of a hand with these chunks are useful, 8 = ready."""
    return sizes[0] + sizes[1] + min(sizes[2], 2)


def _is_progress(decision: Decision) -> bool:
    """Tell whether the card on top of the discard pile would be useful."""
    ranks = Counter(card[0] for card in decision.hand)
    before = useful(chunks(ranks))
    top = next(event.cards[0] for event in reversed(decision.message.events) if event.verb == "discard")
    ranks[top[0]] += 1
    return useful(chunks(ranks)) > before


def _discard(decision: Decision) -> Action:
    """Throw the card whose loss leaves the best hand, as an announcement where that is offered."""
    counts = Counter(card[0] for card in decision.hand)
    unseen, danger = _look_around(decision, counts)
    best, answer = float("-inf"), Action("")
    for option in decision.options:
        cards = {card[0]: card for card in option.choice}
        for rank, card in cards.items():
            counts[rank] -= 1
            worth = _worth(counts, unseen) - DANGER * danger[rank]
            counts[rank] += 1
            if option.verb == "checki":
                worth += PROGRESS  # who hasn't announced can't win
            if worth > best:
                best, answer = worth, Action(option.verb, (card,))
    return answer


def _worth(counts: Mapping[str, int], unseen: Mapping[str, int]) -> float:
    """Return what eight cards are worth: the useful ones, the unseen ones that help, and their values."""
    sizes = chunks(counts)
    help_from = sizes[2]  # one more card helps every chunk that is at least as great as the pair to be
    helpful = value = 0
    for rank, count in counts.items():
        rest = count % 3
        value += VALUES[rank] * (3 * (count - rest) + rest * rest)  # scattered cards will be thrown
        if rest >= help_from:
            helpful += unseen[rank]
    return PROGRESS * useful(sizes) + helpful + VALUE * value


def _look_around(decision: Decision, counts: Mapping[str, int]) -> tuple[dict[str, int], dict[str, float]]:
    """Return how many cards of each rank are unseen, and how dangerous it is to throw one.

    A rank thrown since the last announcement is safe: whoever waited for it would have claimed it.
    """
    unseen = COPIES | {rank: COPIES[rank] - held for rank, held in counts.items()}
    waiting = 0
    safe: set[str] = set()
    for event in decision.message.events:
        verb = event.verb
        if verb == "discard":
            rank = event.cards[0][0]
            unseen[rank] -= 1
            safe.add(rank)
        elif verb == "take":
            unseen[event.cards[0][0]] += event.seat == decision.seat  # in the hand, so counted already
        elif verb == "checki":
            waiting += 1
            safe.clear()
    return unseen, {rank: 0.0 if rank in safe else waiting * unseen[rank] for rank in counts}
