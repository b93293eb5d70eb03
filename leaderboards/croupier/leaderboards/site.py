"""The static site: an index, a page per leaderboard, a page of decision times, one style sheet.

Law: leaderboards in, files out; equal leaderboards give equal bytes. No script and nothing from elsewhere, so a page
works from a folder and for ever. Every text from outside is escaped by the templates; file names are made from labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined

from croupier.harness.atomic import write_text
from croupier.harness.balance import Balance
from croupier.leaderboards import charts
from croupier.leaderboards.exports import NOT_AVAILABLE, leaderboard_json, to_csv
from croupier.leaderboards.stopping import Stopping
from croupier.leaderboards.tables import Leaderboard, Leaderboards, Timing
from croupier.referee.records import FaultCounts

RESERVED = ("index", "times")
LARGEST_CROSSTABLE = 40
"""Rows of a crosstable on a page; a larger one would be megabytes that nobody can survey. JSON holds all of it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A leaderboard, the file it is shown in, how even its schedule is, and how far it is decided."""

    file: str
    board: Leaderboard
    balance: Balance
    stopping: Stopping | None


def pages(boards: Leaderboards, ledger: str = "") -> dict[str, str]:
    """Return all files of the site: texts by file name.

    Args:
        boards: what it shows.
        ledger: the name of the file beside the pages from which strangers can verify the run, if it is there.
    """
    env = _environment()
    leaves = tuple(
        Page(f"{stem}.html", board, balance, end)
        for stem, board, balance, end in zip(
            _stems(board.game.label for board in boards.boards),
            boards.boards,
            boards.balance,
            boards.stopping,
            strict=True,
        )
    )
    shared = {
        "facts": boards.facts,
        "marks": boards.marks,
        "leaves": leaves,
        "overall": boards.overall,
        "ledger": ledger,
    }
    leaf = env.get_template("leaderboard.html")
    result = {
        "style.css": files("croupier.leaderboards").joinpath("templates/style.css").read_text(encoding="utf-8"),
        "leaderboard.json": leaderboard_json(boards),
        "leaderboard.csv": to_csv(boards),
        "index.html": env.get_template("index.html").render(here="index.html", **shared),
        "times.html": env.get_template("times.html").render(here="times.html", times=_by_label(boards), **shared),
    }
    for page in leaves:
        result[page.file] = leaf.render(
            here=page.file,
            board=page.board,
            balance=page.balance,
            end=page.stopping,
            shown=LARGEST_CROSSTABLE,
            **shared,
        )
    return result


def write_site(boards: Leaderboards, folder: Path, ledger: str = "") -> None:
    """Write the site into a folder, which is made where it is missing; other files in it are left alone.

    Args:
        boards: what it shows.
        folder: where.
        ledger: the name of the file in it from which strangers can verify the run, if it is there.

    Raises:
        OSError: the folder can't be written or the disk is full.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages(boards, ledger).items():
        write_text(folder / name, text)


def _environment() -> Environment:
    env = Environment(
        loader=PackageLoader("croupier.leaderboards"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters.update(number=_number, signed=_signed, percent=_percent, faults=_faults, counted=_counted)
    env.globals.update(bar=charts.bar, reach=charts.reach, heat=charts.heat, odds=charts.odds, hottest=charts.hottest)
    return env


def _stems(labels: Iterable[str]) -> tuple[str, ...]:
    """Return a file name for each label: a tame word, unlike the others and the site's own pages."""
    taken = list(RESERVED)
    for label in labels:
        tame = re.sub(r"[^a-z0-9_-]+", "-", label.lower()).strip("-") or "leaderboard"
        stem, copy = tame, 1
        while stem in taken:
            copy += 1
            stem = f"{tame}-{copy}"
        taken.append(stem)
    return tuple(taken[len(RESERVED) :])


def _by_label(boards: Leaderboards) -> tuple[tuple[Leaderboard, tuple[Timing, ...]], ...]:
    return tuple(
        (board, tuple(timing for timing in boards.timings if timing.label == board.game.label))
        for board in boards.boards
    )


def _number(value: float | None, decimals: int = 2) -> str:
    """Return a number for people: thousands apart by a thin space, a real minus sign."""
    if value is None:
        return NOT_AVAILABLE
    rounded = round(value, decimals) + 0.0
    return f"{rounded:,.{decimals}f}".replace(",", "\u2009").replace("-", "\u2212")


def _signed(value: float | None, decimals: int = 2) -> str:
    """Return what ``_number`` does, with a plus sign above zero."""
    text = _number(value, decimals)
    return f"+{text}" if value is not None and round(value, decimals) > 0 else text


def _percent(value: float | None) -> str:
    """Return a share of 1 in percent; only what is certain reads 0 % or 100 %."""
    if value is None:
        return NOT_AVAILABLE
    if 0 < value < 0.0005:
        return "<\u20090.1\u2009%"
    if 0.9995 <= value < 1:
        return ">\u200999.9\u2009%"
    return f"{100 * value:.1f}\u2009%"


def _faults(counts: FaultCounts) -> str:
    """Return faults by kind in words, without the kinds that didn't occur."""
    found = [
        f"{number}\u00a0{kind.replace('_', '-')}"
        for kind, number in zip(FaultCounts._fields, counts, strict=True)
        if number
    ]
    return ", ".join(found)


def _counted(number: int, noun: str) -> str:
    """Return ``1 deal``, ``2 deals``, ``1 match``, ``2 matches``."""
    plural = "" if number == 1 else "es" if noun.endswith(("ch", "s")) else "s"
    return f"{_number(number, 0)}\u00a0{noun}{plural}"
