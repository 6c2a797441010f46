#!/usr/bin/env bash
# What action.yml runs: in a pull request the files that it changes, else all of them. One check
# writes the annotations, the summary of the job and, if asked for, a SARIF file.
set -euo pipefail

cd "${EVALMARK_FOLDER:-.}"
token=${GH_TOKEN:-}
unset GH_TOKEN # only comments need it
base=${EVALMARK_BASE:-}
folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/evalmark-XXXXXX")
summary=$folder/summary.md

# The summary as one comment of the pull request, which later runs replace. The token of a pull
# request from a fork cannot write it: the job has the summary in any case.
comment() {
    local comments id mine
    export GH_TOKEN=$token
    mine='.[] | select(.user.type == "Bot" and (.body | startswith("<!-- evalmark -->"))) | .id'
    echo '<!-- evalmark -->' >"$folder/comment.md"
    head -c 60000 "$summary" >>"$folder/comment.md" # GitHub takes 65,536 characters
    comments=repos/$GITHUB_REPOSITORY/issues
    id=$(gh api --paginate --jq "$mine" "$comments/$EVALMARK_PULL/comments" | head -n 1) || id=
    if [ -n "$id" ]; then
        set -- --method PATCH "$comments/comments/$id"
    else
        set -- --method POST "$comments/$EVALMARK_PULL/comments"
    fi
    gh api --silent "$@" --field "body=@$folder/comment.md" ||
        echo "::notice::evalmark may not comment here: the summary of the job says the same"
}

# However this ends, the job has a summary.
finish() {
    if [ ! -s "$summary" ]; then
        printf '### evalmark: could not run\n\nThe log of this step says why.\n' >"$summary"
    fi
    if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
        cat "$summary" >>"$GITHUB_STEP_SUMMARY"
    fi
    if [ "${EVALMARK_COMMENT:-false}" = true ] && [ -n "${EVALMARK_PULL:-}" ]; then
        comment
    fi
    rm -rf "$folder"
}
trap finish EXIT

options=(--format github --out "markdown=$summary")
[ -z "${EVALMARK_SARIF:-}" ] || options+=(--out "sarif=$EVALMARK_SARIF")
[ -z "${EVALMARK_FAIL_ON:-}" ] || options+=(--fail-on "$EVALMARK_FAIL_ON")
[ -z "${EVALMARK_PROFILE:-}" ] || options+=(--profile "$EVALMARK_PROFILE")

paths=()
while IFS= read -r path; do
    [ -z "$path" ] || paths+=("$path")
done <<<"${EVALMARK_PATHS:-.}"
[ ${#paths[@]} -gt 0 ] || paths=(.)

# What the base is called comes from outside, and must not be read as an option of git.
commit_of() { git rev-parse --verify --quiet --end-of-options "$1^{commit}"; }

if [ -n "$base" ] && [ "${EVALMARK_ALL:-false}" != true ]; then
    head=$(git rev-parse HEAD)
    parents=$(git cat-file commit HEAD | sed -n '1,/^$/s/^parent //p')
    case ${GITHUB_REF:-} in
    refs/pull/*/merge)
        # GitHub has merged the branch and its base, which may have moved since the event.
        if [ "$head" = "${GITHUB_SHA:-}" ] && [ "$(wc -l <<<"$parents")" -eq 2 ]; then
            base=$(head -n 1 <<<"$parents")
        fi
        ;;
    esac
    # A checkout of depth 1 does not have the commit that the pull request starts from.
    if ! commit=$(commit_of "$base"); then
        git fetch --quiet --depth=1 -- origin "$base"
        commit=$(commit_of FETCH_HEAD)
    fi
    # Nor, unless it is a merge with it, what the branch and its base have in common.
    if [ "$(git rev-parse --is-shallow-repository)" = true ] &&
        ! git merge-base "$commit" HEAD >/dev/null && ! grep -qx "$commit" <<<"$parents"; then
        git fetch --quiet --unshallow -- origin "$head" "$commit"
    fi
    options+=(--changed "$commit" -- "${paths[@]}")
else
    printf '%s\n' "${paths[@]}" >"$folder/paths"
    options+=(--paths-from "$folder/paths")
fi

status=0
evalmark check "${options[@]}" || status=$?
# A repository without evaluation files has no mistakes in them.
if [ $status -eq 2 ] && head -n 1 "$summary" 2>/dev/null | grep -qx '### evalmark: nothing to check'; then
    status=0
fi
exit $status
