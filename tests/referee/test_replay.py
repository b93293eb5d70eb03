"""Replay: an honest record passes, every forgery is found and named by its deal and decision."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from conformance.choosing import choose
from croupier.bot import Action, Decision
from croupier.games import game_named
from croupier.referee import records
from croupier.referee.replay import ReplayError, replay
from croupier.referee.verdicts import FaultKind
from croupier.v1 import record_pb2 as pb
from scripted import GameSeat, choose_at_random, fixture_of, play, record_of

Forge = Callable[[pb.MatchRecord], object]


def _record(name: str = "cha_kau_tsu", seats: int = 3, deals: int = 3) -> pb.MatchRecord:
    chosen = [GameSeat(choose if seat else choose_at_random) for seat in range(seats)]
    return record_of(play(fixture_of(game_named(name), seats, deals=deals), chosen))


def _decision(record: pb.MatchRecord, source: pb.Source.ValueType, deal: int = 1) -> tuple[int, pb.DecisionRecord]:
    """Return number and record of the first decision of a deal that has this source."""
    return next((n, d) for n, d in enumerate(record.deals[deal].decisions) if d.source == source)


def _swap_cards(record: pb.MatchRecord) -> None:
    """Exchange the first card dealt for one that was not dealt, of a code that its seat doesn't hold besides."""
    deck = record.deals[1].deck
    other = next(place for place in range(len(deck) - 1, 0, -1) if deck[place] != deck[0])
    deck[0], deck[other] = deck[other], deck[0]


def _foreign_card(record: pb.MatchRecord) -> None:
    record.deals[1].deck[5] = "ZZ"


def _card_twice(record: pb.MatchRecord) -> None:
    record.deals[0].deck[0] = record.deals[0].deck[1] = record.deals[0].deck[2] = "AS"


def _drop_last_decision(record: pb.MatchRecord) -> None:
    del record.deals[2].decisions[-1]


def _repeat_last_decision(record: pb.MatchRecord) -> None:
    record.deals[2].decisions.append(record.deals[2].decisions[-1])


def _raise_points(record: pb.MatchRecord) -> None:
    record.deals[1].points[0] += 5
    record.deals[1].points[1] -= 5


def _raise_total(record: pb.MatchRecord) -> None:
    record.points[0] += 1
    record.points[1] -= 1


def _join_sides(record: pb.MatchRecord) -> None:
    record.deals[0].sides[0].seats.append(1)


def _change_detail(record: pb.MatchRecord) -> None:
    record.deals[0].detail[0].value = "0 0 15"


def _drop_last_deal(record: pb.MatchRecord) -> None:
    del record.deals[-1]


def _extra_deal(record: pb.MatchRecord) -> None:
    record.deals_agreed = 2


def _play_for_another_seat(record: pb.MatchRecord) -> None:
    record.deals[1].decisions[4].seat = (record.deals[1].decisions[4].seat + 1) % 3


def _cards_not_held(record: pb.MatchRecord) -> None:
    del record.deals[1].decisions[3].action.cards[:]
    record.deals[1].decisions[3].action.cards.extend(["AS", "AS", "AS"])


def _exchange_rules(record: pb.MatchRecord) -> None:
    first, second = record.rules[0], record.rules[1]
    first.name, first.value, second.name, second.value = second.name, second.value, first.name, first.value


def _turn_melded_cards(record: pb.MatchRecord) -> None:
    """Write the cards of an action the other way round, which the rules allow all the same."""
    decisions = (decision for deal in record.deals for decision in deal.decisions)
    cards = next(decision.action.cards for decision in decisions if len(set(decision.action.cards)) > 1)
    turned = list(reversed(cards))
    cards[:] = turned


