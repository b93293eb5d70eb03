"""Game types and messages of the wire, both ways."""

from __future__ import annotations

import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import given
from hypothesis import strategies as st

from croupier import wire
from croupier.games import HIDDEN, Action, Carry, Event, Option
from croupier.v1 import bot_pb2 as pb

CARDS = st.lists(st.sampled_from(["QC", "TH", "9D", "AS", HIDDEN]), max_size=12).map(tuple)
WORDS = st.text(max_size=12)
AMOUNTS = st.integers(-(2**31), 2**31 - 1)
COUNTS = st.integers(0, 2**32 - 1)
PAIRS = st.lists(st.tuples(WORDS, WORDS), max_size=4).map(tuple)
CARRIES = st.builds(Carry, st.lists(AMOUNTS, max_size=6).map(tuple), PAIRS)
ACTIONS = st.builds(Action, WORDS, CARDS)
EVENTS = st.builds(Event, st.integers(-1, 5), WORDS, CARDS, AMOUNTS, WORDS, public=st.just(False))
OPTIONS = st.builds(
    lambda verb, fixed, choice, bounds: Option(verb, fixed, choice, *sorted(min(b, len(choice)) for b in bounds)),
    WORDS, CARDS, CARDS, st.tuples(st.integers(0, 12), st.integers(0, 12)),
)  # fmt: skip
SEATINGS = st.builds(
    wire.Seating,
    match=WORDS,
    game=WORDS,
    rules=PAIRS,
    seats=COUNTS,
    seat=COUNTS,
    dealer=COUNTS,
    deal=COUNTS,
    deals=COUNTS,
    points=st.lists(AMOUNTS, max_size=6).map(tuple),
    carry=CARRIES,
)


@given(ACTIONS)
def test_action_survives_the_wire(action: Action) -> None:
    """An action is the same after there and back."""
    message = pb.Action.FromString(wire.serialise(wire.action_message(action)))

    assert wire.action(message) == action


@given(EVENTS)
def test_event_survives_the_wire(event: Event) -> None:
    """An event is the same after there and back, the table's seat -1 included."""
    message = pb.Event.FromString(wire.serialise(wire.event_message(event)))

    assert wire.event(message) == event


def test_event_forgets_whether_it_is_public() -> None:
    """Whether others see an event's cards is not told: both are the same bytes."""
    cards = ("QC",)

    shown = wire.event_part(Event(0, "play", cards, public=True))

    assert shown == wire.event_part(Event(0, "play", cards))


@given(CARRIES)
def test_carry_survives_the_wire(carry: Carry) -> None:
    """A carry is the same after there and back, negative numbers included."""
    message = pb.Carry.FromString(wire.serialise(wire.carry_message(carry)))

    assert wire.carry(message) == carry


@given(PAIRS)
def test_settings_survive_the_wire(pairs: wire.Texts) -> None:
    """Name and value pairs keep their order and their repetitions."""
    assert wire.texts(wire.settings(pairs)) == pairs


@given(SEATINGS)
def test_seating_survives_the_wire(seating: wire.Seating) -> None:
    """A seating is the same after there and back."""
    message = pb.Seating.FromString(wire.serialise(wire.seating_message(seating)))

    assert wire.seating(message) == seating


@given(
    decision_id=WORDS,
    seating=SEATINGS,
    hand=CARDS,
    events=st.lists(EVENTS, max_size=8),
    options=st.lists(OPTIONS, max_size=5).map(tuple),
    time_ms=COUNTS,
    bank_ms=COUNTS,
)
def test_question_of_parts_equals_the_whole_message(
    decision_id: str,
    seating: wire.Seating,
    hand: tuple[str, ...],
    events: list[Event],
    options: tuple[Option, ...],
    time_ms: int,
    bank_ms: int,
) -> None:
    """A question put together from serialised parts is, byte for byte, the message serialised in one piece."""
    whole = pb.Decision(
        id=decision_id,
        seating=wire.seating_message(seating),
        hand=hand,
        events=map(wire.event_message, events),
        options=[pb.Option(verb=o.verb, fixed=o.fixed, choice=o.choice, least=o.least, most=o.most) for o in options],
        time_ms=time_ms,
        bank_ms=bank_ms,
    )

    parts = b"".join(map(wire.event_part, events))
    question = wire.question(decision_id, wire.seating_part(seating), hand, parts, options, time_ms, bank_ms)

    assert question == wire.serialise(whole)
    assert wire.options(pb.Decision.FromString(question).options) == options


@given(st.lists(st.integers(0, 40_000), max_size=4))
def test_request_of_questions_equals_the_whole_message(sizes: list[int]) -> None:
    """Questions whose length takes one, two or three bytes make the request that is serialised in one piece."""
    decisions = [pb.Decision(id="x" * size) for size in sizes]

    request = wire.decide_request(map(wire.serialise, decisions))

    assert request == wire.serialise(pb.DecideRequest(decisions=decisions))


