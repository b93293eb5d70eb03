"""``croupier``: finds the command that is meant, runs it, and turns every error into its exit code, in one place.

Commands are imported when they are run, so that ``croupier --help`` and a contestant's commands load
neither Ray nor pandas, and work where those aren't installed.
"""

from __future__ import annotations

import errno
import importlib
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import click

from croupier.cli.exits import Exit
from croupier.harness import interrupts


class Place(NamedTuple):
    """Where a command is defined, and what it does in one line (so that ``--help`` needs no import)."""

    module: str
    function: str
    does: str


COMMANDS: dict[str, Place] = {
    "run": Place(
        "croupier.cli.run", "run", "Play the TOURNAMENT of a file, or go on with it: what was finished before is kept."
    ),
    "commit": Place(
        "croupier.cli.commit",
        "commit",
        "Draw the secret of a TOURNAMENT when entries open, and print what binds you to it.",
    ),
    "show": Place("croupier.cli.show", "show", "Print the leaderboards of a run, however far it has come."),
    "publish": Place("croupier.cli.show", "publish", "Write the leaderboards of a run as a static site."),
    "export": Place("croupier.cli.export", "export", "Write the matches of a run for other programs and for people."),
    "matches": Place("croupier.cli.matches", "matches", "List the finished matches of a run."),
    "replay": Place("croupier.cli.replay", "replay", "Show a match trick by trick or turn by turn."),
    "verify": Place(
        "croupier.cli.verify", "verify", "Referee every match again, and make results and leaderboards anew."
    ),
    "check": Place("croupier.cli.check", "check", "Try a bot: protocol, rules and time, point by point."),
    "play": Place("croupier.cli.play", "play", "Play a match here and now, without a tournament."),
    "games": Place("croupier.cli.games", "games", "List the games, or the options of one."),
}

EXTRAS: dict[str, str] = dict.fromkeys(
    ("jinja2", "numpy", "pandas", "ray", "scipy", "trueskill", "zstandard"), "tournament"
)
"""Packages that only some commands need, and the extra that brings them."""


class Commands(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of ``COMMANDS``."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        del ctx
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        command = getattr(importlib.import_module(place.module), place.function)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.does) for name, place in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; that nobody reads on is no error of its own."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # The interpreter flushes stdout once more at its end: let that go nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(Exit.NO_READER) from None


def _version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        from importlib.metadata import version  # noqa: PLC0415  40 ms that only --version needs

        click.echo(f"croupier {version('croupier')}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def cli() -> None:
    """Tournaments between programs that play card games."""


def execute(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; errors are printed on stderr."""
    # Whoever ends us politely gets the same clean-up as the person at the keyboard.
    signal.signal(signal.SIGTERM, _as_interrupt)
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # by every script that says `croupier ... &`
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code = cli.main(list(arguments), prog_name="croupier", standalone_mode=False)
    except click.Abort:
        click.echo("croupier: stopped", err=True)
        return Exit.STOPPED
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return Exit.USAGE
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.UsageError) else None
        remedy = f" (see `{context.command_path} --help`)" if context is not None else ""
        click.echo(f"croupier: {error.format_message().rstrip('.')}{remedy}", err=True)
        return Exit.USAGE
    except Exception as error:  # noqa: BLE001  the one place where any error becomes an exit code
        return _reported(error)
    return code if isinstance(code, int) else Exit.OK


def main() -> NoReturn:
    """Run the command line of this process."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us, as some daemons do
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123  until the end
    code = execute(sys.argv[1:])
    interrupts.ignore()
    try:
        sys.stdout.flush()
    except OSError as error:
        if code != Exit.STORAGE:  # told already
            code = _reported(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the interpreter flushes once more
    sys.exit(code)


def _as_interrupt(number: int, frame: FrameType | None) -> None:
    del number, frame
    signal.raise_signal(signal.SIGINT)


def _reported(error: Exception) -> Exit:
    """Print an error for whom it concerns: the user without, the developers with a traceback."""
    from croupier.games import RulesError  # noqa: PLC0415  only when something went wrong
    from croupier.harness.errors import (  # noqa: PLC0415
        ConfigError,
        LedgerInUseError,
        LedgerStorageError,
        MachineError,
    )

    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        click.echo("croupier: what is printed can't be written: no space is left there", err=True)
        return Exit.STORAGE
    extra = EXTRAS.get((error.name or "").partition(".")[0]) if isinstance(error, ModuleNotFoundError) else None
    if extra is not None:
        click.echo(
            f"croupier: this command needs more packages; in a clone of Croupier: pip install '.[{extra}]'", err=True
        )
        return Exit.USAGE
    for kind, code in (
        (ConfigError, Exit.USAGE),
        (RulesError, Exit.USAGE),
        (LedgerInUseError, Exit.LEDGER_IN_USE),
        (LedgerStorageError, Exit.STORAGE),
        (MachineError, Exit.STORAGE),
    ):
        if isinstance(error, kind):
            for line in str(error).splitlines():
                click.echo(f"croupier: {line}", err=True)
            return code
    traceback.print_exception(error)
    click.echo("croupier: internal error: this is a bug of Croupier; please report it with the lines above", err=True)
    return Exit.INTERNAL


if __name__ == "__main__":
    main()
