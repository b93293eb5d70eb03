"""Fairness: a run promises exactly what its commitment, nonces and beacon prove, and no more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from croupier.harness.errors import ConfigError
from croupier.harness.fairness import check_id, difference, promise
from croupier.harness.ledger_rows import Commitment
from croupier.harness.manifest import Manifest
from croupier.referee import boards

SECRET = bytes(range(32))
WEAK = "protects against changes during play, not against the choice of the secret"
IF = "entered the deals: nobody chose them, if the commitment was published before the beacon was known"
NONCES = (
    "entered the deals: the secret wasn't chosen to fit them, if the commitment was published before they came; "
    "who knew it and sent the last nonce could"
)


@pytest.fixture
def manifest(make_manifest: Callable[..., Manifest]) -> Manifest:
    """Return a manifest of three entrants without seed, beacon or nonces."""
    made = make_manifest((("cha_kau_tsu", 3, 1),), entrants=3)
    bare = tuple(replace(entrant, nonce="0" * 64) for entrant in made.entrants)
    return replace(made, seed=None, beacon="", entrants=bare)


def _bound(manifest: Manifest, made_by: str) -> Commitment:
    return Commitment(boards.commitment(manifest.id, SECRET).hex(), manifest.id, made_by)


def _with(manifest: Manifest, *, nonces: int, beacon: str) -> Manifest:
    """Return the manifest as it would be if its first entrants had brought nonces."""
    entrants = tuple(
        replace(entrant, nonce=f"{number + 1:064x}") if number < nonces else entrant
        for number, entrant in enumerate(manifest.entrants)
    )
    return replace(manifest, entrants=entrants, beacon=beacon)


@pytest.mark.parametrize(
    ("made_by", "nonces", "beacon", "says"),
    [
        ("run", 0, "", WEAK),
        ("run", 2, "", WEAK),
        ("run", 0, "draw", WEAK),
        ("run", 2, "draw", WEAK),
        ("commit", 0, "", WEAK),
        ("commit", 1, "", f"committed when entries opened; 1 nonce {NONCES}"),
        ("commit", 3, "", f"committed when entries opened; 3 nonces {NONCES}"),
        ("commit", 0, "draw", f"committed when entries opened; the beacon {IF}"),
        ("commit", 1, "draw", f"committed when entries opened; 1 nonce and the beacon {IF}"),
    ],
)
def test_a_promise_is_what_was_proved(manifest: Manifest, made_by: str, nonces: int, beacon: str, says: str) -> None:
    """Who committed, and what came after, decide the promise; before the reveal it says that it is one."""
    run = _with(manifest, nonces=nonces, beacon=beacon)
    assert promise(run, _bound(run, made_by), revealed=True) == says
    assert promise(run, _bound(run, made_by), revealed=False) == f"{says} (the secret isn't revealed yet)"


@pytest.mark.parametrize("revealed", [False, True])
def test_a_seeded_run_is_never_fair(manifest: Manifest, *, revealed: bool) -> None:
    """A seed outweighs a commitment, nonces and a beacon."""
    run = replace(_with(manifest, nonces=3, beacon="draw"), seed="s")
    for bound in (None, _bound(run, "commit")):
        assert promise(run, bound, revealed=revealed) == "seeded: reproducible, not fair"


@pytest.mark.parametrize("revealed", [False, True])
def test_without_a_commitment_nothing_is_promised(manifest: Manifest, *, revealed: bool) -> None:
    """Nonces and a beacon don't help where the secret wasn't bound."""
    run = _with(manifest, nonces=3, beacon="draw")
    assert promise(run, None, revealed=revealed) == "no commitment: nothing binds the secret"


def test_a_difference_names_what_differs(manifest: Manifest) -> None:
    """None, another tournament's, another secret's: each is told apart; before the reveal a hash proves nothing."""
    bound = _bound(manifest, "commit")
    assert difference(manifest, bound, SECRET) == ""
    assert difference(manifest, bound, None) == ""
    assert difference(manifest, None, SECRET).startswith("commitment: there is none")
    other = bound._replace(tournament="other")
    assert difference(manifest, other, None) == f"commitment: expected one for {manifest.id}, found one for other"
    maker = bound._replace(made_by="me")
    assert difference(manifest, maker, SECRET) == "commitment: expected to be made by commit or run, found 'me'"
    forged = bound._replace(sha256="f" * 64)
    assert difference(manifest, forged, None) == ""
    assert difference(manifest, forged, SECRET).endswith(f"by the revealed secret, found {'f' * 64}")
    assert difference(manifest, bound, bytes(32)).startswith("commitment: expected ")


def test_another_tournaments_commitment_is_refused(manifest: Manifest) -> None:
    """No commitment and the own one are fine; another one's is named."""
    check_id(None, manifest.id)
    check_id(_bound(manifest, "run"), manifest.id)
    with pytest.raises(ConfigError, match=f"the commitment of this folder is for '{manifest.id}'"):
        check_id(_bound(manifest, "run"), "another")
