"""``show --by``: a run's results cut by seat, by pair, by game or by fault, as tables in the terminal.

Everything is computed by ``croupier.leaderboards``; here it is only laid out.
"""

from __future__ import annotations

from collections.abc import Callable

import click

from croupier.cli.text import NOT_AVAILABLE, Column, percent, print_table, signed
from croupier.leaderboards import Leaderboard, Leaderboards


def print_cut(boards: Leaderboards, by: str) -> None:
    """Print one cut; ``by`` is a key of ``CUTS``."""
    if by == "game":
        _by_game(boards)
        return
    for number, board in enumerate(boards.boards):
        if number:
            click.echo()
        CUTS[by](board)


def _by_seat(board: Leaderboard) -> None:
    seats = board.cuts.seats
    cells = [("all", seats.everybody)]
    cells += [(row.entrant.id, seats.of[row.entrant.id]) for row in board.standings if row.entrant.id in seats.of]
    columns = [Column("entrant"), *(Column(f"seat {seat}", number=True) for seat in range(board.game.seats))]
    print_table(
        f"{board.game.label}: points per deal by seat",
        columns,
        [(name, *(signed(cell.points) for cell in row)) for name, row in cells],
    )


def _by_pair(board: Leaderboard) -> None:
    rows = []
    for place, (upper, line) in enumerate(zip(board.standings, board.crosstable, strict=True)):
        for other in range(place + 1, len(line)):
            cell, chance = line[other], board.better[place][other]
            if cell is None:
                continue
            reach = NOT_AVAILABLE if cell.interval is None else f"{(cell.interval.high - cell.interval.low) / 2:.2f}"
            lower = board.standings[other].entrant.id
            rows.append((upper.entrant.id, lower, signed(cell.points), reach, str(cell.tables), percent(chance)))
    numbers = (Column(title, number=True) for title in ("points/deal", "±", "encounters", "better"))
    print_table(f"{board.game.label}: pairs", [Column("entrant"), Column("against"), *numbers], rows)


def _by_fault(board: Leaderboard) -> None:
    kinds = board.standings[0].faults._fields if board.standings else ()
    columns = [Column("entrant"), *(Column(kind, number=True) for kind in (*kinds, "forfeits"))]
    rows = [(row.entrant.id, *map(str, row.faults), str(row.forfeits)) for row in board.standings]
    print_table(f"{board.game.label}: faults", columns, rows)


def _by_game(boards: Leaderboards) -> None:
    """Print each entrant's rating (and rank) in every game, in the order of the overall standings where there are."""
    found = {
        (row.entrant.id, number): f"{row.rating:.2f} ({'house' if row.rank is None else f'{row.rank}.'})"
        for number, board in enumerate(boards.boards)
        for row in board.standings
    }
    labels = [Column(board.game.label, number=True) for board in boards.boards]
    if boards.overall is None:
        ids = [row.entrant.id for board in boards.boards for row in board.standings]
        together: dict[str, tuple[str, ...]] = dict.fromkeys(ids, ())
        columns: list[Column] = []
    else:
        together = {row.entrant: (f"{row.rating:.2f}", percent(row.win_share)) for row in boards.overall.standings}
        columns = [Column("overall", number=True), Column("mean wins", number=True)]
    rows = [
        (id_, *cells, *(found.get((id_, number), NOT_AVAILABLE) for number in range(len(labels))))
        for id_, cells in together.items()
    ]
    print_table("rating (rank) by game", [Column("entrant"), *columns, *labels], rows)


CUTS: dict[str, Callable[[Leaderboard], None]] = {"seat": _by_seat, "pair": _by_pair, "fault": _by_fault}
"""What is printed for each leaderboard; ``game`` is one table over all of them."""
