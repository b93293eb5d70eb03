"""Exports and pages: bytes, escaping, file names, and numbers as people read them."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from croupier.leaderboards import build, leaderboard_json, to_csv, write_json, write_site
from croupier.leaderboards.charts import bar, heat, hottest, reach
from croupier.leaderboards.exports import COLUMNS
from croupier.leaderboards.intervals import Interval
from croupier.leaderboards.site import _counted, _number, _percent, _signed, _stems, pages
from croupier.leaderboards.tables import Leaderboards, Meeting

Run = Callable[..., Path]


@pytest.fixture
def boards(run: Run) -> Leaderboards:
    """The leaderboards of the whole small run."""
    return build(run(1))


class Page(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: set[str] = set()
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses |= {value or "" for name, value in attrs if name in ("src", "href")}
        if tag not in ("meta", "link", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


class TestExports:
    def test_json_is_canonical_and_finite(self, boards: Leaderboards) -> None:
        """Keys are sorted, fractions have at most six decimals, and the text reads back."""
        text = leaderboard_json(boards)
        tree = json.loads(text, parse_constant=pytest.fail)
        assert json.dumps(tree, sort_keys=True, indent=1, ensure_ascii=False) + "\n" == text
        assert not re.search(r"\d\.\d{7}", text)
        assert "-0.0," not in text
        assert [board["label"] for board in tree["leaderboards"]] == ["kowah-2", '../<b>"cha"']
        assert tree["marks"][0] == "seeded: reproducible, not fair"

    def test_json_says_nothing_of_time_and_place(self, boards: Leaderboards, tmp_path: Path) -> None:
        """No milliseconds, no path and no revealed secret."""
        text = leaderboard_json(boards)
        assert "_ms" not in text
        assert tmp_path.name not in text

    def test_csv(self, boards: Leaderboards) -> None:
        """A line per standing under a header; gaps read n/a, and no spreadsheet takes a name for a formula."""
        lines = list(csv.DictReader(io.StringIO(to_csv(boards))))
        assert tuple(lines[0]) == COLUMNS
        assert len(lines) == 8
        assert {line["better_than_next"] for line in lines if line["rank"] == "4"} <= {"n/a"}
        assert next(line["name"] for line in lines if line["entrant"] == "bob").startswith("'=1+1")
        assert all(line["deals"].isdecimal() for line in lines)

    def test_csv_of_nothing_has_its_header(self, boards: Leaderboards) -> None:
        """Without leaderboards the columns are still named."""
        assert to_csv(replace(boards, boards=())) == ",".join(COLUMNS) + "\n"

    def test_files_appear_whole(self, boards: Leaderboards, tmp_path: Path) -> None:
        """A file is replaced, and no draft stays beside it."""
        path = tmp_path / "leaderboard.json"
        path.write_text("old")
        write_json(boards, path)
        assert path.read_text(encoding="utf-8") == leaderboard_json(boards)
        assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["leaderboard.json"]


class TestSite:
    def test_writes_all_pages_again_the_same(self, boards: Leaderboards, run: Run, tmp_path: Path) -> None:
        """Index, a page per leaderboard, times, style and data; a second writing changes no byte."""
        folder = tmp_path / "deep" / "site"
        write_site(boards, folder)
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        assert set(before) == {
            *("index.html", "times.html", "style.css", "leaderboard.json", "leaderboard.csv"),
            *("kowah-2.html", "b-cha.html"),
        }
        write_site(build(run(2)), folder)
        assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "times.html"} == {
            name: text for name, text in before.items() if name != "times.html"
        }

    def test_hostile_names_are_text(self, boards: Leaderboards) -> None:
        """Markup in the names of tournament, entrants, owners and labels is shown, never obeyed."""
        for name, text in pages(boards).items():
            if name.endswith(".html"):
                page = Page(text)
                assert not page.tags & {"script", "img", "sons"}
                assert page.open == []
        text = pages(boards)["kowah-2.html"]
        assert "&lt;img src=x&gt;" in text
        assert "O&#39;Neil &amp; &lt;sons&gt;" in text
        assert "Cup &lt;script&gt;" in text

    def test_nothing_comes_from_elsewhere(self, boards: Leaderboards) -> None:
        """Every address on a page is a file of the site (or the empty icon)."""
        files = pages(boards)
        for name, text in files.items():
            if name.endswith(".html"):
                assert Page(text).addresses <= {*files, "data:,"}
        assert "url(" not in files["style.css"]

    def test_shows_the_facts(self, boards: Leaderboards) -> None:
        """Label, marks, shared ranks, faults in words and the way to read it are on the page."""
        text = pages(boards)["kowah-2.html"]
        assert '<p class="sub">kowah-2 · ' in text  # which tells leaderboards of one game apart
        assert "seeded: reproducible, not fair" in text
        assert re.search(r"\d\xa0late", text)
        assert "How to read this" in text
        assert text.count('<svg class="bar"') == 4

    def test_the_ledger_is_linked_where_it_is(self, boards: Leaderboards) -> None:
        """Beside a ledger every page links to it, the index says how to verify it; else nothing speaks of it."""
        for name, text in pages(boards, "ledger.sqlite").items():
            if name.endswith(".html"):
                assert "ledger.sqlite" in Page(text).addresses
                assert ("<code>croupier verify FOLDER</code>" in text) == (name == "index.html")
        assert not any("ledger.sqlite" in text or "croupier verify" in text for text in pages(boards).values())

    def test_bounds_are_shown(self, run: Run) -> None:
        """A run that ends when it is decided: how far it is, and bounds by group of those that are tied."""
        text = pages(build(run(1, until="separated", max_rounds=20, top=4)))["kowah-2.html"]
        assert '<h2 id="stopping">Undecided after 20\xa0rounds</h2>' in text
        assert "With a confidence of 95 % it can’t be said that the first 4 places are separated" in text
        section = text.split('<h2 id="stopping">')[1].split("<h2")[0]
        assert section.count("<tbody>") == 2
        first, second = section.split("<tbody>")[1:]
        assert first.count("separated") == 1
        assert '<span class="id">ann</span>' in first
        assert second.count("tied") == 3
        assert Page(text).open == []

    def test_bounds_that_are_not_there_yet(self, run: Run) -> None:
        """Too few encounters: the score alone; no whole round: not even a table; a fixed number of rounds: nothing."""
        early = pages(build(run(1, until="separated", max_rounds=3)))["kowah-2.html"]
        assert early.count("none yet") == 4
        nothing = pages(build(run(2, until="separated", max_rounds=3, without=[0])))["kowah-2.html"]
        assert "Undecided after 0\xa0rounds" in nothing
        assert "Verdict" not in nothing
        assert 'id="stopping"' not in pages(build(run(3)))["kowah-2.html"]

    def test_house_bots_and_forfeits_are_shown(self, run: Run) -> None:
        """A field that is too small: house bots stand under a line of their own, and who forfeited is marked."""
        boards = build(run(1, entrants=2))
        text = pages(boards)["b-cha.html"]
        forfeits = next(row.forfeits for row in boards.boards[1].standings if row.entrant.id == "bob")
        assert forfeits > 0
        assert f'<td class="bad">{forfeits}</td>' in text
        assert f"{forfeits}\xa0no-show" in text
        above, below = text.split("House bots: rated like entrants, not ranked")
        assert '<span class="id">house-1</span>' not in above
        assert '<span class="id">house-1</span>' in below
        assert "house bots fill tables of ../&lt;b&gt;&#34;cha&#34;: there are fewer entrants than seats" in text
        assert "House bots" not in pages(boards)["kowah-2.html"]

    def test_file_names_are_tame_and_unlike(self) -> None:
        """Labels become file names of letters, digits, - and _; none takes another's or the site's own."""
        labels = ["kowah-4", "Kowah 4", "../../etc/passwd", "index", "", "☃"]
        assert _stems(labels) == ("kowah-4", "kowah-4-2", "etc-passwd", "index-2", "leaderboard", "leaderboard-2")


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (_number(None), "n/a"),
            (_number(-0.001), "0.00"),
            (_number(12345.678, 1), "12\u2009345.7"),
            (_signed(0.004), "0.00"),
            (_signed(2.5), "+2.50"),
            (_signed(-2.5), "\u22122.50"),
            (_percent(None), "n/a"),
            (_percent(1.0), "100.0\u2009%"),
            (_percent(0.9999), ">\u200999.9\u2009%"),
            (_percent(0.0001), "<\u20090.1\u2009%"),
            (_percent(0.5), "50.0\u2009%"),
            (_counted(1, "match"), "1\xa0match"),
            (_counted(2, "match"), "2\xa0matches"),
        ],
    )
    def test_as_people_read_them(self, text: str, expected: str) -> None:
        """Real minus signs, no negative zero, and no certainty where there is none."""
        assert text == expected


class TestCharts:
    def test_bars_stay_inside(self) -> None:
        """The widest interval reaches just inside the picture, zero stands in the middle."""
        drawn = bar(-3.0, Interval(-4.0, -2.0), 4.0)
        assert 'x1="5.0" x2="32.5"' in drawn
        assert '<line class="zero" x1="60.0"' in drawn
        assert 'class="down"' in drawn

    def test_bars_of_nothing(self) -> None:
        """Without points only the axis is drawn; without an interval, the dot."""
        assert "circle" not in bar(None, None, 1.0)
        assert "reach" not in bar(0.0, None, 1.0)
        assert reach([]) == 1.0

    def test_heat(self) -> None:
        """Heat grows in five steps to the largest difference, by sign."""
        cells = [[None, Meeting(10.0, 1, None)], [Meeting(-10.0, 1, None), None]]
        assert hottest(cells) == 10
        assert [heat(Meeting(points, 1, None), 10.0) for points in (10.0, 3.0, 0.5, -10.0)] == [
            "win5",
            "win2",
            "even",
            "loss5",
        ]
        assert hottest([]) == 1.0
