"""Where the cards of a deal are, told by its events alone. It knows which verbs move cards, and no rule of any game."""

from __future__ import annotations

from collections import Counter

from croupier.games import Cards, Event


class CardLedger:
    """Where every card of a deal is; a verb that moves cards belongs into ``note``.

    Attributes:
        undealt: the cards that nobody has been dealt or has drawn.
        table: those played or discarded.
        hands: by seat.
    """

    def __init__(self, deck: Cards, seats: int) -> None:
        self.undealt = Counter(deck)
        self.table: Counter[str] = Counter()
        self.hands = [Counter[str]() for _ in range(seats)]

    def note(self, event: Event) -> None:
        """Move the cards of an event."""
        cards = Counter(event.cards)
        match event.verb:
            case "dealt" | "draw":
                self._move(cards, self.undealt, self.hands[event.seat])
            case "take":
                self._move(cards, self.table, self.hands[event.seat])
            case "play" | "discard":
                self._move(cards, self.hands[event.seat], self.table)
            case "closed":  # a hand is shown, with the card that was claimed
                self._move(cards - self.hands[event.seat], self.table, self.hands[event.seat])
                assert self.hands[event.seat] == cards
            case verb:
                assert not cards, f"tell CardLedger where the cards of {verb!r} go"

    @staticmethod
    def _move(cards: Counter[str], source: Counter[str], target: Counter[str]) -> None:
        assert cards <= source
        source -= cards
        target += cards
