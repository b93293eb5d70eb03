"""``show`` and ``publish``: leaderboards from a ledger, for people, programs and browsers."""

from __future__ import annotations

import re
import signal
import urllib.request
from pathlib import Path

import pytest

from cli.runs import HOSTILE, write_run
from cli.terminal import BACKGROUND, COMMAND, LIMIT_S, Terminal
from croupier.cli.main import execute
from croupier.cli.show import publish_run
from croupier.harness.ledger import FILE, Ledger
from croupier.leaderboards import build, leaderboard_json, timings_json, to_csv

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return the folder of a finished run."""
    return write_run(tmp_path / "run")


def test_people_get_tables(run: Path, capsys: Captured) -> None:
    """How far the run is, what to know before trusting it, and a row per entrant in order, faults by kind."""
    assert execute(["show", str(run)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    lines = printed.out.splitlines()
    assert lines[0] == "The cup: 12 of 12 matches"
    assert "! seeded: reproducible, not fair" in lines
    rows = [line.split() for line in lines if re.match(r" *=?\d+  (ann|bob|cy) ", line)]
    assert [row[1] for row in rows] == ["ann", "bob", "cy"]
    assert [row[5] for row in rows] == ["+6.00", "-1.50", "-4.50"]
    assert sum("1 late" in line for line in lines) == 1


def test_names_cannot_steer_the_terminal(run: Path, capsys: Captured) -> None:
    """A hostile label is printed as it is written, its control characters as escapes."""
    execute(["show", str(run)])
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "ko[red]wah\\x1b[2J: Kowah, 2 seats" in out


def test_programs_get_what_the_leaderboards_export(run: Path, capsys: Captured) -> None:
    """``--json``, ``--csv`` and ``--json --times`` print the exports byte for byte."""
    boards = build(run / FILE)
    for flags, text in (
        (["--json"], leaderboard_json(boards)),
        (["--csv"], to_csv(boards)),
        (["--json", "--times"], timings_json(boards)),
    ):
        assert execute(["show", str(run), *flags]) == 0
        assert capsys.readouterr().out == text


def test_times_are_a_table_of_their_own(run: Path, capsys: Captured) -> None:
    """``--times``: decisions, mean and maximum in milliseconds per entrant."""
    assert execute(["show", str(run), "--times"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^ann +80 +2\.5 +7\.0$", out, re.MULTILINE)


def test_a_csv_of_times_is_refused(run: Path, capsys: Captured) -> None:
    """Flags that exclude each other: exit 2."""
    assert execute(["show", str(run), "--csv", "--times"]) == 2
    assert "--csv can't be combined" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["show"], ["publish", "--to", "site"]])
def test_a_folder_that_is_no_run(tmp_path: Path, capsys: Captured, command: list[str]) -> None:
    """A folder without a ledger, or none at all: exit 2 and what RUN is."""
    for folder, said in ((tmp_path, f"holds no {FILE}"), (tmp_path / "nowhere", "there is no such folder")):
        assert execute([*command, str(folder)]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert "RUN is the folder of a run" in error


def test_a_damaged_ledger_is_a_storage_error(tmp_path: Path, capsys: Captured) -> None:
    """A file that is no ledger: exit 74, one message."""
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    assert execute(["show", str(tmp_path)]) == 74
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_site_is_written(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """``publish`` writes the pages and says where they begin."""
    assert execute(["publish", str(run), "--to", str(tmp_path / "a" / "site")]) == 0
    index = tmp_path / "a" / "site" / "index.html"
    assert capsys.readouterr().out == f"written: {index}\n"
    assert "The cup" in index.read_text(encoding="utf-8")


def test_pages_link_to_the_ledger_once_it_is_there(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """Before the secret is revealed neither ledger nor link; after it both, in a folder that wasn't there."""
    for folder, there in ((tmp_path / "a" / "before", False), (tmp_path / "b" / "after", True)):
        if there:
            with Ledger.open(run / FILE) as ledger:
                ledger.reveal(bytes(32))
        assert execute(["publish", str(run), "--to", str(folder)]) == 0
        assert (folder / FILE).exists() == there
        assert (f'href="{FILE}"' in (folder / "index.html").read_text(encoding="utf-8")) == there
        assert (f"croupier verify {folder}" in capsys.readouterr().out) == there


