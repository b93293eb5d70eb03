"""From a tournament file and a run folder to a run that can be played or resumed.

Everything is checked here before anything is played: file, entrants, folder, settings, secret, schedule.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import platform
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from math import ceil
from pathlib import Path

from croupier.harness import config, dealing, entrants, fairness, manifest, rollcall, secret
from croupier.harness.config import HostTable
from croupier.harness.course import rounds_due
from croupier.harness.entrants import Entrant
from croupier.harness.errors import ConfigError, DamagedLedgerError, LedgerStorageError
from croupier.harness.interrupts import held
from croupier.harness.ledger import FILE, Commitment, Ledger
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.harness.stopping import FEWEST
from croupier.harness.supervise import sweep
from croupier.referee import boards

MOST_MATCHES = 100_000_000
"""Of a run: the driver keeps a byte for each."""

CLEAR_PAUSES_S = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6)
"""After each try to clear up: a process between fork and exec can't be known as the run's, and may still write."""

LONGEST_BASE = 16
"""Bytes in the path of the folder for temporary ones: Ray adds 90 for its sockets, and the kernel allows 107."""


@dataclass(frozen=True, slots=True)
class RunPlan:
    """All that a run needs.

    Attributes:
        folder: ``RUN``, absolute.
        secret, key: the tournament's; they never leave the driver.
        entrants: by id, house bots included, as they are started.
        host: how it is played; changes no result.
    """

    folder: Path
    manifest: Manifest
    secret: bytes = field(repr=False)
    key: bytes = field(repr=False)
    entrants: dict[str, Entrant]
    host: HostTable

    @property
    def errors(self) -> Path:
        """The tracebacks of our own errors in workers, and what is known of lost ones."""
        return self.folder / "logs" / "errors.log"

    @property
    def mark(self) -> str:
        """What marks the processes and folders of this run on its machine."""
        return mark_of(self.folder)

    @property
    def temporary(self) -> Path:
        """The folder of this run's sockets and of its Ray; the path is short, as sockets demand."""
        return temporary_of(self.folder)


def mark_of(folder: Path) -> str:
    """Return what marks the processes of a run: 12 hex digits that follow from its absolute folder and its machine.

    On a cluster the runs of two machines may have the same folder; each sweeps only what is its own.
    """
    return sha256(f"{platform.node()}\0{folder}".encode()).hexdigest()[:12]


def temporary_of(folder: Path) -> Path:
    """Return the temporary folder of a run; in ``/tmp`` where ``TMPDIR`` is too long for sockets."""
    base = tempfile.gettempdir()
    return Path(base if len(os.fsencode(base)) <= LONGEST_BASE else "/tmp") / f"croupier-{mark_of(folder)}"


@contextlib.contextmanager
def workplace(folder: Path) -> Iterator[Path]:
    """Make the temporary folder of a run; at the end it is gone, and so is every process of the run.

    What a killed run left behind is ended and removed first.

    Raises:
        LedgerStorageError: it can't be made.
    """
    place = temporary_of(folder)
    clear_up(folder)
    try:
        place.mkdir(mode=0o700)
    except OSError as error:
        raise LedgerStorageError(f"{place}: can't be made: {error.strerror}; set TMPDIR to another folder") from error
    try:
        yield place
    finally:
        with held():
            clear_up(folder)


def clear_up(folder: Path) -> None:
    """End the processes of a run and remove its temporary folder, in which those that end may still be writing."""
    place = temporary_of(folder)
    for pause_s in CLEAR_PAUSES_S:
        sweep(mark_of(folder))
        shutil.rmtree(place, ignore_errors=True)
        time.sleep(pause_s)
        if not place.exists():
            return


def make_folder(folder: Path) -> Path:
    """Make ``RUN`` for its owner only, and return it as an absolute path.

    Raises:
        ConfigError: the folder is there and holds something else than a run.
        LedgerStorageError: it can't be made or written.
    """
    try:
        if (
            folder.is_dir()
            and any(folder.iterdir())
            and not any((folder / name).exists() for name in (FILE, secret.FILE))
        ):
            raise ConfigError(f"{folder}: holds other files and no run; choose another folder with --dir")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
        (folder / "logs").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise LedgerStorageError(
            f"{folder}: the run's folder can't be made or written: {error.strerror}; choose another with --dir"
        ) from error
    return folder.resolve()


def load(path: Path) -> tuple[config.Tournament, entrants.Field]:
    """Return the tournament of a file and who plays in it.

    Raises:
        ConfigError: one line per problem.
    """
    tournament = config.load(path)
    return tournament, entrants.field(tournament)


