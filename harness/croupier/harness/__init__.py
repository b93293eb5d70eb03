"""Tournaments: who enters, what is played, where bots run and where results are kept.

Reads upwards from the referee and the games; knows nothing of ratings, pages or the terminal.
Inside: errors < names < tomlfile < config < folders < samples < entrants < manifest < schedule; above them
sqlite < ledger, and launch, output < supervise; at the top run.
"""

import os

# Ray reads these when it is imported, so they are set before any module of this package can import it:
# no guessing of an environment from `uv run`, no nice +15, no telemetry.
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
os.environ.setdefault("RAY_worker_niceness", "0")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
# Ray shows a cluster the token that is there only where it finds the cluster by itself.
if os.path.exists(os.path.expanduser("~/.ray/auth_token")):  # noqa: PTH110, PTH111  Path fails without a home
    os.environ.setdefault("RAY_AUTH_MODE", "token")
