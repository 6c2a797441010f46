"""From old formats to the current ones, step by step: what conversions take and give.

A conversion is exact, or refused with a ``ConversionError`` that says why and what would help.
Every step, importer and edit may raise it. ``evalmark.convert_file`` and its like convert; the
edits of suites here are for their argument ``edits``.

>>> from evalmark import convert_file
>>> from evalmark.converters import split_conjunctions, strip_results
>>> edits = (strip_results, split_conjunctions)
"""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Conversion": "evalmark.converters.convert_document",
    "ConvertedFile": "evalmark.converters.outcomes",
    "Defaults": "evalmark.converters.overrides.defaults",
    "Facts": "evalmark.converters.overrides.defaults",
    "Leaf": "evalmark.converters.proof.leaves",
    "Producer": "evalmark.converters.records.run",
    "Proof": "evalmark.converters.proof.proof",
    "Question": "evalmark.converters.supplied",
    "Seen": "evalmark.converters.overrides.defaults",
    "Stepped": "evalmark.converters.step",
    "Supplied": "evalmark.converters.supplied",
    "read_defaults": "evalmark.converters.overrides.read_defaults",
    "split_conjunctions": "evalmark.converters.suites.edits",
    "strip_results": "evalmark.converters.suites.edits",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
