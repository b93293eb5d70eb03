"""Who enters: from a BOT as people write it (a folder, a sample, an address) to one frozen value.

Finds and checks, copies folders; starts nothing and asks nobody.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from croupier.games.rules import nearest
from croupier.harness import folders, samples
from croupier.harness.config import EntrantTable, Tournament, option_texts
from croupier.harness.designs import design_of
from croupier.harness.errors import ConfigError
from croupier.harness.names import HOUSE_IDS, check_options, id_from
from croupier.referee.boards import KEY_BYTES
from croupier.referee.clock import Limits

NO_NONCE = bytes(KEY_BYTES)
"""What stands for the nonce of an entrant that brought none."""

REMOTE_DIGEST = "remote"

MOST_ENTRANTS = 250
"""The shuffle of entrants draws single bytes (``boards.order``)."""

Pairs = tuple[tuple[str, str], ...]

_HOST_PORT = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s/:\[\]]+):(?P<port>[0-9]{1,5})")
_LOOPBACK = re.compile(r"localhost|127(\.[0-9]{1,3}){3}|\[::1\]")


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot's process is started.

    Attributes:
        cwd: its folder, or None for one that has none.
        env: what is added to its small environment.
    """

    command: tuple[str, ...]
    cwd: Path | None = None
    env: Pairs = ()


@dataclass(frozen=True, slots=True)
class Entrant:
    """A registered competitor.

    Attributes:
        digest: 64 hex digits over its files, or ``remote``.
        options: name and value pairs, sorted.
        nonce: 32 bytes, zeros where it brings none.
        launch: how it is started; None for one that is only an address.
        address: where it listens, if it isn't started.
        sample: whether it is one of Croupier's own sample bots.
        move_ms: the time for a decision that it asks to be held to, if that is less than the tournament's.
    """

    id: str
    name: str
    digest: str
    owner: str = ""
    version: str = ""
    options: Pairs = ()
    nonce: bytes = NO_NONCE
    launch: Launch | None = None
    address: str = ""
    sample: bool = False
    move_ms: int | None = None

    @property
    def remote(self) -> bool:
        """Whether somebody else starts it: it can't be restarted or digested."""
        return self.launch is None

    def limits(self, tournament: Limits) -> Limits:
        """Return the time it is held to: the tournament's, or less where it asks for less."""
        if self.move_ms is None:
            return tournament
        return replace(tournament, move_ms=min(tournament.move_ms, self.move_ms))


class Field(NamedTuple):
    """Who plays in a tournament: entrants sorted by id, and the house bots that fill up its largest table."""

    entrants: tuple[Entrant, ...]
    house: tuple[Entrant, ...]


def search_path() -> str:
    """Return the PATH that bots get: the folder of this Python first, so that `python3` finds the kit."""
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)))


def loopback(address: str) -> bool:
    """Return whether an address can't leave this machine."""
    parts = _HOST_PORT.fullmatch(address)
    return address.startswith("unix:") or (parts is not None and _LOOPBACK.fullmatch(parts["host"]) is not None)


def resolve(bot: str, base: Path, *, id: str | None = None, options: Mapping[str, str] | None = None) -> Entrant:  # noqa: A002 - the word for it everywhere
    """Return the entrant that a BOT names: a folder (relative to ``base``), an address, or a sample bot.

    Args:
        bot: ``folder``, ``host:port``, ``unix:/path``, ``sample:NAME`` or ``sample:NAME,option=value``; a bare
            ``NAME`` is a sample bot only where no such folder exists.
        base: folder of the file that names it.
        id: replaces its own.
        options: beside those in ``bot``.

    Raises:
        ConfigError: there is no such bot, or its ``bot.toml`` doesn't fit.
    """
    given = dict(options or {})
    if bot.startswith("unix:") or _HOST_PORT.fullmatch(bot):
        if given:
            raise ConfigError(f"{bot}: options can't reach a bot that isn't started here")
        return Entrant(id or id_from(bot), bot, REMOTE_DIGEST, address=_checked_address(bot))
    name, *settings = bot.removeprefix("sample:").split(",")
    folder = base / bot
    if not bot.startswith("sample:") and (_is_folder(folder) or name not in samples.names()):
        return _from_folder(folder, id, given)
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals:
            raise ConfigError(f"{bot}: after the name come `option=value`s, unlike {setting!r}")
        if given.setdefault(option, value) != value:
            raise ConfigError(f"{bot}: option {option!r} has two values")
    launch = Launch(samples.command(name))
    return Entrant(
        id or name,
        name,
        samples.sample_digest(name),
        options=_pairs(bot, given),
        launch=launch,
        sample=True,
    )


