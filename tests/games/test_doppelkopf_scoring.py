"""Doppelkopf: who wins and what it is worth, by the worked examples of docs/rules/doppelkopf.md (sections 8 and 14)."""

from __future__ import annotations

import pytest

from croupier.games.doppelkopf.orders import NORMAL, order_of
from croupier.games.doppelkopf.scoring import KONTRA, RE, Special, Tally, judge, trick_specials

ORDER = order_of(NORMAL, heart_tens_trump=True)
STEPS = {"-": 0, "re": 1, "kontra": 1, "no90": 2, "no60": 3, "no30": 4, "schwarz": 5}

# number, RE's seats, card points, RE's and KONTRA's highest step, their special points but "against the ladies",
# KONTRA's tricks where they decide, who won, points by seat
EXAMPLES = """
1  02  121:119  -        -        0/0  6  re      1 -1 1 -1
2  02  120:120  -        -        0/0  6  kontra  -2 2 -2 2
3  02  120:120  re       -        0/0  6  kontra  -4 4 -4 4
4  02  120:120  -        kontra   0/0  6  re      3 -3 3 -3
5  02  119:121  -        kontra   0/0  6  kontra  -4 4 -4 4
6  02  120:120  re       kontra   0/0  6  kontra  -6 6 -6 6
7  02  121:119  re       kontra   0/0  6  re      5 -5 5 -5
8  02  150:90   -        -        0/0  6  re      1 -1 1 -1
9  02  151:89   -        -        0/0  6  re      2 -2 2 -2
10 02  89:151   -        -        0/0  6  kontra  -3 3 -3 3
11 02  145:95   no90     -        0/0  6  kontra  -5 5 -5 5
12 02  150:90   no90     -        0/0  6  kontra  -5 5 -5 5
13 02  151:89   no90     -        0/0  6  re      5 -5 5 -5
14 02  120:120  no90     -        0/0  6  kontra  -6 6 -6 6
15 02  90:150   -        no90     0/0  6  re      4 -4 4 -4
16 02  120:120  -        no90     0/0  6  re      5 -5 5 -5
17 02  92:148   re       no90     0/0  6  re      6 -6 6 -6
18 02  170:70   no60     kontra   0/0  6  kontra  -8 8 -8 8
19 02  170:70   no60     no60     0/0  6  nobody  3 -3 3 -3
20 02  75:165   no90     schwarz  0/0  6  nobody  0 0 0 0
21 02  57:183   schwarz  schwarz  0/0  6  nobody  -5 5 -5 5
22 02  77:163   no90     no60     1/0  6  nobody  -1 1 -1 1
23 02  110:130  no90     no60     0/0  6  nobody  0 0 0 0
24 02  240:0    -        -        0/0  0  re      5 -5 5 -5
25 02  240:0    -        -        0/0  1  re      4 -4 4 -4
26 02  240:0    schwarz  -        0/0  1  kontra  -8 8 -8 8
27 02  240:0    schwarz  -        0/0  0  re      11 -11 11 -11
28 02  121:119  -        -        0/3  6  re      -2 2 -2 2
29 02  100:140  -        -        2/0  6  kontra  0 0 0 0
30 02  130:110  -        -        1/1  6  re      1 -1 1 -1
31 0   121:119  -        -        0/0  6  re      3 -1 -1 -1
32 0   119:121  -        -        0/2  6  kontra  -3 1 1 1
33 0   120:120  -        kontra   0/0  6  re      9 -3 -3 -3
34 0   214:26   no30     kontra   0/0  6  re      33 -11 -11 -11
35 0   175:65   no60     -        0/0  6  kontra  -15 5 5 5
36 0   136:104  no90     no90     0/0  6  nobody  3 -1 -1 -1
37 0   165:75   re       -        2/0  6  re      12 -4 -4 -4
38 0   110:130  -        -        1/1  6  kontra  -3 1 1 1
39 02  101:139  -        -        1/1  6  kontra  -2 2 -2 2
40 0   185:55   no90     -        0/0  6  re      18 -6 -6 -6
"""
ROWS = [row.split() for row in EXAMPLES.strip().splitlines()]

