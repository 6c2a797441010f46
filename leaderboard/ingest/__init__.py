"""From records to the tables of a store."""

from evalmark.leaderboard.open_store import require_store

require_store()  # before a module of this folder imports it
