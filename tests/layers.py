"""Who may import whom: the table of docs/architecture.md, and the walk that holds the source to it.

A layer is a line of modules; a module may import those of the lines above its own, within its package, and what
its package may import of others. It reads source text and imports nothing.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

NAMESPACE = "croupier"
ROOTS = ("protocol", "referee", "harness", "leaderboards", "sample_bots")


class Package(NamedTuple):
    """A package of the table.

    Attributes:
        may: what of other packages it may import; names as patterns, without ``croupier.``.
        layers: its modules, lowest line first; ``.`` is the package itself. Empty: any module, in any order.
    """

    may: tuple[str, ...]
    layers: str


TABLE = {
    "games": Package(
        (),
        """
        cards rules
        values
        base
        cha_kau_tsu_tricks kowah_hands kowah_options doppelkopf.orders doppelkopf.announcements doppelkopf.compulsory
        cha_kau_tsu kowah doppelkopf.scoring doppelkopf.bidding doppelkopf.examples
        doppelkopf.parties
        doppelkopf.state
        doppelkopf.game
        doppelkopf
        .
        """,
    ),
    "v1": Package(
        (),
        """
        bot_pb2
        bot_pb2_grpc record_pb2
        """,
    ),
    "wire": Package(("games", "v1.bot_pb2"), "."),
    "bot": Package(
        ("wire", "games", "games.rules", "v1.bot_pb2"),
        """
        environment choices observations decision
        bots
        server
        .
        """,
    ),
    "sample_bots": Package(
        ("bot", "bot.*", "games", "games.*"),
        """
        .
        strategies.cha_kau_tsu strategies.doppelkopf.cards strategies.kowah
        strategies.doppelkopf.bidding
        strategies.doppelkopf.look
        strategies.doppelkopf.announcing strategies.doppelkopf.playing
        strategies.doppelkopf
        strategies
        first random sensible
        """,
    ),
    "referee": Package(
        ("games", "wire", "v1.bot_pb2", "v1.record_pb2"),
        """
        .
        boards clock peers watch watchdog
        fixtures verdicts
        batches
        calls
        seats records notation_words
        table notation
        replay
        views
        show
        __main__
        """,
    ),
    "harness": Package(
        ("referee.*", "games", "games.*"),
        """
        . atomic errors interrupts launch output stopping
        names secret sqlite
        tomlfile
        designs
        config folders
        samples
        entrants
        manifest supervise run_parcels
        schedule rollcall
        ledger_rows
        ledger dealing waiting fairness tries
        course
        plan verify release balance
        run_cluster run_done
        run_bots
        run_worker
        run_slots
        run_driver run_verify
        run
        """,
    ),
    "leaderboards": Package(
        (
            *("games", "referee.records", "referee.replay"),
            # The manifest is what the ledger hands out beside the results: a value, no machinery.
            *("harness.errors", "harness.ledger", "harness.ledger_rows", "harness.manifest", "harness.schedule"),
            *("harness.atomic", "harness.balance", "harness.course", "harness.fairness", "harness.release"),
            "harness.tries",
        ),
        """
        intervals
        ratings cuts stopping
        overall
        tables
        charts exports build archive
        site
        .
        """,
    ),
    "cli": Package(("*",), ""),
}

APART = (("cha_kau_tsu*", "kowah*", "doppelkopf*"),)
"""Modules of ``games`` that belong to one game each: games don't know each other."""

OUTSIDE = {
    "google": ("v1.*", "wire", "referee.records"),
    "grpc": ("v1.bot_pb2_grpc", "bot.server", "referee.calls"),
    "pydantic": ("harness.*",),
    "pydantic_core": ("harness.*",),
    "click": ("cli.*",),
    "rich": ("cli.*",),
    "ray": ("harness.run*",),
    "pandas": ("leaderboards.*",),
    "scipy": ("leaderboards.*",),
    "trueskill": ("leaderboards.*",),
    "zstandard": ("leaderboards.archive",),
    "jinja2": ("leaderboards.*",),
    "markupsafe": ("leaderboards.*",),
}
"""Who may import which foreign package; a module that isn't listed may import none."""

