"""Tournaments: who enters, what is played, where bots run and where results are kept.

Reads upwards from the referee and the games; knows nothing of ratings, pages or the terminal.
Inside: errors < names < tomlfile < config < folders < samples < entrants < manifest < schedule; above them
sqlite < ledger, and launch, output < supervise; at the top run.
"""
