"""Who enters: from a BOT as people write it to one value, and all of them to a field."""

import subprocess
import sys
from pathlib import Path

import pytest

from croupier.harness.config import load
from croupier.harness.entrants import NO_NONCE, Entrant, Field, field, loopback, resolve
from croupier.harness.errors import ConfigError
from croupier.harness.names import check_name
from folders import BOT, Write


def _refused(bot: str, base: Path, **more: object) -> str:
    with pytest.raises(ConfigError) as caught:
        resolve(bot, base, **more)  # type: ignore[arg-type]
    return str(caught.value)


def _entered(folder: Path, text: str, seats: int = 2) -> Field:
    file = folder / "tournament.toml"
    file.write_text(f'id = "cup"\n{text}\n[[game]]\nname = "kowah"\nseats = {seats}\n')
    return field(load(file))


def test_a_folder_is_what_its_manifest_says(write: Write, tmp_path: Path) -> None:
    """Every key of ``bot.toml`` arrives, options beside it."""
    folder = write()
    alice = resolve("alice", tmp_path, options={"error": "0.1"})

    assert alice.launch is not None
    assert (alice.id, alice.name, alice.version, alice.owner, alice.move_ms) == ("alice", "Alice ♣", "1.2", "ann", 500)
    assert (alice.launch.command, alice.launch.cwd) == (("python3", "bot.py"), folder)
    assert (alice.launch.env, alice.options) == ((("MODEL", "small"),), (("error", "0.1"),))
    assert (alice.nonce, alice.remote, alice.sample) == (NO_NONCE, False, False)
    assert resolve(str(folder), Path("/"), id="bob").id == "bob"


def test_a_nonce_is_32_bytes(write: Write, tmp_path: Path) -> None:
    """64 hex digits, or a message that says so."""
    write("a", f'nonce = "{"Ab" * 32}"\n' + BOT)
    write("b", 'nonce = "abc"\n' + BOT)

    assert resolve("a", tmp_path).nonce == b"\xab" * 32
    assert "takes 64 hex digits" in _refused("b", tmp_path)


def test_a_sample_bot_is_a_command(tmp_path: Path) -> None:
    """``sample:NAME,option=value`` starts the module of that name with the running Python."""
    bot = resolve("sample:random,salt=3", tmp_path)

    assert bot.launch is not None
    assert bot.launch.command == (sys.executable, "-m", "croupier.sample_bots.random")
    assert (bot.id, bot.options, bot.sample, bot.remote) == ("random", (("salt", "3"),), True, False)
    assert bot.digest == resolve("random", tmp_path).digest != resolve("sensible", tmp_path).digest


def test_a_bare_name_is_a_sample_only_where_no_folder_has_it(write: Write, tmp_path: Path) -> None:
    """A folder wins over a sample bot; ``sample:`` says which is meant."""
    write("random", BOT)

    assert resolve("random", tmp_path).id == "alice"
    assert resolve("sample:random", tmp_path).sample


def test_sample_bots_are_found_without_importing_them() -> None:
    """The harness must not depend on the sample bots, only find them."""
    script = (
        "import sys; from croupier.harness import samples; print(*samples.names()); samples.command('random');"
        "print(*(name for name in sys.modules if name.startswith('croupier.sample_bots')))"
    )
    names, imported, *_ = subprocess.check_output([sys.executable, "-c", script], text=True).split("\n")

    assert {"random", "sensible"} <= set(names.split())
    assert not any(name.startswith("_") for name in names.split())
    assert imported == ""


@pytest.mark.parametrize("address", ["127.0.0.1:5001", "localhost:1", "[::1]:65535", "unix:/tmp/b.sock"])
def test_an_address_is_a_remote_entrant(tmp_path: Path, address: str) -> None:
    """It isn't started, so it has no digest of its own."""
    bot = resolve(address, tmp_path, id="far")

    assert (bot.id, bot.address, bot.digest, bot.remote, bot.launch) == ("far", address, "remote", True, None)
    assert loopback(address)


def test_an_address_without_an_id_gets_one(tmp_path: Path) -> None:
    """The id is made of the address."""
    assert resolve("127.0.0.1:5001", tmp_path).id == "127-0-0-1-5001"
    assert resolve("unix:/run/Bot.sock", tmp_path).id == "unix-run-bot-sock"


