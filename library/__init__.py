"""Check, convert and score the files of language-model evaluation.

    report = evalmark.check_file("suite.json")        # bad content is a finding, no exception
    for finding in report.findings:
        print(finding.code, finding.span, finding.message)
    fixed = evalmark.apply_fixes(text, report.findings)
    evalmark.check_files(["suites/"])                 # what `evalmark check suites/` does
    [*evalmark.convert_files(["old/"], output="new")]
    run = evalmark.score("demo", model="demo")        # with the extra `scoring`
    run.to_frame(), run.regions, run.effects          # tables, as frames of pandas
    evalmark.compare(run, "results/other")            # differences, with their intervals
    help(evalmark.score)                              # a screen on each function

What cannot be done raises an ``EvalmarkError``. Names are loaded when they are first used. What
conversions take and give is in ``evalmark.converters``, the steps of scoring are in
``evalmark.scoring``, conversational memory tests in ``evalmark.memory``.
"""

import sys

# `python -m evalmark` looks for modules in the current folder first, and loads this package before
# ``__main__``. A folder that is checked is not trusted: nothing is imported from it. Other programs
# that are started with `-m` keep their folder.
if (
    sys.argv[:1] == ["-m"]
    and not sys.flags.safe_path
    and "evalmark" in sys.orig_argv[-len(sys.argv)].split(".")[0]
):
    del sys.path[0]

from evalmark.schemas.package import lazy_names

#: Public name -> the module that defines it.
HOMES = {
    "Checked": "evalmark.validator.batch.check_files",
    "Checker": "evalmark.validator.checker",
    "Config": "evalmark.validator.settings.config",
    "ConversionError": "evalmark.schemas.errors",
    "EvalmarkError": "evalmark.schemas.errors",
    "Finding": "evalmark.validator.findings.finding",
    "Fixed": "evalmark.validator.findings.finding",
    "InvalidDocument": "evalmark.schemas.errors",
    "Report": "evalmark.validator.findings.report",
    "Rule": "evalmark.validator.findings.rule",
    "Severity": "evalmark.validator.findings.finding",
    "UnknownNameError": "evalmark.schemas.errors",
    "__version__": "evalmark.version",
    "apply_fixes": "evalmark.validator.findings.finding",
    "check_data": "evalmark.validator.check",
    "check_file": "evalmark.validator.check",
    "check_files": "evalmark.validator.checker",
    "check_text": "evalmark.validator.check",
    "compare": "evalmark.scoring.comparison.run_comparison",
    "convert_data": "evalmark.converters.convert_document",
    "convert_file": "evalmark.converters.convert_files",
    "convert_files": "evalmark.converters.convert_files",
    "convert_text": "evalmark.converters.convert_document",
    "find_rules": "evalmark.validator.formats.rule_registry",
    "load_config": "evalmark.validator.settings.config",
    "score": "evalmark.scoring.score_files",
}
__all__ = sorted(HOMES)
__getattr__, __dir__ = lazy_names(__name__, HOMES)
