"""The manifest: one value, one hash, and the differences people are told."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier import wire
from croupier.harness.config import load
from croupier.harness.entrants import Entrant, Field, Launch, field
from croupier.harness.manifest import PROTOCOL, Manifest, build, differing, from_json
from croupier.referee.clock import Limits

MakeManifest = Callable[..., Manifest]

FILE = """
id = "cup"
[[game]]
name = "cha_kau_tsu"
seats = 2
[[entrant]]
bot = "sample:random"
"""


def _built(folder: Path, text: str = FILE, bots: Field | None = None) -> Manifest:
    file = folder / "tournament.toml"
    file.write_text(text)
    return build(load(file), bots or field(load(file)))


def _bot(name: str, *, sample: bool = True) -> Entrant:
    return Entrant(name, name, "0" * 64, launch=Launch(("true",)), sample=sample)


def test_it_survives_its_json(make_manifest: MakeManifest) -> None:
    """Reading what was written gives an equal manifest with the same hash."""
    manifest = make_manifest((("cha_kau_tsu", 3, 2), ("doppelkopf", 4, 1)), seed="demo")

    assert from_json(manifest.to_json()) == manifest
    assert from_json(manifest.to_json()).sha256 == manifest.sha256


def test_its_json_is_canonical(make_manifest: MakeManifest) -> None:
    """Keys are sorted, there are no blanks, and text stands as it is, in UTF-8."""
    text = replace(make_manifest(), name="Turnier ♣ Köln").to_json()

    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert "♣ Köln" in text


def test_other_json_is_refused() -> None:
    """What isn't a manifest of this version is a ``ValueError``, not a crash later on."""
    for text in ("{}", "[]", '{"schedule": {}, "games": [{}], "entrants": [], "house": [], "time": {}}', "no"):
        with pytest.raises(ValueError):  # noqa: PT011  the message is Python's for broken JSON
            from_json(text)


def test_the_order_of_entrants_does_not_matter(tmp_path: Path) -> None:
    """Two files that enter the same bots in another order have one manifest."""
    one = FILE + '[[entrant]]\nbot = "sample:random"\nid = "ann"\n'
    other = FILE.replace('"sample:random"\n', '"sample:random"\nid = "ann"\n') + '[[entrant]]\nbot = "sample:random"\n'

    assert _built(tmp_path, one) == _built(tmp_path, other)


def test_the_host_table_is_outside(tmp_path: Path) -> None:
    """How and where it is played changes no hash; what is played does."""
    plain = _built(tmp_path)

    assert _built(tmp_path, FILE + "[host]\nworkers = 2\nconcurrency = 3\n").sha256 == plain.sha256
    assert _built(tmp_path, FILE + "[time]\nmove_ms = 999\n").sha256 != plain.sha256


def test_defaults_are_filled_in(tmp_path: Path) -> None:
    """A default written out is the same manifest as one left out."""
    assert _built(tmp_path, FILE + "[schedule]\nrounds = 1\n") == _built(tmp_path)


def test_duplicates_are_automatic_only_among_sample_bots(tmp_path: Path) -> None:
    """A bot that might remember a board's cards gets boards of its own, unless the organiser insists."""
    file = tmp_path / "t.toml"
    mixed = Field((_bot("a"), _bot("b", sample=False)), ())
    file.write_text(FILE)

    assert build(load(file), Field((_bot("a"), _bot("b")), ())).duplicate
    assert not build(load(file), mixed).duplicate
    file.write_text(FILE + "[schedule]\nduplicate = true\n")
    assert build(load(file), mixed).duplicate


def test_the_time_an_entrant_asks_for_is_in_it(tmp_path: Path) -> None:
    """It can change a result, also that of a bot which is only an address and has no digest."""
    bots = [Entrant("far", "Far", "remote", address="127.0.0.1:1", move_ms=most) for most in (10, 900, None)]
    made = [_built(tmp_path, bots=Field((_bot("a"), bot), ())) for bot in bots]

    assert [manifest.entrants[1].move_ms for manifest in made] == [10, 900, None]
    assert len({manifest.sha256 for manifest in made}) == 3
    assert differing(made[0], made[1]) == ["entrants.far.move_ms"]


