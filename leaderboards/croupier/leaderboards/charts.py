"""Small pictures of numbers: the bar of an interval, the heat of a crosstable's cell.

Law: numbers in, markup or class names out; colours and sizes are the style sheet's. Text in the markup is made of
numbers only.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from croupier.leaderboards.intervals import Interval
from croupier.leaderboards.stopping import Scored
from croupier.leaderboards.tables import Meeting, Standing

WIDTH, HEIGHT, MARGIN = 120, 16, 5
HEATS = 5


def reach(rows: Iterable[Standing | Scored]) -> float:
    """Return how far from zero the bars of a table must reach to hold every interval; 1.0 where all are zero."""
    ends = [abs(end) for row in rows for end in (row.interval or (row.points or 0.0,))]
    return max(ends, default=0.0) or 1.0


def bar(points: float | None, interval: Interval | None, scale: float) -> Markup:
    """Return an inline SVG: points per deal as a dot, its 95 % interval as a bar, on an axis from -scale to scale.

    Args:
        points: points per deal; None draws the axis alone.
        interval: the interval; None draws the dot alone.
        scale: what the axis reaches, above 0 (see ``reach``).
    """

    def x(value: float) -> str:
        return f"{WIDTH / 2 + value / scale * (WIDTH / 2 - MARGIN):.1f}"

    middle = HEIGHT // 2
    parts = [f'<line class="zero" x1="{x(0)}" x2="{x(0)}" y1="0" y2="{HEIGHT}"/>']
    if points is not None:
        side = "up" if points > 0 else "down" if points < 0 else "even"
        if interval:
            low, high = x(interval.low), x(interval.high)
            parts.append(f'<line class="reach {side}" x1="{low}" x2="{high}" y1="{middle}" y2="{middle}"/>')
        parts.append(f'<circle class="{side}" cx="{x(points)}" cy="{middle}" r="3.5"/>')
    # aria-hidden: the numbers stand beside it
    return Markup(f'<svg class="bar" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true">{"".join(parts)}</svg>')


def hottest(crosstable: Iterable[Iterable[Meeting | None]]) -> float:
    """Return the largest difference in a crosstable, without its sign; 1.0 where all are zero."""
    return max((abs(cell.points) for row in crosstable for cell in row if cell), default=0.0) or 1.0


def heat(cell: Meeting, largest: float) -> str:
    """Return the class of a cell: ``win1`` (slight) to ``win5`` (the largest), ``loss1`` to ``loss5``, or ``even``."""
    return _shade(cell.points / largest)


def odds(chance: float) -> str:
    """Return the class of a probability as ``heat`` does: 0.5 is even."""
    return _shade(2 * chance - 1)


def _shade(strength: float) -> str:
    level = round(abs(strength) * HEATS)
    if level == 0:
        return "even"
    return f"{'win' if strength > 0 else 'loss'}{level}"
