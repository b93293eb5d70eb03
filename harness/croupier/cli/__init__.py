"""The command line: the roof, one file per group of commands. It imports everything and is imported by nobody.

A command says what it does to people; how it is done lives below.
"""
