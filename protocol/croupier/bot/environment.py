"""What a bot is told at its start: its address, and the options of its entrant.

It reads environment variables and the command line; it opens nothing.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection
from typing import TypeVar

from croupier.games.rules import nearest

Value = TypeVar("Value", bool, int, float, str)

PREFIX = "CROUPIER_OPTION_"
"""Begins the environment variables that hold an entrant's options."""

ANYWHERE = "127.0.0.1:0"
"""Bound when nothing else is asked for: this machine, a free port."""


def option(name: str, default: Value) -> Value:
    """Return an option of this entrant (``CROUPIER_OPTION_<NAME>``), read as the type of its default.

    Raises:
        SystemExit: the text is none of that type; the message says so on stderr, as for a wrong command line.
    """
    variable = PREFIX + name.upper()
    text = os.environ.get(variable)
    if text is None:
        return default
    read: Callable[[str], Value] = _truth if isinstance(default, bool) else type(default)
    try:
        return read(text)
    except ValueError:
        kind = {bool: "true or false", int: "a whole number", float: "a number"}[type(default)]
        raise SystemExit(f"option {name!r} takes {kind}, not {text!r} (from {variable})") from None


def refuse_unknown_options(known: Collection[str]) -> None:
    """Find that the entrant was given an option that its bot doesn't have: it would play without it, unnoticed.

    Raises:
        SystemExit: there is one; the message says so on stderr, with the nearest name that the bot knows.
    """
    given = sorted(name.removeprefix(PREFIX).lower() for name in os.environ if name.startswith(PREFIX))
    for name in given:
        if name not in known:
            options = f"its options are {', '.join(known)}" if known else "it has none"
            raise SystemExit(f"no option {name!r}{nearest(name, list(known)) or f'; {options}'}")


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


def address_asked_for() -> str:
    """Return the address to bind: ``--address``, else ``CROUPIER_ADDRESS``, else ``ANYWHERE``.

    Raises:
        SystemExit: the command line holds anything else.
    """
    parser = argparse.ArgumentParser(description="A card-playing bot: a gRPC server of croupier.v1.")
    parser.add_argument(
        "--address",
        default=os.environ.get("CROUPIER_ADDRESS") or ANYWHERE,
        help="unix:/path or host:port, port 0 = any free one (default: CROUPIER_ADDRESS, else %(default)s)",
    )
    address: str = parser.parse_args().address
    return address
