"""``replay``: a match of a run or of a file, for people and programs; what can't be shown is said in a sentence."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli.played import forged, write_run
from cli.terminal import COMMAND, LIMIT_S
from croupier.cli.main import execute
from croupier.games import HIDDEN
from croupier.harness.ledger import FILE, Ledger
from croupier.referee import records, show
from croupier.referee.notation import BETWEEN, write
from croupier.referee.views import view
from croupier.v1 import record_pb2 as pb

Captured = pytest.CaptureFixture[str]
COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the folder of a finished run."""
    write_run(tmp_path / "run")
    return tmp_path / "run"


def _records(run: Path) -> list[pb.MatchRecord]:
    with Ledger.read(run / FILE) as ledger:
        return [records.from_bytes(data) for _, data in ledger.records()]


def _lines(record: pb.MatchRecord, **wanted: int) -> list[str]:
    return list(show.lines(view(record, **wanted)))


def test_a_match_of_a_run_is_named_by_index_or_id(run: Path, capsys: Captured) -> None:
    """An index, an id, or as much of an id as only one match begins with."""
    played = _records(run)
    for number, record in enumerate(played):
        shortest = next(
            record.match_id[:n]
            for n in range(1, 17)
            if sum(other.match_id.startswith(record.match_id[:n]) for other in played) == 1
            and not record.match_id[:n].isdecimal()
        )
        for name in (str(number), record.match_id, shortest):
            assert execute(["replay", str(run), name]) == 0
            assert capsys.readouterr().out.splitlines() == _lines(record)


