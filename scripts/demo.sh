#!/bin/sh
# The main job, from check to a checked record, on what is bundled. Called by `make demo`.
set -eu
out=${1:-demo-out}
if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold= plain=; fi
step() { printf '\n%s── %s%s\n\n' "$bold" "$1" "$plain"; }

rm -rf "$out"
mkdir -p "$out"

step "check the bundled suites and a record: evalmark check fixtures/suites fixtures/good/record.json"
evalmark check fixtures/suites fixtures/good/record.json

step "two broken suites: evalmark check fixtures/bad/SG204_… fixtures/bad/SG206_…"
evalmark check --format full fixtures/bad/SG204_unknown_condition.json \
    fixtures/bad/SG206_never_holds.json && exit 1 || test $? -eq 1

step "an old suite becomes current: evalmark convert --diff fixtures/legacy/triples.old.json"
evalmark convert --diff fixtures/legacy/triples.old.json
evalmark convert fixtures/legacy/triples.old.json -o "$out/converted.json"
evalmark check "$out/converted.json"

step "score the demo suites: evalmark score fixtures/suites --model demo --out $out/scores"
evalmark score fixtures/suites --model demo --out "$out/scores"

step "check the record: evalmark check $out/scores"
evalmark check --verbose "$out/scores"

step "a table of records: evalmark table $out/scores -o $out/results.csv"
evalmark table "$out/scores" -o "$out/results.csv" --quiet

step "next: . .venv/bin/activate, then docs/start/suite.md"
