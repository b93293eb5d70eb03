"""``games``: which games there are, and how each can be set. It reads the registry and nothing else."""

from __future__ import annotations

import json
import shutil

import click

from croupier.cli.text import Column, print_table
from croupier.games import GAMES, Game, RuleOption, game_named
from croupier.games.rules import as_text

WIDTH = 100
"""Lines longer than this are hard to read, however wide the terminal."""


@click.command()
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def games(game: str | None, as_json: bool) -> None:
    """List the games, or the options of one.

    GAME is a name from the list.
    """
    chosen = [game_named(game)] if game is not None else list(GAMES)
    if as_json:
        told = [_as_json(each) for each in chosen]
        click.echo(json.dumps(told[0] if game is not None else told, indent=2, ensure_ascii=False))
    elif game is None:
        rows = [(each.name, each.title, _counts(each), str(len(each.pack)), str(len(each.options))) for each in GAMES]
        columns = (Column("game"), Column("title"), Column("seats"), Column("cards", True), Column("options", True))
        print_table("Games (`croupier games GAME` lists a game's options)", columns, rows)
    else:
        _print_game(chosen[0])


def _print_game(game: Game) -> None:
    click.echo(f"{game.title} ({game.name}): {_counts(game)} seats, {len(game.pack)} cards")
    click.echo(f"passes from deal to deal: {game.carry_meaning or 'nothing'}")
    if not game.options:
        click.echo("no options")
        return
    formatter = click.HelpFormatter(width=min(shutil.get_terminal_size().columns, WIDTH))
    with formatter.section("\nOptions (--rules option=value), default, and the ruling or section of the rules page"):
        formatter.write_dl([(option.name, _told(option)) for option in game.options])
    click.echo(formatter.getvalue(), nl=False)


def _told(option: RuleOption) -> str:
    default, tournament = as_text(option.default), _tournament(option)
    differs = f", in tournaments {tournament}" * (tournament != default)
    return f"{option.meaning}: {option.values} [default: {default}{differs}] ({option.ruling})"


def _as_json(game: Game) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.version,
        "seats": list(game.seat_counts),
        "cards": len(game.pack),
        "carry": game.carry_meaning,
        "options": [
            {
                "name": option.name,
                "values": option.values,
                "default": as_text(option.default),
                "tournament_default": _tournament(option),
                "ruling": option.ruling,
                "meaning": option.meaning,
            }
            for option in game.options
        ],
    }


def _tournament(option: RuleOption) -> str:
    return as_text(option.default if option.tournament is None else option.tournament)


def _counts(game: Game) -> str:
    return ", ".join(map(str, game.seat_counts))
