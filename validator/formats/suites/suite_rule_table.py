"""The rules of suites: codes, names, severities."""

from __future__ import annotations

from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.formats.suites.rules import design_rules as design
from evalmark.validator.formats.suites.rules import formula_rules as formulas
from evalmark.validator.formats.suites.rules import (
    leftovers,
    odd_ones,
    spreadsheet_columns,
    text_characters,
)
from evalmark.validator.formats.suites.rules import prediction_rules as predictions
from evalmark.validator.formats.suites.rules import region_texts as text
from evalmark.validator.formats.suites.rules import structure_rules as structure

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

SUITE_RULES: tuple[Rule, ...] = checked_rules(
    ("SG201", "formula-syntax", _ERROR, formulas.formula_syntax),
    ("SG202", "truth-value-expected", _ERROR, formulas.truth_value_expected),
    ("SG203", "unknown-region", _ERROR, formulas.unknown_region),
    ("SG204", "unknown-condition", _ERROR, formulas.unknown_condition),
    ("SG205", "mixed-operators", _WARNING, formulas.mixed_operators),
    ("SG206", "never-holds", _ERROR, predictions.never_holds),
    ("SG207", "cannot-fail", _WARNING, predictions.cannot_fail),
    ("SG208", "bracket-dialect", _WARNING, formulas.bracket_dialect),
    ("SG209", "string-predictions", _ERROR, formulas.string_predictions),
    ("SG211", "one-sided", _WARNING, predictions.one_sided),
    ("SG212", "unused-condition", _WARNING, predictions.unused_condition),
    ("SG213", "undefined-region", _WARNING, predictions.undefined_region),
    ("SG214", "repeated-prediction", _WARNING, predictions.repeated_prediction),
    ("SG215", "different-regions", _WARNING, predictions.different_regions),
    ("SG216", "empty-where-read", _WARNING, predictions.empty_where_read),
    ("SG221", "legacy-suite", _WARNING, formulas.legacy_suite),
    ("SG301", "region-trailing-space", _WARNING, text.trailing_space),
    ("SG302", "region-leading-space", _WARNING, text.leading_space),
    ("SG303", "identical-sentences", _WARNING, predictions.identical_sentences),
    ("SG304", "leading-punctuation", _WARNING, text.leading_punctuation),
    ("SG305", "odd-characters", _WARNING, text_characters.odd_characters),
    ("SG306", "mixed-quotes", _WARNING, text.mixed_quotes),
    ("SG307", "unspaced-script", _WARNING, text.unspaced_script),
    ("SG308", "mixed-scripts", _WARNING, text_characters.mixed_scripts),
    ("SG309", "judgement-mark", _WARNING, leftovers.judgement_mark),
    ("SG311", "markup", _WARNING, leftovers.markup),
    ("SG312", "spreadsheet-value", _WARNING, leftovers.spreadsheet_value),
    ("SG313", "placeholder-text", _WARNING, leftovers.placeholder),
    ("SG314", "pretokenized", _WARNING, leftovers.pretokenized),
    ("SG315", "doubled-word", _WARNING, leftovers.doubled_word),
    ("SG316", "letter-case", _WARNING, leftovers.letter_case),
    ("SG317", "final-stop", _WARNING, leftovers.final_stop),
    ("SG318", "unlike-others", _WARNING, odd_ones.unlike_others),
    ("SG319", "misspelt-word", _WARNING, odd_ones.misspelt_word),
    ("SG401", "region-numbers", _ERROR, structure.region_numbers),
    ("SG402", "region-not-declared", _ERROR, structure.region_not_declared),
    ("SG403", "condition-sets", _ERROR, structure.condition_sets),
    ("SG404", "duplicate-item-number", _ERROR, structure.duplicate_item_number),
    ("SG405", "duplicate-condition", _ERROR, structure.duplicate_condition),
    ("SG406", "duplicate-region", _ERROR, structure.duplicate_region),
    ("SG407", "repeated-item", _WARNING, structure.repeated_item),
    ("SG408", "condition-order", _WARNING, structure.condition_order),
    ("SG409", "spreadsheet-names", _WARNING, structure.spreadsheet_names),
    ("SG410", "evaluated-values", _WARNING, structure.evaluated_values),
    ("SG411", "region-order", _ERROR, structure.region_order),
    ("SG412", "region-missing", _ERROR, structure.region_missing),
    ("SG413", "unused-region", _WARNING, structure.unused_region),
    ("SG414", "empty-sentence", _ERROR, structure.empty_sentence),
    ("SG415", "no-items", _ERROR, structure.no_items),
    ("SG416", "empty-suite-name", _ERROR, structure.suite_name),
    ("SG417", "region-names", _WARNING, structure.region_names),
    ("SG419", "joined-regions", _ERROR, structure.joined_regions),
    ("SG421", "condition-name", _ERROR, formulas.condition_name),
    ("SG422", "non-ascii-condition", _WARNING, formulas.non_ascii_condition),
    ("SG431", "exchanged-texts", _WARNING, design.exchanged_texts),
    ("SG432", "shared-text", _WARNING, design.shared_text),
    ("SG433", "shifted-texts", _WARNING, spreadsheet_columns.shifted_texts),
    ("SG434", "item-numbers", _WARNING, structure.item_numbers),
    ("SG435", "similar-items", _WARNING, spreadsheet_columns.similar_items),
    ("SG436", "same-region-name", _WARNING, structure.same_region_name),
    ("SG437", "column-habits", _WARNING, spreadsheet_columns.column_habits),
    ("SG438", "no-item", _WARNING, spreadsheet_columns.no_item),
    # SG319: names, verb forms and possessives of a varied vocabulary look like slips.
    optional=("SG304", "SG319", "SG422"),
)
