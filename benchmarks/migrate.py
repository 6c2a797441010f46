"""Convert real records to 0.3.0 and count what arrives, by version and reason.

Takes folders of records; one default is given, the name of a result for that of its data. Every
record that arrives is valid at each step, by our schemas and, if they are at hand, by the released
constraints.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path

from evalmark.converters.convert import convert_data
from evalmark.converters.formats import format_of
from evalmark.converters.step import Supplied
from evalmark.schemas.accepting import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.versions import names
from evalmark.validator.reading.reading import read
from jsonschema import Draft7Validator

DEFAULTS = {"/evaluation_results/*/source_data/dataset_name": "@evaluation_name"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--constraints", type=Path, help="folder of record-<version>.json")
    options = parser.parse_args()
    judges = {
        version: Draft7Validator(
            json.loads((options.constraints / f"record-{version}.json").read_text(encoding="utf-8"))
        )
        for version in names("record")
        if options.constraints
    }
    table: Counter[tuple[str, str]] = Counter()
    steps = 0
    for path in sorted(p for folder in options.folders for p in folder.rglob("*.json")):
        data = read(path.read_bytes(), str(path)).data
        form = format_of(data)
        if form is None or not form.startswith("record-"):
            continue
        label = str(data.get("schema_version"))
        version = form.removeprefix("record-")
        try:
            for target in names("record")[names("record").index(version) + 1 :]:
                data = convert_data(
                    data, to=f"record-{target}", supplied=Supplied(values=DEFAULTS)
                ).data
                assert accepts(f"record-{target}", data)
                if judges:
                    judges[target].validate(data)
                steps += 1
        except ConversionError as error:
            reason = re.sub(r'"[^"]*"', '"…"', error.reason)
            table[label, f"refused: {reason}"] += 1
        else:
            table[label, "arrived"] += 1
    total = sum(table.values())
    arrived = sum(count for (_, outcome), count in table.items() if outcome == "arrived")
    for (label, outcome), count in sorted(table.items()):
        print(f"{label:8} {count:4}  {outcome}")
    print(f"{arrived} of {total} arrived, {steps} steps, all valid")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
