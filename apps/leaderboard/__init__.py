"""A table over many records, and a site of it. See docs/running-a-leaderboard.md."""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Published": "evalmark.leaderboard.site.write_site",
    "RecordOptions": "evalmark.leaderboard.record_tables",
    "RecordReader": "evalmark.leaderboard.record_files",
    "ResultRow": "evalmark.leaderboard.result_columns",
    "Results": "evalmark.leaderboard.results",
    "SampleRow": "evalmark.leaderboard.result_columns",
    "WrittenTables": "evalmark.leaderboard.record_tables",
    "publish": "evalmark.leaderboard.site.write_site",
    "results_of": "evalmark.leaderboard.record_tables",
    "write_table": "evalmark.leaderboard.record_tables",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