CLI = "cli"
"""The roof: it may import everything, and nobody imports it."""


class Import(NamedTuple):
    """An import statement: who, whom, and in which line of its file."""

    importer: str
    imported: str
    place: str


def modules(folder: Path) -> dict[str, Path]:
    """Return the files of all modules below the source roots, by name without ``croupier.``."""
    found = {}
    for root in ROOTS:
        top = folder / root / NAMESPACE
        for path in sorted(top.rglob("*.py")):
            parts = path.relative_to(top).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(folder: Path) -> Iterator[Import]:
    """Yield every import of every module, those inside functions too."""
    files = modules(folder)
    for module, path in files.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                place = f"{path.relative_to(folder)}:{node.lineno}"
                for name in _names(node, module, is_package=path.stem == "__init__"):
                    yield Import(module, _known(name, files), place)


def _names(node: ast.Import | ast.ImportFrom, module: str, *, is_package: bool) -> list[str]:
    """Return the full dotted names that a statement brings in."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    base = node.module or ""
    if node.level:
        above = [NAMESPACE, *module.split(".")]
        above = above[: len(above) - node.level + is_package]
        base = ".".join([*above, base] if base else above)
    return [f"{base}.{alias.name}" for alias in node.names]


def _known(name: str, files: dict[str, Path]) -> str:
    """Return the longest module that a dotted name begins with; of a foreign name its first part."""
    first, _, rest = name.partition(".")
    if first != NAMESPACE:
        return first
    while rest and rest not in files:
        rest = rest.rpartition(".")[0]
    return f"{NAMESPACE}.{rest}" if rest else name


def violations(folder: Path) -> list[str]:
    """Return what contradicts the table, each as a line for people."""
    found = [
        f"{name} is not in TABLE of tests/layers.py: write it into the line of {name.partition('.')[0]!r} that is "
        "below what it imports"
        for name in modules(folder)
        if _layer(name) is None
    ]
    for each in imports(folder):
        problem = _problem(each)
        if problem:
            found.append(f"{each.place}: {each.importer} imports {each.imported}: {problem}")
    return found


def _layer(module: str) -> int | None:
    """Return the number of a module's line, None if the table lacks it."""
    package, _, inner = module.partition(".")
    if package not in TABLE:
        return None
    if not TABLE[package].layers:
        return 0
    lines = TABLE[package].layers.split("\n") if "\n" in TABLE[package].layers else [TABLE[package].layers]
    return next((number for number, line in enumerate(lines) if (inner or ".") in line.split()), None)


def _problem(each: Import) -> str:
    """Return what is wrong with an import, or nothing."""
    first, _, imported = each.imported.partition(".")
    if first != NAMESPACE:
        allowed = first in sys.stdlib_module_names or _matches(each.importer, OUTSIDE.get(first, ()))
        return "" if allowed else f"OUTSIDE of tests/layers.py doesn't let it use {first}"
    if not imported or imported.partition(".")[0] not in TABLE:
        return "there is no such module"
    package, target = each.importer.partition(".")[0], imported.partition(".")[0]
    if package != target:
        if target == CLI:
            return f"nobody imports {CLI}"
        allowed = package in TABLE and _matches(imported, TABLE[package].may)
        return "" if allowed else f"{package} may import {', '.join(TABLE[package].may) or 'no other package'}"
    return _inner_problem(each.importer, imported)


def _inner_problem(importer: str, imported: str) -> str:
    """Return what is wrong with an import inside a package, or nothing."""
    package = importer.partition(".")[0]
    if not TABLE[package].layers:
        return ""
    own, other = _layer(importer), _layer(imported)
    if own is not None and other is not None and other >= own:
        return "it is not in a lower line of the table"
    for families in APART:
        one, two = (_family(name.partition(".")[2], families) for name in (importer, imported))
        if one and two and one != two:
            return "games don't know each other"
    return ""


def _family(name: str, families: tuple[str, ...]) -> str:
    return next((family for family in families if fnmatchcase(name, family)), "")


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
