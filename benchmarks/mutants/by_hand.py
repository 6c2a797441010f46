"""Mutants of the converters by hand: module, a text in it, and what is there instead."""

# ruff: noqa: E501 - a text and what is there instead are on one line

from __future__ import annotations

_TRIPLES = "validator/formats/suites/triples.py"
_SYNTAX = "validator/formats/suites/formula/formula_syntax.py"
_DIALECTS = "converters/suites/suite_dialects.py"
_EDITS = "converters/suites/edits.py"
_TABLES = "converters/suites/suite_tables.py"
_WIDE = "converters/tables/wide_tables.py"

BY_HAND: tuple[tuple[str, str, str], ...] = (
    # triples: operands, relations, regions
    (_TRIPLES, '"lessthan": "<"', '"lessthan": ">"'),
    (_TRIPLES, '"equals": "="', '"equals": "<"'),
    (_TRIPLES, '"greaterthan": ">"', '"greaterthan": "="'),
    (_TRIPLES, '"greaterthan": ">"', '"greaterthan": "<"'),
    (_TRIPLES, 'triple["l_operand"]', 'triple["r_operand"]'),
    (_TRIPLES, 'triple["r_operand"]', 'triple["l_operand"]'),
    (_TRIPLES, 'int(triple["region_number"])', 'int(triple["region_number"]) + 1'),
    (_TRIPLES, 'int(triple["region_number"])', '1'),
    (_TRIPLES, "{_text(left)} {operator} {_text(right)}", "{_text(right)} {operator} {_text(left)}"),
    (_TRIPLES, 'f"({reference.region};%{', 'f"({reference.region - 1};%{'),
    (_TRIPLES, 'f"({reference.region};%{', 'f"(*;%{'),
    (_DIALECTS, 'data.get("predictions", []):', 'data.get("predictions", [])[1:]:'),
    (_DIALECTS, 'data.get("predictions", []):', 'data.get("predictions", [])[:-1]:'),
    (_DIALECTS, 'data.get("predictions", []):', 'data.get("predictions", [])[::-1]:'),
    (_DIALECTS, "predictions.append({", "predictions.insert(0, {"),
    # metrics
    (_DIALECTS, '_one_metric(meta["metric"], supplied.metric)', '"max"'),
    (_DIALECTS, "return str(choice)", 'return "sum"'),
    (_DIALECTS, "return offered[0]", 'return "sum"'),
    (_DIALECTS, '"metric": USUAL_METRIC', '"metric": "mean"'),
    # precedence, exactness, parts of older formulas
    (_DIALECTS, "formulas = [current_formula(string) for string in strings]",
     "formulas = [current_formula(string) for string in strings[1:]]"),
    (_DIALECTS, "formulas = [current_formula(string) for string in strings]",
     "formulas = [current_formula(string) for string in strings[::-1]]"),
    (_DIALECTS, "old = _parsed(source, Dialect.PYTHON)", "old = _parsed(source)"),
    (_DIALECTS, "if same_meaning(parse(plain).tree, old):", "if parse(plain):"),
    (_DIALECTS, 'str.maketrans("[]", "()")', 'str.maketrans("", "", "[]")'),
    (_DIALECTS, "_require_current(current_formula(source)) if", "source.translate(_ROUND) if"),
    (_DIALECTS, 'new.append({**prediction, "formula": formula})', 'new += [{**prediction, "formula": formula}] * is_old'),
    (_DIALECTS, '_require_current(formula)} for formula', 'formula.replace(">", "<")} for formula'),
    (_DIALECTS, '_require_current(formula)} for formula', 'formula.replace("=", ">")} for formula'),
    (_DIALECTS, '_require_current(formula)} for formula', 'formula.split("&")[0]} for formula'),
    (_DIALECTS, '_require_current(formula)} for formula', 'formula.replace("&", "|")} for formula'),
    (_DIALECTS, '_require_current(formula)} for formula', 'formula.replace("1.5", "1")} for formula'),
    # back to triples
    (_DIALECTS, '"l_operand": _operand(left, spellings)', '"l_operand": _operand(right, spellings)'),
    (_DIALECTS, '"r_operand": _operand(right, spellings)', '"r_operand": _operand(left, spellings)'),
    (_DIALECTS, '"region_number": left.region', '"region_number": left.region + 1'),
    (_DIALECTS, "if sign == tree.operator", "if sign != tree.operator"),
    (_DIALECTS, 'for prediction in data["predictions"]]\n    for',
     'for prediction in data["predictions"][1:]]\n    for'),
    # the text of a tree
    (_SYNTAX, 'return f"{left} {node.operator} {right}"', 'return f"{right} {node.operator} {left}"'),
    (_SYNTAX, 'return f"{left} {node.operator} {right}"', 'return f"{left} < {right}"'),
    (_SYNTAX, "(Sum, Comparison, Logic) if isinstance(node, Sum)", "() if isinstance(node, Sum)"),
    (_SYNTAX, "else (Comparison, Logic)", "else ()"),
    (_SYNTAX, 'f"{operator} {_operand(part, *wrapped)}" for operator, part in node.rest',
     'f"{operator} {_operand(part, *wrapped)}" for operator, part in node.rest[1:]'),
    (_SYNTAX, 'f"{operator} {_operand(part, *wrapped)}" for operator, part in node.rest',
     'f"{operator} {_operand(part, *wrapped)}" for operator, part in node.rest[::-1]'),
    (_SYNTAX, 'f"{operator} {_operand(part, *wrapped)}"', 'f"{operator} {parts[0]}"'),
    (_SYNTAX, "return str(int(value)) if", "return str(int(value) + 1) if"),
    (_SYNTAX, "    return repr(value)\n", '    return f"{value:.0f}"\n'),
    (_SYNTAX, 'else str(node.region)', 'else str(node.region + 1)'),
    (_SYNTAX, 'region = "*" if node.region is None else', 'region = "1" if node.region is None else'),
    # edits of suites
    (_EDITS, "text = text[:start] + renamed(text[start:end]) + text[end:]", "pass"),
    (_EDITS, '"condition_name": renamed(c["condition_name"])', '"condition_name": c["condition_name"]'),
    (_EDITS, 'new.keys() & {"l_operand", "r_operand"}', 'new.keys() & {"l_operand"}'),
    (_EDITS, 'parts = _conjuncts(_read(prediction["formula"]))', 'parts = _conjuncts(_read(prediction["formula"]))[1:]'),
    (_EDITS, 'parts = _conjuncts(_read(prediction["formula"]))', 'parts = _conjuncts(_read(prediction["formula"]))[:2]'),
    (_EDITS, 'any(operator != "&" for operator, _ in node.rest)', "False"),
    (_EDITS, "*(operand for _, operand in node.rest))\n    return", "*(operand for _, operand in node.rest[1:]))\n    return"),
    (_EDITS, "if n >= number}).data", "if n > number}).data"),
    (_EDITS, "{n: n + 1 for n in regions if n >= number}", "{n: n + 2 for n in regions if n >= number}"),
    (_EDITS, "regions[:at], inserted, *regions[at:]", "regions[at:], inserted, *regions[:at]"),
    (_EDITS, "regions[:at], inserted, *regions[at:]", "regions[:at], *regions[at:]"),
    (_EDITS, "regions[:at], inserted, *regions[at:]", "regions[:at], inserted, *regions[at + 1 :]"),
    (_EDITS, "sorted([number, *unspaced])", "sorted([*unspaced])"),
    (_EDITS, '"region_number": numbers.get(int(number), number)', '"region_number": number'),
    (_EDITS, "region=numbers.get(reference.region, reference.region)", "region=reference.region"),
    (_EDITS, "region=numbers.get(reference.region, reference.region)",
     "region=numbers.get(reference.region, reference.region) % 3 + 1"),
    (_EDITS, "unparse(mapped(_read(p[\"formula\"]), moved))}", "p[\"formula\"]}"),
    (_EDITS, "listed = sorted(numbers.get(int(number), int(number)) for number in unspaced)",
     "listed = sorted(unspaced)"),
    # tables and dataset rows
    (_TABLES, "for n, text in sorted(contents.items())]", "for n, text in contents.items()]"),
    (_TABLES, "for n, text in sorted(contents.items())]", "for n, text in sorted(contents.items())[1:]]"),
    (_TABLES, '{"region_number": n, "content": text}', '{"region_number": n + 1, "content": text}'),
    (_TABLES, "map(stated_formula, supplied.predictions or ())", "map(stated_formula, (supplied.predictions or ())[1:])"),
    (_TABLES, "map(stated_formula, supplied.predictions or ())", 'map(stated_formula, (t.replace("[", "(").replace("]", ")") for t in supplied.predictions or ()))'),
    (_TABLES, '"metric": supplied.metric or USUAL_METRIC', '"metric": USUAL_METRIC'),
    (_TABLES, 'regions[number] = row["content"]', 'regions[number] = row["content"].lower()'),
    (_TABLES, '"content": region["content"],\n        }\n        for item', '"content": region["content"][1:],\n        }\n        for item'),
    (_TABLES, 'dict(zip(regions["region_number"], regions["content"], strict=True))',
     'dict(zip(regions["region_number"], regions["content"][::-1], strict=True))'),
    (_TABLES, "len(FIRST_COLUMNS) :], 1))", "len(FIRST_COLUMNS) :], 2))"),
    (_TABLES, 'formulas = [prediction["formula"] for prediction in data["predictions"]]',
     'formulas = [prediction["formula"] for prediction in data["predictions"]][1:]'),
    (_TABLES, '"content": [region.content for region in condition.regions]',
     '"content": [region.content.title() for region in condition.regions]'),
    (_TABLES, "sentences = [condition.sentence().text for item in suite.items for condition in item.conditions]",
     'sentences = [condition.sentence("hf").text + "!" for item in suite.items for condition in item.conditions]'),
    (_WIDE, 'contents.get(region, "")', 'contents.get(region + 1, "")'),
    (_WIDE, "{FORMULA: prediction[FORMULA]}", '{FORMULA: prediction[FORMULA].replace(">", "<")}'),
    (_WIDE, "for item in data[\"items\"]\n        for condition", "for item in data[\"items\"][1:]\n        for condition"),
)  # fmt: skip
