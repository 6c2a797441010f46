"""For packages that add formats, importers and commands.

They use these names, ``evalmark`` and ``evalmark.converters``, and no others. In ``pyproject.toml``
a package names its ``Plugin``, in the group of entry points ``evalmark.plugins``. A plug-in adds

- formats: a ``Format`` with its signs and its schema, and a ``JsonChecks`` with its rules, each
  made by ``Rule.of``;
- importers: an ``Importer``, whose reader gets an ``ImportSource`` and yields a ``Run`` for each
  model, as ``ImportSource.run`` makes it;
- commands: a ``typer.Typer``, by the name of the command.

What cannot be done raises a ``ConversionError`` or another ``EvalmarkError``, in a sentence that
says what would help.
"""

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "At": "evalmark.validator.findings.finding",
    "Dataset": "evalmark.converters.records.run",
    "Document": "evalmark.validator.format",
    "Format": "evalmark.validator.format",
    "Header": "evalmark.converters.importers.imported",
    "Mistake": "evalmark.validator.findings.finding",
    "ImportSource": "evalmark.converters.importers.imported",
    "Importer": "evalmark.converters.importers.registry",
    "JsonChecks": "evalmark.validator.formats.shared.json_checks",
    "Metric": "evalmark.converters.records.run",
    "Model": "evalmark.converters.records.run",
    "Node": "evalmark.converters.sources.placed_values",
    "Plugin": "evalmark.validator.io.extensions",
    "Result": "evalmark.converters.records.run",
    "Run": "evalmark.converters.records.run",
    "Sample": "evalmark.converters.records.run",
    "Written": "evalmark.converters.records.writer",
    "texts": "evalmark.converters.sources.run_facts",
    "write_atomically": "evalmark.validator.io.writing",
    "write_record": "evalmark.converters.records.writer",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
