"""The kit as a real process: what it prints, answers, refuses, and how it ends."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import cast

import grpc
import pytest

from bot.processes import BotProcess, running
from bot.questions import EVENTS, HAND, OPTIONS, SEATING, question
from croupier import wire
from croupier.games import Action, Option, offered
from croupier.v1 import bot_pb2 as pb

BOTS = str(Path(__file__).with_name("bots.py"))
EXAMPLES = Path(__file__).parents[2] / "examples"


def status(bot: BotProcess, call: str, request: bytes) -> tuple[grpc.StatusCode, str]:
    """Return the status of a call that fails, and its message."""
    with pytest.raises(grpc.RpcError) as failure:
        bot.call(call, request)
    call_ended = cast("grpc.Call", failure.value)  # what grpc raises on the client's side is both
    return call_ended.code(), call_ended.details() or ""


def test_a_function_is_a_bot_over_tcp() -> None:
    """It prints the port it got, plays every game, and answers each decision of a batch under its id."""
    ids = [f"{number:016x}" for number in range(64)]
    with running([BOTS, "plain"]) as bot:
        assert re.fullmatch(r"127\.0\.0\.1:[1-9]\d*", bot.address)
        described = bot.describe()
        assert described.plays("any_game", (), 5)
        assert (described.name, described.protocol, described.max_batch) == ("bots", 1, 64)
        assert not described.wants_reports
        answers = bot.decide(*(question(identity) for identity in ids))
    assert [identity for identity, _ in answers] == ids
    assert all(offered(OPTIONS, action) for _, action in answers)
    assert len({action for _, action in answers}) > 1


def test_a_socket_is_bound_and_cleared_away(tmp_path: Path) -> None:
    """The address asked for in the environment is printed as it is; the socket goes when the bot ends."""
    socket = tmp_path / "bot.sock"
    with running([BOTS, "plain"], CROUPIER_ADDRESS=f"unix:{socket}") as bot:
        assert bot.address == f"unix:{socket}"
        assert len(bot.decide(question())) == 1
        assert bot.end() == 0
        assert not socket.exists()


def test_the_same_question_gets_the_same_answer_everywhere() -> None:
    """Asked twice, in another company, and in another process: one answer."""
    ids = [f"{number:016x}" for number in range(20)]
    with running([BOTS, "plain"]) as one, running([BOTS, "plain"]) as two:
        together = one.decide(*(question(identity) for identity in ids))
        assert one.decide(*(question(identity) for identity in ids)) == together
        assert [two.decide(question(identity))[0] for identity in reversed(ids)] == together[::-1]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(number: signal.Signals) -> None:
    """Exit status 0 and not a word on stderr."""
    with running([BOTS, "plain"]) as bot:
        bot.describe()
        assert bot.end(number) == 0
        assert bot.error() == ""


def test_a_second_signal_ends_an_endless_answer() -> None:
    """A bot that thinks for ever is ended by control-C twice."""
    with running([BOTS, "endless"]) as bot:
        method: grpc.UnaryUnaryMultiCallable[bytes, bytes] = bot.channel.unary_unary("/croupier.v1.BotService/Decide")
        call = method.future(wire.decide_request([question()]), timeout=60)
        assert bot.process.stderr is not None
        assert bot.process.stderr.readline() == "thinking\n"
        bot.process.send_signal(signal.SIGINT)
        while bot.process.poll() is None:
            bot.process.send_signal(signal.SIGINT)
        assert bot.process.returncode != 0
        call.cancel()


def test_another_protocol_is_refused() -> None:
    """The refusal names both versions."""
    with running([BOTS, "plain"]) as bot:
        code, message = status(bot, "Describe", wire.serialise(pb.DescribeRequest(protocol=2)))
    assert code is grpc.StatusCode.FAILED_PRECONDITION
    assert message == "this bot speaks protocol 1 of croupier.v1, not 2"


def test_an_exception_is_told_to_both_sides() -> None:
    """The referee gets INTERNAL, the author the traceback, and the next call is answered."""
    bad = question(options=(Option("raise"),))
    with running([BOTS, "raising"]) as bot:
        code, message = status(bot, "Decide", wire.decide_request([bad]))
        assert bot.decide(question()) != []
        told = bot.error()
    assert (code, message) == (grpc.StatusCode.INTERNAL, "ZeroDivisionError: as planned")
    assert "Traceback" in told
    assert 'raise ZeroDivisionError("as planned")' in told


def test_an_answer_that_is_no_action_is_named() -> None:
    """A choose that forgets to return is told so."""
    with running([BOTS, "nothing"]) as bot:
        code, message = status(bot, "Decide", wire.decide_request([question()]))
    assert code is grpc.StatusCode.INTERNAL
    assert message == "TypeError: the answer to a decision is an Action, not None"


def test_the_answer_that_is_no_action_is_named_and_no_other() -> None:
    """Beside promised answers too: what is wrong is said of the one that is wrong."""
    with running([BOTS, "half_async"]) as bot:
        _, message = status(bot, "Decide", wire.decide_request([question("0" * 16), question("1" * 16)]))
    assert message == "TypeError: the answer to a decision is an Action, not None"


def test_promised_answers_keep_their_places() -> None:
    """Each decision gets what was promised for it."""
    ids = [f"{number:016x}" for number in range(5)]
    with running([BOTS, "promised"]) as bot:
        assert bot.decide(*map(question, ids)) == [(identity, Action(identity)) for identity in ids]


def test_bytes_that_are_no_request_are_refused() -> None:
    """They neither end the bot nor keep it from answering the next call."""
    with running([BOTS, "plain"]) as bot:
        code, _ = status(bot, "Decide", b"\xff\xff\xff")
        assert code is grpc.StatusCode.INTERNAL
        assert len(bot.decide(question())) == 1


def test_promised_answers_of_a_call_wait_together() -> None:
    """An async choose may wait for all decisions of its batch."""
    ids = ["a" * 16, "b" * 16, "c" * 16]
    with running([BOTS, "waiting"]) as bot:
        answers = bot.decide(*(question(identity) for identity in ids))
    assert answers == [(identity, Action("pass")) for identity in ids]


def test_a_bot_says_what_it_is_and_sees_whole_batches() -> None:
    """Name, version, games and batch arrive; choose_all gets all decisions of a call."""
    with running([BOTS, "particular"]) as bot:
        described = bot.describe()
        answers = bot.decide(question("a" * 16), question("b" * 16))
    games = (wire.Playable("kowah", (2, 3), (("claim", "must"),)), wire.Playable("doppelkopf"))
    assert described == wire.Description("particular", "3.1", 1, games, 7, wants_reports=True)
    assert answers == [("a" * 16, Action("2")), ("b" * 16, Action("2"))]


def test_reports_reach_a_bot_that_wants_them() -> None:
    """Finished deals with their events and points, and the hashes of records."""
    events = b"".join(map(wire.event_part, EVENTS))
    deal = wire.deal_report(SEATING, events, (3, -1, -2), "played")
    request = pb.ReportRequest(deals=[deal], records=[pb.RecordReport(match="f" * 16, sha256="e" * 64)])
    with running([BOTS, "particular"]) as bot:
        assert bot.call("Report", wire.serialise(request)) == b""
        assert bot.end() == 0
        told = bot.error()
    assert told == f"{SEATING.match} play (3, -1, -2) played\n{'f' * 16} {'e' * 64}\n"


def test_options_of_the_entrant_are_read_by_the_type_of_their_default() -> None:
    """A number is a number, and what is none is refused in one line that names the variable."""
    with running([BOTS, "option"], CROUPIER_OPTION_DEPTH="12") as bot:
        assert bot.decide(question())[0][1] == Action("deeper")
    with running([BOTS, "option"], CROUPIER_OPTION_DEPTH="deep") as bot:
        assert bot.address == ""
        assert bot.process.wait(30) == 1
        assert bot.error() == "option 'depth' takes a whole number, not 'deep' (from CROUPIER_OPTION_DEPTH)\n"


@pytest.mark.parametrize("max_batch", ["257", "0"])
def test_a_batch_size_out_of_range_is_refused(max_batch: str) -> None:
    """At the start, where its author sees it, not as a ``no_show`` in every match."""
    with running([BOTS, "greedy"], CROUPIER_OPTION_MAX_BATCH=max_batch) as bot:
        assert bot.address == ""
        assert bot.process.wait(30) == 1
        assert bot.error() == f"max_batch is {max_batch}: one call may bring 1 to 256 decisions\n"


def test_the_greatest_batch_size_is_served() -> None:
    """256 decisions in a call."""
    with running([BOTS, "greedy"]) as bot:
        assert bot.describe().max_batch == 256


def test_an_address_that_is_taken_is_refused() -> None:
    """Two bots never share a port."""
    with running([BOTS, "plain"]) as one, running([BOTS, "plain"], CROUPIER_ADDRESS=one.address) as two:
        assert two.address == ""
        assert two.process.wait(30) == 1
        assert f"can't bind '{one.address}'" in two.error()


def test_the_example_is_served_and_plays() -> None:
    """The bot in fifteen lines takes its address from the command line, and its answers are offered."""
    example = [str(EXAMPLES / "bots" / "first_bot.py"), "--address", "127.0.0.1:0"]
    with running(example) as bot:
        assert bot.describe().name == "first_bot"
        ((_, action),) = bot.decide(question(options=(Option("play", (), HAND, 2, 2),)))
    assert action == Action("play", ("2S", "QC"))


def test_a_bot_without_the_kit_is_a_page_of_code() -> None:
    """The example that is written against the messages alone describes itself and plays."""
    with running([str(EXAMPLES / "without_kit" / "bot.py")]) as bot:
        assert bot.describe().plays("any_game", (), 5)
        answers = bot.decide(question("a" * 16), question("b" * 16))
    assert answers == [("a" * 16, Action("play", ("AS",))), ("b" * 16, Action("play", ("AS",)))]
