#!/usr/bin/env bash
# What action.yml runs: in a pull request the files that it changes, else all of them.
set -euo pipefail

fail_on=${EVALMARK_FAIL_ON:-error}
base=${EVALMARK_BASE:-}

if [ -z "$base" ] || [ "${EVALMARK_ALL:-false}" = true ]; then
    paths=()
    while IFS= read -r path; do
        [ -z "$path" ] || paths+=("$path")
    done <<<"${EVALMARK_PATHS:-.}"
    exec evalmark check --format github --fail-on "$fail_on" -- "${paths[@]}"
fi

# A checkout of depth 1 has not got the commit that the pull request starts from. What the base is
# called comes from outside, and must not be read as an option of git.
commit_of() { git rev-parse --verify --quiet --end-of-options "$1^{commit}"; }
if ! commit=$(commit_of "$base"); then
    git fetch --quiet --depth=1 -- origin "$base"
    commit=$(commit_of FETCH_HEAD)
fi

changed=()
while IFS= read -r -d '' path; do
    changed+=("$path")
    # Samples are checked with their record.
    record=${path%_samples.jsonl}.json
    [ "$record" = "$path.json" ] || [ ! -f "$record" ] || changed+=("$record")
done < <(git diff --name-only --diff-filter=d -z "$commit" HEAD -- '*.json' '*.jsonl' '*.yaml' '*.yml')

if [ ${#changed[@]} -eq 0 ]; then
    echo "No evaluation files are changed."
    exit 0
fi
# The hook passes over files of other kinds, and shows annotations where GITHUB_ACTIONS is set.
exec evalmark-hook --fail-on "$fail_on" -- "${changed[@]}"
