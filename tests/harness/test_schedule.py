"""The schedule as a pure function of the manifest."""

import itertools
import subprocess
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from math import comb

import pytest

from croupier.harness.errors import ConfigError
from croupier.harness.manifest import Manifest
from croupier.harness.schedule import Schedule
from croupier.referee import boards

MakeManifest = Callable[..., Manifest]

THREE = (("cha_kau_tsu", 3, 2), ("doppelkopf", 4, 1), ("cha_kau_tsu", 2, 3))


def test_every_combination_sits_down_once_per_round_in_every_rotation(make_manifest: MakeManifest) -> None:
    """A round robin of 5 entrants at 4 seats has 5 tables, each played with every entrant in every seat."""
    schedule = Schedule(make_manifest(rounds=2))
    seats = Counter((match.round, seat, who) for match in schedule for seat, who in enumerate(match.entrants))
    tables = Counter((match.round, match.sitting, frozenset(match.entrants)) for match in schedule)

    assert len(tables) == 2 * 4 * 5
    assert set(tables.values()) == {1}
    assert set(seats.values()) == {4}  # of the 5 combinations an entrant is in 4
    assert len(seats) == 2 * 4 * 5


def test_a_sitting_rotates_the_seats_of_its_table(make_manifest: MakeManifest) -> None:
    """Seat s of sitting j holds entrant (s + j) mod k of the table's list."""
    matches = {(match.leaderboard, match.table, match.sitting): match for match in Schedule(make_manifest(THREE))}

    for (leaderboard, table, sitting), match in matches.items():
        first = matches[leaderboard, table, 0].entrants
        assert match.entrants == tuple(first[(seat + sitting) % len(first)] for seat in range(len(first)))


def test_indexes_count_round_sitting_leaderboard_table(make_manifest: MakeManifest) -> None:
    """Iteration is in order of index, which is that of (round, sitting, leaderboard, table), without gaps."""
    schedule = Schedule(make_manifest(THREE, rounds=3))
    matches = list(schedule)
    places = [(match.round, match.sitting, match.leaderboard, match.table) for match in matches]

    assert [match.index for match in matches] == list(range(schedule.total()))
    assert places == sorted(places)
    assert schedule.total() == 3 * (10 * 3 + 5 * 4 + 10 * 2)


def test_games_with_fewer_seats_sit_out_the_later_sittings(make_manifest: MakeManifest) -> None:
    """The sittings partition the matches, know their indexes, and shrink as games drop out."""
    sittings = list(Schedule(make_manifest(THREE, rounds=2)).sittings())

    assert [(each.round, each.number, len(each.indexes)) for each in sittings[3:]] == [
        (0, 3, 5),
        (1, 0, 25),
        (1, 1, 25),
        (1, 2, 15),
        (1, 3, 5),
    ]
    assert [[match.index for match in each] for each in sittings] == [list(each.indexes) for each in sittings]
    assert {match.leaderboard for match in sittings[2]} == {0, 1}


def test_duplicate_boards_are_shared_by_the_rotations_alone(make_manifest: MakeManifest) -> None:
    """Boards count per game name over (round, leaderboard, table, deal); only an encounter's matches share them."""
    matches = list(Schedule(make_manifest(THREE, rounds=2)))
    owners: dict[tuple[str, int], set[tuple[int, int, int]]] = {}
    for match in matches:
        for board in match.boards:
            owners.setdefault((THREE[match.leaderboard][0], board), set()).add(
                (match.round, match.leaderboard, match.table)
            )

    assert all(len(encounters) == 1 for encounters in owners.values())
    assert sorted(board for game, board in owners if game == "cha_kau_tsu") == list(range(2 * (10 * 2 + 10 * 3)))
    assert sorted(board for game, board in owners if game == "doppelkopf") == list(range(2 * 5))
    in_order = [board for match in matches if match.sitting == 0 and match.leaderboard != 1 for board in match.boards]
    assert in_order == sorted(in_order)


