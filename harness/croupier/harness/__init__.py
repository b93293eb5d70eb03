"""Tournaments: who enters, what is played, where bots run and where results are kept.

Reads upwards from the referee and the games; knows nothing of ratings, pages or the terminal.
Inside: errors < names < tomlfile < config < folders < entrants < manifest < schedule < supervise, ledger < run.
"""
