"""``croupier verify``: referees every match again and makes the leaderboards anew; names the first difference."""

from __future__ import annotations

import os
from pathlib import Path

import click

from croupier.cli.exits import Exit
from croupier.cli.record_files import read_records
from croupier.cli.text import plain
from croupier.harness.errors import ConfigError
from croupier.harness.ledger import FILE, Ledger
from croupier.harness.ledger_rows import ResultRow
from croupier.referee.replay import ReplayError, replay

LEADERBOARD = "leaderboard.json"


@click.command()
@click.argument("target", type=click.Path(path_type=Path), metavar="RUN|FILE")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Matches at once.  [default: one per core]")
def verify(target: Path, workers: int | None) -> int:
    """Referee every match again, and make results and leaderboards anew.

    RUN is the folder of a run, FILE holds exported records (JSON or notation). The first difference is named: match,
    deal, decision, what was expected and what was found.
    """
    return _verify_run(target, workers) if target.is_dir() else _verify_file(target)


def _verify_file(path: Path) -> int:
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such run or file")
    try:
        found = read_records(path)
    except ConfigError as error:
        click.echo(f"isn't a record: {plain(str(error))}")
        return Exit.CHECK_FAILED
    for number, record in enumerate(found):
        try:
            replay(record)
        except ReplayError as error:
            return _differs(f"{path}: record {number} (match {record.match_id}): {error}")
    many = "s" if len(found) > 1 else ""
    click.echo(f"{len(found)} record{many} refereed again: the same decisions, points and faults")
    click.echo(
        "where the cards come from and who sat there can't be checked: that takes the run, with its manifest and secret"
    )
    return Exit.OK


def _verify_run(folder: Path, workers: int | None) -> int:
    from croupier.cli.progress import counting  # noqa: PLC0415  none of this is needed for a single record
    from croupier.cli.published import compare  # noqa: PLC0415
    from croupier.harness import dealing, fairness  # noqa: PLC0415
    from croupier.harness.course import rounds_due, wrong_end  # noqa: PLC0415
    from croupier.harness.plan import mark_of, workplace  # noqa: PLC0415
    from croupier.harness.run_verify import check_run  # noqa: PLC0415
    from croupier.harness.schedule import Schedule  # noqa: PLC0415
    from croupier.harness.tries import told  # noqa: PLC0415
    from croupier.harness.verify import first_difference, wrong_attempts  # noqa: PLC0415
    from croupier.leaderboards import build_from, leaderboard_json  # noqa: PLC0415

    with Ledger.read(folder / FILE) as ledger:
        manifest, secret, found = ledger.manifest(), ledger.revealed(), ledger.results()
        key = None if secret is None else dealing.key_of(manifest, secret)
        bound = ledger.commitment()
        wrong = fairness.difference(manifest, bound, secret)
        if ledger.manifest_hash() != manifest.sha256:
            wrong = f"manifest hash: expected {manifest.sha256}, found {ledger.manifest_hash()}"
        if wrong:
            return _differs(f"{folder}: {wrong}")
        attempts, schedule = ledger.attempts(), Schedule(manifest)
        if wrong := ledger.strays() or wrong_attempts(attempts, map(schedule.match_id, range(schedule.total()))):
            return _differs(f"{folder}: {wrong}")
        void = frozenset((attempt.match_id, attempt.attempt) for attempt in attempts)
        total = schedule.matches_in(rounds_due(schedule, lambda: found))
        results: list[ResultRow] = []
        ours = folder.resolve() / f"verify-{os.getpid()}"  # names our processes: a run may be going on beside us
        with workplace(ours) as place, counting("verifying", total) as notify:
            for checked in check_run(
                manifest,
                key,
                void,
                ledger.matches(),
                workers=workers,
                temporary=place / "ray",
                mark=mark_of(ours),
                notify=notify,
            ):
                if checked.difference:
                    match_id = schedule.match_id(checked.index)
                    return _differs(f"{folder}: match {checked.index} ({match_id}): {checked.difference}")
                results += checked.results
        difference = first_difference(results, found) or wrong_end(schedule, results, revealed=secret is not None)
        if difference:
            return _differs(f"{folder}: {difference}")
        boards = build_from(ledger)  # of the moment that was refereed
    compared = compare(folder / LEADERBOARD, leaderboard_json(boards), boards.facts.played, final=secret is not None)
    if compared.difference:
        return _differs(f"{folder}: {compared.difference}")
    played, same = boards.facts.played, "points and faults" if compared.stale else "points, faults and leaderboards"
    click.echo(f"{played:,} of {total:,} matches refereed again: the same decisions, {same}")
    assert bound is not None  # or it would have differed
    click.echo(f"commitment {bound.sha256}: {fairness.promise(manifest, bound, revealed=secret is not None)}")
    for holds, text in (
        (boards.void_tries, f"void tries: {boards.void_tries:,}"),
        (boards.facts.fresh, told(boards.facts.fresh, boards.facts.before)),
        (compared.stale, compared.stale),
        (played < total, f"provisional: {total - played:,} of them have no result"),
        (
            secret is None,
            "consistent, but the secret isn't revealed yet: that the cards follow from it can't be checked",
        ),
    ):
        if holds:
            click.echo(text)
    return Exit.OK if played == total and secret is not None else Exit.PROVISIONAL


def _differs(what: str) -> int:
    click.echo(f"differs: {plain(what)}")
    return Exit.CHECK_FAILED
