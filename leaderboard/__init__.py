"""A table over many records: add, ask, compare. See docs/running-a-leaderboard.md."""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Added": "evalmark.leaderboard.adding.addition",
    "AliasReport": "evalmark.leaderboard.candidates",
    "AliasCandidate": "evalmark.leaderboard.candidates",
    "Merged": "evalmark.leaderboard.candidates",
    "Store": "evalmark.leaderboard.open_store",
    "add_records": "evalmark.leaderboard.adding.addition",
    "alias_report": "evalmark.leaderboard.candidates",
    "bounds": "evalmark.leaderboard.questions.bounds",
    "compare_models": "evalmark.leaderboard.questions.comparison",
    "conflicts": "evalmark.leaderboard.questions.conflicts",
    "diff": "evalmark.leaderboard.questions.differences",
    "diff_revisions": "evalmark.leaderboard.questions.revisions",
    "duplicates": "evalmark.leaderboard.questions.duplicates",
    "missing": "evalmark.leaderboard.questions.coverage",
    "notes_of": "evalmark.leaderboard.questions.asking",
    "show": "evalmark.leaderboard.questions.ranking",
    "sql": "evalmark.leaderboard.questions.query",
    "top": "evalmark.leaderboard.questions.ranking",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
