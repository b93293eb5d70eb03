"""Reading a TOML file into a typed table, so that each problem names the file, the key and the remedy.

Knows no key of its own: the tables of tournament files and bot manifests are built on ``Table`` and ``key``.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from croupier.games.rules import nearest
from croupier.harness.errors import ConfigError


class Table(BaseModel):
    """One table of a file: types are not converted, unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


T = TypeVar("T", bound=Table)


def key(takes: str, default: Any = ..., **bounds: Any) -> Any:
    """Declare a key of a table; ``takes`` says what it takes and is the remedy in its error messages."""
    return Field(default, description=takes, **bounds)


def read(model: type[T], path: Path) -> T:
    """Return the contents of a file.

    Raises:
        ConfigError: it can't be read, is no TOML, or doesn't fit; one line per problem.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ConfigError(f"{path}: can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}{_several(model, str(error))}") from None
    except ValueError:  # tomllib leaves a number of thousands of digits to int, which refuses it
        raise ConfigError(f"{path}: not valid TOML: a number is too long") from None
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = dict.fromkeys(_problem(model, item) for item in error.errors(include_url=False))
        raise ConfigError("\n".join(f"{path}: {problem}" for problem in problems)) from None


def _problem(model: type[Table], item: ErrorDetails) -> str:
    """Return one error of pydantic as a line for the author of the file."""
    table: type[Table] | None = model
    where, names, takes = "", list[str](), ""
    for part in item["loc"]:
        if isinstance(part, int) and names:
            where = f"[[{names.pop()}]] number {part + 1}: "
        elif table is None:
            break  # inside a value: the branches of a union, the keys of a free table
        elif (field := _keys(table).get(str(part))) is not None:
            names.append(str(part))
            table, takes = _table_in(field.annotation), field.description or ""
        else:
            known = list(_keys(table))
            hint = nearest(str(part), known) or f"; the keys here are {', '.join(known)}"
            return f"{where}unknown key {_dotted([*names, str(part)])}{hint}"
    name = _dotted(names)
    if item["type"] == "missing":
        return f"{where}{name} is missing: it takes {takes}"
    if item["type"] == "value_error":
        text = str(item["ctx"]["error"])
        return f"{where}{name}: {text}" if name else f"{where}{text}"
    return f"{where}{name + ' ' if name else ''}takes {takes}, not {_shown(item['input'])}"


def _several(model: type[Table], error: str) -> str:
    """Return how to write a table that may come several times, where that is what the parser stumbled over."""
    twice = re.match(r"Cannot declare \('(\w+)',\) twice", error)
    field = _keys(model).get(twice[1]) if twice else None
    return f"; write [[{twice[1]}]], each time" if twice and field and get_origin(field.annotation) is list else ""


def _keys(table: type[Table]) -> dict[str, FieldInfo]:
    """Return the keys of a table as they stand in the file."""
    return {field.alias or name: field for name, field in table.model_fields.items()}


def _shown(value: object) -> str:
    """Return the offending value as TOML writes it, about, and cut short."""
    text = str(value).lower() if isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _dotted(names: list[str]) -> str:
    """Return the key as it stands in the file: ``[schedule] rounds``."""
    return f"[{names[0]}] {'.'.join(names[1:])}" if len(names) > 1 else "".join(names)


def _table_in(annotation: Any) -> type[Table] | None:
    """Return the table that a key holds, by itself or in a list, or None."""
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, Table):
            return candidate
    return None