def test_without_duplicates_every_match_has_boards_of_its_own(make_manifest: MakeManifest) -> None:
    """Boards then count per game name over (round, sitting, leaderboard, table, deal)."""
    matches = list(Schedule(make_manifest(THREE, rounds=2, duplicate=False)))

    for game in ("cha_kau_tsu", "doppelkopf"):
        played = [board for match in matches if THREE[match.leaderboard][0] == game for board in match.boards]
        assert played == list(range(len(played)))


def test_a_match_id_is_the_hash_of_manifest_and_index(make_manifest: MakeManifest) -> None:
    """Anybody can compute it: SHA-256 over the prefixed manifest hash and the index as 8 bytes, 16 hex digits."""
    manifest = make_manifest()
    match = next(itertools.islice(Schedule(manifest), 3, None))
    raw = manifest.digest
    expected = sha256(b"\0\0\0\x20" + raw + b"\0\0\0\x08" + (3).to_bytes(8, "big")).hexdigest()[:16]

    assert match.match_id == expected


def test_labels_are_shuffled_anew_for_each_leaderboard_and_round(make_manifest: MakeManifest) -> None:
    """The first table holds the first labels of a shuffle of the sorted ids, keyed by leaderboard and round."""
    manifest = make_manifest(THREE, rounds=2)
    ids = sorted(entrant.id for entrant in manifest.entrants)

    for match in Schedule(manifest):
        if match.table == match.sitting == 0:
            key = boards.derive(manifest.digest, "croupier/labels/1", match.leaderboard, match.round)
            labels = boards.order(key, len(ids))[: len(match.entrants)]
            assert match.entrants == tuple(ids[label] for label in labels)


def test_house_bots_fill_only_the_tables_that_lack_entrants(make_manifest: MakeManifest) -> None:
    """With 2 entrants a game of 4 seats gets two house bots, one of 2 seats none."""
    schedule = Schedule(make_manifest((("cha_kau_tsu", 4, 1), ("cha_kau_tsu", 2, 1)), entrants=2))
    fields = {each.leaderboard: set(each.entrants) for each in schedule}

    assert fields == {0: {"bot-0", "bot-1", "house-1", "house-2"}, 1: {"bot-0", "bot-1"}}


def test_a_large_field_plays_whole_blocks(make_manifest: MakeManifest) -> None:
    """With more combinations than ``max_tables``: as many blocks as fit; house bots fill the design up."""
    assert Schedule(make_manifest(entrants=16, max_tables=1820)).total() == 4 * 1820
    schedule = Schedule(make_manifest(entrants=16, max_tables=1819, rounds=3))
    assert schedule.matches_in(1) == 4 * 16 * 17
    assert {entrant for match in schedule for entrant in match.entrants} == {
        *(f"bot-{number}" for number in range(16)),
        "house-1",
    }
    indexes = [match.index for match in schedule]
    assert indexes == list(range(schedule.total())) == list(range(3 * 4 * 16 * 17))


def test_seeds_play_all_others_and_not_each_other(make_manifest: MakeManifest) -> None:
    """Whatever the labels: each table of a gauntlet seats one of them; the others are all the choices there are."""
    manifest = replace(make_manifest(entrants=6, rounds=2), seeds=("bot-1", "bot-4"))
    tables = [frozenset(match.entrants) for match in Schedule(manifest) if match.sitting == 0]
    assert all(len(table & {"bot-1", "bot-4"}) == 1 for table in tables)
    assert Counter(tables) == Counter(dict.fromkeys(set(tables), 2))
    assert len(set(tables)) == 2 * comb(4, 3)


def test_a_gauntlet_of_too_many_tables_is_refused_with_the_remedy(make_manifest: MakeManifest) -> None:
    """There is no smaller one that is even."""
    manifest = replace(make_manifest(entrants=20, max_tables=968), seeds=("bot-1",))
    with pytest.raises(ConfigError, match=r"969 tables in a round of the gauntlet.*`max_tables = 969`"):
        Schedule(manifest)
    assert Schedule(replace(manifest, max_tables=969)).total() == 4 * comb(19, 3)


