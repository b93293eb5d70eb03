"""What may be called how: ids, which are identities, and display names, which are only hints.

Raises ``ValueError`` with the remedy; who reads the file adds where it stands.
"""

from __future__ import annotations

import re
import unicodedata

from croupier.harness.errors import ConfigError

ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")
LABEL = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
OPTION = re.compile(r"[a-z][a-z0-9_]{0,31}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

HOUSE_IDS = tuple(f"house-{number}" for number in range(1, 6))
"""Ids of the bots that fill a field smaller than a table."""

PAGES = ("index", "overall")
"""Labels that name pages of their own."""

_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")  # control, format, surrogate, private, unassigned, line ends


def check_id(text: str) -> str:
    """Return the id of a tournament or entrant.

    Raises:
        ValueError: another form, or reserved.
    """
    if not ID.fullmatch(text):
        raise ValueError(f"{text!r} is no id: 1 to 32 of a-z, 0-9, '_' and '-', the first a letter or digit")
    if text in HOUSE_IDS:
        raise ValueError(f"{text!r} is reserved for the bots that fill a small field")
    return text


def check_label(text: str) -> str:
    """Return the label of a leaderboard, which names its page.

    Raises:
        ValueError: another form, or reserved.
    """
    if not LABEL.fullmatch(text):
        raise ValueError(f"{text!r} is no label: 1 to 64 of a-z, 0-9, '_' and '-', the first a letter or digit")
    if text in PAGES:
        raise ValueError(f"{text!r} names a page of its own; choose another label")
    return text


def check_name(text: str, longest: int = 40) -> str:
    """Return a display name in Unicode's normal form C.

    Raises:
        ValueError: empty, too long, blank at an end, or with characters that can't be seen.
    """
    name = unicodedata.normalize("NFC", text)
    if not 1 <= len(name) <= longest or name != name.strip():
        raise ValueError(f"a name has 1 to {longest} characters and no blank at its ends, unlike {name!r}")
    for character in name:
        if unicodedata.category(character) in _UNSEEN:
            raise ValueError(f"a name holds no control or format characters, unlike {name!r} (U+{ord(character):04X})")
    return name


def check_options(options: dict[str, str]) -> dict[str, str]:
    """Return the options of a bot, which reach it as environment variables.

    Raises:
        ValueError: a name that can't be one, or a value with control characters.
    """
    for name, value in options.items():
        if not OPTION.fullmatch(name):
            raise ValueError(f"{name!r} is no option name: a-z, 0-9 and '_', the first a letter")
        if any(unicodedata.category(character) in ("Cc", "Cs") for character in value):
            raise ValueError(f"option {name!r} has control characters in its value {value!r}")
    return options


def id_from(text: str) -> str:
    """Return an id made of any text, for what came without one.

    Raises:
        ConfigError: nothing of it could be in an id.
    """
    made = re.sub(r"[^a-z0-9]+", "-", text.lower())[-32:].strip("-")
    if not ID.fullmatch(made):
        raise ConfigError(f"no id can be made of {text!r}: give it one with `id`")
    return made
