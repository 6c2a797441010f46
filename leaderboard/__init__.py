"""A table over many records: add, ask, compare. See docs/running-a-leaderboard.md."""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Added": "evalmark.leaderboard.ingest.add_records",
    "AliasReport": "evalmark.leaderboard.alias_candidates",
    "AliasCandidate": "evalmark.leaderboard.alias_candidates",
    "Merged": "evalmark.leaderboard.alias_candidates",
    "Store": "evalmark.leaderboard.open_store",
    "add_records": "evalmark.leaderboard.ingest.add_records",
    "alias_report": "evalmark.leaderboard.alias_candidates",
    "compare_models": "evalmark.leaderboard.questions.model_comparison",
    "conflicts": "evalmark.leaderboard.questions.conflicts",
    "named_queries": "evalmark.leaderboard.questions.query",
    "notes_of": "evalmark.leaderboard.questions.query",
    "show": "evalmark.leaderboard.questions.ranking",
    "sql": "evalmark.leaderboard.questions.query",
    "top": "evalmark.leaderboard.questions.ranking",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
