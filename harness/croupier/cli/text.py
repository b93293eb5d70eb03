"""Text for the terminal: tables with colour on a terminal and plain elsewhere, and strangers' text made harmless.

Whatever a bot or a file calls itself goes through ``plain`` before it is printed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

NOT_AVAILABLE = "n/a"
"""In place of a number that can't be said."""


class Column(NamedTuple):
    """A column of a table: its heading, and whether its cells are numbers (right-aligned)."""

    title: str
    number: bool = False


def plain(text: str) -> str:
    """Return the text with every character that can't be seen written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)


def signed(number: float | None) -> str:
    """Return a number with its sign and two decimals."""
    return NOT_AVAILABLE if number is None else f"{number:+.2f}"


def percent(share: float | None) -> str:
    """Return a share of 1 in percent."""
    return NOT_AVAILABLE if share is None else f"{100 * share:.1f}%"


def on_terminal() -> bool:
    """Return whether a person sees what is printed."""
    return sys.stdout.isatty()


def mark(good: bool | None) -> str:
    """Return the sign in front of a point of a report: kept, not kept, or (None) a remark."""
    if not (on_terminal() and shows("✓✗")):
        return {True: "ok  ", False: "FAIL", None: "note"}[good]
    return {True: click.style("✓", fg="green"), False: click.style("✗", fg="red"), None: click.style("·", dim=True)}[
        good
    ]


def print_table(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Print a table under its title; the cells are made harmless here."""
    cells = [[plain(cell) for cell in row] for row in rows]
    if not on_terminal():
        _print_plain(plain(title), columns, cells)
        return
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  100 ms that pipes and --help don't need
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(
        title=Text(plain(title), style="bold"),
        title_justify="left",
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in columns:
        table.add_column(Text(column.title), justify="right" if column.number else "left", overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    Console(highlight=False).print(table)


def _print_plain(title: str, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip([c.title for c in columns], *rows, strict=True)]
    click.echo(title)
    for row in ([column.title for column in columns], *rows):
        padded = [
            cell.rjust(width) if column.number else cell.ljust(width)
            for cell, width, column in zip(row, widths, columns, strict=True)
        ]
        click.echo("  ".join(padded).rstrip())


def shows(characters: str) -> bool:
    """Return whether stdout can print these characters."""
    try:
        characters.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