def test_differences_are_named_by_dotted_keys(make_manifest: MakeManifest) -> None:
    """Members of lists go by label or id; what is only on one side is named as a whole."""
    old = make_manifest(entrants=3)
    first, second, third = old.entrants
    new = replace(
        old,
        rounds=2,
        time=Limits(move_ms=5),
        games=(replace(old.games[0], rules_version=99),),
        entrants=(replace(first, digest="f" * 64), second, replace(third, id="zoe")),
    )

    assert differing(old, new) == [
        "entrants.bot-0.digest",
        "entrants.bot-2",
        "entrants.zoe",
        "games.cha_kau_tsu-0.rules_version",
        "schedule.rounds",
        "time.move_ms",
    ]
    assert differing(old, old) == []


def test_the_order_of_games_is_a_difference(make_manifest: MakeManifest) -> None:
    """It decides over index and board numbers."""
    old = make_manifest((("cha_kau_tsu", 3, 2), ("doppelkopf", 4, 1)))

    assert differing(old, replace(old, games=old.games[::-1])) == ["games"]


def test_its_protocol_is_that_of_the_wire() -> None:
    """The harness doesn't import the wire, so its version is stated twice."""
    assert PROTOCOL == wire.PROTOCOL


def test_rules_come_back_as_the_game_takes_them(make_manifest: MakeManifest) -> None:
    """The rules of a manifest are complete and typed again."""
    game = make_manifest((("cha_kau_tsu", 3, 2),)).games[0]

    assert dict(game.checked_rules().texts()) == dict(game.rules)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda tree: tree["schedule"].update(rounds=0), "rounds: "),
        (lambda tree: tree["schedule"].update(rounds="1"), "rounds: "),
        (lambda tree: tree["schedule"].update(confidence=float("nan")), "confidence: "),
        (lambda tree: tree["schedule"].update(until="never"), "until: "),
        (lambda tree: tree.update(entrants=[]), "entrants: "),
        (lambda tree: tree.update(games=[]), "games: "),
        (lambda tree: tree.update(games="all"), "'str'"),
        (lambda tree: tree.update(surprise=1), "it isn't in its one form"),
        (lambda tree: tree.pop("schedule"), "'schedule'"),
        (lambda tree: tree["games"][0].update(name="poker"), "unknown game 'poker'"),
        (lambda tree: tree["games"][0].update(seats=9), "9"),
        (lambda tree: tree["entrants"][1].update(nonce="0x"), r"entrants\.1\.nonce: "),
        (lambda tree: tree["time"].update(move_ms=None), r"time\.move_ms: "),
    ],
)
def test_what_is_no_manifest_is_named_by_key(
    change: Callable[[dict[str, Any]], object], says: str, make_manifest: MakeManifest
) -> None:
    """Whoever edited it, with the hash or without: nothing of it is believed before it has been looked at."""
    tree = json.loads(make_manifest((("cha_kau_tsu", 3, 2),), entrants=4).to_json())
    change(tree)
    text = json.dumps(tree, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    with pytest.raises(ValueError, match="not a manifest that this version of Croupier reads: .*" + says):
        from_json(text)


def test_a_manifest_nested_too_deep_is_none(make_manifest: MakeManifest) -> None:
    """Nor is one with blanks or a key twice: it has one form."""
    text = make_manifest(entrants=3).to_json()
    for other in ('{"games":' + "[" * 50_000, text + " ", text.replace('{"', '{"id":"x","', 1)):
        with pytest.raises(ValueError, match=r"not a manifest that|Expecting value"):
            from_json(other)
    assert from_json(text).to_json() == text