FORGERIES: list[tuple[str, Forge, str]] = [
    ("no match id", lambda r: r.ClearField("match_id"), "the record has no match id"),
    ("unknown game", lambda r: setattr(r, "game", "kowahh"), r"unknown game 'kowahh' \(did you mean 'kowah'\?\)"),
    ("unknown option", lambda r: r.rules.add(name="jokers", value="2"), "no option 'jokers'"),
    ("option value", lambda r: setattr(r.rules[0], "value", "many"), "option 'pots' takes"),
    ("option given twice", lambda r: r.rules.append(r.rules[0]), "rule: number of pairs: expected 4, found 5"),
    ("option missing", lambda r: r.rules.pop(), "rule: number of pairs: expected 4, found 3"),
    ("options in another order", _exchange_rules, "rule 0: name: expected pots, found pot_includes_this_deal"),
    ("value written differently", lambda r: setattr(r.rules[0], "value", "000"), "rule pots: expected 0, found 000"),
    ("cards in another order", _turn_melded_cards, r"deal \d, decision \d+: action: expected play .*, found play "),
    ("rules version", lambda r: setattr(r, "rules_version", 77), "rules version: expected 1, found 77"),
    ("seat count", lambda r: r.entrants.extend(["a", "b"]), "cha_kau_tsu is played by 2, 3, 4 seats, not 5"),
    ("no deal", lambda r: r.ClearField("deals"), "holds no deal"),
    ("dealer", lambda r: setattr(r.deals[1], "dealer", 2), "deal 1: dealer: expected 1, found 2"),
    ("carry", lambda r: r.deals[1].carry.by_seat.insert(0, 3), "deal 1: carry: expected"),
    ("two cards change places", _swap_cards, r"deal 1, decision \d+: seat . is not offered"),
    ("a card that is none", _foreign_card, "deal 1: the deck is not a permutation"),
    ("a card too often", _card_twice, "deal 0: the deck is not a permutation"),
    ("cards not held", _cards_not_held, "deal 1, decision 3: seat . is not offered play AS AS AS"),
    ("another seat", _play_for_another_seat, "deal 1, decision 4: seat: expected ., found ."),
    ("a decision less", _drop_last_decision, r"deal 2, decision \d+: seat . is asked, but the record ends"),
    ("a decision more", _repeat_last_decision, r"deal 2, decision \d+: the deal was over before it"),
    ("points of a deal", _raise_points, "deal 1: points: expected"),
    ("points of the match", _raise_total, "^points: expected"),
    ("sides", _join_sides, "deal 0: sides: expected"),
    ("detail", _change_detail, "deal 0: detail [a-z_]+: expected .*, found "),
    ("settlement", lambda r: r.settlement.insert(0, 2), "^settlement: expected"),
    ("a deal less", _drop_last_deal, "deal 1: the match goes on after this deal"),
    ("a deal more", _extra_deal, "deal 1: the match ends after this deal"),
]


@pytest.mark.parametrize(("forge", "complaint"), [each[1:] for each in FORGERIES], ids=[each[0] for each in FORGERIES])
def test_a_forgery_is_found_and_named(forge: Forge, complaint: str) -> None:
    """The message says in which deal and at which decision, what was expected and what was found."""
    record = _record()
    replay(record)

    forge(record)

    with pytest.raises(ReplayError, match=complaint):
        replay(record)


def _figures(decisions: Iterable[pb.DecisionRecord]) -> set[str]:
    return {card for decision in decisions for card in decision.action.cards if card[0] in "JQK"}


@pytest.mark.parametrize("source", [pb.SOURCE_FORCED, pb.SOURCE_DEFAULT, pb.SOURCE_UNSPECIFIED])
def test_a_bots_choice_can_not_be_passed_off_as_something_else(source: pb.Source.ValueType) -> None:
    """As forced, as a default action that it wasn't, or as nothing."""
    record = _record()
    decisions = record.deals[1].decisions
    number, decision = next(
        (n, d)
        for n, d in enumerate(decisions)
        if d.source == pb.SOURCE_BOT
        and not _figures([d])
        and len(d.action.cards) == 1
        and _figures([later for later in decisions[n:] if later.seat == d.seat])  # which the default would be
    )
    decision.source = source

    with pytest.raises(ReplayError, match=f"deal 1, decision {number}: "):
        replay(record)


def test_a_forced_decision_can_not_be_passed_off_as_a_choice() -> None:
    """Who leaves no choice must be recorded so."""
    record = _record()
    number, decision = _decision(record, pb.SOURCE_FORCED)
    decision.source = pb.SOURCE_BOT

    with pytest.raises(ReplayError, match=f"deal 1, decision {number}: source: expected forced, found bot"):
        replay(record)


