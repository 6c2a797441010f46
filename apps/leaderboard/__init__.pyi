# Made from the table of public names by `make generate`: do not edit.
from evalmark.leaderboard.site.write_site import Published as Published
from evalmark.leaderboard.record_tables import RecordOptions as RecordOptions
from evalmark.leaderboard.record_files import RecordReader as RecordReader
from evalmark.leaderboard.result_columns import ResultRow as ResultRow
from evalmark.leaderboard.results import Results as Results
from evalmark.leaderboard.result_columns import SampleRow as SampleRow
from evalmark.leaderboard.record_tables import WrittenTables as WrittenTables
from evalmark.leaderboard.site.write_site import publish as publish
from evalmark.leaderboard.record_tables import results_of as results_of
from evalmark.leaderboard.record_tables import write_table as write_table

__all__ = [
    "Published",
    "RecordOptions",
    "RecordReader",
    "ResultRow",
    "Results",
    "SampleRow",
    "WrittenTables",
    "publish",
    "results_of",
    "write_table",
]