def prepare(
    tournament: config.Tournament,
    field: entrants.Field,
    folder: Path,
    ledger: Ledger,
    *,
    seed: str | None,
    warn: Callable[[str], None],
) -> RunPlan:
    """Begin a run in a folder, or find that it goes on there, and return its plan.

    Args:
        tournament: as loaded.
        field: who plays.
        folder: from ``make_folder``.
        ledger: of that folder, open for writing.
        seed: the text given with ``--seed``; a resumed run keeps its own.
        warn: takes one line for people.

    Raises:
        ConfigError: the folder holds another run, or something can't be played; nothing was played.
        LedgerStorageError: the folder can't be written.
    """
    begun = ledger.begun()
    if begun:
        kept = ledger.manifest().seed
        if seed is not None and seed != kept:
            was = f"with --seed {kept!r}" if kept is not None else "without a seed"
            raise ConfigError(f"{folder}: this run was begun {was}; leave --seed out, or choose another --dir")
        seed = kept
    fairness.check_id(ledger.commitment(), tournament.id)
    if ledger.revealed() is not None and ledger.commitment() is None:
        raise DamagedLedgerError(ledger.path, "commitment: there is none")
    wanted = manifest.build(tournament, field, seed=seed)
    if (matches := Schedule(wanted).total()) > MOST_MATCHES:
        raise ConfigError(
            f"{tournament.path}: {matches:,} matches, more than {MOST_MATCHES:,}; lower `rounds` or `max_tables`"
        )
    if begun:
        ledger.create(wanted)  # which refuses another manifest
    for line in _never_judged(wanted):
        warn(line)
    everybody = {entrant.id: entrants.take_copy(entrant, folder) for entrant in (*field.entrants, *field.house)}
    if not begun:
        with workplace(folder) as place:
            calling = rollcall.call(wanted, everybody.values(), run=mark_of(folder), place=place, logs=folder / "logs")
            for warning in asyncio.run(calling):
                warn(warning)
    kept_secret = ledger.revealed() or commit(wanted.id, folder, ledger, seed=seed, made_by="run")
    ledger.create(wanted)
    key = dealing.key_of(wanted, kept_secret)
    return RunPlan(folder, wanted, kept_secret, key, everybody, tournament.host)


def _never_judged(manifest: Manifest) -> Iterator[str]:
    """Yield which leaderboards a run can't decide, because its most rounds are too few for any bounds."""
    for game in manifest.games if manifest.until == "separated" else ():
        design = manifest.design(game)
        a_round = design.count() * game.seats / design.places
        if a_round * manifest.max_rounds < FEWEST:
            yield (
                f"{game.label}: nothing is decided before {FEWEST} encounters of everybody, and max_rounds = "
                f"{manifest.max_rounds} gives {a_round * manifest.max_rounds:.0f}; it takes {ceil(FEWEST / a_round)}"
            )


def commit(tournament: str, folder: Path, ledger: Ledger, *, seed: str | None, made_by: str) -> bytes:
    """Bind a run to its secret, and return the secret; what binds it already stays.

    The secret is on the disk before its commitment is, so that none is ever shown that can't be kept.

    Args:
        tournament: its id, which the commitment binds too.
        folder: from ``make_folder``.
        ledger: of that folder, open for writing.
        seed: the text of a reproducible run.
        made_by: ``commit`` or ``run``.

    Raises:
        ConfigError: the secret is lost or another one, or the commitment is for another tournament.
        LedgerStorageError: the folder can't be written.
    """
    bound = ledger.commitment()
    fairness.check_id(bound, tournament)
    if bound is not None and seed is not None and not ledger.begun() and bound.made_by == "commit":
        raise ConfigError(
            f"{folder}: is committed to a secret drawn at random; leave --seed out, or choose another --dir"
        )
    kept = secret.keep(folder, seed=seed, begun=ledger.begun() or bound is not None)
    fitting = Commitment(boards.commitment(tournament, kept).hex(), tournament, made_by)
    if bound is not None and bound.sha256 != fitting.sha256:
        raise ConfigError(
            f"{folder / secret.FILE}: this is not the secret that was committed to: it or the commitment in {FILE} was "
            "changed; put the right file back"
        )
    ledger.commit(fitting)
    return kept


def complete(plan: RunPlan, ledger: Ledger) -> bool:
    """Return whether every match has a result, of as many rounds as the results say that there are.

    Raises:
        LedgerStorageError: it has results of no match of the schedule, or lacks some though its secret is revealed:
            they would be played with cards that everybody knows.
    """
    schedule = Schedule(plan.manifest)
    due, done = schedule.matches_in(rounds_due(schedule, ledger.results)), ledger.done()
    if done and not 0 <= min(done) <= max(done) < schedule.total():
        wrong = min(done) if min(done) < 0 else max(done)
        raise DamagedLedgerError(ledger.path, f"the schedule has no match {wrong}")
    lacking = due - sum(index < due for index in done)
    if lacking and ledger.revealed() is not None:
        raise DamagedLedgerError(
            ledger.path, f"its secret is revealed, but {lacking:,} of its {due:,} matches have no result"
        )
    return not lacking


def reveal(plan: RunPlan, ledger: Ledger) -> None:
    """Make the secret of a complete run public: into the ledger first, and only then out of its file.

    Raises:
        LedgerStorageError: the one or the other can't be written.
    """
    ledger.reveal(plan.secret)
    secret.forget(plan.folder)


def open_ledger(folder: Path) -> Ledger:
    """Open the ledger of a run for writing.

    Raises:
        LedgerInUseError: another process writes it.
        LedgerStorageError: it can't be written, or is damaged.
    """
    return Ledger.open(folder / FILE)
