"""The sample bots; each is a module that serves itself: ``python -m croupier.sample_bots.sensible``.

They have what a contestant has, the kit and the games, and nothing more; each is a function of its question.
Nothing is imported here, so that their names (those of the modules beside this file) cost nothing.
"""
