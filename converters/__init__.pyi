# Made from the table of public names by `make generate`: do not edit.
from evalmark.converters.convert_document import Conversion as Conversion
from evalmark.converters.outcomes import ConvertedFile as ConvertedFile
from evalmark.converters.overrides.defaults import Defaults as Defaults
from evalmark.converters.overrides.defaults import Facts as Facts
from evalmark.converters.proof.leaves import Leaf as Leaf
from evalmark.converters.records.run import Producer as Producer
from evalmark.converters.proof.proof import Proof as Proof
from evalmark.converters.supplied import Question as Question
from evalmark.converters.overrides.defaults import Seen as Seen
from evalmark.converters.step import Stepped as Stepped
from evalmark.converters.supplied import Supplied as Supplied
from evalmark.converters.overrides.read_defaults import read_defaults as read_defaults
from evalmark.converters.suites.edits import split_conjunctions as split_conjunctions
from evalmark.converters.suites.edits import strip_results as strip_results

__all__ = [
    "Conversion",
    "ConvertedFile",
    "Defaults",
    "Facts",
    "Leaf",
    "Producer",
    "Proof",
    "Question",
    "Seen",
    "Stepped",
    "Supplied",
    "read_defaults",
    "split_conjunctions",
    "strip_results",
]
