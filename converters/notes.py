"""Notes of conversions about a file; a page words them in its own way."""

from evalmark.schemas.phrase import Wordings


class ConversionNotes(Wordings):
    """Notes and reasons of conversions, as a terminal has them."""

    NO_PREDICTIONS = "the list of predictions is empty, as supplied"
    NO_SUITE = "this format names no suite: `{}` is written"
    NO_METRIC = "this format names no metric: `{}` is written"
    USUAL_METRIC = "the file names no metric; its format meant `{}`"
    NO_REGIONS = "this format has no region names: they are left empty"
    NO_PLACE = "columns that a suite cannot hold: {}"
    LINE = "line {}: {}"
    CELLS = "line {} has {}, the header {}"
    QUOTES = "put a cell that contains the delimiter in double quotes"
    NO_MAPPING = "a table of scores needs a mapping, which says what its columns are"
    OTHER_NUMBERS = "regions have other numbers than in the table: {}"
    NO_COLUMN = "the table has no column {}"
