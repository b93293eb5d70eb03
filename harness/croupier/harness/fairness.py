"""What a run's commitment proves, in words, and whether what was revealed keeps it. Pure."""

from __future__ import annotations

from croupier.harness.entrants import NO_NONCE
from croupier.harness.errors import ConfigError
from croupier.harness.ledger_rows import Commitment
from croupier.harness.manifest import Manifest
from croupier.referee import boards

MADE_BY = ("commit", "run")
"""The commands that make a commitment: when entries open, or when play begins."""


def check_id(commitment: Commitment | None, tournament: str) -> None:
    """Refuse to play a tournament with the commitment of another.

    Raises:
        ConfigError: says which id was committed to.
    """
    if commitment is not None and commitment.tournament != tournament:
        raise ConfigError(
            f"id: {tournament!r}, but the commitment of this folder is for {commitment.tournament!r}; "
            "put that id back, or choose another folder with --dir"
        )


def difference(manifest: Manifest, commitment: Commitment | None, secret: bytes | None) -> str:
    """Return where a commitment is not that of a run, or nothing.

    Args:
        manifest: of the run.
        commitment: as the ledger has it.
        secret: as it was revealed, or None before.
    """
    if commitment is None:
        return "commitment: there is none, so the secret was bound by nothing"
    if commitment.made_by not in MADE_BY:
        return f"commitment: expected to be made by {' or '.join(MADE_BY)}, found {commitment.made_by!r}"
    if commitment.tournament != manifest.id:
        return f"commitment: expected one for {manifest.id}, found one for {commitment.tournament}"
    if secret is not None:
        expected = boards.commitment(manifest.id, secret).hex()
        if commitment.sha256 != expected:
            return f"commitment: expected {expected} by the revealed secret, found {commitment.sha256}"
    return ""


def promise(manifest: Manifest, commitment: Commitment | None, *, revealed: bool) -> str:
    """Return what the commitment of a run proves of its deals, as one line for people."""
    if manifest.seed is not None:
        return "seeded: reproducible, not fair"
    if commitment is None:
        return "no commitment: nothing binds the secret"
    nonces = sum(nonce != NO_NONCE for nonce in manifest.nonces.values())
    given = [f"{nonces} nonce{'s' * (nonces != 1)}"] * (nonces > 0) + ["the beacon"] * bool(manifest.beacon)
    # A secret that was drawn when nonces and beacon lay in the file already could be drawn again until it fitted them.
    if given and commitment.made_by == "commit":
        known = "if the commitment was published before"
        if manifest.beacon:
            proof = f"nobody chose them, {known} the beacon was known"
        else:
            proof = (
                f"the secret wasn't chosen to fit them, {known} they came; who knew it and sent the last nonce could"
            )
        said = f"committed when entries opened; {' and '.join(given)} entered the deals: {proof}"
    else:
        said = "protects against changes during play, not against the choice of the secret"
    return said if revealed else f"{said} (the secret isn't revealed yet)"
