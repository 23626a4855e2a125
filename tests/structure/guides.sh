#!/usr/bin/env bash
# Pages for readers: every link and heading exists, so does every file that a page names, every case is in a table with its run time, every
# key of a case is explained, and the user's guide lists all its pages.
#     bash tests/structure/guides.sh SOURCE_FOLDER
set -uo pipefail
export LC_ALL=C
cd "$1" || exit 1
failed=0
n=0
fail() { echo "FAILED: $1"; failed=1; }

mapfile -t pages < <(find README.md jobs src tests io decomposition -name '*.md' | sort)

# The anchor that a heading gets: lower case, blanks become hyphens, other marks go.
anchors() { sed -n '/^ /d; s/^##* *//p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'; }
for page in "${pages[@]}"; do
    while read -r link; do
        n=$((n + 1))
        file="$page"
        [[ "$link" == \#* ]] || file="$(dirname "$page")/${link%%#*}"
        if [[ ! -e "$file" ]]; then
            fail "$page points to $link, which does not exist"
        elif [[ "$link" == *\#* && "$file" == *.md ]] && ! anchors "$file" | grep -qx -- "${link#*#}"; then
            fail "$page points to $link: no such heading"
        fi
    done < <(grep -oE '\]\([^) ]+\)' "$page" | tr -d '])(' | grep -v '^http')
    while read -r path; do
        n=$((n + 1))
        [[ -e "$path" ]] || fail "$page names $path, which does not exist"
    done < <(grep -oE '`(src|io|decomposition|tests|jobs)/[A-Za-z0-9_./-]+\.(hpp|cpp|sh|py|awk|toml|md)`' "$page" | tr -d '`')
done

for page in jobs/guide/*.md; do
    grep -qF "(${page#jobs/})" jobs/README.md || fail "jobs/README.md does not list ${page#jobs/}"
done

for file in jobs/cases/*.toml; do
    n=$((n + 1))
    name="$(basename "$file")"
    grep -qE "^\| \`$name\`[^|]*\|[^|]+\|[^|]*(second|minute|hour)[^|]*\|" jobs/guide/*.md ||
        fail "no table in jobs/guide lists $name with what it shows and how long it runs"
    sed '/^title/q' "$file" | grep -q 'Run time: ' || fail "the head of $file does not say how long it runs"
    sed '/^title/q' "$file" | grep -q 'It went right if' || fail "the head of $file does not say how to see that it went right"
done

# The line before a key, or before its value's type, is its description.
bare="$(awk '/^#?[a-z_]+ = / && last !~ /^# ./ { print FILENAME ":" FNR ": " $0 } { last = $0 }' jobs/case-reference.toml)"
[[ -z "$bare" ]] || fail "keys without a description: $bare"

[[ $n -gt 200 ]] || fail "only $n links, files and cases were found"
echo "$n links, files and cases"
exit $failed
