"""How far a long command is, where there is no terminal."""

import pytest

from croupier.cli import progress


def test_counting_prints_a_line_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On stderr, and not more often than every few seconds: a script's log stays short."""
    with progress.counting("verifying", 1200) as notify:
        notify(600)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(progress, "LINE_EVERY_S", 0.0)
    with progress.counting("verifying", 1200) as notify:
        notify(1100)
    assert capsys.readouterr() == ("", "verifying: 1,100 of 1,200 matches\n")
