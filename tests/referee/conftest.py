"""What tests of the referee share."""

from __future__ import annotations

import gc
import logging
from collections.abc import Iterator

import pytest


@pytest.fixture
def no_complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test after which asyncio complains of a task or future that was left behind."""
    yield
    gc.collect()
    assert [r.getMessage() for r in caplog.records if r.name == "asyncio" and r.levelno >= logging.WARNING] == []
