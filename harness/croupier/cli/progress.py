"""How far a run is: a bar with rate and time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from croupier.harness.run import Progress as RunProgress

LINE_EVERY_S = 10.0
"""Between two lines where there is no terminal."""


@contextmanager
def progress() -> Iterator[Callable[[RunProgress], None]]:
    """Show how far a run is for as long as the context lasts; yields what takes the news."""
    if sys.stderr.isatty():
        with _bar() as bar:
            task = bar.add_task("playing", total=None, rate="starting Ray")

            def show(news: RunProgress) -> None:
                bar.update(task, completed=news.matches, total=news.total, rate=_rate(news))

            yield show
        return
    last = -LINE_EVERY_S

    def tell(news: RunProgress) -> None:
        nonlocal last
        if news.seconds - last >= LINE_EVERY_S or news.matches == news.total:
            last = news.seconds
            click.echo(f"{news.matches:,} of {news.total:,} matches, {_rate(news)}{_left(news)}", err=True)

    yield tell


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show how many matches are done; yields what takes the number."""
    if not sys.stderr.isatty():
        last = time.monotonic()

        def tell(done: int) -> None:
            nonlocal last
            if time.monotonic() - last >= LINE_EVERY_S:
                last = time.monotonic()
                click.echo(f"{what}: {done:,} of {total:,} matches", err=True)

        yield tell
        return
    with _bar() as bar:
        task = bar.add_task(what, total=total, rate="")
        yield lambda done: bar.update(task, completed=done)


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("matches  {task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )


def _rate(news: RunProgress) -> str:
    if news.seconds < 0.5:
        return "starting"
    return f"{news.decisions / news.seconds:,.0f} decisions/s"


def _left(news: RunProgress) -> str:
    if not news.session_matches or news.matches == news.total:
        return ""
    seconds = (news.total - news.matches) * news.seconds / news.session_matches
    return f", {seconds:,.0f} s left"
