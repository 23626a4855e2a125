# Layout and lint of the C++ files that changed; used by jobs/test, from the top of the sources.

# The commit to compare with: what was asked for, else where this branch left origin/main, else the last commit, else
# (first commit, shallow clone) the empty tree, so that every file counts as changed.
format_base() {
    local point head
    if [[ -n "${1:-}" ]]; then
        git rev-parse --verify --quiet "$1^{commit}" || { echo "jobs/test: no commit '$1'" >&2; return 1; }
        return
    fi
    point="$(git merge-base origin/main HEAD 2>/dev/null || true)"
    head="$(git rev-parse --verify --quiet HEAD || true)"
    if [[ -n "$point" && "$point" != "$head" ]]; then
        echo "$point"
    else
        git rev-parse --verify --quiet 'HEAD~1^{commit}' || git hash-object -t tree /dev/null
    fi
}

# The C++ files that differ from the base, one a line; those not yet committed, too.
changed_sources() {
    {
        git diff --name-only --diff-filter=ACMR "$1" -- '*.hpp' '*.cpp'
        git ls-files --others --exclude-standard -- '*.hpp' '*.cpp'
    } | sort -u
}

# Spaces that align trailing comments and columns do not count, indentation does.
squeeze() { sed -E 's/([^ ]) +/\1 /g'; }

check_format() {
    local file result=0
    for file in "$@"; do
        diff -u --label "$file" --label "$file (clang-format)" <(squeeze <"$file") <(clang-format "$file" | squeeze) ||
            result=1
    done
    if [[ $result -ne 0 ]]; then
        echo "clang-format would lay out the files above differently: clang-format -i <file>" >&2
    fi
    return $result
}

# clang-tidy of the changed sources; a changed header is read through its own source or test.
check_tidy() {
    local build="$1" parallel="$2" file stem user
    shift 2
    local units=()
    for file in "$@"; do
        case "$file" in
            *.cpp) units+=("$file") ;;
            *.hpp)
                stem="${file%.hpp}"
                for user in "$stem.cpp" "tests/${stem#src/}_test.cpp"; do
                    if [[ -f "$user" ]]; then units+=("$user"); break; fi
                done
                ;;
        esac
    done
    [[ ${#units[@]} -gt 0 ]] || return 0
    printf '%s\n' "${units[@]}" | sort -u |
        xargs -P "$parallel" -n 1 clang-tidy --quiet -p "$build"
}
