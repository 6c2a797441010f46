# Made from the table of public names by `make generate`: do not edit.
from evalmark.leaderboard.ingest.add_records import Added as Added
from evalmark.leaderboard.alias_candidates import AliasCandidate as AliasCandidate
from evalmark.leaderboard.alias_candidates import AliasReport as AliasReport
from evalmark.leaderboard.alias_candidates import Merged as Merged
from evalmark.leaderboard.open_store import Store as Store
from evalmark.leaderboard.ingest.add_records import add_records as add_records
from evalmark.leaderboard.alias_candidates import alias_report as alias_report
from evalmark.leaderboard.questions.model_comparison import compare_models as compare_models
from evalmark.leaderboard.questions.conflicts import conflicts as conflicts
from evalmark.leaderboard.questions.query import named_queries as named_queries
from evalmark.leaderboard.questions.query import notes_of as notes_of
from evalmark.leaderboard.questions.ranking import show as show
from evalmark.leaderboard.questions.query import sql as sql
from evalmark.leaderboard.questions.ranking import top as top

__all__ = [
    "Added",
    "AliasCandidate",
    "AliasReport",
    "Merged",
    "Store",
    "add_records",
    "alias_report",
    "compare_models",
    "conflicts",
    "named_queries",
    "notes_of",
    "show",
    "sql",
    "top",
]