CLASSIC = """
121:119  02  6  1 -1 1 -1
120:120  02  6  -1 1 -1 1
155:85   02  6  2 -2 2 -2
240:0    02  0  5 -5 5 -5
240:0    02  1  4 -4 4 -4
118:122  1   6  1 -3 1 1
"""
CLASSIC_ROWS = [row.split() for row in CLASSIC.strip().splitlines()]


def tally(points: str, kontra_tricks: int, re_step: str = "-", kontra_step: str = "-") -> Tally:
    """Return takings such as ``121:119``, and the highest step of each party."""
    re_points, kontra_points = map(int, points.split(":"))
    return Tally((re_points, kontra_points), (12 - kontra_tricks, kontra_tricks), (STEPS[re_step], STEPS[kontra_step]))


def won_name(party: int | None) -> str:
    """Return who won, as the examples write it."""
    return {None: "nobody", RE: "re", KONTRA: "kontra"}[party]


def specials(text: str) -> list[Special]:
    """Return special points such as ``0/3`` (RE/KONTRA)."""
    return [Special("fox", party, 1) for party, count in enumerate(map(int, text.split("/"))) for _ in range(count)]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_worked_example(row: list[str]) -> None:
    """Section 14: winner and points by seat of the worked example of this number."""
    _, seats, points, re_step, kontra_step, made, tricks, won, *expected = row
    result = judge(tally(points, int(tricks), re_step, kontra_step), [int(seat) for seat in seats], specials(made))
    assert won_name(result.winner) == won
    assert result.points == tuple(map(int, expected))
    assert sum(result.points) == 0
    assert len({points % 2 for points in result.points}) == 1


@pytest.mark.parametrize("row", CLASSIC_ROWS, ids=[f"{row[0]}-{row[2]}" for row in CLASSIC_ROWS])
def test_d18_classic_example(row: list[str]) -> None:
    """Ruling D18, section 8: without announcements and special points the value is 1 and one for each threshold."""
    points, seats, tricks, *expected = row
    assert judge(tally(points, int(tricks)), [int(seat) for seat in seats]).points == tuple(map(int, expected))


def test_all_forty_examples_are_here() -> None:
    """The table is whole."""
    assert [int(row[0]) for row in ROWS] == list(range(1, 41))


def test_d6_special_points_count_when_nobody_wins() -> None:
    """Ruling D6: nobody wins, a charlie still counts and `against the ladies` doesn't."""
    nobody = tally("110:130", 6, "no90", "no60")
    assert judge(nobody, [0, 2], []).points == (0, 0, 0, 0)
    result = judge(nobody, [0, 2], [Special("charlie", KONTRA, 12)])
    assert (result.winner, result.points) == (None, (-1, 1, -1, 1))


def test_d7_nobody_wins_in_a_solo_counts_three_times() -> None:
    """Ruling D7: the soloist scores three times what a pair would."""
    nobody = tally("136:104", 6, "no90", "no90")
    assert judge(nobody, [0, 2], []).points == (1, -1, 1, -1)
    assert judge(nobody, [0], []).points == (3, -1, -1, -1)


def test_d12_a_winner_below_90_gives_nothing_to_the_losers() -> None:
    """Ruling D12: KONTRA wins with 70 against no60; RE kept it under 90 and gets nothing for that."""
    assert judge(tally("170:70", 6, "no60"), [0, 2], []).value == -(1 + 2 + 2 + 1)


@pytest.mark.parametrize(("kontra_tricks", "won", "points"), [(0, RE, 11), (1, KONTRA, -8)])
def test_d13_schwarz_counts_tricks(kontra_tricks: int, won: int, points: int) -> None:
    """Ruling D13: a trick of four nines breaks schwarz, for the denial and for the bonus."""
    result = judge(tally("240:0", kontra_tricks, "schwarz"), [0, 2], [])
    assert (result.winner, result.value) == (won, points)


def test_d14_two_jacks_of_clubs_in_the_last_trick() -> None:
    """Ruling D14: the winning one makes 1 point, the beaten one none for anybody."""
    made = list(trick_specials(ORDER, 1, ("JC", "JC", "9D", "KD"), (0, 2), number=12))
    assert made == [Special("charlie", KONTRA, 12)]
    assert not list(trick_specials(ORDER, 1, ("JC", "JC", "9D", "KD"), (0, 2), number=11))


