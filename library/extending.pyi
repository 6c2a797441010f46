# Made from the table of public names by `make generate`: do not edit.
from evalmark.validator.findings.finding import At as At
from evalmark.converters.records.run import Dataset as Dataset
from evalmark.validator.format import Document as Document
from evalmark.validator.format import Format as Format
from evalmark.converters.importers.imported import Header as Header
from evalmark.converters.importers.imported import ImportSource as ImportSource
from evalmark.converters.importers.registry import Importer as Importer
from evalmark.validator.formats.shared.json_checks import JsonChecks as JsonChecks
from evalmark.converters.records.run import Metric as Metric
from evalmark.validator.findings.finding import Mistake as Mistake
from evalmark.converters.records.run import Model as Model
from evalmark.converters.sources.placed_values import Node as Node
from evalmark.validator.io.extensions import Plugin as Plugin
from evalmark.converters.records.run import Result as Result
from evalmark.converters.records.run import Run as Run
from evalmark.converters.records.run import Sample as Sample
from evalmark.converters.records.writer import Written as Written
from evalmark.converters.sources.run_facts import texts as texts
from evalmark.validator.io.writing import write_atomically as write_atomically
from evalmark.converters.records.writer import write_record as write_record

__all__ = [
    "At",
    "Dataset",
    "Document",
    "Format",
    "Header",
    "ImportSource",
    "Importer",
    "JsonChecks",
    "Metric",
    "Mistake",
    "Model",
    "Node",
    "Plugin",
    "Result",
    "Run",
    "Sample",
    "Written",
    "texts",
    "write_atomically",
    "write_record",
]
