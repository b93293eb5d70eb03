"""``croupier run``: plays a tournament from its file, or goes on with it, and publishes the leaderboards."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import click

from croupier.cli.exits import Exit
from croupier.cli.text import plain
from croupier.cli.verdicts import verdict_lines
from croupier.harness import config, entrants, fairness, interrupts, plan
from croupier.harness.course import course_of, terms_of
from croupier.harness.errors import ClusterLostError
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule

NEEDED = ("ray", "pandas", "scipy", "trueskill", "jinja2")
"""The packages of the extra: one that is missing shows before anything is played, not at the leaderboard."""


@click.command()
@click.argument("tournament", type=click.Path(path_type=Path))
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="The run's folder.  [default: runs/<id>]")
@click.option("--seed", metavar="TEXT", help="Make the decks reproducible: for tests and demos, not for fair play.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Referee processes.  [default: one per core]")
@click.option(
    "--concurrency", type=click.IntRange(min=1), metavar="N", help="Tables at once per worker.  [default: 64]"
)
def run(tournament: Path, folder: Path | None, seed: str | None, workers: int | None, concurrency: int | None) -> int:
    """Play the TOURNAMENT of a file, or go on with it: what was finished before is kept."""
    for package in NEEDED:  # looked for and not yet imported: a wrong file is answered before a second has passed
        if find_spec(package) is None:
            raise ModuleNotFoundError(f"No module named {package!r}", name=package)
    loaded, field = plan.load(tournament)
    chosen = {"workers": workers, "concurrency": concurrency}
    host = loaded.host.model_copy(update={key: value for key, value in chosen.items() if value is not None})
    place = plan.make_folder(folder or Path("runs") / loaded.id)
    told = False

    def stopping() -> None:
        nonlocal told
        told = True
        _say("stopping: matches in play have a moment to finish; once more to stop at once")

    try:
        with plan.open_ledger(place) as ledger:
            complete = _bring_to_its_end(replace(loaded, host=host), field, place, ledger, seed, stopping)
        _publish(place)
        if not complete:
            _say(
                "matches have no result, so the leaderboards are provisional: see "
                f"{place / 'logs' / 'errors.log'} and the table `attempts` in {place / FILE}"
            )
        interrupts.ignore()
    except KeyboardInterrupt as error:
        if told and not isinstance(error, interrupts.InterruptedRunError):
            raise  # once more
        return _interrupted("interrupted")
    except ClusterLostError as error:
        return _interrupted(str(error))
    return Exit.OK if complete else Exit.PROVISIONAL


def _interrupted(why: str) -> Exit:
    """Tell how to go on."""
    command = shlex.join(["croupier", *sys.argv[1:]])
    _say(f"{why}; what was finished is kept. To go on: {command}")
    interrupts.ignore()
    return Exit.INTERRUPTED


def _bring_to_its_end(
    tournament: config.Tournament,
    field: entrants.Field,
    place: Path,
    ledger: Ledger,
    seed: str | None,
    stopping: Callable[[], None],
) -> bool:
    """Play what the ledger lacks, and reveal the secret of a complete run; return whether every match has a result."""
    prepared = plan.prepare(tournament, field, place, ledger, seed=seed, warn=_warn)
    if field.house:
        names = ", ".join(bot.id for bot in field.house)
        _say(f"house bots fill up the tables: {names}")
    bound = ledger.commitment()
    assert bound is not None  # `prepare` made one, if nobody had
    _say(f"commitment {bound.sha256}")
    if ledger.revealed() is None:
        _say(fairness.promise(prepared.manifest, bound, revealed=False))
    if plan.complete(prepared, ledger):
        plan.clear_up(prepared.folder)  # of one that was killed when all was played
        _say("complete; nothing to play")
    elif not _play(prepared, ledger, stopping):
        return False
    plan.reveal(prepared, ledger)
    _say(fairness.promise(prepared.manifest, bound, revealed=True))
    if prepared.manifest.until == "separated":
        _tell_end(prepared.manifest, ledger)
    return True


def _play(prepared: plan.RunPlan, ledger: Ledger, stopping: Callable[[], None]) -> bool:
    """Play what the ledger lacks; return whether every match has a result."""
    with interrupts.held():
        from croupier.cli.progress import progress  # noqa: PLC0415  ray: seconds that a wrong file doesn't take
        from croupier.harness.run import play  # noqa: PLC0415  ray: as above
    with progress() as notify:
        return play(prepared, ledger, notify, stopping=stopping)


def _publish(place: Path) -> None:
    """Print and write the leaderboards."""
    with interrupts.held():
        from croupier.cli.show import publish_run  # noqa: PLC0415  pandas: a second that isn't spent before play
    publish_run(place)


def _tell_end(manifest: Manifest, ledger: Ledger) -> None:
    """Tell after which round a run ended that goes on until it is decided, and what is."""
    ended = course_of(terms_of(manifest), Schedule(manifest).matches_in, ledger.results())
    for game, verdict in zip(manifest.games, ended.verdicts(), strict=True):
        word = "decided" if verdict.decided(manifest.top) else "undecided"
        _say(f"{game.label}: {word} after {ended.rounds} rounds, with confidence {manifest.confidence}:")
        for line in verdict_lines(verdict):
            _say(f"  {line}")


def _say(text: str) -> None:
    click.echo(plain(text), err=True)


def _warn(text: str) -> None:
    _say(f"warning: {text}")
