# Made from the table of public names by `make generate`: do not edit.
from evalmark.converters.convert import Conversion as Conversion
from evalmark.converters.converted_file import ConvertedFile as ConvertedFile
from evalmark.converters.records.run import Producer as Producer
from evalmark.converters.step import Stepped as Stepped
from evalmark.converters.step import Supplied as Supplied
from evalmark.converters.steps.edits import canonical as canonical
from evalmark.converters.steps.edits import insert_region as insert_region
from evalmark.converters.steps.edits import renumber as renumber
from evalmark.converters.steps.edits import split_conjunctions as split_conjunctions
from evalmark.converters.steps.edits import strip_results as strip_results

__all__ = [
    "Conversion",
    "ConvertedFile",
    "Producer",
    "Stepped",
    "Supplied",
    "canonical",
    "insert_region",
    "renumber",
    "split_conjunctions",
    "strip_results",
]