def test_a_default_action_must_be_the_default_action() -> None:
    """A referee can't hide a choice of its own behind a fault."""
    seats = [GameSeat(refusal="absent"), GameSeat(), GameSeat()]
    record = record_of(play(fixture_of(game_named("cha_kau_tsu"), 3), seats))
    replay(record)
    number, decision = _decision(record, pb.SOURCE_DEFAULT, deal=0)
    first = record.deals[0].decisions[number].action.cards[0]
    held = [d.action.cards[0] for d in record.deals[0].decisions[number + 1 :] if d.seat == 0]
    decision.action.cards[0] = next(card for card in held if card != first)

    with pytest.raises(ReplayError, match=f"deal 0, decision {number}: default action: expected play {first}"):
        replay(record)


def _eager(decision: Decision) -> Action:
    """Announce, draw, throw the card that the rivals wait for, claim."""
    verbs = [option.verb for option in decision.options]
    if "discard" in verbs:
        return Action("discard", ("7H",))
    return Action(next(verb for verb in ("claim", "checki", "draw") if verb in verbs))


def test_claims_of_several_seats_stand_in_order_of_seat() -> None:
    """Answers of seats that were asked together are judged together; another order is a forgery."""
    kowah = game_named("kowah")
    deck = next(example.deck for example in kowah.examples() if example.name == "rival_claims")
    fixture = replace(fixture_of(kowah, 4), decks=(deck,))
    record = record_of(play(fixture, [GameSeat(_eager) for _ in range(4)]))
    replay(record)
    *_, first, second, third = record.deals[0].decisions
    assert [(d.seat, d.action.verb) for d in (first, second, third)] == [(1, "claim"), (2, "claim"), (3, "claim")]

    first.seat, third.seat = 3, 1

    with pytest.raises(ReplayError, match=r"deal 0, decision \d+: seat: expected 1, found 3"):
        replay(record)


def test_a_missing_carry_is_not_an_empty_one() -> None:
    """A referee always writes it; the same content in other bytes would have another hash."""
    record = _record("doppelkopf", seats=4)
    record.deals[0].ClearField("carry")
    with pytest.raises(ReplayError, match="deal 0: carry: is missing"):
        replay(record)


def test_a_replay_returns_what_happened() -> None:
    """Dealers, all events unredacted, outcomes, settlement and points."""
    record = _record("doppelkopf", seats=4)

    replayed = replay(record)

    assert replayed.game.name == "doppelkopf"
    assert [deal.dealer for deal in replayed.deals] == [0, 1, 2]
    assert all("??" not in event.cards for deal in replayed.deals for event in deal.events)
    assert [deal.outcome.points for deal in replayed.deals] == [tuple(deal.points) for deal in record.deals]
    assert replayed.points == tuple(record.points)
    assert replayed.settlement == (0, 0, 0, 0)


def test_a_record_survives_its_bytes() -> None:
    """Same message, same bytes, same hash; bytes of another format, or none, are refused by name."""
    record = _record()
    data = records.to_bytes(record)

    assert records.from_bytes(data) == record
    assert records.to_bytes(records.from_bytes(data)) == data
    assert records.sha256(data) == records.sha256(records.to_bytes(record))
    record.format = 2
    with pytest.raises(records.RecordError, match="record format 2; this program reads format 1"):
        records.from_bytes(records.to_bytes(record))
    with pytest.raises(records.RecordError, match="not a match record"):
        records.from_bytes(b"\xff\xff")


def test_faults_are_counted_by_seat_and_kind() -> None:
    """As the record lists them; a no-show weighs as much as forfeits a match."""
    record = _record()
    for seat, kind in ((0, FaultKind.LATE), (0, FaultKind.ILLEGAL), (0, FaultKind.LATE), (2, FaultKind.NO_SHOW)):
        record.faults.add(seat=seat, kind=records.FAULT_KINDS[kind])

    assert records.fault_counts(record) == (
        records.FaultCounts(late=2, illegal=1),
        records.FaultCounts(),
        records.FaultCounts(no_show=1),
    )
    assert [counts.strikes for counts in records.fault_counts(record)] == [3, 0, 3]
