"""``croupier commit``: binds a tournament to its secret when entries open, before anybody knows who enters."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.exits import Exit
from croupier.cli.text import plain
from croupier.harness import config, plan

NEXT = """Next:
1. Publish this commitment, where nobody can change it later.
2. Let entrants send nonces (64 hex digits, `nonce` in bot.toml), or name a public value of a later day as `beacon`.
3. croupier run {tournament} --dir {folder}
Keep {folder}/secret to yourself: whoever reads it knows all cards. Lost, it can't be made again."""


@click.command()
@click.argument("tournament", type=click.Path(path_type=Path))
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/<id>]")
def commit(tournament: Path, folder: Path | None) -> int:
    """Draw the secret of a TOURNAMENT when entries open, and print what binds you to it.

    Of the file only `id` is bound: entrants may enter later. Once more, it prints the same.
    """
    loaded = config.load(tournament)
    place = plan.make_folder(folder or Path("runs") / loaded.id)
    with plan.open_ledger(place) as ledger:
        begun, revealed = ledger.begun(), ledger.revealed() is not None
        if not begun:
            plan.commit(loaded.id, place, ledger, seed=None, made_by="commit")
        bound = ledger.commitment()
    assert bound is not None  # a run that began has one
    click.echo(f"commitment {bound.sha256}")
    if begun:
        click.echo("play has begun" + ("; the secret is revealed" if revealed else ""), err=True)
    else:
        click.echo(NEXT.format(tournament=plain(str(tournament)), folder=plain(str(place))), err=True)
    return Exit.OK