def test_a_site_cannot_be_a_file(run: Path, capsys: Captured) -> None:
    """``--to`` a file: exit 2; below a file: exit 74; nothing is overwritten."""
    before = (run / FILE).read_bytes()
    assert execute(["publish", str(run), "--to", str(run / FILE)]) == 2
    assert "is a file; name a folder" in capsys.readouterr().err
    assert execute(["publish", str(run), "--to", str(run / FILE / "site")]) == 74
    assert "can't be written" in capsys.readouterr().err
    assert (run / FILE).read_bytes() == before


@pytest.mark.parametrize("command", [COMMAND, BACKGROUND], ids=["foreground", "background"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_site_is_served_until_it_is_stopped(
    run: Path, terminal: Terminal, tmp_path: Path, command: tuple[str, ...], number: signal.Signals
) -> None:
    """``--serve`` prints an address of this machine, answers there, and ends with ctrl-C or SIGTERM."""
    arguments = ("publish", str(run), "--to", str(tmp_path / "site"), "--serve")
    with terminal.started(*arguments, command=command) as process:
        assert process.stdout is not None
        process.stdout.readline()
        url = process.stdout.readline().split()[0]
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(url, timeout=LIMIT_S) as page:
            assert b"The cup" in page.read()
        process.send_signal(number)
        _, err = process.communicate(timeout=LIMIT_S)
    assert (process.returncode, err) == (130, "\ncroupier: stopped\n")


def test_somebody_else_s_pages_are_left_alone(run: Path, tmp_path: Path, capsys: Captured) -> None:
    """Pages of Croupier's are written again; over an index.html of another origin nothing is: exit 2."""
    assert [execute(["publish", str(run), "--to", str(tmp_path / "site")]) for _ in range(2)] == [0, 0]
    home = tmp_path / "home"
    home.mkdir()
    (home / "index.html").write_text("<h1>My home page</h1>", encoding="utf-8")
    capsys.readouterr()
    assert execute(["publish", str(run), "--to", str(home)]) == 2
    assert "holds an index.html that Croupier didn't write" in capsys.readouterr().err
    assert [file.name for file in home.iterdir()] == ["index.html"]
    assert (home / "index.html").read_text(encoding="utf-8") == "<h1>My home page</h1>"


def test_a_finished_run_publishes_itself(run: Path, capsys: Captured) -> None:
    """What ``run`` does at its end: leaderboards printed, JSON and pages in its folder; after faults where to look."""
    publish_run(run)
    boards = build(run / FILE)
    assert (run / "leaderboard.json").read_text(encoding="utf-8") == leaderboard_json(boards)
    assert (run / "timings.json").read_text(encoding="utf-8") == timings_json(boards)
    assert capsys.readouterr().out.endswith(
        f"\nsite: {run / 'site' / 'index.html'}\nwhat the bots printed: {run / 'logs'}\n"
    )


def test_the_hostile_label_is_hostile() -> None:
    """The label of these tests holds what they are about."""
    assert "\x1b" in HOSTILE


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ("seat", r"^ann( +\+\d+\.\d\d){2}$"),
        ("pair", r"^ann +bob +\+\d+\.\d\d +\S+ +2 +\d+\.\d%$"),
        ("game", r"^ann +-?\d+\.\d\d \(1\.\)"),
        ("fault", r"^\w+ +1 +0 +0 +0 +0 +0$"),
    ],
)
def test_other_cuts(run: Path, capsys: Captured, by: str, line: str) -> None:
    """``--by`` prints another cut, names made harmless; with another form beside it: exit 2."""
    assert execute(["show", str(run), "--by", by]) == 0
    out = capsys.readouterr().out
    assert re.search(line, out, re.MULTILINE), out
    assert "\x1b" not in out
    assert execute(["show", str(run), "--by", by, "--json"]) == 2
