"""What a Kowah table may agree on: every option with its default, its meaning and the ruling it belongs to.

The factors ("shukowah") are off at 1. This module knows no play.
"""

from croupier.games.rules import RuleOption

OPTIONS = (
    RuleOption(
        "next_dealer",
        "winner",
        "who deals next: the winner (same dealer after a void deal) or the next seat",
        "section 2",
        words=("winner", "clockwise"),
        tournament="clockwise",
    ),
    RuleOption(
        "base",
        "cards",
        "worth of a win before factors: the nine cards, thrice the closing card, or 1",
        "K1",
        words=("cards", "closing_trio", "unit"),
    ),
    RuleOption(
        "payer",
        "all",
        "who pays a claimed win: every opponent, or the discarder alone",
        "K2",
        words=("all", "discarder"),
    ),
    RuleOption("announce", "may", "whether a ready hand may or must be announced", "K3", words=("may", "must")),
    RuleOption("claim", "may", "whether an announced seat may or must claim its card", "K5", words=("may", "must")),
    RuleOption(
        "priority",
        "turn",
        "which claim wins: the nearest in turn after the discarder, or first announced",
        "K7",
        words=("turn", "first_announced"),
    ),
    RuleOption("return_taken", False, "whether a card taken from the pile may be thrown back at once", "K8"),
    RuleOption("nine_of_a_rank", 1, "factor for nine cards of one rank", "section 12", low=1, high=100),
    RuleOption("six_of_a_rank", 1, "factor for six cards of one rank", "section 12", low=1, high=100),
    RuleOption("nine_figures", 1, "factor for nine figures", "section 12", low=1, high=100),
    RuleOption("nine_figures_or_aces", 1, "factor for nine figures and aces", "section 12, K17", low=1, high=100),
    RuleOption(
        "consecutive_ranks", 1, "factor for trios of three consecutive numerals", "section 12, K16", low=1, high=100
    ),
)
