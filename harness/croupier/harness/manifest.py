"""The manifest of a run: all that can change a result, as one value with one hash.

Where and how fast it is played is not in it; nor are paths. Two runs of equal manifest and secret give
the same boards, ids and seats.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field as Where
from pydantic import TypeAdapter, ValidationError

from croupier.games import Rules, RulesError, game_named
from croupier.harness.config import Tournament
from croupier.harness.designs import Design, design_of
from croupier.harness.entrants import Entrant, Field
from croupier.referee.clock import Limits

PROTOCOL = 1
"""The version of ``croupier.v1`` (``croupier.wire``, which the harness doesn't import; a test compares them)."""

SCHEDULE = (
    *("rounds", "max_tables", "duplicate", "seeds", "same_owner"),
    *("until", "top", "confidence", "max_rounds"),
)
"""The fields of a manifest that stand in its table ``schedule``."""

NOT_READ = "not a manifest that this version of Croupier reads"

Pairs = tuple[tuple[str, str], ...]
Count = Annotated[int, Where(ge=1)]


@dataclass(frozen=True, slots=True)
class ManifestGame:
    """A leaderboard: what is played in it.

    Attributes:
        rules: every option as name and value text, sorted.
        rules_version: the version of the game's code.
    """

    label: str
    name: str
    seats: Count
    deals: Count
    rules: Pairs
    rules_version: int

    def checked_rules(self) -> Rules:
        """Return the rules as the game takes them.

        Raises:
            RulesError: this program's game has other options.
        """
        return game_named(self.name).rules(dict(self.rules))


@dataclass(frozen=True, slots=True)
class ManifestEntrant:
    """An entrant, without what only concerns how it is started.

    Attributes:
        nonce: 64 hex digits.
        remote: whether somebody else starts it.
        move_ms: the time for a decision that it asks to be held to, if that is less than the tournament's.
    """

    id: str
    name: str
    owner: str
    digest: str
    options: Pairs
    nonce: Annotated[str, Where(pattern="^[0-9a-f]{64}$")]
    remote: bool
    move_ms: Count | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a run plays.

    Attributes:
        seed: the text of a reproducible run, None for a fair one.
        beacon: a public value fixed before it was known, or "".
        duplicate: whether the rotations of a table play the same boards.
        sandbox: as resolved at the start.
        games: leaderboards in file order.
        entrants: sorted by the bytes of their ids.
        house: the bots that fill up tables, likewise.
        protocol: version of the wire.
        seeds: ids of those who play all others; none in a round robin.
        same_owner: "allow" or "apart": whether bots of one owner meet.
        until: "rounds" or "separated"; only then ``top``, ``confidence`` and ``max_rounds`` matter.
    """

    id: str
    name: str
    seed: str | None
    beacon: str
    rounds: Count
    max_tables: Count
    duplicate: bool
    sandbox: str
    games: Annotated[tuple[ManifestGame, ...], Where(min_length=1)]
    time: Limits
    entrants: Annotated[tuple[ManifestEntrant, ...], Where(min_length=1)]
    house: tuple[ManifestEntrant, ...]
    protocol: int = PROTOCOL
    seeds: tuple[str, ...] = ()
    same_owner: Literal["allow", "apart"] = "allow"
    until: Literal["rounds", "separated"] = "rounds"
    top: Count = 1
    confidence: Annotated[float, Where(gt=0, lt=1)] = 0.95
    max_rounds: Count = 50

    def to_json(self) -> str:
        """Return the canonical JSON: sorted keys, no blanks, not escaped."""
        return json.dumps(_tree(self), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    @property
    def digest(self) -> bytes:
        """The manifest hash: SHA-256 of the canonical JSON in UTF-8, 32 bytes."""
        return hashlib.sha256(self.to_json().encode()).digest()

    @property
    def sha256(self) -> str:
        """The manifest hash as 64 hex digits."""
        return self.digest.hex()

    @property
    def nonces(self) -> dict[str, bytes]:
        """What each entrant adds to the secret, by id (``boards.entropy``); house bots add nothing."""
        return {entrant.id: bytes.fromhex(entrant.nonce) for entrant in self.entrants}

    @property
    def remote(self) -> frozenset[str]:
        """The ids of those that somebody else starts: they can't be started anew, so they may remember."""
        return frozenset(entrant.id for entrant in self.entrants if entrant.remote)

    @property
    def most_rounds(self) -> int:
        """The number of rounds, at most."""
        return self.max_rounds if self.until == "separated" else self.rounds

    def design(self, game: ManifestGame) -> Design:
        """Return who sits with whom in a leaderboard, as places; in a gauntlet the seeds have the first ones."""
        return design_of(len(self.entrants), len(self.seeds), game.seats, self.max_tables)

    def field(self, game: ManifestGame) -> tuple[str, ...]:
        """Return the ids of who plays a leaderboard, sorted: the entrants, and house bots as the design needs them."""
        missing = self.design(game).places - len(self.entrants)
        return tuple(sorted((one.id for one in self.entrants + self.house[:missing]), key=str.encode))


def build(tournament: Tournament, field: Field, *, seed: str | None = None) -> Manifest:
    """Return the manifest of a tournament, with what is decided at the start decided.

    ``duplicate = "auto"`` means duplicates where no bot can remember the cards of an earlier rotation: so far,
    where all are sample bots.
    """
    everybody = field.entrants + field.house
    asked = tournament.schedule.duplicate
    return Manifest(
        id=tournament.id,
        name=tournament.name,
        seed=seed,
        beacon=tournament.beacon,
        rounds=tournament.schedule.rounds,
        max_tables=tournament.schedule.max_tables,
        duplicate=all(entrant.sample for entrant in everybody) if asked == "auto" else asked,
        sandbox="none",
        games=tuple(
            ManifestGame(
                contest.label,
                contest.game,
                contest.seats,
                contest.deals,
                tuple(sorted(contest.rules.texts())),
                game_named(contest.game).version,
            )
            for contest in tournament.contests
        ),
        time=tournament.limits,
        entrants=tuple(map(_listed, field.entrants)),
        house=tuple(map(_listed, field.house)),
        seeds=tuple(sorted(tournament.schedule.seeds, key=str.encode)),
        same_owner=tournament.schedule.same_owner,
        until=tournament.schedule.until,
        top=tournament.schedule.top,
        confidence=tournament.schedule.confidence,
        max_rounds=tournament.schedule.max_rounds,
    )


def from_json(text: str) -> Manifest:
    """Return the manifest that ``to_json`` wrote.

    Raises:
        ValueError: it is none, or of another version of this program.
    """
    try:
        tree = json.loads(text)
        tree |= tree.pop("schedule")
        for game in tree["games"]:
            game["rules"] = list(game["rules"].items())
        for one in (*tree["entrants"], *tree["house"]):
            one["options"] = list(one["options"].items())
        manifest = _reader().validate_json(json.dumps(tree), strict=True)
        for each in manifest.games:
            game_named(each.name).check(each.checked_rules(), each.seats, each.deals)
        written = manifest.to_json()
    except (KeyError, TypeError, AttributeError, RecursionError, RulesError, ValidationError) as error:
        raise ValueError(f"{NOT_READ}: {_reason(error)}") from error
    if written != text:
        raise ValueError(f"{NOT_READ}: it isn't in its one form")
    return manifest


@cache
def _reader() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


def _reason(error: Exception) -> str:
    """Return what is wrong with a manifest, and in which key as far as that is known."""
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors()[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def differing(old: Manifest, new: Manifest) -> list[str]:
    """Return the dotted keys in which two manifests differ, sorted: ``entrants.alice.digest``, ``time.move_ms``."""
    return sorted(_differing("", _tree(old), _tree(new)))


def _listed(entrant: Entrant) -> ManifestEntrant:
    return ManifestEntrant(
        entrant.id,
        entrant.name,
        entrant.owner,
        entrant.digest,
        entrant.options,
        entrant.nonce.hex(),
        entrant.remote,
        entrant.move_ms,
    )


def _tree(manifest: Manifest) -> dict[str, Any]:
    """Return the manifest as the JSON tree it is written as."""
    tree = asdict(manifest)
    tree["schedule"] = {key: tree.pop(key) for key in SCHEDULE}
    for game in tree["games"]:
        game["rules"] = dict(game["rules"])
    for one in (*tree["entrants"], *tree["house"]):
        one["options"] = dict(one["options"])
    return tree


def _differing(path: str, old: Any, new: Any) -> Iterator[str]:
    """Yield where two JSON trees differ; members of a list go by label, id or number."""
    if isinstance(old, tuple | list) and isinstance(new, tuple | list):
        old, new = ({_name(each, place): each for place, each in enumerate(each_list)} for each_list in (old, new))
        if old.keys() == new.keys() and list(old) != list(new):
            yield path  # the order, which decides over table and board numbers
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in old.keys() | new.keys():
            inner = f"{path}.{key}" if path else key
            if key in old and key in new:
                yield from _differing(inner, old[key], new[key])
            else:
                yield inner
    elif old != new:
        yield path


def _name(member: object, place: int) -> str:
    """Return by what a member of a list is known to people."""
    if isinstance(member, Mapping):
        return str(member.get("label") or member.get("id") or place)
    return str(place)
