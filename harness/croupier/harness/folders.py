"""An entrant's folder: its ``bot.toml``, its digest, and the read-only copy it runs from.

The digest is what an entrant *is*: a changed byte is another entrant. Starts nothing.
"""

from __future__ import annotations

import fnmatch
import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import field_validator, model_validator

from croupier.harness.errors import ConfigError
from croupier.harness.names import VARIABLE, check_id, check_name
from croupier.harness.tomlfile import Table, key, read
from croupier.referee.boards import KEY_BYTES, prefixed

MANIFEST = "bot.toml"
IGNORE_FILE = ".croupierignore"

LEFT_OUT = (".git", "__pycache__", ".venv", "node_modules")
"""What never enters a digest or a copy, at any depth."""

LINKED = (".venv", "node_modules")
"""Installed dependencies at the top of a folder: too big and too local to copy, so the copy links to them."""


class RunTable(Table):
    """``[run]``: how the bot is reached."""

    command: list[str] | None = key("a list of texts: the program and its arguments", None, min_length=1)
    address: str | None = key('"host:port" or "unix:/path"', None)
    env: dict[str, str] = key("a table of texts: more environment variables", {})

    @field_validator("env")
    @classmethod
    def _env(cls, env: dict[str, str]) -> dict[str, str]:
        for name, value in env.items():
            if not VARIABLE.fullmatch(name) or name.startswith("CROUPIER_"):
                raise ValueError(f"{name!r} can't be set: a variable is a name that doesn't begin with CROUPIER_")
            if "\0" in value:
                raise ValueError(f"{name!r} holds a null character")
        return env

    @field_validator("command")
    @classmethod
    def _command(cls, command: list[str] | None) -> list[str] | None:
        if command is not None and (not command[0] or any("\0" in word for word in command)):
            raise ValueError("the program's name is missing, or an argument holds a null character")
        return command

    @model_validator(mode="after")
    def _one_way(self) -> RunTable:
        if (self.command is None) == (self.address is None):
            raise ValueError("takes either `command` (a program to start) or `address` (a bot that runs elsewhere)")
        return self


class LimitsTable(Table):
    """``[limits]``: what the bot asks to be held to."""

    move_ms: int | None = key("milliseconds for a decision, from 1, at most the tournament's", None, ge=1)


class BotTable(Table):
    """``bot.toml`` as written."""

    format: Literal[1] = key("1, the version of this format", alias="schema")
    id: str = key("the id of the bot")
    name: str = key("the bot's name for people", "")
    version: str = key("the bot's version, a text", "")
    owner: str = key("who entered it, a text", "")
    nonce: str = key(f"{2 * KEY_BYTES} hex digits, or nothing", "")
    run: RunTable = key("a table with `command` or `address`")
    limits: LimitsTable = key("a table", LimitsTable())

    @field_validator("id")
    @classmethod
    def _id(cls, text: str) -> str:
        return check_id(text)

    @field_validator("name", "owner", "version")
    @classmethod
    def _name(cls, text: str) -> str:
        return check_name(text) if text else text

    @field_validator("nonce")
    @classmethod
    def _nonce(cls, text: str) -> str:
        if text and (len(text) != 2 * KEY_BYTES or set(text.lower()) - set("0123456789abcdef")):
            raise ValueError(f"takes {2 * KEY_BYTES} hex digits (`openssl rand -hex {KEY_BYTES}` makes some)")
        return text.lower()


class File(NamedTuple):
    """A file of an entrant; ``path`` is relative to its folder, with ``/``."""

    path: str
    source: Path
    executable: bool


def read_manifest(folder: Path) -> BotTable:
    """Return what a folder's ``bot.toml`` says.

    Raises:
        ConfigError: it is missing or doesn't fit.
    """
    return read(BotTable, folder / MANIFEST)


def files(folder: Path) -> list[File]:
    """Return the files that make up an entrant, by the bytes of their paths.

    Raises:
        ConfigError: a link among them, which would bring in what isn't in the folder; or one that can't be read.
    """
    ignored = _ignored(folder)
    return sorted(_walk(folder, "", ignored), key=lambda file: os.fsencode(file.path))


def digest(found: list[File]) -> str:
    """Return the SHA-256 over paths, executable bits and contents, 64 hex digits.

    Raises:
        ConfigError: a file can't be read.
    """
    whole = hashlib.sha256(prefixed("croupier/digest/1"))
    for file in found:
        try:
            content = hashlib.sha256(file.source.read_bytes()).digest()
        except OSError as error:
            raise ConfigError(f"{file.source}: can't be read: {error.strerror}") from None
        whole.update(prefixed(os.fsencode(file.path), int(file.executable), content))
    return whole.hexdigest()


def copy(folder: Path, target: Path, expected: str) -> None:
    """Make ``target`` a read-only copy of a folder whose digest is ``expected``; keep one that is there and right.

    Raises:
        ConfigError: the folder has changed, or the copy can't be written.
    """
    if target.is_dir() and digest(files(target)) == expected:
        return
    unfinished = target.with_name(target.name + ".new")
    try:
        for old in (unfinished, target):
            remove(old)
        unfinished.mkdir(parents=True, mode=0o700)
        for file in files(folder):
            place = unfinished / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.source, place)
            place.chmod(0o555 if file.executable else 0o444)
        for name in LINKED:
            if (folder / name).is_dir():
                (unfinished / name).symlink_to((folder / name).resolve())
        if digest(files(unfinished)) != expected:
            raise ConfigError(f"{folder}: changed while it was copied; start again")
        unfinished.rename(target)
        for path, _, _ in os.walk(target):
            Path(path).chmod(0o555)
    except OSError as error:
        raise ConfigError(f"{target}: can't be written: {error.strerror}") from None


def remove(target: Path) -> None:
    """Delete a copy, if there is one; its folders are read-only."""
    if target.is_dir():
        for path, _, _ in os.walk(target):
            Path(path).chmod(0o700)
        shutil.rmtree(target)


def _walk(folder: Path, prefix: str, ignored: list[str]) -> Iterator[File]:
    """Yield the files below a folder that aren't left out."""
    try:
        entries = list(os.scandir(folder))
    except OSError as error:
        raise ConfigError(f"{folder}: can't be read: {error.strerror}") from None
    for entry in entries:
        path = prefix + entry.name
        if entry.name in LEFT_OUT or (path != MANIFEST and _matches(path, entry.name, ignored)):
            continue
        if entry.is_symlink():
            raise ConfigError(
                f"{folder / entry.name}: is a link; put the file itself there, or name it in {IGNORE_FILE}"
            )
        if entry.is_dir():
            yield from _walk(folder / entry.name, path + "/", ignored)
        elif entry.is_file():  # a socket left over from a trial is no part of a bot
            yield File(path, folder / entry.name, bool(entry.stat().st_mode & 0o100))


def _ignored(folder: Path) -> list[str]:
    """Return the patterns of a folder's ignore file: one a line, ``#`` begins a comment."""
    try:
        lines = (folder / IGNORE_FILE).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{folder / IGNORE_FILE}: can't be read: {error}") from None
    return [line.strip().strip("/") for line in lines if line.strip() and not line.startswith("#")]


def _matches(path: str, name: str, patterns: list[str]) -> bool:
    """Return whether a pattern names this path, or anything of this name at any depth."""
    return any(fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(name, pattern) for pattern in patterns)