def field(tournament: Tournament) -> Field:
    """Return everybody who plays in a tournament.

    Raises:
        ConfigError: an entrant that can't be found or used, or two of one id; one line per problem.
    """
    file = tournament.path
    found: dict[str, Entrant] = {}
    problems: list[str] = []
    for line in (*tournament.lines, *_lines_of(tournament.entrants)):
        try:
            entrant = resolve(line.bot, file.parent, id=line.id, options=option_texts(line.options))
        except ConfigError as error:
            problems += [f"{file}: [[entrant]] {problem}" for problem in str(error).splitlines()]
            continue
        if entrant.id in found:
            problems.append(
                f"{file}: two entrants have the id {entrant.id!r}; give one an [[entrant]] with another `id`"
            )
        if entrant.move_ms is not None and entrant.move_ms > tournament.limits.move_ms:
            most = tournament.limits.move_ms
            problems.append(f"{line.bot}: [limits] move_ms = {entrant.move_ms} is more than the tournament's {most}")
        found[entrant.id] = entrant
    if not found and not problems:
        problems.append(f"{file}: nobody enters; {tournament.entrants} has no folder with a {folders.MANIFEST}")
    if len(found) > MOST_ENTRANTS:
        problems.append(f"{file}: {len(found)} entrants; at most {MOST_ENTRANTS} can enter")
    seeds = tournament.schedule.seeds
    problems += [
        f"{file}: [schedule] seeds: nobody enters with the id {id_!r}{nearest(id_, list(found))}"
        for id_ in seeds
        if id_ not in found
    ]
    if found and len(seeds) == len(found):
        problems.append(f"{file}: [schedule] seeds: all entrants are seeds, and seeds don't meet; leave some out")
    if problems:
        raise ConfigError("\n".join(problems))
    most = tournament.schedule.max_tables
    designs = [design_of(len(found), len(seeds), contest.seats, most) for contest in tournament.contests]
    missing = max(design.places for design in designs) - len(found)
    house = resolve(f"sample:{samples.HOUSE_BOT}", file.parent) if missing else None
    return Field(
        tuple(sorted(found.values(), key=lambda entrant: entrant.id.encode())),
        tuple(replace(house, id=id_, name=id_) for id_ in HOUSE_IDS[:missing]) if house else (),
    )


def take_copy(entrant: Entrant, run_dir: Path) -> Entrant:
    """Return the entrant as it runs from a read-only copy of its folder in ``RUN/entrants/<id>``.

    Sample bots and addresses have no folder and come back as they are.

    Raises:
        ConfigError: the folder has changed since it was digested, or the copy can't be written.
    """
    if entrant.launch is None or entrant.launch.cwd is None:
        return entrant
    target = run_dir.resolve() / "entrants" / entrant.id
    folders.copy(entrant.launch.cwd, target, entrant.digest)
    return replace(entrant, launch=replace(entrant.launch, cwd=target))


def _from_folder(folder: Path, id_: str | None, options: Mapping[str, str]) -> Entrant:
    """Return the entrant whose ``bot.toml`` is in a folder."""
    if os.path.isfile(folder):  # noqa: PTH113  as in `_is_folder`
        raise ConfigError(f"{folder}: is a file; name the folder with its {folders.MANIFEST}")
    if not _is_folder(folder):
        known = ", ".join(f"sample:{name}" for name in samples.names())
        raise ConfigError(f"{folder}: no such folder, and no bot of that name; there are {known}")
    if not (folder / folders.MANIFEST).exists() and any(folder.glob(f"*/{folders.MANIFEST}")):
        raise ConfigError(
            f"{folder}: has no {folders.MANIFEST} but folders that have one: name one of them, "
            f'or in a tournament file, for all of them, entrants = "{folder.name}"'
        )
    table = folders.read_manifest(folder)
    if table.run.address is not None:
        if options:
            raise ConfigError(f"{folder}: options can't reach a bot that isn't started here")
        launch, digest, address = None, REMOTE_DIGEST, _checked_address(table.run.address)
    else:
        assert table.run.command is not None  # one of both is there: RunTable
        launch = Launch(tuple(table.run.command), folder.resolve(), tuple(sorted(table.run.env.items())))
        digest, address = folders.digest(folders.files(folder)), ""
        _check_command(folder, launch)
    return Entrant(
        id=id_ or table.id,
        name=table.name or id_ or table.id,
        digest=digest,
        owner=table.owner,
        version=table.version,
        options=_pairs(str(folder), options),
        nonce=bytes.fromhex(table.nonce) or NO_NONCE,
        launch=launch,
        address=address,
        move_ms=table.limits.move_ms,
    )


def _lines_of(folder: Path | None) -> list[EntrantTable]:
    """Return an entrant line for each folder with a ``bot.toml`` in the folder of entrants, by name."""
    if folder is None:
        return []
    if not folder.is_dir():
        raise ConfigError(f"{folder}: there is no such folder (`entrants`)")
    return [EntrantTable(bot=str(path.parent.resolve())) for path in sorted(folder.glob(f"*/{folders.MANIFEST}"))]


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112  Path.is_dir raises where a name is too long to be one


def _check_command(folder: Path, launch: Launch) -> None:
    """Refuse a command whose program isn't there, before anything is played."""
    program = launch.command[0]
    path = dict(launch.env).get("PATH", search_path())
    there = shutil.which(str(folder.resolve() / program)) if "/" in program else shutil.which(program, path=path)
    if there is None:
        where = f"in {folder}" if "/" in program else "on the PATH"
        raise ConfigError(f"{folder / folders.MANIFEST}: [run] command: no program {program!r} {where}")


def _checked_address(address: str) -> str:
    """Return an address that may be talked to in the clear."""
    parts = _HOST_PORT.fullmatch(address)
    if parts and not 1 <= int(parts["port"]) <= 65535:
        raise ConfigError(f"{address}: a port is a number from 1 to 65535")
    if not parts and not address.startswith("unix:/"):
        raise ConfigError(f"{address}: an address is host:port or unix:/path")
    if not loopback(address):
        raise ConfigError(f"{address}: only addresses of this machine can be used (make a tunnel: ssh -L)")
    return address


def _pairs(bot: str, options: Mapping[str, str]) -> Pairs:
    """Return checked options, sorted."""
    try:
        return tuple(sorted(check_options(dict(options)).items()))
    except ValueError as error:
        raise ConfigError(f"{bot}: {error}") from None