@pytest.mark.parametrize("max_tables", [2000, 26])
def test_bots_of_one_owner_are_kept_apart(make_manifest: MakeManifest, max_tables: int) -> None:
    """At every table, round and sitting; those without an owner meet everybody; numbers go on without gaps."""
    manifest = make_manifest((("kowah", 4, 1), ("kowah", 3, 2)), entrants=13, rounds=3, max_tables=max_tables)
    owners = {one.id: ("ann", "bob", "")[place % 3] for place, one in enumerate(manifest.entrants)}
    listed = tuple(replace(one, owner=owners[one.id]) for one in manifest.entrants)
    schedule = Schedule(replace(manifest, entrants=listed, same_owner="apart"))
    matches = list(schedule)
    for match in matches:
        known = [owners[entrant] for entrant in match.entrants if owners.get(entrant)]
        assert len(known) == len(set(known))
    assert [match.index for match in matches] == list(range(schedule.total()))
    boards = [board for match in matches if match.sitting == 0 for board in match.boards]
    assert boards == list(range(len(boards)))
    for sitting in schedule.sittings():
        assert [match.index for match in sitting] == list(sitting.indexes)
    assert all(schedule.dropped(round_, place) > 0 for round_ in range(3) for place in range(2))


def test_a_leaderboard_in_which_all_are_kept_apart_is_refused(make_manifest: MakeManifest) -> None:
    """It would have no match."""
    manifest = make_manifest(entrants=5)
    listed = tuple(replace(one, owner="ann") for one in manifest.entrants)
    with pytest.raises(ConfigError, match='has no table: same_owner = "apart" keeps all its bots apart'):
        Schedule(replace(manifest, entrants=listed, same_owner="apart"))


def test_a_run_until_it_is_decided_has_at_most_its_rounds(make_manifest: MakeManifest) -> None:
    """What is played is decided by results; the schedule goes as far as it can come to that."""
    manifest = replace(make_manifest(rounds=2), until="separated", max_rounds=7)
    schedule = Schedule(manifest)
    assert schedule.rounds == 7
    assert schedule.total() == 7 * schedule.matches_in(1) == 7 * 4 * 5
    assert Schedule(replace(manifest, until="rounds")).rounds == 2


def test_pairs_are_always_complete(make_manifest: MakeManifest) -> None:
    """``max_tables`` doesn't bind games of two seats."""
    assert Schedule(make_manifest((("cha_kau_tsu", 2, 1),), entrants=40, max_tables=1)).total() == 2 * 780


def test_a_million_matches_cost_no_memory(make_manifest: MakeManifest) -> None:
    """The schedule is lazy: its size is known, its beginning and a late round are at hand, without listing it."""
    tracemalloc.start()
    schedule = Schedule(make_manifest(entrants=200, rounds=1, max_tables=10**9))
    first = list(itertools.islice(schedule, 1000))
    late = next(itertools.islice(Schedule(make_manifest(entrants=200, rounds=10**6)).sittings(), 4 * 10**4, None))
    assert next(iter(late)).round == 10**4
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert schedule.total() == 4 * 64_684_950
    assert len(first) == 1000
    assert peak < 5_000_000


MILLION = """
import pathlib, re, sys
from croupier.harness.manifest import from_json
from croupier.harness.schedule import Schedule

def most():  # not ru_maxrss, which begins with what the process that started this one had
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])

manifest = from_json(sys.stdin.read())
before = most()
schedule = Schedule(manifest)
assert sum(1 for _ in schedule) == schedule.total() > 1_000_000
print(before, most())
"""
"""Goes through all matches of a schedule, and prints the memory before and after, in KiB."""


@pytest.mark.slow
def test_a_million_matches_go_by_in_little_memory(make_manifest: MakeManifest) -> None:
    """In a process of its own; 200 MB are allowed, and nothing stays of what went by."""
    manifest = make_manifest(entrants=200, rounds=13, max_tables=20_503)
    command = [sys.executable, "-c", MILLION]
    ended = subprocess.run(command, input=manifest.to_json(), capture_output=True, text=True, check=True)
    before, after = map(int, ended.stdout.split())
    assert after < 200_000
    assert after - before < 5_000