def test_d15_the_words_add_two() -> None:
    """Ruling D15: re and kontra add 2 each and double nothing."""
    values = [
        judge(tally("181:59", 6, *said), [0, 2], []).value for said in (("-", "-"), ("re", "-"), ("re", "kontra"))
    ]
    assert values == [3, 5, 7]


def test_against_the_ladies_is_a_special_point() -> None:
    """Section 8: KONTRA's victory counts one more only where there are special points and two play two."""
    lost = tally("119:121", 6)
    assert [special.kind for special in judge(lost, [0, 2], []).specials] == ["ladies"]
    assert [judge(lost, seats, made).value for seats, made in (([0, 2], []), ([0, 2], None), ([0], []))] == [-2, -1, -1]


@pytest.mark.parametrize(
    ("re_seats", "cards", "party", "foxes"),
    [
        ((0, 2), "AD TH TH KD", KONTRA, 1),
        ((0, 1), "AD TH TH KD", RE, 0),
        ((0, 2), "AD TH AD KD", KONTRA, 2),
        ((0, 2), "AD 9D KD 9D", RE, 0),
        ((0, 2), "QC AD 9D AD", RE, 2),
    ],
)
def test_foxes(re_seats: tuple[int, int], cards: str, party: int, foxes: int) -> None:
    """Section 8: every fox taken from the other party counts, two in one trick 2, one's own none; last trick too."""
    for number in (1, 12):
        made = trick_specials(ORDER, 0, cards.split(), re_seats, number)
        assert [special.party for special in made if special.kind == "fox"] == [party] * foxes


@pytest.mark.parametrize(("cards", "made"), [("AC AC TS TS", True), ("AC AC TS AS", True), ("AC AC AS KS", False)])
def test_doppelkopf(cards: str, made: bool) -> None:
    """Section 8: a trick of 40 card points or more makes a point, 37 don't."""
    specials_made = list(trick_specials(ORDER, 0, cards.split(), (0, 2), number=5))
    assert specials_made == ([Special("doppelkopf", RE, 5)] if made else [])


@pytest.mark.parametrize(
    ("low", "expected"), [(91, 1), (90, 1), (89, 2), (61, 2), (60, 2), (59, 3), (31, 3), (30, 3), (29, 4)]
)
def test_bounds_of_the_losers_card_points(low: int, expected: int) -> None:
    """Section 8: one more for under 90, 60 and 30, whoever lost; the bound itself isn't under it."""
    assert judge(tally(f"{240 - low}:{low}", 6), [0, 2]).value == expected
    assert judge(tally(f"{low}:{240 - low}", 6), [0, 2]).value == -expected


@pytest.mark.parametrize(
    ("denial", "reach", "missed"), [("no90", 120, 4), ("no60", 90, 5), ("no30", 60, 6), ("schwarz", 30, 7)]
)
def test_bounds_of_card_points_reached_against_a_denial(denial: str, reach: int, missed: int) -> None:
    """Section 8: 120 against no90, 90 against no60, 60 against no30, 30 against schwarz; a card point less isn't."""
    for taken, expected in ((reach - 1, missed), (reach, missed + 1)):
        assert judge(tally(f"{240 - taken}:{taken}", 6, denial), [0, 2]).value == -expected
        assert judge(tally(f"{taken}:{240 - taken}", 6, "-", denial), [0, 2]).value == expected


@pytest.mark.parametrize(("denial", "needs"), [("no90", 151), ("no60", 181), ("no30", 211)])
def test_bounds_of_keeping_a_denial(denial: str, needs: int) -> None:
    """Section 7: who denies wins with so many card points, and loses with one less."""
    for taken, keeps in ((needs - 1, False), (needs, True)):
        assert judge(tally(f"{taken}:{240 - taken}", 6, denial), [0, 2]).winner == (RE if keeps else KONTRA)
        assert judge(tally(f"{240 - taken}:{taken}", 6, "-", denial), [0, 2]).winner == (KONTRA if keeps else RE)