def test_a_seats_view_and_one_deal(run: Path, capsys: Captured) -> None:
    """--seat hides what the seat didn't know, --deal shows one deal alone, and both go together."""
    record = _records(run)[2]
    assert execute(["replay", str(run), "2", "--seat", "1", "--deal", "0"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines() == _lines(record, seat=1, deal=0)
    assert HIDDEN in out


def test_json_is_the_view(run: Path, capsys: Captured) -> None:
    """Scenes with hands, decisions and events; hidden cards are hidden there too."""
    record = _records(run)[0]
    assert execute(["replay", str(run), "0", "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["rules"]["pots"] == "0"
    assert told["entrants"] == list(record.entrants)
    (deal,) = told["deals"]
    assert deal["points"] == list(record.deals[0].points)
    assert deal["detail"] == {pair.name: pair.value for pair in record.deals[0].detail}
    decided = [each for scene in deal["scenes"] for moment in scene["moments"] for each in moment["decided"]]
    assert [each["action"]["cards"] for each in decided] == [list(d.action.cards) for d in record.deals[0].decisions]
    assert deal["scenes"][1]["hands"].keys() == {"0", "1"}

    assert execute(["replay", str(run), "0", "--json", "--seat", "0"]) == 0
    told = json.loads(capsys.readouterr().out)
    dealt = told["deals"][0]["scenes"][0]["moments"][0]["events"]
    assert [set(event["cards"]) == {HIDDEN} for event in dealt] == [False, True]


def test_files_of_records(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """JSON, indented or one record a line, and notation; MATCH is needed only where there are several."""
    one, two = _records(run)[:2]
    files = {
        "one.json": records.to_json(one) + "\n",
        "one.txt": write(one),
        "one_crlf.txt": write(one).replace("\n", "\r\n"),
        "two.json": "".join(json.dumps(json.loads(records.to_json(record))) + "\n" for record in (one, two)),
        "two.txt": "# matches\n" + write(one) + BETWEEN + write(two),
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(text.encode())
        if name.startswith("one"):
            assert execute(["replay", str(tmp_path / name)]) == 0
            assert capsys.readouterr().out.splitlines() == _lines(one)
        else:
            assert execute(["replay", str(tmp_path / name), "1"]) == 0
            assert execute(["replay", str(tmp_path / name), two.match_id]) == 0
            assert capsys.readouterr().out.splitlines() == _lines(two) * 2
            assert execute(["replay", str(tmp_path / name)]) == 2
            assert f"2 matches: 0 ({one.match_id}), 1 ({two.match_id}); name one as MATCH" in capsys.readouterr().err


def test_a_match_that_contradicts_the_rules_is_not_shown(tmp_path: Path, capsys: Captured) -> None:
    """The first contradiction is named, with exit code 1; in a run as in a file."""
    genuine = write_run(tmp_path / "one")
    false = forged(genuine[1])
    write_run(tmp_path / "two", but={1: false})
    (tmp_path / "false.txt").write_text(write(records.from_bytes(false)), encoding="utf-8")
    for arguments in ([str(tmp_path / "two"), "1"], [str(tmp_path / "false.txt")]):
        assert execute(["replay", *arguments]) == 1
        printed = capsys.readouterr()
        assert printed.out == ""
        assert re.fullmatch(
            rf"croupier: match {genuine[1].match_id} contradicts the rules: deal 0: points: expected .*\n", printed.err
        )


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["9"], "no match '9'; MATCH is an index, an id, or the beginning of one"),
        (["zz"], "no match 'zz'"),
        (["9" * 5000], "no match '9{80}';"),
        ([""], r"4 matches: .*; name one as MATCH|no match ''"),
        ([], r"4 matches: 0 \(\w{16}\), 1 \(\w{16}\), 2 \(\w{16}\), \.\.\.; name one as MATCH"),
        (["0", "--deal", "1"], "--deal 1: the match has 1 deal, numbered from 0"),
        (["0", "--seat", "2"], "--seat 2: the match has 2 seats, numbered from 0"),
        (["0", "--seat", "-1"], "Invalid value for '--seat'"),
    ],
)
def test_what_is_not_there_is_refused(run: Path, capsys: Captured, arguments: list[str], complaint: str) -> None:
    """Unknown matches, deals and seats: exit code 2 and a sentence."""
    assert execute(["replay", str(run), *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert re.search(complaint, printed.err)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "line 1: expected 'croupier record 1', found an empty line"),
        (b"\x80\xff", "not a record: neither JSON nor notation"),
        (b"{", r"line 1: not a record: "),
        (b"{}", "the record in line 1: record format 0; this program reads format 1"),
        (b'\n{"format": 2}', "the record in line 2: record format 2; this program reads format 1"),
        (b'{"format": 1, "wheel": 2}', "the record in line 1: not a match record: .*wheel"),
        (b'{"a":' * 100_000, "line 1"),
        (b'{"format": ' + b"9" * 5000 + b"}", "the record in line 1: no number of a record has 5000 digits"),
        (b'{"a\\u001b[2J": 1}', r"no field named \"a\\x1b\[2J\""),
        (b'{"deals_played": 1}', "the record in line 1: this is a view, as `croupier replay --json` prints it"),
        (b"[]", "expected 'croupier record 1', found '\\[\\]'"),
        (b"croupier record 1\nmatch\n", "line 2: expected 'match ID', found 'match'"),
        (b"croupier record 7\n", "line 1: record format 7; this program reads format 1"),
    ],
)
def test_what_is_no_record_is_refused(tmp_path: Path, capsys: Captured, content: bytes, complaint: str) -> None:
    """The message names the file, the line and what is wrong there: exit code 2, never a traceback."""
    file = tmp_path / "file"
    file.write_bytes(content)
    assert execute(["replay", str(file)]) == 2
    message = capsys.readouterr().err
    assert message.startswith(f"croupier: {file}: ")
    assert message.count("\n") == 1
    assert re.search(complaint, message)


def test_no_run_and_no_file(tmp_path: Path, capsys: Captured) -> None:
    """A path that isn't there, a folder without a ledger."""
    for place in (tmp_path / "nowhere", tmp_path):
        assert execute(["replay", str(place), "0"]) == 2
        assert capsys.readouterr().err.startswith(f"croupier: {place}: ")


def test_a_run_without_a_result(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """A run that has begun and finished nothing has no match to show."""
    (tmp_path / "begun").mkdir()
    with Ledger.read(run / FILE) as ledger, Ledger.open(tmp_path / "begun" / FILE) as begun:
        begun.create(ledger.manifest())
    assert execute(["replay", str(tmp_path / "begun"), "0"]) == 2
    assert capsys.readouterr().err == f"croupier: {tmp_path / 'begun'}: no match is finished yet\n"


def _at_a_terminal(*arguments: str) -> str:
    """Run a command at a terminal and return what it shows."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", "TERM": "xterm"}
    with subprocess.Popen(
        (*COMMAND, *arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        shown = b""
        try:
            while data := os.read(ours, 1 << 16):
                shown += data
        except OSError:
            pass  # how Linux says that the other end was closed
        os.close(ours)
        assert process.wait(LIMIT_S) == 0
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_symbols_and_colours(run: Path) -> None:
    """Suit symbols, red suits red; without the colours each line is as long as in plain text; --plain is plain text."""
    lines = _lines(_records(run)[0])
    shown = _at_a_terminal("replay", str(run), "0").splitlines()

    assert "\x1b[31m" in "\n".join(shown)
    uncoloured = [COLOURS.sub("", line) for line in shown]
    symbols = str.maketrans("♠♥♦♣", "SHDC")
    assert [line.translate(symbols) for line in uncoloured] == lines
    assert "♠" in "\n".join(uncoloured)
    assert _at_a_terminal("replay", str(run), "0", "--plain").splitlines() == lines
