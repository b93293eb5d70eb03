"""A bot's folder for tests: its manifest, and the type of what writes it (the fixture ``write``)."""

from collections.abc import Callable
from pathlib import Path

BOT = """
schema = 1
id = "alice"
name = "Alice ♣"
version = "1.2"
owner = "ann"
[run]
command = ["python3", "bot.py"]
env = { MODEL = "small" }
[limits]
move_ms = 500
"""

Write = Callable[..., Path]
