"""``matches``: the finished matches of a run, chosen by who sat there, by game, by faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.played import write_run
from croupier.cli.main import execute
from croupier.harness.ledger import FILE, VERSION
from croupier.harness.sqlite import open_for_writing

Captured = pytest.CaptureFixture[str]


def test_every_finished_match_is_listed_with_its_points(tmp_path: Path, capsys: Captured) -> None:
    """Index, id, place in the schedule, and each seat's entrant and points, as in the record."""
    records = write_run(tmp_path / "run")
    assert execute(["matches", str(tmp_path / "run")]) == 0
    title, _, *lines = capsys.readouterr().out.splitlines()
    assert title == "4 of 4 finished matches"
    for index, (line, record) in enumerate(zip(lines, records, strict=True)):
        seats = ", ".join(f"{id_} {points:+d}" for id_, points in zip(record.entrants, record.points, strict=True))
        assert line.split()[:2] == [str(index), record.match_id]
        assert line.endswith(seats)


def test_json_has_a_line_for_each_match(tmp_path: Path, capsys: Captured) -> None:
    """With what the table shows, as values."""
    records = write_run(tmp_path / "run")
    assert execute(["matches", str(tmp_path / "run"), "--json"]) == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [match["match_id"] for match in found] == [record.match_id for record in records]
    assert [[seat["points"] for seat in match["seats"]] for match in found] == [list(r.points) for r in records]
    assert {match["leaderboard"] for match in found} == {"cha_kau_tsu", "kowah"}


def test_a_meeting_is_summed_by_leaderboard(tmp_path: Path, capsys: Captured) -> None:
    """Points of different games are never added up."""
    records = write_run(tmp_path / "run")
    assert execute(["matches", str(tmp_path / "run"), "--bot", "ann", "--vs", "bob"]) == 0
    lines = capsys.readouterr().out.splitlines()[-2:]
    for label, line in zip(("cha_kau_tsu", "kowah"), lines, strict=True):
        played = [record for record in records if record.game == label]
        gap = sum(record.points[list(record.entrants).index("ann")] for record in played)
        gap -= sum(record.points[list(record.entrants).index("bob")] for record in played)
        assert line == f"{label}: ann against bob: {gap / 2:+.2f} points per deal over 2 deals"


def test_a_leaderboard_is_chosen_by_its_label(tmp_path: Path, capsys: Captured) -> None:
    """And nothing else is listed."""
    write_run(tmp_path / "run")
    assert execute(["matches", str(tmp_path / "run"), "--game", "kowah", "--json"]) == 0
    found = [json.loads(line)["leaderboard"] for line in capsys.readouterr().out.splitlines()]
    assert found == ["kowah", "kowah"]


def test_matches_with_faults_are_chosen(tmp_path: Path, capsys: Captured) -> None:
    """Of the bot that is named, else of anybody; they are told by kind."""
    write_run(tmp_path / "run")
    connection, lock = open_for_writing(tmp_path / "run" / FILE, "", VERSION)
    connection.execute("UPDATE results SET late = 2, forfeit = 1 WHERE entrant = 'bob' AND seat = 0")
    connection.commit()
    connection.close()
    lock.close()

    assert execute(["matches", str(tmp_path / "run"), "--faults"]) == 0
    title, _, *lines = capsys.readouterr().out.splitlines()
    assert title == "2 of 4 finished matches"
    assert all(line.endswith("bob: 2 late, forfeit") for line in lines)
    assert execute(["matches", str(tmp_path / "run"), "--faults", "--bot", "ann"]) == 0
    assert capsys.readouterr().out == "no finished match is like that\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bot", "bo"], "--bot bo: not in this run (did you mean 'bob'?)"),
        (["--bot", "ann", "--vs", "zzz"], "--vs zzz: not in this run; it has ann, bob"),
        (["--game", "kowa"], "--game kowa: not in this run (did you mean 'kowah'?)"),
        (["--vs", "ann"], "--vs needs --bot"),
    ],
)
def test_unknown_names_are_refused(tmp_path: Path, capsys: Captured, arguments: list[str], message: str) -> None:
    """With the nearest name, or all of them."""
    write_run(tmp_path / "run")
    assert execute(["matches", str(tmp_path / "run"), *arguments]) == 2
    assert message in capsys.readouterr().err