@pytest.mark.parametrize(
    ("bot", "expected"),
    [
        ("sample:sensibel", "there is no sample bot 'sensibel' (did you mean 'sensible'?); there are "),
        ("sensibel", "no such folder, and no bot of that name; there are "),
        ("sample:random,salt", "after the name come `option=value`s, unlike 'salt'"),
        ("sample:random,Salt=1", "'Salt' is no option name"),
        ("sample:random,salt=1,salt=2", "option 'salt' has two values"),
        ("127.0.0.1:0", "a port is a number from 1 to 65535"),
        ("127.0.0.1:70000", "a port is a number from 1 to 65535"),
        ("example.org:80", "only addresses of this machine can be used"),
        ("unix:relative", "an address is host:port or unix:/path"),
        ("x" * 300, "no such folder"),
        (".", "bot.toml: there is no such file"),
    ],
)
def test_each_wrong_bot_has_its_message(tmp_path: Path, bot: str, expected: str) -> None:
    """A BOT that can't be used says why, and what there is."""
    assert expected in _refused(bot, tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("schema = 1", "schema = 2", "schema takes 1, the version of this format, not 2"),
        ("schema = 1", "", "schema is missing: it takes 1"),
        ('id = "alice"', 'id = "Alice"', "id: 'Alice' is no id"),
        ('"Alice ♣"', '"A\\u0000"', "name: a name holds no control or format characters"),
        ('"Alice ♣"', f'"{"a" * 41}"', "name: a name has 1 to 40 characters"),
        ("command", "comand", "unknown key [run] comand (did you mean 'command'?)"),
        ('command = ["python3", "bot.py"]', "", "run: takes either `command`"),
        ('"python3"', '"no-such-program"', "[run] command: no program 'no-such-program' on the PATH"),
        ('"python3"', '"./start"', "[run] command: no program './start' in "),
        ("MODEL", "CROUPIER_RUN", "'CROUPIER_RUN' can't be set"),
        ("move_ms = 500", "move_ms = 0", "[limits] move_ms takes milliseconds for a decision"),
        ("[limits]", "[limit]", "unknown key limit (did you mean 'limits'?)"),
    ],
)
def test_each_mistake_in_a_manifest_has_its_message(
    write: Write, tmp_path: Path, old: str, new: str, expected: str
) -> None:
    """``bot.toml`` is checked as the tournament file is."""
    write("alice", BOT.replace(old, new))

    assert expected in _refused("alice", tmp_path)


def test_a_field_is_sorted_by_id_and_holds_the_folder_too(write: Write, tmp_path: Path) -> None:
    """``entrants`` enters each subfolder with a ``bot.toml``, beside the ``[[entrant]]``s."""
    write("bots/one", BOT.replace("alice", "zed"))
    write("bots/two", BOT.replace("alice", "bob"))
    (tmp_path / "bots" / "notes").mkdir()
    entered = _entered(tmp_path, 'entrants = "bots"\n[[entrant]]\nbot = "sample:random"')

    assert [entrant.id for entrant in entered.entrants] == ["bob", "random", "zed"]
    assert entered.house == ()


def test_house_bots_fill_the_largest_table(tmp_path: Path) -> None:
    """They are the ``sensible`` sample bot under reserved ids, each an entrant of its own."""
    entered = _entered(tmp_path, '[[entrant]]\nbot = "sample:random"', seats=4)
    house: tuple[Entrant, ...] = entered.house

    assert [bot.id for bot in house] == ["house-1", "house-2", "house-3"]
    assert {bot.launch for bot in house} == {resolve("sample:sensible", tmp_path).launch}


def test_all_wrong_entrants_are_told_at_once(write: Write, tmp_path: Path) -> None:
    """Unknown ones, two of one id, and one that asks for more time than there is."""
    write("slow", BOT.replace("500", "1001"))
    lines = '[[entrant]]\nbot = "nobody"\n' + '[[entrant]]\nbot = "sample:random"\n' * 2 + '[[entrant]]\nbot = "slow"\n'
    with pytest.raises(ConfigError) as caught:
        _entered(tmp_path, lines)
    problems = str(caught.value).splitlines()

    assert len(problems) == 3
    assert "nobody: no such folder" in problems[0]
    assert "two entrants have the id 'random'; give one an [[entrant]] with another `id`" in problems[1]
    assert "[limits] move_ms = 1001 is more than the tournament's 1000" in problems[2]


def test_a_folder_without_bots_is_named(tmp_path: Path) -> None:
    """Neither a missing folder nor an empty one makes a tournament of nobody."""
    with pytest.raises(ConfigError, match="there is no such folder"):
        _entered(tmp_path, 'entrants = "bots"')
    (tmp_path / "bots").mkdir()
    with pytest.raises(ConfigError, match=r"nobody enters; .* has no folder with a bot\.toml"):
        _entered(tmp_path, 'entrants = "bots"')


def test_a_name_is_put_into_normal_form_c() -> None:
    """Two ways to write an umlaut are one name."""
    assert check_name("Ko\u0308ln") == "K\u00f6ln"


@pytest.mark.parametrize("name", ["", " a", "a\tb", "a\u200bb", "a\u202eb", "\ud800", "a\u2028b", "x" * 41])
def test_names_that_could_deceive_are_refused(name: str) -> None:
    """Control, format and surrogate characters, blanks at the ends, too long or empty."""
    with pytest.raises(ValueError, match="a name "):
        check_name(name)


def test_a_folder_of_bots_is_no_bot(write: Write, tmp_path: Path) -> None:
    """It is told from a folder that lacks its manifest, and how all of them enter."""
    write("bots/ann", id="ann")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r'bots: has no bot\.toml but folders that have one: .* entrants = "bots"$'):
        resolve("bots", tmp_path)
    with pytest.raises(ConfigError, match=r"empty/bot\.toml: there is no such file$"):
        resolve("empty", tmp_path)