@given(st.lists(st.tuples(WORDS, ACTIONS), max_size=5))
def test_choices_are_read_in_order(answers: list[tuple[str, Action]]) -> None:
    """Answers keep order, ids and repetitions: judging them is not the wire's business."""
    response = pb.DecideResponse(choices=[pb.Choice(id=i, action=wire.action_message(a)) for i, a in answers])

    assert wire.decide_response(wire.serialise(response)) == answers


def test_choice_without_action_is_an_empty_action() -> None:
    """A choice that names no action is one with an empty verb, which no option offers."""
    response = pb.DecideResponse(choices=[pb.Choice(id="a")])

    assert wire.decide_response(response.SerializeToString()) == [("a", Action(""))]


@pytest.mark.parametrize("data", [b"\xff", b"\x0a\x05ab", b"HTTP/1.1 400 Bad Request", b"\x0a\x04\x0a\x02\xc3\x28"])
def test_unreadable_answers_are_an_error(data: bytes) -> None:
    """Bytes that are no message, cut short, or hold text that is no UTF-8, raise and are named."""
    with pytest.raises(wire.WireError, match="not a DecideResponse"):
        wire.decide_response(data)
    with pytest.raises(wire.WireError, match="not a DescribeResponse"):
        wire.describe_response(data)


DESCRIPTIONS = st.builds(
    wire.Description,
    name=WORDS,
    version=WORDS,
    protocol=COUNTS,
    games=st.lists(st.builds(wire.Playable, WORDS, st.lists(COUNTS, max_size=4).map(tuple), PAIRS), max_size=3).map(
        tuple
    ),
    max_batch=st.integers(1, wire.MAX_BATCH),
    wants_reports=st.booleans(),
)


@given(DESCRIPTIONS)
def test_description_survives_the_wire(description: wire.Description) -> None:
    """A description is the same after there and back."""
    data = wire.serialise(wire.description_message(description))

    assert wire.describe_response(data) == description


def test_unnamed_batch_size_is_one() -> None:
    """A bot that says nothing of batches gets one decision per call."""
    assert wire.describe_response(b"").max_batch == 1


def test_a_batch_size_that_is_not_allowed_is_read() -> None:
    """Whether it is allowed is the referee's business, and the kit's."""
    assert wire.describe_response(pb.DescribeResponse(max_batch=257).SerializeToString()).max_batch == 257


@pytest.mark.parametrize(
    ("entry", "plays"),
    [
        (wire.Playable("*"), True),
        (wire.Playable("kowah"), True),
        (wire.Playable("doppelkopf"), False),
        (wire.Playable("kowah", (3, 4)), True),
        (wire.Playable("kowah", (2, 6)), False),
        (wire.Playable("kowah", (), (("claim", "may"),)), True),
        (wire.Playable("kowah", (), (("claim", "must"),)), False),
        (wire.Playable("*", (4,), (("claim", "may"), ("payer", "all"))), True),
    ],
)
def test_an_entry_says_what_a_bot_plays(entry: wire.Playable, plays: bool) -> None:
    """Game or `*`, seat counts (none = all) and needed rules (none = any) all have to fit."""
    rules = (("claim", "may"), ("payer", "all"))

    assert wire.Description("x", "1", 1, (entry,), 1, False).plays("kowah", rules, 4) is plays


def test_one_fitting_entry_is_enough() -> None:
    """A bot plays what any one of its entries allows, and nothing if it lists none."""
    games = (wire.Playable("doppelkopf"), wire.Playable("kowah", (2,)), wire.Playable("kowah", (4,)))

    assert wire.Description("x", "1", 1, games, 1, False).plays("kowah", (), 4)
    assert not wire.Description("x", "1", 1, (), 1, False).plays("kowah", (), 4)


@given(SEATINGS, st.lists(EVENTS, max_size=6), st.lists(AMOUNTS, max_size=6))
def test_report_tells_what_the_questions_told(seating: wire.Seating, events: list[Event], points: list[int]) -> None:
    """A deal's report holds the seating and exactly the events of the parts that its questions were made of."""
    parts = b"".join(map(wire.event_part, events))

    report = wire.deal_report(seating, parts, points, "played")

    assert wire.seating(report.seating) == seating
    assert [wire.event(message) for message in report.events] == events
    assert (list(report.points), report.reason) == (points, "played")


def test_messages_serialise_to_the_same_bytes() -> None:
    """Two equal messages, built in different orders, have equal bytes: records are hashed."""
    first = pb.Event(seat=-1, verb="game", word="normal")
    second = pb.Event(word="normal")
    second.verb = "game"
    second.seat = -1

    assert wire.serialise(first) == wire.serialise(second)
    assert MessageToDict(first) == {"seat": -1, "verb": "game", "word": "normal"}
